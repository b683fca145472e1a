import type { PairWarning } from '#contract/pair';
import { commonTimes, firstAtOrAfter, type UsableCloses, valuesAt } from './closes';
import { logReturns } from './returns';
import { beta, correlation, defined, mean, normalCdf, polynomial, regression, standardDeviation } from './statistics';

interface Relation {
  hedgeRatio: number | null;
  adfP: number | null;
  rSquared: number | null;
}

/** Above it a spread may as well be a random walk. */
const ADF_LIMIT = 0.1;
/** Below it the short side hardly explains the long one. */
const FIT_LIMIT = 0.2;

/**
 * What speaks against going long the spread of a pair. What is unknown speaks against nothing.
 * @param z at which it is, or was, entered (F14).
 */
export function pairWarnings({ hedgeRatio, adfP, rSquared }: Relation, z: number | null): PairWarning[] {
  const said: [PairWarning, boolean][] = [
    ['hedgeRatio', hedgeRatio !== null && hedgeRatio <= 0],
    ['adf', adfP !== null && adfP > ADF_LIMIT],
    ['fit', rSquared !== null && rSquared < FIT_LIMIT],
    ['againstZ', z !== null && z > 0],
  ];
  return said.flatMap(([warning, holds]) => (holds ? [warning] : []));
}

/** Below this the surface, made for samples from about 20 upwards, says nothing. */
const MIN_VALUES = 20;
/** A column left with less than this share of its length after the others were taken out is their copy. */
const DEPENDENT = 1e-10;

interface AdfResult {
  /** t value of the level's coefficient; the more negative, the stronger the pull back to the mean. */
  statistic: number;
  /** Probability of such a statistic when the series has a unit root, 0 to 1. */
  pValue: number;
  /** Lagged differences in the regression. */
  lags: number;
  /** Observations of the regression. */
  observations: number;
}

/**
 * Augmented Dickey-Fuller test with a constant (F16):
 * ds(t) = c + g s(t-1) + sum over j of d(j) ds(t-j) + e, statistic = g / se(g).
 *
 * Lags: those with the smallest AIC = n ln(SSR / n) + 2 k among 0 .. ceil(12 (n / 100)^(1/4)) (Schwert 1989), all
 * judged on the same observations, then fitted again on all observations they allow. That is the default of
 * statsmodels' `adfuller`, so figures can be compared with it. Or a given number of lags.
 * @param series values in any unit, evenly spaced in time.
 * @returns `null` for fewer than 20 values, values that are not finite, or a series without anything left to
 * explain (constant, straight line).
 */
export function adfTest(series: Float64Array, lags?: number): AdfResult | null {
  if (series.length < MIN_VALUES || !series.every(Number.isFinite)) return null;
  const allowed = Math.floor(series.length / 2) - 2;
  const chosen = lags ?? lagsByAic(series, Math.min(allowed, Math.ceil(12 * (series.length / 100) ** 0.25)));
  if (chosen === null || chosen < 0 || chosen > allowed) return null;
  const fit = orthogonalFit(series, chosen, chosen, 'levelLast');
  if (fit === null) return null;
  const degrees = fit.observations - chosen - 2;
  const statistic = fit.projections[chosen]! / Math.sqrt(fit.residual[chosen + 1]! / degrees);
  return { statistic, pValue: mackinnonP(statistic), lags: chosen, observations: fit.observations };
}

/**
 * P value of a Dickey-Fuller statistic with a constant, one series, 0 to 1: the response surface of J. G. MacKinnon,
 * "Approximate Asymptotic Distribution Functions for Unit-Root and Cointegration Tests", JBES 12 (1994), table 3:
 * P = Phi(polynomial(tau)), one polynomial for the left tail (tau <= -1.61) and one for the rest.
 * It is asymptotic, and for a spread whose slope was estimated on the same data it is on the kind side.
 */
export function mackinnonP(tau: number): number {
  if (tau > 2.74) return 1;
  if (tau < -18.83) return 0;
  const surface = tau <= -1.61 ? [2.1659, 1.4412, 0.038269] : [1.7339, 0.93202, -0.12745, -0.010368];
  return normalCdf(polynomial(surface, tau));
}

function lagsByAic(series: Float64Array, most: number): number | null {
  const fit = orthogonalFit(series, most, most, 'levelFirst');
  if (fit === null) return null;
  let best = 0;
  let bestAic = Number.POSITIVE_INFINITY;
  for (let lags = 0; lags <= most; lags++) {
    const aic = fit.observations * Math.log(fit.residual[lags + 1]! / fit.observations) + 2 * (lags + 2);
    if (aic < bestAic) {
      best = lags;
      bestAic = aic;
    }
  }
  return best;
}

interface OrthogonalFit {
  observations: number;
  /** Length of the differences along each column, after the columns before it were taken out. */
  projections: Float64Array;
  /** Sum of squared residuals with the constant and the first j columns, j = 0 .. number of columns. */
  residual: Float64Array;
}

/**
 * Regresses the differences on constant, level and lagged differences by modified Gram-Schmidt. Taking columns out one
 * after the other gives the residuals of every nested model in one go, and the t value of whichever column is last.
 */
function orthogonalFit(
  series: Float64Array,
  lags: number,
  skipped: number,
  order: 'levelFirst' | 'levelLast',
): OrthogonalFit | null {
  const observations = series.length - 1 - skipped;
  // Loops: filling typed arrays by a callback costs more than the whole regression.
  const column = (values: Float64Array, from: number) => centred(values.slice(from, from + observations));
  const differences = new Float64Array(series.length - 1);
  for (let t = 0; t < differences.length; t++) differences[t] = series[t + 1]! - series[t]!;
  const lagged = Array.from({ length: lags }, (_, j) => column(differences, skipped - j - 1));
  const level = column(series, skipped);
  const columns = order === 'levelFirst' ? [level, ...lagged] : [...lagged, level];
  const rest = column(differences, skipped);
  const total = dot(rest, rest);
  const projections = new Float64Array(columns.length);
  const residual = new Float64Array(columns.length + 1).fill(total);
  for (const [j, current] of columns.entries()) {
    const before = Math.sqrt(dot(current, current));
    for (const other of columns.slice(0, j)) takeOut(current, other, dot(current, other));
    const length = Math.sqrt(dot(current, current));
    if (!(length > DEPENDENT * before)) return null;
    for (let i = 0; i < observations; i++) current[i]! /= length;
    projections[j] = dot(current, rest);
    takeOut(rest, current, projections[j]!);
    residual[j + 1] = dot(rest, rest);
    if (!(residual[j + 1]! > DEPENDENT ** 2 * total)) return null;
  }
  return { observations, projections, residual };
}

function centred(values: Float64Array): Float64Array {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  const average = sum / values.length;
  for (let i = 0; i < values.length; i++) values[i]! -= average;
  return values;
}

function dot(x: Float64Array, y: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i]! * y[i]!;
  return sum;
}

function takeOut(target: Float64Array, direction: Float64Array, amount: number): void {
  for (let i = 0; i < target.length; i++) target[i]! -= amount * direction[i]!;
}

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
