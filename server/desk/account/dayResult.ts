import type { BookRow } from '../../base/db/books/book';
import { dayResult, isLossLimitReached, runningDay } from '../../base/maths/dayBoundary';
import { RISK_GUARD } from '../../engine/words';

type OpenedDay = Pick<BookRow, 'day' | 'dayBoundary' | 'dayEquity'>;

/** What the day has brought so far, USDT; `null` while the engine has not begun the day. */
export function dayPnl(book: OpenedDay | null, equity: number | null, now: number): number | null {
  if (!book || book.day !== runningDay(book, now).start || book.dayEquity === null || equity === null) return null;
  return dayResult(equity, Number(book.dayEquity));
}

/** Whether the account's daily loss limit keeps entries out: the engine paused for it, or the figures say so before it looked. */
export function isLimitHolding(book: BookRow | null, pnl: number | null, now: number): boolean {
  if (book === null) return false;
  if (book.pausedAt !== null && book.pausedBy === RISK_GUARD) return true;
  return (
    book.lossLiftedDay !== runningDay(book, now).start && pnl !== null && isLossLimitReached(pnl, book.dailyLossLimit)
  );
}
