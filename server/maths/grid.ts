/**
 * Profit of one grid level a unit (F27) = sell x (1 - fee) - buy x (1 + fee), quote currency; prices rounded to ticks before.
 * A grid with any level at or below 0 is refused.
 */
export const levelProfit = (buy: number, sell: number, fee: number): number => sell * (1 - fee) - buy * (1 + fee);

/**
 * The smallest and the largest profit a unit between neighbouring prices of a grid (F27).
 * @param prices ascending, rounded to ticks. @returns `null` for fewer than two.
 */
export function gridProfits(prices: readonly number[], fee: number): { least: number; most: number } | null {
  const profits = prices.slice(1).map((sell, i) => levelProfit(prices[i]!, sell, fee));
  return profits.length === 0 ? null : { least: Math.min(...profits), most: Math.max(...profits) };
}

interface MatchedPair {
  buy: number;
  sell: number;
  /** Base currency. */
  quantity: number;
  /** Of both fills, quote currency. */
  fees: number;
}

/** Grid profit is the sum over matched pairs, floating profit what of the total is left (F27); quote currency. */
export function gridResult(pairs: readonly MatchedPair[], total: number): { grid: number; floating: number } {
  const grid = pairs.reduce((sum, { buy, sell, quantity, fees }) => sum + (sell - buy) * quantity - fees, 0);
  return { grid, floating: total - grid };
}
