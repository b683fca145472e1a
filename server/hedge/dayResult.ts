import type { BookRow, LedgerHolding } from '../db/book';
import { RISK_GUARD } from '../engine/words';
import { runningDay } from '../maths/dayBoundary';
import { dayResult } from '../maths/dayResult';
import type { MarketNow } from './marketNow';

/** Equity now: cash plus what is held at its marks, both by the ledger, USDT; `null` where a position has no mark. */
export function equityNow(holdings: readonly LedgerHolding[], sources: ReadonlyMap<string, MarketNow>): number | null {
  return holdings.reduce<number | null>((equity, { source, symbol, cash, quantity }) => {
    const worth = quantity === 0 ? 0 : (sources.get(source)?.view.get(symbol)?.mark ?? null);
    return equity === null || worth === null ? null : equity + cash + quantity * worth;
  }, 0);
}

type OpenedDay = Pick<BookRow, 'day' | 'dayBoundary' | 'dayEquity'>;

/** What the day has brought so far, USDT; `null` while the engine has not begun the day. */
export function dayPnl(book: OpenedDay | null, equity: number | null, now: number): number | null {
  if (!book || book.day !== runningDay(book, now).start || book.dayEquity === null || equity === null) return null;
  return dayResult(equity, Number(book.dayEquity));
}

/** Whether the daily loss limit keeps entries out: the engine paused for it, or the figures say so before it looked. */
export function lossLimitHit(book: BookRow | null, limit: number | null, pnl: number | null, now: number): boolean {
  if (book === null) return false;
  if (book.pausedAt !== null && book.pausedBy === RISK_GUARD) return true;
  return limit !== null && book.lossLiftedDay !== runningDay(book, now).start && pnl !== null && pnl <= -limit;
}
