import { FEWEST_DAYS, sharpe } from './performance';
import { correlation, mean } from './statistics';

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

/**
 * How much of the risk of all together each has: the covariance of its results of days with the sum of all, over the
 * variance of that sum. They add up to 1; a negative one takes risk away. A day that one of them does not know counts
 * as 0 for it: it was not there yet.
 * @param days results of the same days, one list each
 * @returns `null` for one with fewer than 20 known days, and for all where the sum never moves.
 */
export function riskShares(days: readonly (readonly (number | null)[])[]): (number | null)[] {
  const length = days[0]?.length ?? 0;
  const known = days.map((own) => own.filter((result) => result !== null).length >= FEWEST_DAYS);
  const told = days.map((own, i) => Float64Array.from({ length }, (_none, day) => (known[i] ? (own[day] ?? 0) : 0)));
  const sum = Float64Array.from({ length }, (_none, day) => told.reduce((all, own) => all + own[day]!, 0));
  const variance = covariance(sum, sum);
  return told.map((own, i) => (known[i] && variance > 0 ? covariance(own, sum) / variance : null));
}

function covariance(x: Float64Array, y: Float64Array): number {
  const [ofX, ofY] = [mean(x) ?? 0, mean(y) ?? 0];
  return x.reduce((sum, value, i) => sum + (value - ofX) * (y[i]! - ofY), 0);
}
