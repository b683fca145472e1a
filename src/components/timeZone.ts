import { DAY_MS, MINUTE_MS } from '#contract/duration';
import { timeZone } from './useAppearance';

const formats = new Map<string, Intl.DateTimeFormat>();

/** Writes an instant's date and time of day in a zone, in parts. */
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known) return known;
  const two = '2-digit';
  const parts = { year: 'numeric', month: two, day: two, hour: two, minute: two, second: two } as const;
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', ...parts });
  formats.set(zone, made);
  return made;
}

/** The chosen zone by its IANA name. */
export function zoneName(): string {
  const zone = timeZone();
  return zone === 'local' ? new Intl.DateTimeFormat().resolvedOptions().timeZone : zone;
}

/** By how much the clock of the chosen zone is ahead of UTC at an instant, ms. */
export function offsetAt(instant: number): number {
  const zone = timeZone();
  if (zone === 'UTC') return 0;
  if (zone === 'local') return -new Date(instant).getTimezoneOffset() * MINUTE_MS;
  const part = Object.fromEntries(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>;
  const { year, month, day, hour, minute, second } = part;
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000;
}

/** The instant at which the clock of the chosen zone shows what UTC shows at `shown`, UTC ms. */
export function instantShown(shown: number): number {
  const near = shown - offsetAt(shown);
  return shown - offsetAt(near);
}

/** Midnight, in the chosen zone, of the day so many days before that of an instant. */
export function midnightBefore(instant: number, days: number): number {
  const day = Math.floor((instant + offsetAt(instant)) / DAY_MS) - days;
  return instantShown(day * DAY_MS);
}
