import { HOUR_MS } from '#contract/duration';
import { settlementsWithin } from './funding';

const HOURS_PER_YEAR = 8760;
/** Hours by which the sums of instants are off at most: no two settlements are so near. */
const INSTANT = 1e-6;

/** One perpetual of two at two venues. */
export interface FundedLeg {
  /** Expected of each settlement, a fraction of the notional; positive: longs pay. */
  rate: number;
  /** Between two settlements. */
  hours: number;
  /** ms until the next one. */
  toNext: number;
}

/** F7 gross: 8760 x (rS / hS - rL / hL), a fraction a year. */
export const crossGrossApr = (short: FundedLeg, long: FundedLeg): number =>
  HOURS_PER_YEAR * (short.rate / short.hours - long.rate / long.hours);

/** nS rS - nL rL: what the settlements within so many hours bring, each venue by its own clock; a fraction of a leg's notional. */
export const crossFunding = (short: FundedLeg, long: FundedLeg, hours: number): number =>
  settlementsWithin(short.toNext, short.hours, hours) * short.rate -
  settlementsWithin(long.toNext, long.hours, hours) * long.rate;

/**
 * F7 net = [nS rS - nL rL - fees + open edge - expected close level] x 8760 / H, a fraction a year.
 * @param hours H, planned.
 * @param roundTrip four fees - open edge + expected close level, a fraction of a leg's notional.
 */
export const crossNetApr = (short: FundedLeg, long: FundedLeg, hours: number, roundTrip: number): number =>
  ((crossFunding(short, long, hours) - roundTrip) * HOURS_PER_YEAR) / hours;

/**
 * Hours until the settlement that pays the last of what going in and out costs.
 * @param roundTrip as in `crossNetApr`.
 * @returns `null` where that takes more than a year, or never happens.
 */
export function crossPaybackHours(short: FundedLeg, long: FundedLeg, roundTrip: number): number | null {
  if (roundTrip <= 0) return 0;
  const gross = crossGrossApr(short, long);
  if (!(gross > 0)) return null;
  // Settlements jump by no more than one rate of each leg around the even flow of the gross APR.
  const jumps = Math.abs(short.rate) + Math.abs(long.rate);
  const earliest = Math.max(0, ((roundTrip - jumps) * HOURS_PER_YEAR) / gross - INSTANT);
  let at = Math.min(nextAfter(short, earliest), nextAfter(long, earliest));
  while (at <= HOURS_PER_YEAR) {
    // A billionth hides the rounding of sums of rates.
    if (crossFunding(short, long, at + INSTANT) >= roundTrip * (1 - 1e-9)) return at;
    at = Math.min(nextAfter(short, at + INSTANT), nextAfter(long, at + INSTANT));
  }
  return null;
}

/** Hours until the first settlement that is not before `from`. */
function nextAfter({ toNext, hours }: FundedLeg, from: number): number {
  const first = toNext / HOUR_MS;
  return first + Math.max(0, Math.ceil((from - first) / hours)) * hours;
}
