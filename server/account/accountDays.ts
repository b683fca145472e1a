import type { AccountDay } from '#contract/account';
import { DAY_MS } from '#contract/duration';
import type { AccountPoint } from '../db/account';
import { returnOver } from './track';

interface Days {
  /** Of the caller, milliseconds, positive in the east. */
  offset: number;
  now: number;
  days: number;
}

/** The local midnight at or before an instant, UTC ms. */
export const midnight = (at: number, offset: number): number => Math.floor((at + offset) / DAY_MS) * DAY_MS - offset;

/**
 * What each of the caller's days brought, oldest first, from the day of the first point on: the differences of the
 * running sums between its two midnights. A day within which nothing was recorded has `null`s.
 * @param points the record on the grid of those midnights, ascending, then the present.
 */
export function accountDays(points: readonly AccountPoint[], { offset, now, days }: Days): AccountDay[] {
  const first = points[0];
  if (!first) return [];
  const today = midnight(now, offset);
  const rows: AccountDay[] = [];
  for (let start = Math.max(midnight(first.at, offset), today - (days - 1) * DAY_MS); start <= today; start += DAY_MS) {
    const day = new Date(start + offset).toISOString().slice(0, 10);
    rows.push({ day, ...resultOf(points, start) });
  }
  return rows;
}

const NOTHING = { price: null, funding: null, fees: null, net: null, return: null };

function resultOf(points: readonly AccountPoint[], start: number): Omit<AccountDay, 'day'> {
  // The opening begins the first day; every other begins with the newest point at or before its midnight.
  const before = points.findLast(({ at }) => at <= start) ?? points[0]!;
  const inside = points.filter(({ at }) => at > Math.max(start, before.at) && at <= start + DAY_MS);
  const last = inside[inside.length - 1];
  if (!last) return NOTHING;
  const price = last.price - before.price;
  const funding = last.funding - before.funding;
  // Adding 0 turns the -0 of a day without fees into 0.
  const fees = before.fees - last.fees + 0;
  return { price, funding, fees, net: price + funding + fees, return: returnOver([before, ...inside]) };
}
