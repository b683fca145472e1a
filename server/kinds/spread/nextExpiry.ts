import type { Listing, Market } from '../../market/exchange';

/**
 * The future of the coin that expires next after the far leg of two. Only a far leg can go on by itself: of two
 * futures the near one is delivered first.
 * @returns `null` where the far leg is no future, the near one expires too, or nothing later is listed.
 */
export async function nextExpiryOf(market: Market, near: Listing, far: Listing): Promise<Listing | null> {
  const { expiresAt, base } = far.instrument;
  if (expiresAt === null || near.instrument.expiresAt !== null) return null;
  const later = (await market.instruments(['future']))
    .filter((one) => one.base === base && one.expiresAt !== null && one.expiresAt > expiresAt)
    .sort((a, b) => a.expiresAt! - b.expiresAt!);
  return later[0] === undefined ? null : (market.listed?.(later[0].symbol) ?? null);
}
