/**
 * Simple returns x(t) / x(t-1) - 1, as fractions.
 * @param values equity or prices, ascending in time.
 * @param start value before the first one (the capital): then n values give n returns, else n - 1.
 */
export function simpleReturns(values: Float64Array, start?: number): Float64Array {
  const returns = new Float64Array(Math.max(0, values.length - (start === undefined ? 1 : 0)));
  const offset = values.length - returns.length;
  let previous = start ?? values[0];
  for (let i = 0; i < returns.length; i++) {
    const value = values[i + offset]!;
    returns[i] = value / previous! - 1;
    previous = value;
  }
  return returns;
}

/** Log returns ln(x(t) / x(t-1)), without unit; n prices give n - 1. Prices have to be positive. */
export function logReturns(prices: Float64Array): Float64Array {
  const returns = new Float64Array(Math.max(0, prices.length - 1));
  for (let i = 0; i < returns.length; i++) returns[i] = Math.log(prices[i + 1]! / prices[i]!);
  return returns;
}

/**
 * What a stretch begins with, and what is moved within it (F18), same currency. What comes in on the day of the opening is
 * part of the beginning: on a first small deposit nothing of it would be a result.
 * @param transfers net into the account within the stretch
 */
export const beginningOf = (equity: number, transfers: number, isOpening: boolean) =>
  isOpening && transfers > 0 ? { base: equity + transfers, transfers: 0 } : { base: equity, transfers };

/**
 * Time-weighted returns with transfers taken out (F18): (E(t) - T(t)) / E(t-1) - 1, as fractions.
 * @param equity account equity at the end of each period, in one currency; n values give n - 1 returns.
 * @param transfers net transfers into the account within the period that ends at the same index, same currency.
 */
export function timeWeightedReturns(equity: Float64Array, transfers: Float64Array): Float64Array {
  const returns = new Float64Array(Math.max(0, equity.length - 1));
  for (let i = 0; i < returns.length; i++) returns[i] = (equity[i + 1]! - transfers[i + 1]!) / equity[i]! - 1;
  return returns;
}
