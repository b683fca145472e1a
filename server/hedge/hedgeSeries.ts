import type { HedgeDetail } from '#contract/hedge';
import type { Leg } from '#contract/lifecycle';
import { commonTimes, type UsableCloses, valuesAt } from '../maths/closes';
import { logSpread, zScores } from '../maths/pair';

/** Bars drawn before the entry, and points drawn at most: a long hedge on short bars is thinned out. */
export const BARS_BEFORE = 60;
const POINTS = 500;
/** Below it slope and deviation say nothing; as for the live z. */
const LEAST_BARS = 30;

/** A fill as far as it changes its leg. Base currency, USDT; `at` UTC ms. */
export interface LegFill {
  leg: Leg;
  side: 'buy' | 'sell';
  quantity: number;
  price: number;
  at: number;
}

export interface SeriesInput {
  long: UsableCloses;
  short: UsableCloses;
  /** Length of a bar and bars of the z, ms. */
  barMs: number;
  window: number;
  /** Ascending by time. */
  fills: readonly LegFill[];
  /** When the hedge was created and when it ended or now, UTC ms. */
  from: number;
  to: number;
}

/** Price PnL of a leg at a price after its fills so far (F11), USDT: what it is worth less what was paid for it. */
function pnlAt(fills: readonly LegFill[], price: number): number {
  return fills.reduce((pnl, fill) => pnl + (fill.side === 'buy' ? 1 : -1) * fill.quantity * (price - fill.price), 0);
}

/** z (F14) of the last of `window` bars by those bars alone, as it was seen then. */
function zAt(long: Float64Array, short: Float64Array, end: number, window: number): number | null {
  const start = Math.max(0, end + 1 - window);
  if (end + 1 - start < LEAST_BARS) return null;
  const line = logSpread(long.slice(start, end + 1), short.slice(start, end + 1));
  return (line && zScores(line.spread)?.z.at(-1)) ?? null;
}

/**
 * Ratio, z and leg PnL by bar close, from 60 bars before the entry to the exit or now; PnL only while it was held.
 * `long` and `short` are closes by opening instant and must reach `window` bars farther back.
 */
export function hedgeSeries(input: SeriesInput): HedgeDetail['series'] {
  const { barMs, window, fills, from, to } = input;
  const axis = commonTimes([input.long.time, input.short.time]);
  const long = valuesAt(input.long.time, input.long.close, axis);
  const short = valuesAt(input.short.time, input.short.close, axis);
  const closes = Array.from(axis, (time) => time + barMs);
  const drawn = closes.flatMap((at, i) => (at >= from - BARS_BEFORE * barMs && at <= to ? [i] : []));
  const stride = Math.ceil(drawn.length / POINTS);
  const points = drawn.filter((_, i) => (drawn.length - 1 - i) % stride === 0);
  const firstAt = fills[0]?.at ?? Number.POSITIVE_INFINITY;
  const pnl = (leg: Leg, prices: Float64Array) =>
    points.map((i) => {
      const at = closes[i]!;
      const done = fills.filter((fill) => fill.leg === leg && fill.at <= at);
      return at < firstAt ? null : pnlAt(done, prices[i]!);
    });
  return {
    time: points.map((i) => closes[i]!),
    ratio: points.map((i) => long[i]! / short[i]!),
    z: points.map((i) => zAt(long, short, i, window)),
    longPnl: pnl('long', long),
    shortPnl: pnl('short', short),
  };
}
