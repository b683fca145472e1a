import { DAY_MS } from '#contract/duration';
import { settlementsWithin } from './funding';

/** How the rate of a perpetual goes on (F29). */
export interface FundingTrend {
  /** What it decays to, of one settlement, a fraction of the notional. */
  mean: number;
  /** Share of its distance from the mean that is left with the next settlement, 0 to 0.98. */
  phi: number;
}

/** Of a perpetual of which no settlement is known: nothing is expected of it. */
export const NO_TREND: FundingTrend = { mean: 0, phi: 0 };

/** Settlements of one perpetual, ascending. */
interface Settled {
  /** UTC ms. */
  time: ArrayLike<number>;
  /** Fractions of the notional; positive: longs pay. */
  rate: ArrayLike<number>;
  /** Each one's interval. */
  hours: ArrayLike<number>;
}

const DAYS = 30;
/** So many days without any funding are added to what was seen: little history says little. */
const DOUBT_DAYS = 10;
const SETTLEMENTS = 90;
const MOST_PHI = 0.98;

/**
 * F29: mean of the settlements of the last 30 days (D days where there are fewer) x D / (D + 10), and the lag-1
 * autocorrelation of the last 90 settlements within [0, 0.98].
 * @param hours interval now: what was settled at another one counts by the hour. @param now UTC ms
 */
export function fundingTrend({ time, rate, hours: intervals }: Settled, hours: number, now: number): FundingTrend {
  const perSettlement = Array.from(rate, (one, i) => (one * hours) / intervals[i]!);
  const lately = perSettlement.filter((_, i) => time[i]! > now - DAYS * DAY_MS && time[i]! <= now);
  if (lately.length === 0) return NO_TREND;
  const began = time[time.length - lately.length]! - (intervals[time.length - lately.length]! * DAY_MS) / 24;
  const days = Math.min(DAYS, (now - began) / DAY_MS);
  return {
    mean: (meanOf(lately) * days) / (days + DOUBT_DAYS),
    phi: Math.min(MOST_PHI, Math.max(0, autocorrelation(perSettlement.slice(-SETTLEMENTS)))),
  };
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length;

/** Lag 1; 0 where nothing varies. */
function autocorrelation(values: readonly number[]): number {
  const centre = meanOf(values);
  let [products, squares] = [0, 0];
  for (const [i, value] of values.entries()) {
    squares += (value - centre) ** 2;
    if (i > 0) products += (value - centre) * (values[i - 1]! - centre);
  }
  // Rounding of equal rates is no variance.
  return squares <= 1e-20 ? 0 : products / squares;
}

/** Sum of the next `count` settlements (F29) = n m + (r0 - m) phi (1 - phi^n) / (1 - phi). */
export function expectedFunding(rate: number, { mean, phi }: FundingTrend, count: number): number {
  return count * mean + ((rate - mean) * phi * (1 - phi ** count)) / (1 - phi);
}

/** A perpetual that is to be held. */
export interface FundedLeg {
  /** Predicted of the next settlement, a fraction of the notional; positive: longs pay. */
  rate: number;
  /** Between two settlements. */
  hours: number;
  /** ms until the next one. */
  toNext: number;
  trend: FundingTrend;
}

/** What the settlements within so many hours are expected to come to (F29), and what they would at today's rate. */
export function fundingWithin({ rate, hours, toNext, trend }: FundedLeg, within: number) {
  const settlements = settlementsWithin(toNext, hours, within);
  return { settlements, expected: expectedFunding(rate, trend, settlements), atRate: settlements * rate };
}
