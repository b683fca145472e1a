import { adfTest } from './adf';
import { commonTimes, type UsableCloses, valuesAt } from './closes';
import { logReturns } from './returns';
import { beta, correlation, defined, mean, regression, standardDeviation } from './statistics';

/** Fewest common bars of a window: below it slope, half-life and ADF say nothing. */
export const LEAST_BARS = 30;

/** How the short leg is weighed: `ols` by the slope of ln(PL) on ln(PS), `one` by 1. */
export type SpreadSlope = 'ols' | 'one';

interface LogSpread {
  /** Hedge ratio b, without unit. */
  slope: number;
  /** Share of ln(PL)'s variance that ln(PS) explains (F16), 0 to 1; of the regression whichever slope is used. */
  r2: number | null;
  /** s = ln(PL) - b ln(PS), one value a bar, without unit. */
  spread: Float64Array;
}

/**
 * Log spread of a pair (F13): s = ln(PL) - b ln(PS), b the OLS slope over the bars given, or 1.
 * @param long, short positive prices at the same instants.
 * @returns `null` where the lengths differ, a price is not positive, or the slope is undefined (short leg constant).
 */
export function logSpread(long: Float64Array, short: Float64Array, use: SpreadSlope = 'ols'): LogSpread | null {
  if (long.length !== short.length || !long.every(isPrice) || !short.every(isPrice)) return null;
  const x = short.map(Math.log);
  const y = long.map(Math.log);
  const line = regression(x, y);
  const slope = use === 'one' ? 1 : line?.slope;
  if (slope === undefined) return null;
  return { slope, r2: line?.r2 ?? null, spread: y.map((value, i) => value - slope * x[i]!) };
}

interface ZScores {
  /** In the unit of the series. */
  mean: number;
  sd: number;
  /** One value a bar, without unit; the last one is the present z. */
  z: Float64Array;
}

/**
 * z (F14) = (s - mean_N) / sd_N, ddof 1, N = all values given, without unit.
 * @returns `null` for fewer than 2 values or a constant series.
 */
export function zScores(spread: Float64Array): ZScores | null {
  const centre = mean(spread);
  const sd = standardDeviation(spread);
  if (centre === null || !sd) return null;
  return { mean: centre, sd, z: spread.map((value) => (value - centre) / sd) };
}

/** What the closed bars say of a spread, for pricing the present against them. */
export interface SpreadLine {
  /** b of F13. */
  hedgeRatio: number;
  /** Of the log spread over the window; sd with ddof 1. */
  mean: number;
  sd: number;
}

/**
 * The present z (F14): the spread of two prices now against mean and deviation of the closed bars. Every screen's z now is this one.
 * @param long, short prices (or basket indices) in the unit that the line was fitted in.
 * @returns `null` where a price is not positive.
 */
export function presentZ({ hedgeRatio, mean: centre, sd }: SpreadLine, long: number, short: number): number | null {
  return isPrice(long) && isPrice(short) ? defined((spreadOf(hedgeRatio, long, short) - centre) / sd) : null;
}

/** s of F13 at two prices, without unit. */
export const spreadOf = (hedgeRatio: number, long: number, short: number): number =>
  Math.log(long) - hedgeRatio * Math.log(short);

/**
 * Half-life of a deviation (F15) in bars = -ln 2 / ln(1 + k), k from ds(t) = a + k s(t-1) + e by OLS.
 * @returns `null` for "no reversion" (k >= 0), for k <= -1 (a deviation turns over within one bar, the formula has
 * no value), and for a constant or too short series.
 */
export function halfLife(spread: Float64Array): number | null {
  const before = spread.subarray(0, -1);
  const change = before.map((value, i) => spread[i + 1]! - value);
  const k = regression(before, change)?.slope ?? null;
  if (k === null || k >= 0 || k <= -1) return null;
  return defined(-Math.LN2 / Math.log1p(k));
}

/**
 * Index of a basket: mean over its coins of p / p(first), starting at 1; equal money in each at the start, then held.
 * @param prices one column per coin, positive prices at the same instants.
 */
export function basketIndex(prices: readonly Float64Array[]): Float64Array {
  const index = new Float64Array(prices[0]?.length ?? 0);
  for (const column of prices) {
    const share = 1 / (column[0]! * prices.length);
    for (let i = 0; i < index.length; i++) index[i]! += column[i]! * share;
  }
  return index;
}

interface PairFacts {
  /** Bars used. */
  bars: number;
  /** Pearson of log returns (F17). */
  correlation: number | null;
  /** Beta of the long leg's log returns to the short leg's (F17). */
  beta: number | null;
  /** F13, one value a bar; `null` where it is undefined. */
  spread: Float64Array | null;
  /** b of F13. */
  hedgeRatio: number | null;
  /** R2 of F16. */
  rSquared: number | null;
  /** F14 over all bars given, with mean and sd of the spread. */
  zScores: ZScores | null;
  /** In bars (F15); `null`: no reversion. */
  halfLife: number | null;
  /** F16. */
  adfP: number | null;
}

/**
 * What is known of a pair over one window: F13 to F17 on the same bars.
 * @param long, short prices (or basket indices) at the same instants, ascending.
 */
export function pairFacts(long: Float64Array, short: Float64Array, use: SpreadSlope = 'ols'): PairFacts {
  const line = logSpread(long, short, use);
  const own = line === null ? new Float64Array(0) : logReturns(long);
  const other = line === null ? own : logReturns(short);
  const spread = line?.spread ?? new Float64Array(0);
  return {
    bars: long.length,
    correlation: correlation(own, other),
    beta: beta(own, other),
    spread: line?.spread ?? null,
    hedgeRatio: line?.slope ?? null,
    rSquared: line?.r2 ?? null,
    zScores: zScores(spread),
    halfLife: halfLife(spread),
    adfP: adfTest(spread)?.pValue ?? null,
  };
}

/**
 * Beta (F17) of a series over `axis` to a benchmark, on the bars that the benchmark has too, without unit.
 * @returns `null` without a benchmark or with fewer than 30 shared bars.
 */
export function betaTo(benchmark: UsableCloses | null, axis: Float64Array, values: Float64Array): number | null {
  if (benchmark === null) return null;
  const shared = commonTimes([axis, benchmark.time]);
  if (shared.length < LEAST_BARS) return null;
  const theirs = valuesAt(benchmark.time, benchmark.close, shared);
  return beta(logReturns(valuesAt(axis, values, shared)), logReturns(theirs));
}

function isPrice(value: number): boolean {
  return value > 0 && value < Number.POSITIVE_INFINITY;
}
