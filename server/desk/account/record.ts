import { LRUCache } from 'lru-cache';
import { DAY_MS, MINUTE_MS } from '#contract/duration';
import { type AccountPoint, firstTransfer, newestPoints, pointsAt, type Scope } from '../../base/db/accounts/account';
import type { Queries } from '../../base/db/client';
import { type AccountClock, runningDay } from '../../base/maths/dayBoundary';

/** Steps of a curve, finest first: the engine records every five minutes. */
const STEPS = [5, 10, 15, 30, 60, 120, 240, 360, 720, 1440].map((minutes) => minutes * MINUTE_MS);
const POINTS = 1_500;

/** The finest step that draws a span with 1,500 points at most, milliseconds. */
export const stepFor = (span: number): number =>
  STEPS.find((step) => span / step <= POINTS) ?? Math.ceil(span / POINTS / DAY_MS) * DAY_MS;

/** The account, or all of a user's, as the first transfer left it; null before one. */
export async function openingOf(db: Queries, scope: Scope): Promise<AccountPoint | null> {
  const first = await firstTransfer(db, scope);
  if (first === null) return null;
  const amount = Number(first.amount);
  return { at: first.at, equity: amount, transfers: amount, price: 0, funding: 0, fees: 0, btc: null };
}

/** Whose record, and the two ends of it that are no rows. */
export interface Recorded {
  scope: Scope;
  opening: AccountPoint;
  /** The account now; null while it cannot be valued. */
  present: AccountPoint | null;
  /** UTC ms. */
  now: number;
}

interface Grid {
  /** UTC ms. */
  from: number;
  /** Milliseconds. */
  step: number;
  /** Instants are multiples of the step plus this. */
  phase?: number;
}

/**
 * The account at `from` (the newest point at or before it, or its opening), then at each instant of the grid, then
 * now. Ascending; an instant without a point of its own is left out.
 */
export async function recordSince(
  db: Queries,
  { scope, opening, present, now }: Recorded,
  { from, step, phase = 0 }: Grid,
): Promise<AccountPoint[]> {
  const first = (Math.floor((Math.max(from, opening.at) - phase) / step) + 1) * step + phase;
  const [before, points] = await Promise.all([
    pointsAt(db, scope, { from, to: from, step }),
    pointsAt(db, scope, { from: first, to: now, step }),
  ]);
  const base = before[0] ?? opening;
  const later = points.filter(({ at }) => at > base.at);
  const last = later.at(-1) ?? base;
  return [base, ...later, ...(present !== null && present.at > last.at ? [present] : [])];
}

/** The account since the start of its running day. */
export function recordToday(db: Queries, recorded: Recorded, clock: AccountClock): Promise<AccountPoint[]> {
  return recordSince(db, recorded, { from: runningDay(clock, recorded.now).start, step: 5 * MINUTE_MS });
}

/** Points kept of all accounts together. */
const KEPT_POINTS = 100_000;

/**
 * Daily closes (UTC) of accounts. Points come one after the other: nothing changes any more in the days before the newest
 * point of each account, which are read once.
 */
export class DailyCloses {
  readonly #db: Queries;
  readonly #kept = new LRUCache<string, AccountPoint[]>({
    maxSize: KEPT_POINTS,
    sizeCalculation: ({ length }) => length + 1,
  });

  constructor(db: Queries) {
    this.#db = db;
  }

  /** Those since the account was opened, then the present. */
  async of(recorded: Recorded): Promise<AccountPoint[]> {
    const { scope, opening } = recorded;
    // Before the rows: what is written meanwhile is newer.
    const newest = await newestPoints(this.#db, scope);
    const key = [scope.userId, opening.at, ...newest.map(({ accountId }) => accountId)].join(' ');
    const kept = this.#kept.get(key) ?? [];
    const from = kept.at(-1)?.at ?? opening.at;
    const closes = [...kept.slice(0, -1), ...(await recordSince(this.#db, recorded, { from, step: DAY_MS }))];
    const settled = Math.floor(Math.min(...newest.map(({ at }) => at)) / DAY_MS) * DAY_MS;
    this.#kept.set(
      key,
      closes.filter(({ at }) => at <= settled),
    );
    return closes;
  }
}
