import type { AccountStops } from '#contract/account';
import { bookOf } from '../../base/db/books/book';
import { killSwitchOf } from '../../base/db/books/killSwitch';
import type { Queries } from '../../base/db/client';
import { trippedOf, unjudgedOf } from '../../base/db/strategies/strategyGuard';
import { pauseOf } from './pause';

/** All that keeps the strategies of a user from opening now. */
export async function accountStops(db: Queries, userId: string): Promise<AccountStops> {
  const [book, all, tripped, unjudged] = await Promise.all([
    bookOf(db, userId),
    killSwitchOf(db),
    trippedOf(db, userId),
    unjudgedOf(db, userId),
  ]);
  return {
    pausedForAll: pauseOf(all?.pausedAt, all?.pausedBy, all?.reason),
    paused: pauseOf(book?.pausedAt, book?.pausedBy, book?.pauseReason),
    dailyLossLimit: book?.dailyLossLimit ?? null,
    unvalued: book?.unvalued ?? null,
    tripped,
    // Where the account itself has no value, all of its strategies wait for that.
    unjudged: book?.unvalued == null ? unjudged : [],
  };
}
