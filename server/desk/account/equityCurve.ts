import { CURVE_POINTS, type EquityCurve, type EquityMark } from '#contract/account';
import { DAY_MS } from '#contract/duration';
import type { AccountPoint, happenedSince } from '../../base/db/accounts/account';
import { growthOf } from './track';

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
  const pair = ({ long, short }: { long: string; short: string }) => `${long} / ${short}`;
  const all: EquityMark[] = [
    ...opened.map((row) => ({ at: row.at ?? 0, kind: 'open' as const, text: pair(row) })),
    ...closed.map((row) => ({ at: row.at ?? 0, kind: 'close' as const, text: pair(row) })),
    ...moved.map(({ at, amount, kind }) => ({ at, kind: MOVED[kind] ?? 'transfer', text: amount })),
  ].sort((a, b) => a.at - b.at);
  return { marks: all.slice(-MARKS), marksLeftOut: Math.max(0, all.length - MARKS) };
}

/** Where a range begins, UTC ms; `all` begins with the account. */
export function rangeStart(range: '1d' | '7d' | '30d' | '90d' | 'all', now: number, openedAt: number): number {
  const days = { '1d': 1, '7d': 7, '30d': 30, '90d': 90, all: Number.POSITIVE_INFINITY }[range];
  return Math.max(openedAt, now - days * DAY_MS);
}
