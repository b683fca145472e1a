import { DAY_MS } from '#contract/duration';
import { pick } from './closes';

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
  const rows = new Int32Array(time.length);
  let count = 0;
  let dayEnd = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < time.length; i++) {
    if (time[i]! > dayEnd) {
      count++;
      dayEnd = Math.ceil(time[i]! / DAY_MS) * DAY_MS;
    }
    rows[count - 1] = i;
  }
  const kept = rows.subarray(0, count);
  return { time: pick(time, kept), value: pick(value, kept) };
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
export function monthlyReturns({ time, value }: Curve, start: number): MonthReturn[] {
  const months: MonthReturn[] = [];
  let base = start;
  let monthEnd = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < time.length; i++) {
    if (time[i]! > monthEnd) {
      if (i > 0) base = value[i - 1]!;
      const inside = new Date(time[i]! - 1);
      monthEnd = Date.UTC(inside.getUTCFullYear(), inside.getUTCMonth() + 1, 1);
      months.push({ month: inside.toISOString().slice(0, 7), return: 0 });
    }
    months[months.length - 1]!.return = value[i]! / base - 1;
  }
  return months;
}
