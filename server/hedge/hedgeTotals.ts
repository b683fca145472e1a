import { HOUR_MS } from '#contract/duration';
import type { HedgeRow, HedgeTotals } from '#contract/hedge';
import type { EndedSums } from '../db/hedgeList';

/** The footer of the records: ended hedges by their sums, running ones as they stand now. A running figure that is unknown adds nothing. */
export function hedgeTotals(ended: EndedSums, running: readonly HedgeRow[]): HedgeTotals {
  const total = (field: 'notional' | 'longPnl' | 'shortPnl' | 'funding' | 'fees' | 'slippage' | 'net' | 'naked') =>
    running.reduce((all, row) => all + (row[field] ?? 0), ended[field]);
  return {
    hedges: ended.hedges + running.length,
    notional: total('notional'),
    longPnl: total('longPnl'),
    shortPnl: total('shortPnl'),
    funding: total('funding'),
    fees: total('fees'),
    slippage: total('slippage'),
    net: total('net'),
    naked: total('naked'),
    ...resultsOf(ended),
    averageHours: ended.closed === 0 ? null : ended.heldMs / ended.closed / HOUR_MS,
  };
}

/** F21 from sums; the same rules as `tradeStatistics`, which wants every result. */
function resultsOf({ closed, wins, losses, won, lost }: EndedSums) {
  const winRate = closed === 0 ? null : wins / closed;
  const averageWin = wins === 0 ? 0 : won / wins;
  const averageLoss = losses === 0 ? 0 : Math.abs(lost) / losses;
  return {
    winRate,
    profitFactor: losses === 0 ? null : won / Math.abs(lost),
    expectancy: winRate === null ? null : winRate * averageWin - (1 - winRate) * averageLoss,
  };
}
