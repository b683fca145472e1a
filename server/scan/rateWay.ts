import { roundTrip } from '../maths/basis';
import { type FundedLeg, plannedLeg } from '../maths/crossPayback';
import { crossVenueApr, crossVenueNetApr } from '../maths/crossVenue';
import { closeLevel, openEdge, type Side } from '../maths/depth';
import { largest } from '../maths/largest';
import type { VenueLeg } from './coinLegs';
import { commonQuantity, leastNotional } from './commonQuantity';

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
}

/** What a size may be asked for at most, USDT: capacities end there too. */
const LARGEST_SIZE = 10_000_000;

interface Trip {
  /** Fractions of a leg's notional: F5 both ways, and the four fees. */
  openEdge: number;
  closeLevel: number;
  fees: number;
  /** What going in and out at once costs. */
  cost: number;
}

interface Funded {
  long: FundedLeg;
  short: FundedLeg;
}

/** One direction of a pair. */
export interface Way {
  long: VenueLeg;
  short: VenueLeg;
  /** `null` where a rate or an interval is unknown. */
  funded: Funded | null;
  /** `null` where the books do not hold the size, or the fees are unknown. */
  trip: Trip | null;
  grossApr: number | null;
  netApr: number | null;
}

export function wayOf(long: VenueLeg, short: VenueLeg, quantity: number, hours: number, now: number): Way {
  const [longLeg, shortLeg] = [fundedOf(long, now), fundedOf(short, now)];
  const funded = longLeg && shortLeg && { long: longLeg, short: shortLeg };
  const trip = tripOf(long, short, quantity);
  return {
    long,
    short,
    funded,
    trip,
    grossApr: funded && crossVenueApr(funded.short, funded.long),
    netApr: funded && trip && netAprOf(funded, hours, trip),
  };
}

/** The one that nets more; where a net is missing the one with the higher gross. */
export function better(one: Way, other: Way): Way {
  const isNet = one.netApr !== null && other.netApr !== null;
  const of = ({ netApr, grossApr }: Way) => (isNet ? netApr : grossApr) ?? Number.NEGATIVE_INFINITY;
  return of(other) > of(one) ? other : one;
}

function fundedOf({ quoted: { instrument, ticker } }: VenueLeg, now: number): FundedLeg | null {
  const { fundingRate: rate, nextFundingAt } = ticker;
  const { fundingHours: hours } = instrument;
  return rate === null || hours === null ? null : { rate, hours, toNext: Math.max(0, (nextFundingAt ?? now) - now) };
}

/** In and out with taking orders at both venues. */
export function feesOf({ long, short }: Pick<Way, 'long' | 'short'>): number | null {
  const [a, b] = [long.quoted.terms, short.quoted.terms];
  return a && b && 2 * (a.takerFee + b.takerFee);
}

function tripOf(long: VenueLeg, short: VenueLeg, quantity: number): Trip | null {
  const [bought, sold] = [long.quoted.at(quantity), short.quoted.at(quantity)];
  const fees = feesOf({ long, short });
  if (!bought || !sold || fees === null) return null;
  const [edge, level] = [openEdge(sold, bought), closeLevel(sold, bought)];
  return { openEdge: edge, closeLevel: level, fees, cost: -roundTrip(edge, level, fees) };
}

/** F7 with the present close level: prices are expected to stay as far apart as they are. */
const netAprOf = ({ short, long }: Funded, hours: number, { fees, openEdge: edge, closeLevel: level }: Trip) =>
  crossVenueNetApr({
    short: plannedLeg(short, hours),
    long: plannedLeg(long, hours),
    fees,
    openEdge: edge,
    expectedCloseLevel: level,
    hours,
  });

/** The largest notional of a leg that still nets so much a year, USDT; 0 where none does. */
export function capacityOf({ long, short, funded }: Way, price: number, { hours, leastApr }: RatePlan): number | null {
  const quoted = [long.quoted, short.quoted];
  const sides = quoted.flatMap((leg) => (leg.sides ? [leg.sides.bids, leg.sides.asks] : []));
  if (!funded || sides.length < 4 || feesOf({ long, short }) === null) return null;
  const lot = Math.max(...sides.map((side) => side.lot));
  const least = Math.max(1, Math.ceil(leastNotional(quoted) / price / lot)) * lot;
  const most = Math.min(LARGEST_SIZE / price, ...sides.map(heldBy));
  const found = largest(least, most, (quantity) => {
    const trip = tripOf(long, short, quantity);
    const net = trip && netAprOf(funded, hours, trip);
    return net !== null && net >= leastApr;
  });
  return found === null ? 0 : commonQuantity(quoted, found * price, price) * price;
}

/** Base currency. */
const heldBy = ({ lot, levels }: Side): number => levels.reduce((sum, { lots }) => sum + lots, 0) * lot;
