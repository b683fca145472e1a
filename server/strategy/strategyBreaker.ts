import type { LimitName, StrategyLimits } from '#contract/strategyOverview';
import { lockBook, moveBook } from '../db/book';
import type { Queries } from '../db/client';
import { ownStrategy, switchStrategy } from '../db/strategy';
import type { GuardedStrategy } from '../db/strategyFigures';
import { changeGuard, guardOf, noteStrategy } from '../db/strategyGuard';
import type { Deps } from '../deps';
import { isEntering } from './strategyIntents';
import { limitsOf, usedOf, watchedStrategies } from './strategyOverview';

type Needs = Pick<Deps, 'db' | 'markets' | 'clock'>;

const LOOK_MS = 5_000;
export const BREAKER = '熔断';

const NAMES: Record<LimitName, string> = { maxDrawdown: '回撤', dailyLoss: '单日亏损', maxNotional: '名义' };

/** The first limit that is exceeded, in words; `null` while none is, also where a figure is unknown. */
function breachOf(limits: StrategyLimits, used: Record<LimitName, number | null>): string | null {
  for (const name of Object.keys(NAMES) as LimitName[]) {
    const [limit, figure] = [limits[name], used[name]];
    if (limit === null || figure === null || figure <= limit) continue;
    return `${NAMES[name]} ${figure.toFixed(2)} USDT 超过限额 ${limit.toFixed(2)} USDT`;
  }
  return null;
}

/**
 * Ends the entries of strategies that exceed a limit of theirs, as their owner would: an intent in the book, which the
 * engine takes up before it enters anything. What is held stays guarded.
 */
export class StrategyBreaker {
  readonly #needs: Needs;
  readonly #onTripped: (userId: string) => void;
  readonly #onTrouble: (what: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<unknown> = Promise.resolve();

  /** @param onTripped told whose strategy tripped; @param onTrouble told the class of what went wrong */
  constructor(needs: Needs, { onTripped, onTrouble }: Record<'onTripped' | 'onTrouble', (what: string) => void>) {
    this.#needs = needs;
    this.#onTripped = onTripped;
    this.#onTrouble = onTrouble;
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#running = this.pass()
        .catch((error: Error) => this.#onTrouble(error.name))
        .finally(() => this.#timer && this.start());
    }, LOOK_MS);
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  /** Looks at every strategy that may enter and is limited. @returns how many tripped. */
  async pass(): Promise<number> {
    const { clock } = this.#needs;
    const tripped = await tripExceeding(this.#needs, clock(), ({ guard }) => (guard === null ? null : limitsOf(guard)));
    tripped.forEach(this.#onTripped);
    return tripped.length;
  }
}

/**
 * Trips what may enter and exceeds its limits at an instant, by the prices and the ledger of that instant.
 * @param limited what a strategy is judged by; `null` where it is not judged. @returns whose strategies tripped.
 */
export async function tripExceeding(
  needs: Omit<Needs, 'clock'>,
  now: number,
  limited: (row: GuardedStrategy) => StrategyLimits | null,
): Promise<string[]> {
  const limits = (row: GuardedStrategy) => (isEntering(row.strategy) ? limited(row) : null);
  const isLimited = (row: GuardedStrategy) => Object.values(limits(row) ?? {}).some((limit) => limit !== null);
  const tripped: string[] = [];
  for (const row of await watchedStrategies(needs, now, isLimited)) {
    const reason = breachOf(limits(row)!, usedOf(row, now));
    if (reason === null) continue;
    const { id, userId } = row.strategy;
    const isDone = await needs.db.transaction((tx) =>
      trip(tx as unknown as Queries, { id, userId, reason, now, version: row.guard }),
    );
    if (isDone) tripped.push(userId);
  }
  return tripped;
}

interface Trip {
  id: string;
  userId: string;
  reason: string;
  now: number;
  /** What it was judged by. */
  version: GuardedStrategy['guard'];
}

/** @returns false where somebody has switched, resumed or limited it anew since it was judged. */
async function trip(tx: Queries, { id, userId, reason, now, version }: Trip): Promise<boolean> {
  await lockBook(tx, userId);
  const [row, guard] = [await ownStrategy(tx, userId, id), await guardOf(tx, id)];
  if (row === null || !isEntering(row) || JSON.stringify(guard) !== JSON.stringify(version)) return false;
  await switchStrategy(tx, id, 'tripped', { at: now, by: BREAKER });
  await changeGuard(tx, id, { tripped: reason, trippedAt: now });
  await noteStrategy(tx, { strategyId: id, at: now, kind: 'tripped', detail: reason, by: '' });
  await moveBook(tx, userId);
  return true;
}
