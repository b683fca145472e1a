/** One side of a book as numbers: price of a step, size of a step, and how many of both a level has. */
export interface Side {
  /** Quote currency. */
  tick: number;
  /** Base currency. */
  lot: number;
  /** Best price first. */
  levels: readonly { ticks: number; lots: number }[];
}

/**
 * Average price of taking `quantity` (base currency) from a side at once.
 * @returns `null` where the side holds less than that, or nothing is asked for.
 */
export function vwap({ tick, lot, levels }: Side, quantity: number): number | null {
  const wanted = quantity / lot;
  if (!(wanted > 0)) return null;
  let rest = wanted;
  let paid = 0;
  for (const level of levels) {
    const here = Math.min(rest, level.lots);
    paid += here * level.ticks;
    rest -= here;
    // What is left below a billionth of a lot is the rounding of the division.
    if (rest <= 1e-9) return (paid / wanted) * tick;
  }
  return null;
}

/** Notional of a side no farther from its best price than `reach`, a fraction; quote currency. */
export function depthWithin({ tick, lot, levels }: Side, reach: number): number {
  const best = levels[0];
  if (best === undefined) return 0;
  let sum = 0;
  for (const { ticks, lots } of levels) {
    // Prices lie on steps: a level at the very edge belongs to it.
    if (Math.abs(ticks / best.ticks - 1) > reach + 1e-9) break;
    sum += ticks * lots;
  }
  return sum * tick * lot;
}

/** F9: how far the average price of an order lies from the middle, a fraction. */
export const slippageAt = (price: number, mid: number): number => Math.abs(price / mid - 1);

/** Average prices at one size of the leg that is sold and the leg that is bought. */
export interface Prices {
  bid: number;
  ask: number;
}

/** F5: what selling the short leg and buying the long leg makes at once, a fraction of what is bought. */
export const openEdge = (short: Prices, long: Prices): number => short.bid / long.ask - 1;

/** F5: what buying the short leg back and selling the long leg costs, as a fraction of what is sold. */
export const closeLevel = (short: Prices, long: Prices): number => short.ask / long.bid - 1;

/** Taker fees, fractions. */
interface Fees {
  buy: number;
  sell: number;
}

/**
 * The largest size that buying from one book and selling into the other at once does without a loss: as long as F25 at that size is not
 * below 0, or to the end of a book.
 * @returns what is paid for it before the fee, quote currency; 0 where the best prices already lose.
 */
export function profitableDepth(asks: Side, bids: Side, fees: Fees): number {
  let [paid, made] = [0, 0];
  let [i, j] = [0, 0];
  let [offered, wanted] = [sizeOf(asks, 0), sizeOf(bids, 0)];
  while (i < asks.levels.length && j < bids.levels.length) {
    const [ask, bid] = [asks.levels[i]!.ticks * asks.tick, bids.levels[j]!.ticks * bids.tick];
    const quantity = Math.min(offered, wanted);
    const each = bid * (1 - fees.sell) - ask * (1 + fees.buy);
    // What the better levels made pays for so much of a level that loses.
    if (made + each * quantity < 0) return paid + (made / -each) * ask;
    made += each * quantity;
    paid += quantity * ask;
    offered -= quantity;
    wanted -= quantity;
    if (offered <= 0) offered = sizeOf(asks, ++i);
    if (wanted <= 0) wanted = sizeOf(bids, ++j);
  }
  return paid;
}

/** Base currency. */
const sizeOf = ({ lot, levels }: Side, level: number): number => (levels[level]?.lots ?? 0) * lot;
