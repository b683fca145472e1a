import { normalCdf, polynomial } from './statistics';

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
