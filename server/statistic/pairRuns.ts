import { runBacktest } from '../maths/backtest';
import type { Bars } from '../maths/closes';
import { legAt } from '../maths/legTable';
import type { LegResult } from '../maths/liveGap';
import { MathsRefusal } from '../maths/mathsRefusal';
import type { FundingRows } from '../maths/settlement';

/** A symbol's history on one bar. */
export interface RunSymbol {
  symbol: string;
  bars: Bars;
  funding: FundingRows | null;
  fundingHours: number | null;
}

/** One pair over one period; `long` and `short` are places in the task's symbols. */
export interface PairRun {
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

/** Result of either leg of a run, each with `RUN_NOTIONAL` at entry; `null` without two closes to trade at. */
export type PairRunResult = { long: LegResult; short: LegResult; fundingMissing: number } | null;

/** Notional of each leg of a run, USDT. */
export const RUN_NOTIONAL = 1_000;
/** Far above the notional, so that no run is ever liquidated: a leg's result stays proportional to its notional. */
const CAPITAL = 1e9;

/**
 * The neutral backtest (maths.md) of each pair over its period, without costs and rebalances, settlements charged: from
 * the last close at or before the opening to the last close at or before the closing, so that on bars of an hour the
 * same settlements are charged as were to the hedge.
 */
export function pairRuns({ symbols, runs }: PairRunsTask): PairRunResult[] {
  return runs.map((run) => resultOf(symbols[run.long]!, symbols[run.short]!, run));
}

function resultOf(long: RunSymbol, short: RunSymbol, { barMs, openedAt, closedAt }: PairRun): PairRunResult {
  const start = Math.floor(openedAt / barMs) * barMs;
  try {
    const { legs, honesty } = runBacktest({
      ...{ long: [long], short: [short], barMs, start, end: closedAt },
      ...{ capital: CAPITAL, leverage: (2 * RUN_NOTIONAL) / CAPITAL, rebalance: 0, fee: 0, slippage: 0 },
      ...{ funding: true, benchmark: null },
    });
    const resultAt = (row: number): LegResult => {
      const { pricePnl, funding } = legAt(legs, row);
      return { price: pricePnl, funding };
    };
    // The entry has to be at the opening, not where stored candles happen to begin, and the exit near the closing.
    const [first, last] = [legs.axis[0]!, legs.axis[legs.axis.length - 1]!];
    if (first - start > barMs || closedAt - last > 2 * barMs) return null;
    return { long: resultAt(0), short: resultAt(1), fundingMissing: honesty.fundingMissing };
  } catch (error) {
    if (error instanceof MathsRefusal && error.reason === 'noCommonHistory') return null;
    throw error;
  }
}
