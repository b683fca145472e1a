import { roundTrip } from '../../base/maths/basis';
import {
  assumedFees,
  assumedLevel,
  crossVenueApr,
  crossVenueNetApr,
  type LegFees,
  largest,
  type TripTerms,
} from '../../base/maths/crossVenue';
import { closeLevel, openEdge, type Side } from '../../base/maths/depth';
import { type FundedLeg, fundingWithin } from '../../base/maths/expectedFunding';
import { commonQuantity, leastNotional } from '../../market/scan/commonQuantity';
import type { SettledLeg } from './coinLegs';

/** What rows are worked out for. */
export interface RatePlan {
  /** Notional of each leg, USDT. */
  size: number;
  /** Planned hours. */
  hours: number;
  /** Net a year that the capacity is the largest size for, a fraction. */
  leastApr: number;
  /** The venue of the long leg; where the better direction puts it, unless told. */
  long?: string;
  /** Gap of the rates at and below which a deal closes again, gross a year (F7); unless told none. */
  exitApr?: number | null;
  /** What the legs are assumed to pay; as the engine trades, unless told. */
  terms?: RateTerms;
}

interface RateTerms extends TripTerms {
  /** Fee tier, from 0. */
  tier: number;
}

/** How the engine trades: taking both ways, in accounts of the lowest tier. */
const AS_TRADED: RateTerms = { entry: 'taker', exit: 'counted', tier: 0 };

/** What a size may be asked for at most, USDT: capacities end there too. */
const LARGEST_SIZE = 10_000_000;

interface Trip {
  /** Fractions of a leg's notional: F5 both ways, the level that is expected to be left at, and the fees that count. */
  openEdge: number;
  closeLevel: number;
  leaveAt: number;
  fees: number;
  /** What going in, and out where that counts, costs at once. */
  cost: number;
}

interface Funded {
  long: FundedLeg;
  short: FundedLeg;
}

/** One direction of a pair. */
export interface Way {
  long: SettledLeg;
  short: SettledLeg;
  /** `null` where a rate or an interval is unknown. */
  funded: Funded | null;
  /** `null` where the books do not hold the size, or the fees are unknown. */
  trip: Trip | null;
  grossApr: number | null;
  /** By what is expected (F29), and were the rates to stay as they are. */
  netApr: number | null;
  netAprAtRate: number | null;
}

export function wayOf(long: SettledLeg, short: SettledLeg, quantity: number, plan: RatePlan, now: number): Way {
  const [longLeg, shortLeg] = [fundedOf(long, now), fundedOf(short, now)];
  const funded = longLeg && shortLeg && { long: longLeg, short: shortLeg };
  const trip = tripOf(long, short, quantity, plan);
  return {
    long,
    short,
    funded,
    trip,
    grossApr: funded && crossVenueApr(funded.short, funded.long),
    netApr: funded && trip && netAprOf(funded, plan.hours, trip),
    netAprAtRate: funded && trip && netAprOf(funded, plan.hours, trip, 'atRate'),
  };
}

/** The one that nets more; where a net is missing the one with the higher gross. */
export function better(one: Way, other: Way): Way {
  const isNet = one.netApr !== null && other.netApr !== null;
  const of = ({ netApr, grossApr }: Way) => (isNet ? netApr : grossApr) ?? Number.NEGATIVE_INFINITY;
  return of(other) > of(one) ? other : one;
}

function fundedOf({ quoted: { instrument, ticker }, past: { trend } }: SettledLeg, now: number): FundedLeg | null {
  const { fundingRate: rate, nextFundingAt } = ticker;
  const { fundingHours: hours } = instrument;
  if (rate === null || hours === null) return null;
  return { rate, hours, toNext: Math.max(0, (nextFundingAt ?? now) - now), trend };
}

/** What the orders that count cost; `null` where a venue does not say, or has no such tier. */
export function feesOf({ long, short }: Pick<Way, 'long' | 'short'>, { terms = AS_TRADED }: RatePlan): number | null {
  const [one, other] = [feesAt(long, terms.tier), feesAt(short, terms.tier)];
  return one && other && assumedFees(one, other, terms);
}

function feesAt({ quoted: { terms, market } }: SettledLeg, tier: number): LegFees | null {
  const share = market.feeShares[tier];
  return terms && share !== undefined ? { maker: terms.makerFee * share, taker: terms.takerFee * share } : null;
}

function tripOf(long: SettledLeg, short: SettledLeg, quantity: number, plan: RatePlan): Trip | null {
  const [bought, sold] = [long.quoted.at(quantity), short.quoted.at(quantity)];
  const mids = { long: long.quoted.mid, short: short.quoted.mid };
  const fees = feesOf({ long, short }, plan);
  if (!bought || !sold || mids.long === null || mids.short === null || fees === null) return null;
  const [edge, level] = [openEdge(sold, bought), closeLevel(sold, bought)];
  const leaveAt = assumedLevel(level, { long: mids.long, short: mids.short }, plan.terms ?? AS_TRADED);
  return { openEdge: edge, closeLevel: level, leaveAt, fees, cost: -roundTrip(edge, leaveAt, fees) };
}

/** F7: prices are expected to stay as far apart as they are. */
const netAprOf = (
  { short, long }: Funded,
  hours: number,
  { fees, openEdge: edge, leaveAt }: Trip,
  by: 'expected' | 'atRate' = 'expected',
) =>
  crossVenueNetApr({
    short: fundingWithin(short, hours)[by],
    long: fundingWithin(long, hours)[by],
    fees,
    openEdge: edge,
    expectedCloseLevel: leaveAt,
    hours,
  });

/** The largest notional of a leg that still nets so much a year, USDT; 0 where none does. */
export function capacityOf({ long, short, funded }: Way, price: number, plan: RatePlan): number | null {
  const quoted = [long.quoted, short.quoted];
  const sides = quoted.flatMap((leg) => (leg.sides ? [leg.sides.bids, leg.sides.asks] : []));
  if (!funded || sides.length < 4 || feesOf({ long, short }, plan) === null) return null;
  const lot = Math.max(...sides.map((side) => side.lot));
  const least = Math.max(1, Math.ceil(leastNotional(quoted) / price / lot)) * lot;
  const most = Math.min(LARGEST_SIZE / price, ...sides.map(heldBy));
  const found = largest(least, most, (quantity) => {
    const trip = tripOf(long, short, quantity, plan);
    const net = trip && netAprOf(funded, plan.hours, trip);
    return net !== null && net >= plan.leastApr;
  });
  return found === null ? 0 : commonQuantity(quoted, found * price, price) * price;
}

/** Base currency. */
const heldBy = ({ lot, levels }: Side): number => levels.reduce((sum, { lots }) => sum + lots, 0) * lot;
