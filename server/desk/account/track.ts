import { type AccountDay, CURVE_POINTS, type EquityCurve, type EquityMark } from '#contract/account';
import { DAY_MS, MINUTE_MS, YEARLY_FROM_MS } from '#contract/duration';
import type { AccountPoint, happenedSince } from '../../base/db/accounts/account';
import { dayStartAt, type AccountDay as RunningDay } from '../../base/maths/dayBoundary';
import { annualisedReturn } from '../../base/maths/hedge';
import { beginningOf, timeWeightedReturns } from '../../base/maths/returns';

/** What a time-weighted return needs of a moment. */
export type EquityAt = Pick<AccountPoint, 'at' | 'equity' | 'transfers'>;

/**
 * The account grown from 1, transfers taken out (F18), at each of the points. From an equity that is not positive
 * nothing grows. A record begins with its opening, where all there is was moved in.
 * @param points ascending; `transfers` is a running sum.
 */
export function growthOf(points: readonly EquityAt[]): Float64Array {
  const equity = Float64Array.from(points, (point) => point.equity);
  const moved = Float64Array.from(points, ({ transfers }, i) => transfers - (points[i - 1]?.transfers ?? transfers));
  const [opening] = points;
  if (points.length > 1 && opening!.equity === opening!.transfers) {
    const begun = beginningOf(equity[0]!, moved[1]!, true);
    [equity[0], moved[1]] = [begun.base, begun.transfers];
  }
  const returns = timeWeightedReturns(equity, moved);
  const growth = new Float64Array(points.length);
  for (let i = 0; i < growth.length; i++) {
    const step = i === 0 ? 1 : equity[i - 1]! > 0 ? 1 + returns[i - 1]! : 1;
    growth[i] = i === 0 ? 1 : growth[i - 1]! * step;
  }
  return growth;
}

/** Time-weighted return over the points (F18), a fraction; `null` for fewer than two or from nothing. */
export function returnOver(points: readonly EquityAt[]): number | null {
  if (points.length < 2 || !(points[0]!.equity > 0)) return null;
  const growth = growthOf(points);
  return growth[growth.length - 1]! - 1;
}

export interface Depth {
  /** F20 by daily closes, a fraction, 0 or below. */
  drawdown: number | null;
  /** Days since the highest daily close; 0 at a new high. */
  underWaterDays: number | null;
}

/** How deep the last point lies under the highest of all. @param points daily closes, then the present. */
export function depthOf(points: readonly EquityAt[]): Depth {
  if (points.length === 0) return { drawdown: null, underWaterDays: null };
  const growth = growthOf(points);
  const last = growth.length - 1;
  let peak = 0;
  for (let i = 1; i <= last; i++) if (growth[i]! >= growth[peak]!) peak = i;
  if (!(growth[peak]! > 0)) return { drawdown: null, underWaterDays: null };
  return {
    drawdown: growth[last]! / growth[peak]! - 1,
    underWaterDays: (points[last]!.at - points[peak]!.at) / DAY_MS,
  };
}

/**
 * Return of the newest 30 days a year, simple (F12), from the last close that is as old; `null` where none is.
 * @param points daily closes, then the present.
 */
export function annualised30d(points: readonly EquityAt[]): number | null {
  const now = points[points.length - 1]?.at ?? 0;
  const first = points.findLastIndex(({ at }) => at <= now - YEARLY_FROM_MS);
  return first < 0 ? null : annualisedReturn(returnOver(points.slice(first)), now - points[first]!.at);
}

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

/** Marks beyond this are more than a chart can show. */
export const MARKS = 300;

type Happened = Awaited<ReturnType<typeof happenedSince>>;

/**
 * The curve of a stretch of the record. The drawdown (F20) is taken from the highest daily close (UTC) up to then, as
 * in the account's own figure.
 * @param points ascending, no more than a chart may have. @param daily closes of all days, then the present.
 */
export function equityCurve(
  points: readonly AccountPoint[],
  daily: readonly AccountPoint[],
  happened: Happened,
): EquityCurve {
  const shown = points.slice(-CURVE_POINTS);
  const growth = growthOf(shown);
  const firstBtc = shown.find(({ btc }) => btc !== null)?.btc ?? null;
  return {
    time: shown.map(({ at }) => at),
    equity: shown.map(({ equity }) => equity),
    drawdown: drawdownAlong(shown, daily),
    index: Array.from(growth, (value) => value * 100),
    btc: shown.map(({ btc }) => (btc === null || firstBtc === null ? null : (btc / firstBtc) * 100)),
    ...marksOf(happened),
  };
}

/** Growth of the points on the scale of the daily closes, against the highest of those closes before each. */
function drawdownAlong(points: readonly AccountPoint[], daily: readonly AccountPoint[]): number[] {
  const merged = merge(points, daily);
  const growth = growthOf(merged.map(({ point }) => point));
  let peak = 0;
  const drawdown: number[] = [];
  for (const [i, { close, drawn }] of merged.entries()) {
    const value = growth[i]!;
    if (drawn) drawdown.push(value >= peak || peak === 0 ? 0 : value / peak - 1);
    if (close && value > peak) peak = value;
  }
  return drawdown;
}

interface Merged {
  point: AccountPoint;
  /** A daily close or the opening: may be the peak of what follows. */
  close: boolean;
  drawn: boolean;
}

function merge(points: readonly AccountPoint[], daily: readonly AccountPoint[]): Merged[] {
  const closes = new Set(daily.slice(0, -1).map(({ at }) => at));
  const byTime = new Map<number, Merged>();
  for (const point of daily) byTime.set(point.at, { point, close: closes.has(point.at), drawn: false });
  for (const point of points) byTime.set(point.at, { point, close: closes.has(point.at), drawn: true });
  return [...byTime.values()].sort((a, b) => a.point.at - b.point.at);
}

/** Rows of the ledger that are marked as something else than money that was moved. */
const MOVED: Record<string, EquityMark['kind']> = { bailout: 'bailout' };

function marksOf({ opened, closed, moved }: Happened): Pick<EquityCurve, 'marks' | 'marksLeftOut'> {
  const all: EquityMark[] = [
    ...opened.map((row) => ({ at: row.at ?? 0, kind: 'open' as const, text: row.symbols })),
    ...closed.map((row) => ({ at: row.at ?? 0, kind: 'close' as const, text: row.symbols })),
    ...moved.map(({ at, amount, kind }) => ({ at, kind: MOVED[kind] ?? 'transfer', text: amount })),
  ].sort((a, b) => a.at - b.at);
  return { marks: all.slice(-MARKS), marksLeftOut: Math.max(0, all.length - MARKS) };
}

/** Where a range begins, UTC ms; `all` begins with the account. */
export function rangeStart(range: '1d' | '7d' | '30d' | '90d' | 'all', now: number, openedAt: number): number {
  const days = { '1d': 1, '7d': 7, '30d': 30, '90d': 90, all: Number.POSITIVE_INFINITY }[range];
  return Math.max(openedAt, now - days * DAY_MS);
}
