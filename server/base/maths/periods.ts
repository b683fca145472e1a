import { sharpe } from './performance';
import { beta, mean, standardDeviation } from './statistics';

/**
 * How far one part of the result has carried an index that starts at 1: 1 + sum over t of part(t) / base(t) x
 * index(t - 1). The parts of a day sum up to base x return, so over all parts (line - 1) sums up to index - 1 exactly:
 * a result split without a rest (linking of contributions by the opening value of the index).
 * @param part result of the part in each period, in the currency of `base`.
 * @param base capital at work in each period; a period without a positive one adds nothing.
 * @param index value at the end of each period; 1 before the first.
 */
export function contributionLine(part: Float64Array, base: Float64Array, index: Float64Array): Float64Array {
  const line = new Float64Array(part.length);
  let value = 1;
  for (let i = 0; i < line.length; i++) {
    if (base[i]! > 0) value += (part[i]! / base[i]!) * (i === 0 ? 1 : index[i - 1]!);
    line[i] = value;
  }
  return line;
}

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

interface PeriodStatistics {
  /** Periods with a return above and below 0; one of exactly 0 is neither. */
  wins: number;
  losses: number;
  /** Wins / all periods, a fraction. */
  winRate: number | null;
  /** Arithmetic mean, largest and smallest return of a period, fractions. */
  mean: number | null;
  best: number | null;
  worst: number | null;
  /** Longest run of wins, and of losses; a period of 0 breaks either. */
  longestWins: number;
  longestLosses: number;
  /** Standard deviation (ddof 1) of a period's return, not annualised, a fraction. */
  deviation: number | null;
}

/**
 * The figures that Chinese quantitative practice states of a strategy by its periods (盈利 / 亏损周期数, 每周期平均收益,
 * 单周期最大盈利 / 亏损, 最大连续盈利 / 亏损周期数, 收益率标准差).
 * @param returns of equal periods, fractions, ascending in time.
 * @returns `null` where there is no period (for the deviation: fewer than 2).
 */
export function periodStatistics(returns: Float64Array): PeriodStatistics {
  const wins = countOf(returns, (value) => value > 0);
  const losses = countOf(returns, (value) => value < 0);
  const none = returns.length === 0;
  return {
    wins: wins.all,
    losses: losses.all,
    winRate: none ? null : wins.all / returns.length,
    mean: mean(returns),
    best: none ? null : returns.reduce((best, value) => Math.max(best, value)),
    worst: none ? null : returns.reduce((worst, value) => Math.min(worst, value)),
    longestWins: wins.longest,
    longestLosses: losses.longest,
    deviation: standardDeviation(returns),
  };
}

function countOf(returns: Float64Array, counts: (value: number) => boolean) {
  let all = 0;
  let longest = 0;
  let run = 0;
  for (let i = 0; i < returns.length; i++) {
    run = counts(returns[i]!) ? run + 1 : 0;
    if (run > 0) all++;
    if (run > longest) longest = run;
  }
  return { all, longest };
}
