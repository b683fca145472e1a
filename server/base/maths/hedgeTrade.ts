import { type LegTable, periodsOf, pricePnl, resultSplit } from './legTable';
import type { Simulation, Stretch } from './simulation';

/**
 * A trade of the backtest: one hedge from its entry to its exit, both sides together. Instants in UTC ms, money in the
 * quote currency, costs positive.
 */
export interface HedgeTrade {
  openAt: number;
  closeAt: number;
  /** Of both sides at the entry. */
  notional: number;
  /** Price result of either side. */
  longPnl: number;
  shortPnl: number;
  /** Received is positive. */
  funding: number;
  fees: number;
  slippage: number;
  /** What was lost beyond the equity and cut off at 0. */
  shortfall: number;
  /** longPnl + shortPnl + funding - fees - slippage + shortfall. */
  net: number;
  /** net / notional, a fraction. */
  return: number | null;
  /** Most adverse and most favourable running net result at the closes, from 0 on. */
  mae: number;
  mfe: number;
  bars: number;
  liquidated: boolean;
}

interface FinishedRun {
  legs: LegTable;
  simulation: Simulation;
  capital: number;
  /** What was to be held; the last one reached may have ended early. */
  stretches: readonly Stretch[];
}

/** The hedges that a run held (docs/formulas.md, step 5): rebalances change one, they do not end it. */
export function hedgeTrades({ legs, simulation, capital, stretches }: FinishedRun): HedgeTrade[] {
  const { starts, periods } = legs.holdings;
  const trades: HedgeTrade[] = [];
  let first = 0;
  for (const { to } of stretches) {
    if (first === periods) break;
    let next = first + 1;
    while (next < periods && starts[next]! < to) next += 1;
    trades.push(hedgeTrade(periodsOf(legs, first, next), simulation, capital, next === periods));
    first = next;
  }
  return trades;
}

function hedgeTrade(legs: LegTable, simulation: Simulation, capital: number, isLast: boolean): HedgeTrade {
  const { axis, prices, holdings } = legs;
  const [from, to] = [holdings.starts[0]!, holdings.ends[holdings.periods - 1]!];
  const before = from === 0 ? capital : simulation.equity[from - 1]!;
  const equity = simulation.equity.subarray(from, to + 1);
  const price = pricePnl(legs);
  const split = resultSplit(legs, price, equity[to - from]! - before, isLast ? simulation.shortfall : 0);
  const notional = prices.reduce((sum, column, s) => sum + Math.abs(holdings.quantity[s]!) * column[from]!, 0);
  return {
    openAt: axis[from]!,
    closeAt: axis[to]!,
    notional,
    longPnl: price.long,
    shortPnl: price.short,
    funding: split.funding,
    // Adding 0 turns the -0 of a run without costs into 0.
    fees: -split.fees + 0,
    slippage: -split.slippage + 0,
    shortfall: split.shortfall,
    net: split.net,
    return: notional > 0 ? split.net / notional : null,
    mae: equity.reduce((worst, value) => Math.min(worst, value - before), 0),
    mfe: equity.reduce((best, value) => Math.max(best, value - before), 0),
    bars: to - from,
    liquidated: isLast && simulation.liquidated,
  };
}
