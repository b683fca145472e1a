import { type AccountClock, runningDay } from './dayBoundary';

/**
 * What a strategy may lose on a day, USDT: the lower one of its params and of the limits beside them; null for neither.
 */
export function lossLimitOf(params: { dailyLossLimit: number | null } | null, beside: number | null): number | null {
  const own = params?.dailyLossLimit ?? null;
  if (own === null || beside === null) return own ?? beside;
  return Math.min(own, beside);
}

/** From when on a strategy's loss of the day counts, UTC ms: the account's day, or the last resume within it. */
export const lossFromOf = (book: AccountClock, resumedAt: number | null, now: number): number =>
  Math.max(runningDay(book, now).start, resumedAt ?? 0);

/** Why a strategy trips, in words. */
export const lossText = (loss: number, limit: number): string =>
  `单日亏损 ${loss.toFixed(2)} USDT 达到限额 ${limit.toFixed(2)} USDT`;
