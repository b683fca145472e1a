import { DAY_MS, MINUTE_MS } from '#contract/duration';

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
