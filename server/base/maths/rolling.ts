import { sharpe } from './performance';
import { beta } from './statistics';

/**
 * A figure over the newest `window` returns at each place.
 * @param figure of a window, which it must not change; `null` where it is undefined.
 * @returns NaN for the places before the first full window and where the figure is undefined.
 */
function rolling(length: number, window: number, figure: (from: number, to: number) => number | null): Float64Array {
  const result = new Float64Array(length).fill(Number.NaN);
  for (let to = window; to <= length; to++) result[to - 1] = figure(to - window, to) ?? Number.NaN;
  return result;
}

/**
 * Sharpe ratio (F19) of the newest `window` daily returns at each day.
 * @param daily fractions. @returns as long as `daily`; NaN where undefined.
 */
export function rollingSharpe(daily: Float64Array, window: number): Float64Array {
  return rolling(daily.length, window, (from, to) => sharpe(daily.subarray(from, to)));
}

/**
 * Beta (F17) over the newest `window` pairs of returns at each place; a window with a NaN on either side has none.
 * @param returns, benchmark fractions of the same spans, equal length. @returns as long as they are; NaN where undefined.
 */
export function rollingBeta(returns: Float64Array, benchmark: Float64Array, window: number): Float64Array {
  return rolling(returns.length, window, (from, to) => beta(returns.subarray(from, to), benchmark.subarray(from, to)));
}
