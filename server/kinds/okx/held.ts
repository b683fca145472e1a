import { LRUCache } from 'lru-cache';
import type { BookLevel } from '../../market/exchange';
import { netBpsOf, type Offer, type Way } from './way';

/** Venues quote anew so often. */
const QUOTE_MS = 250;
/** Who looks for the first time looks back so far; from then on it is kept, and grows. */
const LOOKED_BACK_MS = 60_000;
const KEPT = 1_000;

/** A stretch without a break, UTC ms; both ends belong to it. */
interface Stretch {
  from: number;
  until: number;
}

/** For how long a way that is above its fees at `at` has been so at every quote, ms: at most a minute, and longer while somebody looks. */
export function createHeld(): (way: Way, at: number) => number {
  const kept = new LRUCache<string, Stretch>({ max: KEPT });
  return (way, at) => {
    const { market, instrument } = way.buy.spot;
    const key = `${market.source} ${way.sell.spot.market.source} ${instrument.symbol}`;
    const known = kept.get(key);
    const oldest = at - LOOKED_BACK_MS;
    const isKnown = (instant: number) => known !== undefined && instant >= known.from && instant <= known.until;
    let from = at;
    while (from > oldest && !isKnown(from) && isAbove(way, from - QUOTE_MS)) from -= QUOTE_MS;
    const stretch = isKnown(from) ? { from: known!.from, until: Math.max(at, known!.until) } : { from, until: at };
    kept.set(key, stretch);
    return at - stretch.from;
  };
}

/** At how many quotes in a row up to `at` the best prices net at least so much (F25, bps); never more than `most`. */
export function streakOf(way: Way, at: number, leastBps: number, most: number): number {
  let streak = 0;
  while (streak < most && (touchBps(way, at - streak * QUOTE_MS) ?? Number.NEGATIVE_INFINITY) >= leastBps) streak += 1;
  return streak;
}

const isAbove = (way: Way, at: number): boolean => (touchBps(way, at) ?? 0) > 0;

/** F25 of a way by the best prices of an instant (UTC ms), bps. Fees change by the month: those of now are taken. */
export const touchBps = (way: Way, at: number): number | null =>
  netBpsOf(way, bestOf(way.buy, 'asks', at), bestOf(way.sell, 'bids', at));

function bestOf({ spot: { market, instrument } }: Offer, side: 'asks' | 'bids', at: number): number | null {
  if (market.touchAt) return market.touchAt(instrument.symbol, at)?.[side] ?? null;
  const book = market.book?.(instrument.symbol, at);
  const best: BookLevel | undefined = book?.[side][0];
  return book && best ? best.ticks * Number(book.tickSize) : null;
}
