import type { AccountDay } from '#contract/account';
import { DAY_MS, MINUTE_MS } from '#contract/duration';
import type { AccountPoint } from '../../base/db/accounts/account';
import type { AccountDay as RunningDay } from '../../base/maths/dayBoundary';
import { dayStartAt } from '../../base/maths/dayBoundary';
import { returnOver } from './track';

/** The time of the clock at which a day began, minutes after 00:00 UTC. */
export const boundaryOf = ({ start }: RunningDay): number => (start % DAY_MS) / MINUTE_MS;

/** `YYYY-MM-DD` of the day that begins at `start`, in the zone (UTC-12 to UTC+12) in which that is midnight. */
function nameOf(start: number): string {
  const minutes = (start % DAY_MS) / MINUTE_MS;
  const toMidnight = minutes <= 720 ? -minutes : 1440 - minutes;
  return new Date(start + toMidnight * MINUTE_MS).toISOString().slice(0, 10);
}

/**
 * What each of the account's days brought, oldest first, from the day of the first point on: the differences of the
 * running sums between its two ends. All days are cut where the running one began, which lasts until now. A day within
 * which nothing was recorded has `null`s.
 * @param points the record on the grid of those instants, ascending, then the present.
 * @param days how many, at most.
 */
export function accountDays(points: readonly AccountPoint[], running: RunningDay, days: number): AccountDay[] {
  const first = points[0];
  if (!first) return [];
  const from = Math.max(dayStartAt(first.at, boundaryOf(running)), running.start - (days - 1) * DAY_MS);
  const rows: AccountDay[] = [];
  for (let start = from; start <= running.start; start += DAY_MS) {
    const end = start === running.start ? Number.POSITIVE_INFINITY : start + DAY_MS;
    rows.push({ day: nameOf(start), ...resultOf(points, start, end) });
  }
  return rows;
}

const NOTHING = { price: null, funding: null, fees: null, net: null, return: null };

function resultOf(points: readonly AccountPoint[], start: number, end: number): Omit<AccountDay, 'day'> {
  // The opening begins the first day; every other begins with the newest point at or before its start.
  const before = points.findLast(({ at }) => at <= start) ?? points[0]!;
  const inside = points.filter(({ at }) => at > Math.max(start, before.at) && at <= end);
  const last = inside[inside.length - 1];
  if (!last) return NOTHING;
  const price = last.price - before.price;
  const funding = last.funding - before.funding;
  // Adding 0 turns the -0 of a day without fees into 0.
  const fees = before.fees - last.fees + 0;
  return { price, funding, fees, net: price + funding + fees, return: returnOver([before, ...inside]) };
}
