import { type BacktestResult, runBacktest } from '../../base/maths/backtest';
import type { Bars } from '../../base/maths/closes';
import { legAt } from '../../base/maths/legTable';
import { MathsRefusal } from '../../base/maths/mathsRefusal';
import type { FundingRows } from '../../base/maths/settlement';

/** A symbol's history on one bar. */
export interface RunSymbol {
  symbol: string;
  bars: Bars;
  funding: FundingRows | null;
  fundingHours: number | null;
}

/** How large a run is and what it costs. Notionals at entry, USDT; cost rates are fractions of what is traded. */
export interface RunSize {
  longNotional: number;
  shortNotional: number;
  leverage: number;
  fee: number;
  slippage: number;
}

/** One pair over one period; `long` and `short` are places in the task's symbols. */
export interface PairRun extends RunSize {
  long: number;
  short: number;
  barMs: number;
  /** UTC ms. */
  openedAt: number;
  closedAt: number;
}

export interface PairRunsTask {
  symbols: RunSymbol[];
  runs: PairRun[];
}

/** A leg of a run, USDT. */
export interface RunLeg {
  price: number;
  /** Received is positive. */
  funding: number;
  /** Traded to enter and to leave. */
  entered: number;
  left: number;
}

export interface PairRunAnswer {
  long: RunLeg;
  short: RunLeg;
  /** First and last close, UTC ms. */
  start: number;
  end: number;
  /** Least and greatest running net result at the closes, before the exit's costs, from 0 on; USDT. */
  mae: number;
  mfe: number;
  /** Loss beyond the margin that was cut off, 0 or above, USDT. */
  shortfall: number;
  liquidated: boolean;
  fundingMissing: number;
}

/** Result of a run; `null` without two closes to trade at. */
export type PairRunResult = PairRunAnswer | null;

/**
 * The neutral backtest (docs/formulas.md) of each pair over its period, without rebalances, settlements charged: from the last
 * close at or before the opening to the last close at or before the closing, so that on bars of an hour the same
 * settlements are charged as were to the hedge.
 */
export function pairRuns({ symbols, runs }: PairRunsTask): PairRunResult[] {
  return runs.map((run) => resultOf(symbols[run.long]!, symbols[run.short]!, run));
}

function resultOf(long: RunSymbol, short: RunSymbol, run: PairRun): PairRunResult {
  const { barMs, openedAt, closedAt, longNotional, shortNotional, leverage, fee, slippage } = run;
  const start = Math.floor(openedAt / barMs) * barMs;
  const gross = longNotional + shortNotional;
  try {
    const result = runBacktest({
      ...{ long: [long], short: [short], barMs, start, end: closedAt },
      ...{ capital: gross / leverage, leverage, longShare: longNotional / gross, rebalance: 0, fee, slippage },
      ...{ funding: true, benchmark: null },
    });
    const { time } = result;
    const last = time[time.length - 1]!;
    // The entry has to be at the opening, not where stored candles happen to begin, and the exit near the closing.
    const covers = result.summary.liquidated || closedAt - last <= 2 * barMs;
    return time[0]! - start > barMs || !covers ? null : answerOf(result, fee + slippage);
  } catch (error) {
    if (error instanceof MathsRefusal && error.reason === 'noCommonHistory') return null;
    throw error;
  }
}

function answerOf({ legs, trades, equity, time, honesty, split }: BacktestResult, costRate: number): PairRunAnswer {
  const legOf = (row: number): RunLeg => {
    const { pricePnl, funding, notional } = legAt(legs, row);
    return { price: pricePnl, funding, entered: notional, left: legs.holdings.traded[row]! - notional };
  };
  const [long, short] = [legOf(0), legOf(1)];
  const last = equity.length - 1;
  const [trade] = trades;
  // What it came to at the last close before it was closed there.
  const end = trade!.net - split.shortfall + (long.left + short.left) * costRate;
  const capital = equity[last]! - trade!.net;
  const before = equity.subarray(0, last);
  return {
    ...{ long, short, start: time[0]!, end: time[last]! },
    mae: before.reduce((worst, value) => Math.min(worst, value - capital), Math.min(0, end)),
    mfe: before.reduce((best, value) => Math.max(best, value - capital), Math.max(0, end)),
    ...{ shortfall: split.shortfall, liquidated: trade!.liquidated, fundingMissing: honesty.fundingMissing },
  };
}
