import { MOST_WATCHED } from '#contract/candle';
import type { Watched } from '../../base/db/markets/watched';
import type { LiveListing } from './listing';

/**
 * What is watched of what is listed, in order of importance: symbols that are held or may be opened with the perpetual of
 * their coin, which is what the coin page shows, then the perpetuals of starred coins.
 * @returns as many as there may be, and how many more it would be
 */
export function watchedListings(
  listings: ReadonlyMap<string, LiveListing>,
  { symbols, coins }: Watched,
): { watched: LiveListing[]; left: number } {
  const perpetuals = new Map<string, LiveListing>();
  for (const listing of listings.values()) {
    if (listing.instrument.kind === 'perpetual') perpetuals.set(listing.instrument.base, listing);
  }
  const traded = symbols.flatMap((symbol) => listings.get(symbol) ?? []);
  const all = new Set(traded.flatMap((listing) => [listing, perpetuals.get(listing.instrument.base) ?? listing]));
  for (const coin of coins) {
    const perpetual = perpetuals.get(coin);
    if (perpetual) all.add(perpetual);
  }
  return { watched: [...all].slice(0, MOST_WATCHED), left: Math.max(0, all.size - MOST_WATCHED) };
}
