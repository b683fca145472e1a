import type { HedgeDetail } from '#contract/kinds/hedge/desk';
import type { Leg } from '#contract/lifecycle';
import { commonTimes, type UsableCloses, valuesAt } from '../../base/maths/closes';
import { LEAST_BARS, logSpread, zScores } from '../../base/maths/pair';

/** Bars drawn before the entry, and bars drawn at most: a long hedge on short bars is thinned out. */
export const BARS_BEFORE = 60;
const POINTS = 500;

/** Closes of both legs by opening instant, bars of `barMs`. */
export interface PairCloses {
  long: UsableCloses;
  short: UsableCloses;
  barMs: number;
}

/** The pair at an instant that no bar ends at: entry, exit or now. `at` UTC ms. */
export interface RelationPoint {
  at: number;
  ratio: number | null;
  z: number | null;
}

/** A fill as far as it changes its leg. Base currency, USDT; `at` UTC ms. */
export interface LegFill {
  leg: Leg;
  side: 'buy' | 'sell';
  quantity: number;
  price: number;
  at: number;
}

/** Bars that both legs have, by the instant they close. */
function commonCloses({ long, short, barMs }: PairCloses) {
  const axis = commonTimes([long.time, short.time]);
  return {
    long: valuesAt(long.time, long.close, axis),
    short: valuesAt(short.time, short.close, axis),
    at: Array.from(axis, (time) => time + barMs),
  };
}

/** As many of them as a chart can show, the last one always. */
function thinned(indices: readonly number[]): number[] {
  const stride = Math.ceil(indices.length / POINTS);
  return indices.filter((_, i) => (indices.length - 1 - i) % stride === 0);
}

const indicesOf = (at: readonly number[], wanted: (at: number) => boolean): number[] =>
  thinned(at.flatMap((instant, i) => (wanted(instant) ? [i] : [])));

/** z (F14) of the last of `window` bars by those bars alone, as it was seen then. */
function zAt(long: Float64Array, short: Float64Array, end: number, window: number): number | null {
  const start = Math.max(0, end + 1 - window);
  if (end + 1 - start < LEAST_BARS) return null;
  const line = logSpread(long.slice(start, end + 1), short.slice(start, end + 1));
  return (line && zScores(line.spread)?.z.at(-1)) ?? null;
}

/**
 * Ratio and z by bar close from 60 bars before `from` to `to` (UTC ms), and at the points given beside; closes must
 * reach `window` bars farther back.
 */
export function relationSeries(
  closes: PairCloses,
  window: number,
  { from, to, points }: { from: number; to: number; points: readonly RelationPoint[] },
): HedgeDetail['series'] {
  const { long, short, at } = commonCloses(closes);
  const drawn = indicesOf(at, (instant) => instant >= from - BARS_BEFORE * closes.barMs && instant <= to);
  const rows = new Map<number, RelationPoint>();
  for (const i of drawn) {
    rows.set(at[i]!, { at: at[i]!, ratio: long[i]! / short[i]!, z: zAt(long, short, i, window) });
  }
  for (const point of points) if (point.ratio !== null) rows.set(point.at, point);
  const sorted = [...rows.values()].sort((a, b) => a.at - b.at);
  return {
    time: sorted.map((row) => row.at),
    ratio: sorted.map((row) => row.ratio),
    z: sorted.map((row) => row.z),
  };
}

/** Price PnL of a leg at a price after its fills so far (F11), USDT: what it is worth less what was paid for it. */
function pnlAt(fills: readonly LegFill[], price: number): number {
  return fills.reduce((pnl, fill) => pnl + (fill.side === 'buy' ? 1 : -1) * fill.quantity * (price - fill.price), 0);
}

/**
 * Leg PnL from the first fill by bar close to `end`, whose figures are the hedge's own; empty without fills.
 * @param fills ascending by time.
 */
export function resultSeries(
  closes: PairCloses,
  fills: readonly LegFill[],
  end: { at: number; long: number | null; short: number | null },
): HedgeDetail['result'] {
  const first = fills[0];
  if (first === undefined) return { time: [], long: [], short: [] };
  const { long, short, at } = commonCloses(closes);
  const drawn = indicesOf(at, (instant) => instant > first.at && instant < end.at);
  const pnl = (leg: Leg, prices: Float64Array) =>
    drawn.map((i) => {
      const done = fills.filter((fill) => fill.leg === leg && fill.at <= at[i]!);
      return pnlAt(done, prices[i]!);
    });
  // What was bought or sold a moment ago is worth what was paid for it.
  const start = first.at < end.at ? [first.at] : [];
  const zero = start.map(() => 0);
  return {
    time: [...start, ...drawn.map((i) => at[i]!), end.at],
    long: [...zero, ...pnl('long', long), end.long],
    short: [...zero, ...pnl('short', short), end.short],
  };
}
