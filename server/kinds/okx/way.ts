import { arbitrageNetBps } from '../../base/maths/crossVenue';
import type { Quoted, VenueSight } from '../../market/scan/sight';

/** Spot of a coin at one venue. */
export interface Offer {
  venue: VenueSight;
  spot: Quoted;
}

/** Where the coin is bought and where it is sold. */
export interface Way {
  buy: Offer;
  sell: Offer;
}

/** F25 of buying and selling at these prices, bps; `null` where a price or a fee is missing. */
export function netBpsOf({ buy, sell }: Way, ask: number | null, bid: number | null): number | null {
  const [bought, sold] = [buy.spot.terms, sell.spot.terms];
  if (ask === null || bid === null || !bought || !sold) return null;
  return arbitrageNetBps({ price: bid, fee: sold.takerFee }, { price: ask, fee: bought.takerFee });
}
