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

const isGuarded = ({ strategy, guard }: GuardedStrategy): boolean =>
  guard !== null && isEntering(strategy) && Object.values(limitsOf(guard)).some((limit) => limit !== null);

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
    const now = this.#needs.clock();
    let tripped = 0;
    for (const row of await watchedStrategies(this.#needs, now, isGuarded)) {
      const reason = breachOf(limitsOf(row.guard), usedOf(row, now));
      if (reason === null) continue;
      const { id, userId } = row.strategy;
      const isDone = await this.#needs.db.transaction((tx) =>
        trip(tx as unknown as Queries, { id, userId, reason, now, version: row.guard! }),
      );
      if (!isDone) continue;
      tripped += 1;
      this.#onTripped(userId);
    }
    return tripped;
  }
}

interface Trip {
  id: string;
  userId: string;
  reason: string;
  now: number;
  /** What it was judged by. */
  version: NonNullable<GuardedStrategy['guard']>;
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
