import { defined, mean, quantile, standardDeviation } from './statistics';

const DAYS_PER_YEAR = 365;
/** Fewer days than this have no five worst per cent. */
const MIN_DAYS_FOR_TAIL = 20;
/** Over fewer days Sharpe, Sortino and Calmar say nothing (docs/formulas.md, step 5). */
export const FEWEST_DAYS = 20;
/** Of fewer trades win rate, profit factor, payoff, expectancy and SQN say nothing (docs/formulas.md, step 5). */
export const FEWEST_TRADES = 10;

/**
 * Sharpe ratio (F19) = mean / sd (ddof 1) x sqrt(365), without unit, no risk-free rate.
 * @param daily daily returns, fractions.
 * @returns `null` for fewer than 2 returns or returns that do not vary.
 */
export function sharpe(daily: Float64Array): number | null {
  const deviation = standardDeviation(daily);
  return deviation ? defined((mean(daily)! / deviation) * Math.sqrt(DAYS_PER_YEAR)) : null;
}

/**
 * Sortino ratio (F19) = mean / sqrt(sum(min(R, 0)^2) / n) x sqrt(365), without unit.
 * @param daily daily returns, fractions.
 * @returns `null` for fewer than 2 returns or no losing day.
 */
export function sortino(daily: Float64Array): number | null {
  if (daily.length < 2) return null;
  let squares = 0;
  for (let i = 0; i < daily.length; i++) squares += Math.min(daily[i]!, 0) ** 2;
  if (squares === 0) return null;
  return defined((mean(daily)! / Math.sqrt(squares / daily.length)) * Math.sqrt(DAYS_PER_YEAR));
}

/**
 * Annualised volatility = sd (ddof 1) x sqrt(365), a fraction per year.
 * @param daily daily returns, fractions.
 * @returns `null` for fewer than 2 returns.
 */
export function volatility(daily: Float64Array): number | null {
  const deviation = standardDeviation(daily);
  return deviation === null ? null : deviation * Math.sqrt(DAYS_PER_YEAR);
}

/**
 * Compound annual growth rate (F20) = (ET / E0)^(365 / days) - 1, a fraction per year.
 * @param from, to equity at both ends, same currency.
 * @returns `null` for no time, no positive start, a negative end, or a rate beyond all numbers.
 */
export function cagr(from: number, to: number, days: number): number | null {
  if (!(from > 0 && to >= 0 && days > 0)) return null;
  return defined((to / from) ** (DAYS_PER_YEAR / days) - 1);
}

/**
 * Calmar ratio (F20) = CAGR / |max drawdown|, without unit.
 * @returns `null` where either is unknown or there was no drawdown.
 */
export function calmar(growth: number | null, maxDrawdown: number | null): number | null {
  return growth === null || !maxDrawdown ? null : defined(growth / Math.abs(maxDrawdown));
}

interface DailyTrack {
  /** Daily returns, fractions. */
  daily: Float64Array;
  /** From the first to the last close. */
  days: number;
  /** A fraction per year, and a fraction 0 or below; `null` where unknown. */
  growth: number | null;
  maxDrawdown: number | null;
}

/** Sharpe, Sortino and Calmar of a record; all `null` for fewer than 20 days or daily returns. */
export function ratiosOf({ daily, days, growth, maxDrawdown }: DailyTrack) {
  if (days < FEWEST_DAYS || daily.length < FEWEST_DAYS) return { sharpe: null, sortino: null, calmar: null };
  return { sharpe: sharpe(daily), sortino: sortino(daily), calmar: calmar(growth, maxDrawdown) };
}

interface TailRisk {
  /** One-day loss exceeded on 5 % of days: -(5 % quantile), a fraction, positive for a loss. */
  valueAtRisk95: number | null;
  /** Mean loss of the days at or beyond it, a fraction, positive for a loss. */
  conditionalValueAtRisk95: number | null;
}

/**
 * VaR95 and CVaR95 (F24): one day, historical; quantile of type 7.
 * @param daily daily returns, fractions.
 * @returns `null`s for fewer than 20 days.
 */
export function tailRisk(daily: Float64Array): TailRisk {
  const limit = daily.length < MIN_DAYS_FOR_TAIL ? null : quantile(daily, 0.05);
  if (limit === null) return { valueAtRisk95: null, conditionalValueAtRisk95: null };
  const worst = mean(daily.filter((value) => value <= limit));
  // Adding 0 turns the -0 of a flat curve into 0.
  return { valueAtRisk95: -limit + 0, conditionalValueAtRisk95: worst === null ? null : -worst + 0 };
}

/**
 * Turnover (F22) = traded notional / mean equity per day, a fraction per day.
 * @param traded sum of |dq| x p, same currency as `meanEquity`.
 * @returns `null` for no time or no positive equity.
 */
export function turnover(traded: number, meanEquity: number | null, days: number): number | null {
  return meanEquity !== null && meanEquity > 0 && days > 0 ? defined(traded / meanEquity / days) : null;
}

/**
 * Cost drag (F22) = (fees + slippage) / gross profit, a fraction; gross profit = price + funding result before costs.
 * @returns `null` where there was no gross profit to be eaten.
 */
export function costDrag(costs: number, grossProfit: number): number | null {
  return grossProfit > 0 ? defined(costs / grossProfit) : null;
}

interface TradeStatistics {
  /** Of all trades, however few. */
  count: number;
  /** Share of trades with a result above 0 (F21). */
  winRate: number | null;
  /** Sum of wins / |sum of losses| (F21). */
  profitFactor: number | null;
  /** Average win / |average loss| (F21). */
  payoff: number | null;
  /** Per trade, in the currency of the results (F21). */
  expectancy: number | null;
  /** System quality number. */
  sqn: number | null;
}

/**
 * F21 over results of trades: winRate WR = wins / n; profit factor; payoff; expectancy = WR x avgW - (1 - WR) x |avgL|,
 * an average that does not exist counting 0; SQN = sqrt(n) x mean / sd (ddof 1) (V. Tharp; without the cap at 100).
 * @param net result of each trade (a hedge, both legs together) after all costs, one currency. A result of 0 is neither
 * win nor loss.
 * @returns `null`s for fewer than 10 trades.
 */
export function tradeStatistics(net: Float64Array): TradeStatistics {
  if (net.length < FEWEST_TRADES) {
    return { count: net.length, winRate: null, profitFactor: null, payoff: null, expectancy: null, sqn: null };
  }
  const wins = net.filter((value) => value > 0);
  const losses = net.filter((value) => value < 0);
  const averageWin = mean(wins);
  const averageLoss = mean(losses);
  const winRate = wins.length / net.length;
  const deviation = standardDeviation(net);
  const both = averageWin !== null && averageLoss !== null;
  return {
    count: net.length,
    winRate,
    profitFactor: both
      ? defined((averageWin * wins.length) / Math.abs(averageLoss * losses.length))
      : zeroIfLossesOnly(averageLoss),
    payoff: both ? defined(averageWin / Math.abs(averageLoss)) : null,
    expectancy: winRate * (averageWin ?? 0) - (1 - winRate) * Math.abs(averageLoss ?? 0),
    sqn: deviation ? defined((Math.sqrt(net.length) * mean(net)!) / deviation) : null,
  };
}

/** Without a win the profit factor is a true 0 as long as something was lost, and undefined otherwise. */
function zeroIfLossesOnly(averageLoss: number | null): number | null {
  return averageLoss === null ? null : 0;
}
