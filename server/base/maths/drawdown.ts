import { DAY_MS } from '#contract/duration';
import { defined } from './statistics';

/**
 * Drawdown at every point: E / running max - 1, a fraction, 0 or below; the running maximum starts at `start` (F20).
 * @param equity values in one currency, ascending in time.
 */
export function drawdownSeries(equity: Float64Array, start: number): Float64Array {
  const result = new Float64Array(equity.length);
  let peak = start;
  for (let i = 0; i < equity.length; i++) {
    const value = equity[i]!;
    if (value > peak) peak = value;
    result[i] = value / peak - 1;
  }
  return result;
}

interface Drawdown {
  /** F20: the deepest point, a fraction, 0 or below; `null` without points. */
  max: number | null;
  /** When the peak before the deepest point was left; `null` without a drawdown. All instants in UTC ms. */
  startedAt: number | null;
  troughAt: number | null;
  /** First time back at or above that peak; `null` when that has not happened. */
  recoveredAt: number | null;
  /** Longest span from a peak until it was reached again, or until the end, in days. */
  longestDaysUnderWater: number | null;
  /** F20: sqrt(mean(drawdown^2)), a fraction. */
  ulcer: number | null;
}

/**
 * Depth and length of drawdowns (F20).
 * @param time instants of `equity` in UTC ms, ascending.
 * @param start value before the first point (the capital); its instant is taken to be that of the first point.
 */
export function drawdown(time: Float64Array, equity: Float64Array, start: number): Drawdown {
  const depth = drawdownSeries(equity, start);
  let trough = -1;
  let squares = 0;
  for (let i = 0; i < depth.length; i++) {
    squares += depth[i]! ** 2;
    if (depth[i]! < (trough < 0 ? 0 : depth[trough]!)) trough = i;
  }
  const spell = trough < 0 ? null : spellAround(depth, trough);
  return {
    max: depth.length === 0 ? null : trough < 0 ? 0 : depth[trough]!,
    startedAt: spell && time[spell.from]!,
    troughAt: spell && time[trough]!,
    recoveredAt: spell?.to === undefined || spell.to === null ? null : time[spell.to]!,
    longestDaysUnderWater: depth.length === 0 ? null : longestSpell(time, depth) / DAY_MS,
    ulcer: defined(Math.sqrt(squares / depth.length)),
  };
}

/** Index of the last point at the peak before `trough`, and of the first one back at it. */
function spellAround(depth: Float64Array, trough: number): { from: number; to: number | null } {
  let from = trough;
  while (from > 0 && depth[from]! < 0) from--;
  let to = trough;
  while (to < depth.length && depth[to]! < 0) to++;
  return { from, to: to < depth.length ? to : null };
}

function longestSpell(time: Float64Array, depth: Float64Array): number {
  let longest = 0;
  let peakAt = time[0]!;
  let under = false;
  for (let i = 0; i < depth.length; i++) {
    const now = time[i]!;
    if (under || depth[i]! < 0) longest = Math.max(longest, now - peakAt);
    under = depth[i]! < 0;
    if (!under) peakAt = now;
  }
  return longest;
}
