import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '#contract/duration';
import type { Database } from '../../base/db/client';

/** The newest rows of a filter that lets too many through. */
interface Newest {
  /** Since when, UTC ms. */
  start: number;
  /** How many the filter lets through, estimated. */
  about: number;
}

interface Rows {
  estimated(): Promise<number>;
  /** When the row that so many newer ones follow came; `null` where there are fewer. */
  behind(newer: number): Promise<number | null>;
}

const KEPT_MS = 10 * MINUTE_MS;
const kept = new WeakMap<Database, LRUCache<string, Newest>>();

/**
 * Since when there are about so many rows of a filter: nobody pages through more, and to sort or add up millions would
 * take as many reads. The instant stays for a while, so that pages do not move and sums need not be taken anew.
 * @param key names the filter.
 * @returns `null` where the filter lets no more through.
 */
export async function newestRows(db: Database, key: string, most: number, rows: Rows): Promise<Newest | null> {
  const cache = kept.get(db) ?? new LRUCache<string, Newest>({ max: 200, ttl: KEPT_MS });
  kept.set(db, cache);
  const known = cache.get(key);
  if (known) return known;
  const about = await rows.estimated();
  const start = about > most ? await rows.behind(most) : null;
  if (start === null) return null;
  const newest = { start, about: Math.round(about) };
  cache.set(key, newest);
  return newest;
}
