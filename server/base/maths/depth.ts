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
