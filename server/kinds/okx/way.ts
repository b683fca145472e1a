import type { ArbitrageCandidate } from '#contract/kinds/okx/scan';
import { arbitrageNetBps, largest } from '../../base/maths/crossVenue';
import { vwap } from '../../base/maths/depth';
import { commonQuantity, leastNotional } from '../../market/scan/commonQuantity';
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

/** One way at the best prices and at a size; `null` where the books do not say. */
export interface Prices {
  way: Way;
  ask: number | null;
  bid: number | null;
  /** Average prices at the size. */
  bought: number | null;
  sold: number | null;
  /** F25 at the best prices, and at the size. */
  touchBps: number | null;
  netBps: number | null;
}

export function pricesOf(way: Way, quantity: number): Prices {
  const [asks, bids] = [way.buy.spot.sides?.asks, way.sell.spot.sides?.bids];
  const [lowest, highest] = [asks?.levels[0], bids?.levels[0]];
  const ask = asks && lowest ? priceOf(lowest.ticks, asks.tick) : null;
  const bid = bids && highest ? priceOf(highest.ticks, bids.tick) : null;
  const bought = asks ? vwap(asks, quantity) : null;
  const sold = bids ? vwap(bids, quantity) : null;
  return {
    way,
    ask,
    bid,
    bought,
    sold,
    touchBps: netBpsOf(way, ask, bid),
    netBps: netBpsOf(way, bought, sold),
  };
}

/** Twelve digits hide what the product of a decimal step adds. */
const priceOf = (ticks: number, tick: number): number => Number((ticks * tick).toPrecision(12));

/**
 * The most of a coin that nets at least so much both sides together (F25, bps), base currency on lots of both venues.
 * @param most USDT. @returns `null` where not even the smallest order does.
 */
export function profitableQuantity(way: Way, most: number, leastBps: number): number | null {
  const spots = [way.buy.spot, way.sell.spot];
  const price = Math.max(...spots.map(({ mid }) => mid ?? 0));
  const whole = commonQuantity(spots, most, price);
  const least = leastNotional(spots) / price;
  const found = largest(Math.max(least, whole / 1e6), whole, (quantity) => {
    const { netBps } = pricesOf(way, quantity);
    return netBps !== null && netBps >= leastBps;
  });
  const quantity = found === null ? 0 : commonQuantity(spots, found * price, price);
  return quantity * price >= leastNotional(spots) && quantity > 0 ? quantity : null;
}

const BPS = 1e4;

type Transfer = Pick<
  ArbitrageCandidate,
  'coinOut' | 'coinIn' | 'moneyOut' | 'moneyIn' | 'transferFee' | 'transferMinutes' | 'transferBps'
>;

/**
 * What brings both venues back to what they held: the coin goes to where it was sold, the money to where it was spent, both at once.
 * @param notional what is traded, USDT; `null` where it cannot be
 */
export function transferOf({ buy, sell }: Way, notional: number | null): Transfer {
  const { base, quote } = buy.spot.instrument;
  const [coinFrom, coinTo] = [buy.venue.wallet(base), sell.venue.wallet(base)];
  const [moneyFrom, moneyTo] = [sell.venue.wallet(quote), buy.venue.wallet(quote)];
  const known = coinFrom !== null && moneyFrom !== null;
  const transferFee = known ? coinFrom.transferFee + moneyFrom.transferFee : null;
  return {
    coinOut: coinFrom?.canWithdraw ?? null,
    coinIn: coinTo?.canDeposit ?? null,
    moneyOut: moneyFrom?.canWithdraw ?? null,
    moneyIn: moneyTo?.canDeposit ?? null,
    transferFee,
    transferMinutes: known ? Math.max(coinFrom.transferMinutes, moneyFrom.transferMinutes) : null,
    transferBps: transferFee === null || notional === null ? null : (transferFee / notional) * BPS,
  };
}
