import type { AccountStops } from '#contract/account';
import type { Pause } from '#contract/pause';
import { bookOf, killSwitchOf } from '../../base/db/books/book';
import type { Queries } from '../../base/db/client';
import { trippedOf, unjudgedOf } from '../../base/db/strategies/strategyGuard';
import type { Markets } from '../../market/exchange';
import { accountTroubles } from './health';

/** A pause as the database keeps it: none while `at` is empty. */
export const pauseOf = (
  at: number | null | undefined,
  by: string | null | undefined,
  reason: string | null | undefined,
): Pause | null => (at == null ? null : { at, by: by ?? '', reason: reason ?? '' });

/** Venues that answer nobody now. */
export const outagesOf = (markets: Markets, now: number): string[] =>
  markets.traded().flatMap((market) => (market.isOut(now) ? [market.source] : []));

/** All that keeps the strategies of a user from opening now, wherever they trade. */
export async function accountStops(db: Queries, userId: string): Promise<Omit<AccountStops, 'outages'>> {
  const [book, all, tripped, unjudged, troubles] = await Promise.all([
    bookOf(db, userId),
    killSwitchOf(db),
    trippedOf(db, userId),
    unjudgedOf(db, userId),
    accountTroubles(db, userId),
  ]);
  return {
    pausedForAll: pauseOf(all?.pausedAt, all?.pausedBy, all?.reason),
    paused: pauseOf(book?.pausedAt, book?.pausedBy, book?.pauseReason),
    dailyLossLimit: book?.dailyLossLimit ?? null,
    unvalued: book?.unvalued ?? null,
    unvaluedLive: book?.unvaluedLive ?? null,
    tripped,
    troubles,
    // Where the accounts themselves have no value, all strategies of their mode wait for that.
    unjudged: unjudged.flatMap(({ mode, ...row }) =>
      (mode === 'paper' ? book?.unvalued : book?.unvaluedLive) == null ? [row] : [],
    ),
  };
}
