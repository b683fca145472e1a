import { HOUR_MS } from '#contract/duration';
import { crossVenueApr } from './crossVenue';
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

/** The part of F7 that counts settlements inside so many hours, each venue's by its own clock. */
export const plannedLeg = ({ rate, hours, toNext }: FundedLeg, within: number) => ({
  rate,
  settlements: settlementsWithin(toNext, hours, within),
});

/**
 * Hours until the settlement that pays the last of what going in and out costs: F8 over two venues.
 * @param cost fees less open edge plus close level (F5), a fraction of a leg's notional.
 * @returns `null` where that takes more than a year, or never happens.
 */
export function crossPaybackHours(short: FundedLeg, long: FundedLeg, cost: number): number | null {
  if (cost <= 0) return 0;
  const gross = crossVenueApr(short, long);
  if (gross === null || gross <= 0) return null;
  // Settlements jump by no more than one rate of each leg around the even flow of the gross APR.
  const jumps = Math.abs(short.rate) + Math.abs(long.rate);
  const earliest = Math.max(0, ((cost - jumps) * HOURS_PER_YEAR) / gross - INSTANT);
  let at = Math.min(nextAfter(short, earliest), nextAfter(long, earliest));
  while (at <= HOURS_PER_YEAR) {
    // A billionth hides the rounding of sums of rates.
    if (broughtBy(short, long, at + INSTANT) >= cost * (1 - 1e-9)) return at;
    at = Math.min(nextAfter(short, at + INSTANT), nextAfter(long, at + INSTANT));
  }
  return null;
}

/** nS rS - nL rL within so many hours, a fraction of a leg's notional. */
function broughtBy(short: FundedLeg, long: FundedLeg, within: number): number {
  const [received, paid] = [plannedLeg(short, within), plannedLeg(long, within)];
  return received.settlements * received.rate - paid.settlements * paid.rate;
}

/** Hours until the first settlement that is not before `from`. */
function nextAfter({ toNext, hours }: FundedLeg, from: number): number {
  const first = toNext / HOUR_MS;
  return first + Math.max(0, Math.ceil((from - first) / hours)) * hours;
}
