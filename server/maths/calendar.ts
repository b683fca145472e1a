import { pick } from './closes';

const DAY_MS = 86_400_000;

export interface Curve {
  /** Closing instants in UTC ms, strictly ascending. */
  time: Float64Array;
  value: Float64Array;
}

/**
 * The last point of each UTC day. A close at 00:00 ends the day before it, so it belongs to that day. Days without a
 * point are left out.
 */
export function dailyCloses({ time, value }: Curve): Curve {
  const day = (i: number) => Math.ceil(time[i]! / DAY_MS);
  const rows = Int32Array.from(time.keys()).filter((i) => i === time.length - 1 || day(i) !== day(i + 1));
  return { time: pick(time, rows), value: pick(value, rows) };
}

interface MonthReturn {
  /** `YYYY-MM`, UTC. */
  month: string;
  /** Fraction. */
  return: number;
}

/**
 * Return of each UTC month: last value of the month / last value of the month before - 1; the first month starts from
 * `start` (the capital). A close at 00:00 of the first day belongs to the month it ends.
 */
export function monthlyReturns(daily: Curve, start: number): MonthReturn[] {
  const months: MonthReturn[] = [];
  let base = start;
  for (let i = 0; i < daily.time.length; i++) {
    const month = monthOf(daily.time[i]!);
    if (i + 1 < daily.time.length && monthOf(daily.time[i + 1]!) === month) continue;
    const value = daily.value[i]!;
    months.push({ month, return: value / base - 1 });
    base = value;
  }
  return months;
}

function monthOf(closedAt: number): string {
  return new Date(closedAt - 1).toISOString().slice(0, 7);
}
