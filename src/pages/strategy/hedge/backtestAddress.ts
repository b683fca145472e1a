import type { HedgeRow } from '#contract/hedge';
import type { HedgeSettings } from '#contract/hedgeConfig';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** The coarsest bar that still gives a period some dozens of closes. */
const barFor = (length: number) => (length > 90 * DAY_MS ? '1d' : length > 21 * DAY_MS ? '4h' : '1h');

/**
 * The backtest of the same pair over the time it was held, with the hedge's own size where the settings are known;
 * `null` before it was opened. The bars around entry and exit belong to it.
 */
export function backtestAddress(
  { source, long, short, openedAt, closedAt, notional }: HedgeRow,
  settings?: HedgeSettings,
): string | null {
  if (openedAt === null) return null;
  const end = closedAt ?? Date.now();
  const bar = barFor(end - openedAt);
  const query = new URLSearchParams({
    source,
    long,
    short,
    bar,
    start: String(Math.floor(openedAt / HOUR_MS) * HOUR_MS),
    end: String(Math.ceil(end / HOUR_MS) * HOUR_MS),
  });
  if (settings && notional > 0) {
    query.set('capital', String(Math.round(notional / settings.leverage)));
    query.set('leverage', String(settings.leverage));
  }
  return `/test/hedge?${query}`;
}
