import { FEWEST_DAYS, sharpe } from './performance';
import { correlation } from './statistics';

/** How far the newest value lies below the highest of a series that begins at 0, USDT, 0 or above; `null` without one. */
export function fallenFromPeak(values: readonly (number | null)[]): number | null {
  const last = values.at(-1) ?? null;
  if (last === null) return null;
  return values.reduce<number>((peak, value) => Math.max(peak, value ?? peak), last) - last;
}

/**
 * Results of days out of what stood at their ends, in the same unit; a day is `null` where either end is unknown.
 * @param ends one more than days, the first is the start of the first day.
 */
export const dailyResults = (ends: readonly (number | null)[]): (number | null)[] =>
  ends.slice(1).map((end, i) => {
    const start = ends[i] ?? null;
    return end === null || start === null ? null : end - start;
  });

/**
 * Sharpe ratio (F19) of results per day on a capital that stays the same, whose size does not matter then.
 * @returns `null` under 20 known days.
 */
export function sharpeOfResults(results: readonly (number | null)[]): number | null {
  const known = results.filter((result) => result !== null);
  return known.length < FEWEST_DAYS ? null : sharpe(Float64Array.from(known));
}

/** Correlation (F17) of the results of the days that both know; `null` under 20 of them. */
export function resultCorrelation(x: readonly (number | null)[], y: readonly (number | null)[]): number | null {
  const both = x.flatMap((value, i) => {
    const other = y[i] ?? null;
    return value === null || other === null ? [] : [[value, other] as const];
  });
  if (both.length < FEWEST_DAYS) return null;
  return correlation(
    Float64Array.from(both, ([a]) => a),
    Float64Array.from(both, ([, b]) => b),
  );
}
