import { mean, standardDeviation } from './statistics';

/** NaN stands for "not enough bars yet"; `nullable` of statistics.ts turns it into `null` for a reply. */
function rolling(values: Float64Array, window: number, figure: (slice: Float64Array) => number | null): Float64Array {
  const result = new Float64Array(values.length).fill(Number.NaN);
  for (let end = window; end <= values.length; end++) {
    // Recomputed for every bar: a running sum would drift over long series.
    result[end - 1] = figure(values.subarray(end - window, end)) ?? Number.NaN;
  }
  return result;
}

/**
 * Simple moving average: mean of the last `window` values, in their unit.
 * @returns same length as `values`; NaN for the first `window - 1`.
 */
export function movingAverage(values: Float64Array, window: number): Float64Array {
  return rolling(values, window, mean);
}

interface BollingerBands {
  middle: Float64Array;
  upper: Float64Array;
  lower: Float64Array;
}

/**
 * Bollinger bands: moving average +- `width` x the population standard deviation (divisor n) of the same window,
 * as in J. Bollinger, "Bollinger on Bollinger Bands" (2001), which uses 20 and 2.
 * @returns columns of the length and unit of `values`; NaN for the first `window - 1`.
 */
export function bollingerBands(values: Float64Array, window = 20, width = 2): BollingerBands {
  const middle = movingAverage(values, window);
  const population = Math.sqrt((window - 1) / window);
  const deviation = rolling(values, window, (slice) => {
    const sample = standardDeviation(slice);
    return sample === null ? null : sample * population;
  });
  return {
    middle,
    upper: middle.map((value, i) => value + width * deviation[i]!),
    lower: middle.map((value, i) => value - width * deviation[i]!),
  };
}
