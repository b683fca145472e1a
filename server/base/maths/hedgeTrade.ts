import type { LegTable, PricePnl, ResultSplit } from './legTable';

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

interface FinishedHedge {
  legs: LegTable;
  price: PricePnl;
  split: ResultSplit;
  /** Equity at each close; the running result is counted from `capital`. */
  equity: Float64Array;
  capital: number;
  liquidated: boolean;
}

/** The one hedge that a run holds (docs/formulas.md, step 5): rebalances change it, they do not end it. */
export function hedgeTrade({ legs, price, split, equity, capital, liquidated }: FinishedHedge): HedgeTrade {
  const { axis, prices, holdings } = legs;
  const bars = axis.length - 1;
  const notional = prices.reduce((sum, column, s) => sum + Math.abs(holdings.quantity[s]!) * column[0]!, 0);
  return {
    openAt: axis[0]!,
    closeAt: axis[bars]!,
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
    mae: equity.reduce((worst, value) => Math.min(worst, value - capital), 0),
    mfe: equity.reduce((best, value) => Math.max(best, value - capital), 0),
    bars,
    liquidated,
  };
}
