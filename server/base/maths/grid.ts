/**
 * Profit of one grid level for each unit that is bought (F27) = sell x (1 - fee) - buy x (1 + fee), quote currency; prices rounded
 * to ticks before. Where the fee of a purchase is taken in the coin (F28), 1 - fee of the unit is there to be sold:
 * sell x (1 - fee)^2 - buy. A grid with any level at or below 0 is refused.
 */
export const levelProfit = (buy: number, sell: number, fee: number, inCoin = false): number =>
  inCoin ? sell * (1 - fee) ** 2 - buy : sell * (1 - fee) - buy * (1 + fee);

/** By how much a sale has to be above its purchase, a fraction: `levelProfit` is 0 there. */
export const evenStep = (fee: number, inCoin = false): number => (inCoin ? 1 / (1 - fee) : 1 + fee) / (1 - fee) - 1;

/**
 * The smallest and the largest profit a unit between neighbouring prices of a grid (F27).
 * @param prices ascending, rounded to ticks. @returns `null` for fewer than two.
 */
export function gridProfits(
  prices: readonly number[],
  fee: number,
  inCoin = false,
): { least: number; most: number } | null {
  const profits = prices.slice(1).map((sell, i) => levelProfit(prices[i]!, sell, fee, inCoin));
  return profits.length === 0 ? null : { least: Math.min(...profits), most: Math.max(...profits) };
}

/** Each of them as a share of what its cell buys at, the smallest and the largest. */
export function profitShares(prices: readonly number[], fee: number, inCoin = false) {
  const shares = prices.slice(1).map((sell, i) => levelProfit(prices[i]!, sell, fee, inCoin) / prices[i]!);
  return { profitLeast: Math.min(...shares), profitMost: Math.max(...shares) };
}

/** Where the levels of a grid lie. Prices in the quote currency. */
export interface GridShape {
  lower: number;
  upper: number;
  /** Cells between both; they have one level more. */
  cells: number;
  spacing: 'arithmetic' | 'geometric';
}

/**
 * Price of a level, rounded to ticks; 0 is the lower bound, `cells` the upper one. A range that follows the price has levels
 * beyond both. @param tick above 0.
 */
export function levelPrice({ lower, upper, cells, spacing }: GridShape, tick: number, level: number): number {
  const exact =
    spacing === 'arithmetic' ? lower + ((upper - lower) * level) / cells : lower * (upper / lower) ** (level / cells);
  return onTick(exact, tick);
}

/** The nearest step; fifteen digits hide the rounding of the division. */
export const onTick = (price: number, tick: number): number =>
  Number((Math.round(price / tick) * tick).toPrecision(15));

/** All levels, ascending. */
export const levelPrices = (shape: GridShape, tick: number): number[] =>
  Array.from({ length: shape.cells + 1 }, (_, level) => levelPrice(shape, tick, level));

/**
 * Base currency of each cell, down to lots: all cells together are worth no more than the notional at the upper bound, so
 * that neither side of a grid outgrows it within its range.
 */
export const cellQuantity = ({ upper, cells }: GridShape, notional: number, lot: number): number =>
  Number((Math.floor(notional / (cells * upper) / lot + 1e-9) * lot).toPrecision(12));

/**
 * How often a path of prices completes a cell: comes to its lower level and then to its upper one for a cell that buys first,
 * the other way round for one that sells first.
 * @param lows of equal bars, ascending in time, as `highs` are. @param levels ascending. @param from the first cell that sells first
 */
export function pairsCompleted(
  lows: ArrayLike<number>,
  highs: ArrayLike<number>,
  levels: readonly number[],
  from: number,
): number {
  const held = new Array<boolean>(levels.length - 1).fill(false);
  let pairs = 0;
  for (let i = 0; i < lows.length; i += 1) {
    for (let cell = 0; cell < held.length; cell += 1) {
      const [lower, upper] = [levels[cell]!, levels[cell + 1]!];
      const isLong = cell < from;
      // Within one bar nobody knows which came first: a cell takes one step a bar.
      if (!held[cell]) held[cell] = isLong ? lows[i]! <= lower : highs[i]! >= upper;
      else if (isLong ? highs[i]! >= upper : lows[i]! <= lower) {
        held[cell] = false;
        pairs += 1;
      }
    }
  }
  return pairs;
}
