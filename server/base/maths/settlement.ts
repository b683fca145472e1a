import { HOUR_MS } from '#contract/duration';
import { ascendingUnique, pick } from './closes';

/** Only for counting what is missing, where a symbol's interval is unknown; never for charging. */
const ASSUMED_HOURS = 8;

/** Settled funding: `time` in UTC ms, `rate` a fraction of the notional per settlement. */
export interface FundingRows {
  time: Float64Array;
  rate: Float64Array;
}

export interface Settlements {
  /** For each settlement the index of the close that charges it: the first close at or after it. Ascending. */
  bar: Int32Array;
  rate: Float64Array;
  /** Settlements due within (first close, last close] by the symbol's interval. */
  expected: number;
  /** Due, but not stored. */
  missing: number;
}

/**
 * Lays a symbol's settlements on the time axis: one in (t(i-1), t(i)] is charged at close i. Duplicated times keep the
 * last row, a rate that is not finite counts as missing. What is due is the multiples of the interval since the epoch
 * (exchanges settle on whole hours UTC); an unknown interval counts as 8 h for this expectation only.
 * @param axis closing instants in UTC ms, strictly ascending, at least one.
 * @param hours settlement interval, `null` where unknown.
 */
export function settlementsOn(axis: Float64Array, funding: FundingRows | null, hours: number | null): Settlements {
  const step = (hours !== null && hours > 0 ? hours : ASSUMED_HOURS) * HOUR_MS;
  const from = axis[0]!;
  const to = axis[axis.length - 1]!;
  const expected = Math.floor(to / step) - Math.floor(from / step);
  if (funding === null) return { bar: new Int32Array(0), rate: new Float64Array(0), expected, missing: expected };
  const rows = ascendingUnique(funding.time);
  const time = rows === null ? funding.time : pick(funding.time, rows);
  const rates = rows === null ? funding.rate : pick(funding.rate, rows);
  const bar = new Int32Array(time.length);
  const rate = new Float64Array(time.length);
  let count = 0;
  let close = 1;
  for (let i = 0; i < time.length; i++) {
    if (time[i]! <= from || time[i]! > to || !Number.isFinite(rates[i]!)) continue;
    close = closeAtOrAfter(axis, time[i]!, close);
    bar[count] = close;
    rate[count++] = rates[i]!;
  }
  return {
    bar: bar.subarray(0, count),
    rate: rate.subarray(0, count),
    expected,
    missing: Math.max(0, expected - count),
  };
}

/** The first close at or after `instant`, searched from close `near` on: leaps along an even axis, steps at gaps. */
function closeAtOrAfter(axis: Float64Array, instant: number, near: number): number {
  const leap = Math.ceil((instant - axis[near]!) / (axis[near]! - axis[near - 1]!));
  let close = leap > 0 && axis[near + leap - 1]! < instant ? near + leap : near;
  while (axis[close]! < instant) close++;
  return close;
}
