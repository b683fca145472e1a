import { DAY_MS, MINUTE_MS } from '#contract/duration';
import { usdt } from './decimal';

/**
 * What a day's result is counted from, USDT.
 * @param equity what the account was worth when the day began
 * @param transfers what was moved in (positive) or out since
 */
export const dayEquityOf = (equity: number, transfers: number): number => equity + transfers;

/** Whether a day's result, USDT, is a loss of the daily limit or more; never without a limit. */
export const isLossLimitReached = (result: number, limit: number | null): boolean => limit !== null && result <= -limit;

/** What a day has brought, transfers left out (F18), USDT: the one figure of loss limit, desk and overview. */
export const dayResult = (equity: number, dayEquity: number): number => equity - dayEquity;

/**
 * Start of the day that an instant lies in, where days begin at one time of the clock.
 * @param at UTC ms.
 * @param boundary minutes after 00:00 UTC, 0 to 1439.
 */
export const dayStartAt = (at: number, boundary: number): number => {
  const phase = boundary * MINUTE_MS;
  return Math.floor((at - phase) / DAY_MS) * DAY_MS + phase;
};

/**
 * When the day that began at `start` ends: at the first boundary that is 24 hours or more away. Where the boundary was
 * moved meanwhile the day is longer than 24 hours and never shorter, so that what it has lost is not forgotten early.
 */
export const dayEndOf = (start: number, boundary: number): number => dayStartAt(start + 2 * DAY_MS - 1, boundary);

/** What an account says of its days. */
export interface AccountClock {
  /** Start of the day that was begun last, UTC ms; null before the first. */
  day: number | null;
  /** Minutes after 00:00 UTC at which the next ones begin. */
  dayBoundary: number;
}

/** Who has no account yet would begin its days at 00:00 UTC. */
export const NO_DAY: AccountClock = { day: null, dayBoundary: 0 };

/** A day of an account, UTC ms, its end excluded. */
export interface AccountDay {
  start: number;
  end: number;
}

/** The day that runs: the one begun last as long as it lasts, else the one that the boundary says. */
export function runningDay({ day, dayBoundary }: AccountClock, now: number): AccountDay {
  const isRunning = day !== null && day <= now && now < dayEndOf(day, dayBoundary);
  const start = isRunning ? day : dayStartAt(now, dayBoundary);
  return { start, end: dayEndOf(start, dayBoundary) };
}

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
export const lossText = (loss: number, limit: number): string => `单日亏损 ${usdt(loss)} 达到限额 ${usdt(limit)}`;
