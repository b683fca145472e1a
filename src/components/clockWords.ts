import { MINUTE_MS } from '#contract/duration';

const DAY_MINUTES = 1440;
/** Most of its traders live by it; it has no summer time. */
const BEIJING_MINUTES = 480;

const two = (value: number) => String(value).padStart(2, '0');
const clock = (minutes: number) => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;

/** A time of the clock, minutes after 00:00 UTC: 00:00 UTC / 08:00 北京时间. */
export const clockWords = (minutes: number): string =>
  `${clock(minutes)} UTC / ${clock((minutes + BEIJING_MINUTES) % DAY_MINUTES)} 北京时间`;

/** The time of the clock of an instant (UTC ms), in the same words. */
export const clockWordsOf = (at: number): string => clockWords(Math.floor(at / MINUTE_MS) % DAY_MINUTES);
