// Own, and not those of simple-statistics: they take typed columns, and say null where that throws or divides by nothing.

/** Sums of nearly equal numbers leave rounding dust; a spread below this share of the largest value is no spread. */
const DUST = 1e-13;

/** `value` where it is a finite number, else `null`: an undefined figure never leaves as NaN or Infinity. */
export function defined(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** A typed column with NaN for "no value" as a list with `null` in those places. */
export function nullable(values: Float64Array): (number | null)[] {
  return Array.from(values, defined);
}

/**
 * Arithmetic mean, sum(x) / n, in the unit of `values`.
 * @returns `null` for an empty column or one with a value that is not finite.
 */
export function mean(values: Float64Array): number | null {
  if (values.length === 0) return null;
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return defined(sum / values.length);
}

/**
 * Sample standard deviation, sqrt(sum((x - mean)^2) / (n - 1)), in the unit of `values`. Two passes.
 * @returns exactly 0 for a constant column; `null` for fewer than 2 values or values that are not finite.
 */
export function standardDeviation(values: Float64Array): number | null {
  const centre = mean(values);
  if (centre === null || values.length < 2) return null;
  let squares = 0;
  let largest = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    squares += (value - centre) ** 2;
    if (Math.abs(value) > largest) largest = Math.abs(value);
  }
  const deviation = Math.sqrt(squares / (values.length - 1));
  return deviation <= DUST * largest ? 0 : defined(deviation);
}

/** Sums of squares and products about the means; a square is 0 where its column is constant. */
function moments(x: Float64Array, y: Float64Array) {
  const spreadX = standardDeviation(x);
  const spreadY = standardDeviation(y);
  if (x.length !== y.length || spreadX === null || spreadY === null) return null;
  const meanX = mean(x)!;
  const meanY = mean(y)!;
  let xy = 0;
  for (let i = 0; i < x.length; i++) xy += (x[i]! - meanX) * (y[i]! - meanY);
  const degrees = x.length - 1;
  return { meanX, meanY, xx: spreadX ** 2 * degrees, yy: spreadY ** 2 * degrees, xy };
}

/**
 * Pearson correlation, cov(x, y) / (sd(x) sd(y)), without unit, in [-1, 1].
 * @returns `null` for different lengths, fewer than 2 pairs, or a constant column.
 */
export function correlation(x: Float64Array, y: Float64Array): number | null {
  const sums = moments(x, y);
  if (sums === null || sums.xx === 0 || sums.yy === 0) return null;
  const value = defined(sums.xy / Math.sqrt(sums.xx * sums.yy));
  return value === null ? null : Math.max(-1, Math.min(1, value));
}

interface Regression {
  /** Units of y per unit of x. */
  slope: number;
  /** In the unit of y. */
  intercept: number;
  /** Share of y's variance explained, 0 to 1; `null` where y is constant. */
  r2: number | null;
}

/**
 * Ordinary least squares y = intercept + slope x: slope = cov(x, y) / var(x), R2 = cov^2 / (var(x) var(y)).
 * @returns `null` for different lengths, fewer than 2 pairs, or a constant x.
 */
export function regression(x: Float64Array, y: Float64Array): Regression | null {
  const sums = moments(x, y);
  if (sums === null || sums.xx === 0) return null;
  const slope = sums.xy / sums.xx;
  const r2 = sums.yy === 0 ? null : Math.min(1, sums.xy ** 2 / (sums.xx * sums.yy));
  return { slope, intercept: sums.meanY - slope * sums.meanX, r2 };
}

/**
 * Beta, cov(r, rBenchmark) / var(rBenchmark), without unit (F17). Both columns are returns of the same spans.
 * @returns `null` for different lengths, fewer than 2 pairs, or a benchmark that does not move.
 */
export function beta(returns: Float64Array, benchmark: Float64Array): number | null {
  return regression(benchmark, returns)?.slope ?? null;
}

/**
 * t-value of the slope of a regression of one variable against 0: r sqrt(n - 2) / sqrt(1 - r^2), without unit.
 * @param r Pearson correlation of the two columns. @param n their length.
 * @returns `null` for fewer than 3 pairs, an unknown correlation, or points exactly on a line.
 */
export function slopeTValue(r: number | null, n: number): number | null {
  return r === null || n < 3 ? null : defined((r * Math.sqrt(n - 2)) / Math.sqrt(1 - r * r));
}

/**
 * Quantile with linear interpolation between order statistics: position (n - 1) x `share` (Hyndman & Fan type 7).
 * @param share 0 to 1.
 * @returns in the unit of `values`; `null` for an empty column or values that are not finite.
 */
export function quantile(values: Float64Array, share: number): number | null {
  if (mean(values) === null) return null;
  const sorted = Float64Array.from(values).sort();
  const position = (sorted.length - 1) * share;
  const below = Math.floor(position);
  const low = sorted[below]!;
  const high = sorted[Math.min(below + 1, sorted.length - 1)]!;
  return low + (high - low) * (position - below);
}

/**
 * Standard normal distribution P(Z <= x), 0 to 1. Hart's rational approximation (algorithm 5666, "Computer
 * Approximations", 1968), off by at most about 1e-15.
 */
export function normalCdf(x: number): number {
  const size = Math.abs(x);
  if (size > 37) return x > 0 ? 1 : 0;
  const bell = Math.exp((-size * size) / 2);
  const tail =
    size < 7.07106781186547
      ? (bell * polynomial(HART_ABOVE, size)) / polynomial(HART_BELOW, size)
      : bell / ((size + 1 / (size + 2 / (size + 3 / (size + 4 / (size + 0.65))))) * 2.506628274631);
  return x > 0 ? 1 - tail : tail;
}

const HART_ABOVE = [
  220.206867912376, 221.213596169931, 112.079291497871, 33.912866078383, 6.37396220353165, 0.700383064443688,
  3.52624965998911e-2,
];
const HART_BELOW = [
  440.413735824752, 793.826512519948, 637.333633378831, 296.564248779674, 86.7807322029461, 16.064177579207,
  1.75566716318264, 8.83883476483184e-2,
];

/** c[0] + c[1] x + c[2] x^2 + ... */
export function polynomial(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((sum, coefficient) => sum * x + coefficient, 0);
}
