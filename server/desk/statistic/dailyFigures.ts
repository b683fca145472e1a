import { DAY_MS } from '#contract/duration';
import type { StatisticDaily, StatisticFigures } from '#contract/statistic';
import { drawdown, drawdownSeries } from '../../base/maths/drawdown';
import { cagr, costDrag, FEWEST_DAYS, ratiosOf, tailRisk, turnover, volatility } from '../../base/maths/performance';
import { contributionLine, periodStatistics, rollingBeta, rollingSharpe } from '../../base/maths/periods';
import { beta, correlation, mean, nullable, slopeTValue } from '../../base/maths/statistics';
import { type DailyRecord, dailyReturns, indexOf } from './dailyRecord';

/** Days of the rolling figures. */
const WINDOW = 30;

/** A record with what follows from it. */
export interface GrownRecord {
  record: DailyRecord;
  /** NaN for a day that began with nothing. */
  returns: Float64Array;
  index: Float64Array;
  /** Change of the equity that is no transfer, USDT. */
  net: Float64Array;
}

export function grown(record: DailyRecord): GrownRecord {
  const returns = dailyReturns(record);
  const { base, equity, transfers } = record;
  return { record, returns, index: indexOf(returns), net: equity.map((end, i) => end - transfers[i]! - base[i]!) };
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);
const ended = (day: Float64Array): Float64Array => day.map((start) => start + DAY_MS);
const daysBetween = (from: number | null, to: number | null) =>
  from === null || to === null ? null : (to - from) / DAY_MS;

/**
 * F18 to F22 and F24 over whole days; `null` where there is no day.
 * @param from when the first day's accounts began: its midnight, or later where all were opened within it; UTC ms.
 */
export function dailyFigures({ record, returns, index, net }: GrownRecord, from: number): StatisticFigures | null {
  const last = index.length - 1;
  if (last < 0) return null;
  const { equity, traded, day } = record;
  const known = returns.filter((value) => !Number.isNaN(value));
  const days = (day[last]! + DAY_MS - from) / DAY_MS;
  const growth = cagr(1, index[last]!, days);
  const depth = depthOf(record, index, from);
  const costs = { fees: sum(record.fees), slippage: sum(record.slippage), funding: sum(record.funding) };
  // Slippage lies in the price result, so a result before costs has it added.
  const gross = sum(record.long) + sum(record.short) + costs.slippage + costs.funding;
  return {
    equity: equity[last]!,
    net: sum(net),
    days,
    fewestDays: FEWEST_DAYS,
    index: index[last]!,
    totalReturn: index[last]! - 1,
    cagr: growth,
    volatility: volatility(known),
    ...depth,
    ...ratiosOf({ daily: known, days, growth, maxDrawdown: depth.maxDrawdown }),
    turnover: turnover(sum(traded), mean(equity), days),
    costDrag: costDrag(costs.fees + costs.slippage, gross),
    traded: sum(traded),
    ...costs,
    ...bitcoinFigures(returns, record.btc),
    ...tailOf(known),
    ...periodsOf(known),
  };
}

function depthOf({ day }: DailyRecord, index: Float64Array, from: number) {
  const depth = drawdown(Float64Array.from([from, ...ended(day)]), Float64Array.from([1, ...index]), 1);
  return {
    maxDrawdown: depth.max,
    ulcer: depth.ulcer,
    drawdownPeakAt: depth.startedAt,
    drawdownTroughAt: depth.troughAt,
    drawdownRecoveredAt: depth.recoveredAt,
    drawdownDays: daysBetween(depth.startedAt, depth.troughAt),
    recoveryDays: daysBetween(depth.troughAt, depth.recoveredAt),
    longestUnderwaterDays: depth.longestDaysUnderWater,
  };
}

/** F17 over the days for which both have a return. */
function bitcoinFigures(returns: Float64Array, btc: Float64Array) {
  const both = (_: number, i: number) => !Number.isNaN(returns[i]!) && !Number.isNaN(btc[i]!);
  const own = returns.filter(both);
  const other = btc.filter(both);
  const r = correlation(own, other);
  return { betaBtc: beta(own, other), betaT: slopeTValue(r, own.length), correlationBtc: r };
}

function tailOf(daily: Float64Array) {
  const { valueAtRisk95, conditionalValueAtRisk95 } = tailRisk(daily);
  return { var95: valueAtRisk95, cvar95: conditionalValueAtRisk95 };
}

function periodsOf(daily: Float64Array) {
  const periods = periodStatistics(daily);
  return {
    dayWinRate: periods.winRate,
    winningPeriods: periods.wins,
    losingPeriods: periods.losses,
    meanReturn: periods.mean,
    bestReturn: periods.best,
    worstReturn: periods.worst,
    longestWins: periods.longestWins,
    longestLosses: periods.longestLosses,
    returnDeviation: periods.deviation,
  };
}

export const dayName = (start: number): string => new Date(start).toISOString().slice(0, 10);

/** The days as the answer has them. */
export function dailyColumns({ record, returns, index, net }: GrownRecord): StatisticDaily {
  const { day, base, gross, netExposure } = record;
  // Adding 0 turns the -0 of a day without fees into 0.
  const fees = record.fees.map((paid) => -paid + 0);
  const line = (part: Float64Array) => Array.from(contributionLine(part, base, index));
  return {
    day: Array.from(day, dayName),
    equity: Array.from(record.equity),
    transfers: Array.from(record.transfers),
    return: nullable(returns),
    index: Array.from(index),
    drawdown: Array.from(drawdownSeries(index, 1)),
    long: Array.from(record.long),
    short: Array.from(record.short),
    funding: Array.from(record.funding),
    fees: Array.from(fees),
    net: Array.from(net),
    longIndex: line(record.long),
    shortIndex: line(record.short),
    fundingIndex: line(record.funding),
    feesIndex: line(fees),
    btcReturn: nullable(record.btc),
    sharpe30: nullable(rollingSharpe(returns, WINDOW)),
    beta30: nullable(rollingBeta(returns, record.btc, WINDOW)),
    neutrality: Array.from(gross, (value, i) => (value > 0 ? netExposure[i]! / value : null)),
    missing: Array.from(record.missing),
  };
}

/** What of the change of equity neither price nor funding nor fees explain, USDT. */
export const unexplained = ({ record: { long, short, funding, fees }, net }: GrownRecord): number =>
  sum(net) - sum(long) - sum(short) - sum(funding) + sum(fees);
