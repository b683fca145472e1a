import type { LimitName, StrategyLimits } from '#contract/strategyLimits';
import { lockBook, moveBook } from '../../base/db/books/book';
import type { Queries } from '../../base/db/client';
import { ownStrategy } from '../../base/db/strategies/strategy';
import type { GuardedStrategy } from '../../base/db/strategies/strategyFigures';
import { guardOf, tripStrategy } from '../../base/db/strategies/strategyGuard';
import { usdt } from '../../base/maths/decimal';
import { BREAKER } from '../../engine/words';
import type { DeskDeps } from '../deps';
import { isEntering } from './strategyIntents';
import { limitsOf, usedOf, watchedStrategies } from './strategyOverview';

type Needs = Pick<DeskDeps, 'db' | 'markets' | 'clock'>;

const LOOK_MS = 5_000;

/** The loss of the day is the engine's to judge, before each entry. */
const NAMES = { maxDrawdown: '回撤', maxNotional: '名义' } as const satisfies Partial<Record<LimitName, string>>;
type Watched = keyof typeof NAMES;

interface Breach {
  limit: Watched;
  reason: string;
}

/**
 * The first limit that is exceeded; `null` while none is. Where a figure is unknown the engine opens nothing for the
 * strategy until it is known.
 */
function breachOf(limits: StrategyLimits, used: Record<LimitName, number | null>): Breach | null {
  for (const name of Object.keys(NAMES) as Watched[]) {
    const [limit, figure] = [limits[name], used[name]];
    if (limit === null || figure === null || figure <= limit) continue;
    return { limit: name, reason: `${NAMES[name]} ${usdt(figure)} 超过限额 ${usdt(limit)}` };
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
  const isLimited = (row: GuardedStrategy) => {
    const { maxDrawdown = null, maxNotional = null } = limits(row) ?? {};
    return maxDrawdown !== null || maxNotional !== null;
  };
  const tripped: string[] = [];
  for (const row of await watchedStrategies(needs, now, isLimited)) {
    const breach = breachOf(limits(row)!, usedOf(row, now));
    if (breach === null) continue;
    const { id, userId } = row.strategy;
    const isDone = await needs.db.transaction((tx) =>
      trip(tx as unknown as Queries, { id, userId, breach, now, version: row.guard }),
    );
    if (isDone) tripped.push(userId);
  }
  return tripped;
}

interface Trip {
  id: string;
  userId: string;
  breach: Breach;
  now: number;
  /** What it was judged by. */
  version: GuardedStrategy['guard'];
}

/** @returns false where somebody has switched, resumed or limited it anew since it was judged. */
async function trip(tx: Queries, { id, userId, breach, now, version }: Trip): Promise<boolean> {
  await lockBook(tx, userId);
  const [row, guard] = [await ownStrategy(tx, userId, id), await guardOf(tx, id)];
  if (row === null || !isEntering(row) || JSON.stringify(guard) !== JSON.stringify(version)) return false;
  await tripStrategy(tx, id, { ...breach, at: now, by: BREAKER });
  await moveBook(tx, userId);
  return true;
}
