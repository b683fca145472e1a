import { mean, standardDeviation } from './statistics';

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
