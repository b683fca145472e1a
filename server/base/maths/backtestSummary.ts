import { DAY_MS } from '#contract/duration';
import { type Curve, dailyCloses } from './calendar';
import { drawdown } from './drawdown';
import type { HedgeTrade } from './hedgeTrade';
import { type LegTable, type ResultSplit, tradedNotional } from './legTable';
import {
  cagr,
  costDrag,
  FEWEST_DAYS,
  FEWEST_TRADES,
  ratiosOf,
  tailRisk,
  tradeStatistics,
  turnover,
  volatility,
} from './performance';
import { simpleReturns } from './returns';
import type { Simulation } from './simulation';
import { beta, correlation, mean } from './statistics';

/** Figures of a run: F19 to F22 and F24. Fractions unless said otherwise; `null` where a figure is undefined. */
export interface BacktestSummary {
  /** Quote currency, as is `finalEquity`. */
  net: number;
  totalReturn: number;
  finalEquity: number;
  cagr: number | null;
  sharpe: number | null;
  sortino: number | null;
  calmar: number | null;
  volatility: number | null;
  ulcer: number | null;
  maxDrawdown: number | null;
  /** UTC ms. */
  drawdownPeakAt: number | null;
  drawdownTroughAt: number | null;
  drawdownRecoveredAt: number | null;
  longestUnderwaterDays: number | null;
  winRate: number | null;
  profitFactor: number | null;
  payoff: number | null;
  /** Quote currency per trade. */
  expectancy: number | null;
  sqn: number | null;
  /** Hedges, from entry to exit; under `fewestTrades` of them the figures above are `null`. */
  trades: number;
  fewestTrades: number;
  averageHoldDays: number | null;
  turnover: number | null;
  costDrag: number | null;
  betaBtc: number | null;
  correlationBtc: number | null;
  var95: number | null;
  cvar95: number | null;
  /** Net result of a side / capital. */
  longReturn: number;
  shortReturn: number;
  /** Price change of the benchmark over the run. */
  btcReturn: number | null;
  /** Mean of gross exposure / equity, and of net / gross (F10), over the closes after the entry. */
  averageGross: number | null;
  averageNet: number | null;
  liquidated: boolean;
  /** From the first to the last close; under `fewestDays` Sharpe, Sortino and Calmar are `null`. */
  days: number;
  fewestDays: number;
}

export interface FinishedRun {
  axis: Float64Array;
  capital: number;
  simulation: Simulation;
  trades: readonly HedgeTrade[];
  legs: LegTable;
  split: ResultSplit;
  /** Benchmark price per close, NaN before its first; `null` without one. */
  benchmark: Float64Array | null;
}

/**
 * All figures of a finished run. Daily closes (UTC) feed F19, F20, F24 and the volatility; on daily bars those are the
 * bars themselves. The first return is the entry's cost, counted from the capital.
 */
export function backtestSummary(run: FinishedRun): BacktestSummary {
  const { axis, capital, simulation } = run;
  const { equity, longLeg, shortLeg } = simulation;
  const last = equity.length - 1;
  const days = (axis[last]! - axis[0]!) / DAY_MS;
  const curve = dailyCloses({ time: axis, value: equity });
  return {
    net: run.split.net,
    totalReturn: run.split.net / capital,
    finalEquity: equity[last]!,
    ...riskFigures(curve, capital, days),
    ...tradeFigures(run, days),
    ...benchmarkFigures(curve, run),
    longReturn: longLeg[last]! / capital,
    shortReturn: shortLeg[last]! / capital,
    averageGross: averageRatio(simulation.gross, equity),
    averageNet: averageRatio(simulation.net, simulation.gross),
    liquidated: simulation.liquidated,
    days,
    fewestDays: FEWEST_DAYS,
  };
}

function riskFigures(curve: Curve, capital: number, days: number) {
  const growth = cagr(capital, curve.value[curve.value.length - 1]!, days);
  const daily = simpleReturns(curve.value, capital);
  const depth = drawdown(curve.time, curve.value, capital);
  const tail = tailRisk(daily);
  return {
    cagr: growth,
    ...ratiosOf({ daily, days, growth, maxDrawdown: depth.max }),
    volatility: volatility(daily),
    ulcer: depth.ulcer,
    maxDrawdown: depth.max,
    drawdownPeakAt: depth.startedAt,
    drawdownTroughAt: depth.troughAt,
    drawdownRecoveredAt: depth.recoveredAt,
    longestUnderwaterDays: depth.longestDaysUnderWater,
    var95: tail.valueAtRisk95,
    cvar95: tail.conditionalValueAtRisk95,
  };
}

function tradeFigures({ trades, legs, split, simulation }: FinishedRun, days: number) {
  const { count, ...figures } = tradeStatistics(Float64Array.from(trades, ({ net }) => net));
  return {
    ...figures,
    trades: count,
    fewestTrades: FEWEST_TRADES,
    averageHoldDays: mean(Float64Array.from(trades, ({ openAt, closeAt }) => (closeAt - openAt) / DAY_MS)),
    turnover: turnover(tradedNotional(legs), mean(simulation.equity), days),
    costDrag: costDrag(-(split.fees + split.slippage), split.price + split.funding),
  };
}

/** Beta and correlation on days for which both have a return; the entry's cost is no return of a day. */
function benchmarkFigures(curve: Curve, { axis, benchmark }: FinishedRun) {
  const prices = benchmark === null ? null : dailyCloses({ time: axis, value: benchmark }).value;
  const from = prices?.findIndex((price) => price > 0) ?? -1;
  if (prices === null || from < 0) return { betaBtc: null, correlationBtc: null, btcReturn: null };
  const own = simpleReturns(curve.value.subarray(from));
  const other = simpleReturns(prices.subarray(from));
  const first = benchmark?.[0] ?? Number.NaN;
  return {
    betaBtc: beta(own, other),
    correlationBtc: correlation(own, other),
    btcReturn: first > 0 ? prices[prices.length - 1]! / first - 1 : null,
  };
}

/** Mean over the closes after the entry, at which something was held and the divisor is positive. */
function averageRatio(above: Float64Array, below: Float64Array): number | null {
  let sum = 0;
  let count = 0;
  for (let i = 1; i < above.length; i++) {
    if (!(below[i]! > 0)) continue;
    sum += above[i]! / below[i]!;
    count++;
  }
  return count === 0 ? null : sum / count;
}
