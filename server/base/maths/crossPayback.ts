import { HOUR_MS } from '#contract/duration';
import type { FundedLeg } from './expectedFunding';

const HOURS_PER_YEAR = 8760;
/** Hours by which the sums of instants are off at most: no two settlements are so near. */
const INSTANT = 1e-6;
/** More than what rounding makes of an hour in a year. */
const MARGIN_HOURS = 1e-3;

/** Settlements of a leg, one after the other. */
interface Flow {
  /** +1 receives what is positive, -1 pays it. */
  sign: 1 | -1;
  /** Hours until the next one, and what it is expected to be at (F29). */
  at: number;
  each: number;
  hours: number;
  mean: number;
  phi: number;
}

const flowOf = ({ rate, hours, toNext, trend: { mean, phi } }: FundedLeg, sign: 1 | -1): Flow => ({
  ...{ sign, at: toNext / HOUR_MS, each: mean + (rate - mean) * phi },
  ...{ hours, mean, phi },
});

/** What a leg still brings beside its mean at most: what is left of its distance from it. */
const beyondMean = ({ sign, each, mean, phi }: Flow): number => Math.max(0, (sign * (each - mean)) / (1 - phi));

/** What a leg's settlements before an hour come to; it stands at the first one after them. */
function broughtUntil(flow: Flow, hour: number): number {
  const count = Math.ceil((hour - flow.at) / flow.hours);
  if (!(count > 0)) return 0;
  const left = flow.phi ** count;
  const beyond = ((flow.each - flow.mean) * (1 - left)) / (1 - flow.phi);
  flow.each = flow.mean + (flow.each - flow.mean) * left;
  flow.at += count * flow.hours;
  return flow.sign * (count * flow.mean + beyond);
}

/**
 * Hours until the settlement that pays the last of what going in and out costs: F8 over two perpetuals, by the rates that are
 * expected of each (F29).
 * @param cost fees less open edge plus close level (F5), a fraction of a leg's notional.
 * @returns `null` where that takes more than a year, or never happens.
 */
export function crossPaybackHours(short: FundedLeg, long: FundedLeg, cost: number): number | null {
  if (cost <= 0) return 0;
  const flows = [flowOf(short, 1), flowOf(long, -1)];
  const perHour = flows.reduce((sum, { sign, mean, hours }) => sum + (sign * mean) / hours, 0);
  // Settlements jump by no more than one of each leg around the even flow of the means.
  const jumps = flows.reduce((sum, { mean }) => sum + Math.abs(mean), 0);
  let brought = 0;
  for (let now = 0; now <= HOURS_PER_YEAR; ) {
    const evenly = Math.max(0, perHour);
    const missing = cost - brought - flows.reduce((sum, flow) => sum + beyondMean(flow), jumps);
    if (missing > evenly * (HOURS_PER_YEAR - now)) return null;
    // What cannot be paid back sooner need not be looked at settlement by settlement.
    const sooner = now + missing / evenly - MARGIN_HOURS;
    for (const flow of flows) brought += broughtUntil(flow, sooner);
    now = Math.min(...flows.map(({ at }) => at));
    if (now > HOURS_PER_YEAR) return null;
    for (const flow of flows) {
      if (flow.at > now + INSTANT) continue;
      brought += flow.sign * flow.each;
      flow.each = flow.mean + (flow.each - flow.mean) * flow.phi;
      flow.at += flow.hours;
    }
    // A billionth hides the rounding of sums of rates.
    if (brought >= cost * (1 - 1e-9)) return now;
  }
  return null;
}
