import { firstAtOrAfter } from './closes';
import { zScores } from './pair';

/** Values of the past in ascending order, with mean and standard deviation (ddof 1). */
export interface Past {
  mean: number;
  sd: number;
  ascending: Float64Array;
}

/** @returns `null` for fewer than 2 values or constant ones: nothing stands out from them. */
export function pastOf(values: Float64Array): Past | null {
  const scores = zScores(values);
  return scores && { mean: scores.mean, sd: scores.sd, ascending: values.slice().sort() };
}

/** Where a value stands in its past: z (F14), and the share of the past that is not above it, 0 to 1. */
export function zAndPercentile({ mean, sd, ascending }: Past, value: number): { z: number; percentile: number } {
  return { z: (value - mean) / sd, percentile: firstAtOrAfter(ascending, value, 'after') / ascending.length };
}
