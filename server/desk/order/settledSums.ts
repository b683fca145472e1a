import { LRUCache } from 'lru-cache';
import type { Database } from '../../base/db/client';
import { bookedBefore, newestBooking } from '../../base/db/orders/order';
import type { Stretch } from '../../base/db/orders/orderFilter';

type Sums<K extends string> = Record<K, number>;

/** What was summed up of a past in which nothing moves any more. */
interface Settled<K extends string> {
  sums: Sums<K>;
  /** Everything before then, UTC ms. */
  until: number;
  /** The newest line of the ledger as it was read. */
  booking: number;
  readAt: number;
}

const SETTLES_MS = 10 * 60_000;
const KEPT_MS = 10 * 60_000;

const kept = new WeakMap<Database, LRUCache<string, Settled<string>>>();

const added = <K extends string>(a: Sums<K>, b: Sums<K>): Sums<K> =>
  Object.fromEntries((Object.keys(a) as K[]).map((name) => [name, a[name] + b[name]])) as Sums<K>;

/**
 * Sums over what may be a million rows, of which the old ones are added up once: rows that are older than ten minutes,
 * and than every order still live, change no more. What is booked late all the same is seen by the ledger, where every
 * booking is a new line.
 * @param key names the filter.
 * @param liveSince when the oldest row that may still change was made, UTC ms; `null` without any.
 * @param read the sums over a stretch of time.
 */
export async function settledSums<K extends string>(
  db: Database,
  key: string,
  now: number,
  liveSince: number | null,
  read: (stretch: Stretch) => Promise<Sums<K>>,
): Promise<Sums<K>> {
  const cache = kept.get(db) ?? new LRUCache<string, Settled<string>>({ max: 200 });
  kept.set(db, cache);
  const horizon = Math.min(now - SETTLES_MS, liveSince ?? now);
  const known = cache.get(key) as Settled<K> | undefined;
  let settled = known !== undefined && (await holds(db, known, now, horizon)) ? known : undefined;
  if (settled === undefined) {
    // Read first: what is booked meanwhile counts as late, not as seen.
    const booking = await newestBooking(db);
    settled = { sums: await read({ before: horizon }), until: horizon, booking, readAt: now };
    cache.set(key, settled);
  } else if (horizon - settled.until > SETTLES_MS) {
    const more = await read({ from: settled.until, before: horizon });
    settled = { ...settled, sums: added(settled.sums, more), until: horizon };
    cache.set(key, settled);
  }
  return added(settled.sums, await read({ from: settled.until }));
}

async function holds(
  db: Database,
  { until, booking, readAt }: Settled<string>,
  now: number,
  horizon: number,
): Promise<boolean> {
  // An order may become live again in an older past: a clock that went back, a restored account.
  if (now - readAt > KEPT_MS || horizon < until) return false;
  return !(await bookedBefore(db, until, booking));
}
