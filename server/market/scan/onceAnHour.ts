import { LRUCache } from 'lru-cache';
import { DAY_MS } from '#contract/duration';
import type { FundingHistory, Market } from '../exchange';
import type { Quoted } from './sight';

/** Perpetuals of one market. */
const KEPT = 2_000;

/**
 * What the settlements of the last days say of a perpetual, read anew when its source has new ones.
 * @param read of the settlements after `now` - days, `null` where the source has none; `now` is UTC ms.
 */
export function onceAnHour<T>(
  days: number,
  read: (history: FundingHistory | null, quoted: Quoted, now: number) => T,
): (quoted: Quoted, now: number) => Promise<T> {
  const markets = new WeakMap<Market, LRUCache<string, { version: string; past: Promise<T> }>>();
  return (quoted, now) => {
    const { market, instrument } = quoted;
    const kept = markets.get(market) ?? new LRUCache({ max: KEPT });
    markets.set(market, kept);
    const key = instrument.symbol;
    const version = market.version();
    const known = kept.get(key);
    if (known?.version === version) return known.past;
    const past = market
      .funding(instrument.symbol, { start: now - days * DAY_MS + 1, end: now + 1 })
      .then((history) => read(history, quoted, now));
    kept.set(key, { version, past });
    past.catch(() => kept.delete(key));
    return past;
  };
}
