import { HOUR_MS } from '#contract/duration';
import type { HedgeRow, HedgeTotals } from '#contract/kinds/hedge/desk';
import type { EndedSums } from '../../base/db/hedges/hedgeList';
import { returnOnCapital, returnOnNotional } from '../../base/maths/hedge';
import { FEWEST_TRADES } from '../../base/maths/performance';

/** The footer of the records: ended hedges by their sums, running ones as they are now. A running figure that is unknown adds nothing. @param runningMargin of the running ones, USDT. */
export function hedgeTotals(ended: EndedSums, running: readonly HedgeRow[], runningMargin: number): HedgeTotals {
  const total = (field: 'notional' | 'longPnl' | 'shortPnl' | 'funding' | 'fees' | 'slippage' | 'net' | 'naked') =>
    running.reduce((all, row) => all + (row[field] ?? 0), ended[field]);
  const [net, notional] = [total('net'), total('notional')];
  return {
    hedges: ended.hedges + running.length,
    notional,
    longPnl: total('longPnl'),
    shortPnl: total('shortPnl'),
    funding: total('funding'),
    fees: total('fees'),
    slippage: total('slippage'),
    net,
    netReturn: returnOnNotional(net, notional),
    marginReturn: returnOnCapital(net, ended.margin + runningMargin, 1),
    naked: total('naked'),
    closed: ended.closed,
    fewest: FEWEST_TRADES,
    ...resultsOf(ended),
    averageHours: ended.closed === 0 ? null : ended.heldMs / ended.closed / HOUR_MS,
  };
}

/** F21 from sums; the same rules as `tradeStatistics`, which wants every result. */
function resultsOf({ closed, wins, losses, won, lost }: EndedSums) {
  if (closed < FEWEST_TRADES) return { winRate: null, profitFactor: null, expectancy: null };
  const winRate = wins / closed;
  const averageWin = wins === 0 ? 0 : won / wins;
  const averageLoss = losses === 0 ? 0 : Math.abs(lost) / losses;
  return {
    winRate,
    profitFactor: losses === 0 ? null : won / Math.abs(lost),
    expectancy: winRate * averageWin - (1 - winRate) * averageLoss,
  };
}
