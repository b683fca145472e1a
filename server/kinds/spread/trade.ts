import { DAY_MS } from '#contract/duration';
import type { SpreadCandidate, SpreadDirection, SpreadType } from '#contract/kinds/spread/scan';
import { annualisedBasis, basis, roundTrip, spreadNetApr } from '../../base/maths/basis';
import { closeLevel, openEdge, type Prices } from '../../base/maths/depth';
import { type FundingTrend, fundingWithin } from '../../base/maths/expectedFunding';
import type { Quoted } from '../../market/scan/sight';

interface Legs {
  type: SpreadType;
  near: Quoted;
  far: Quoted;
  spot: Quoted | undefined;
  /** How the rate of the perpetual among the two goes on. */
  trend: FundingTrend;
}

interface Terms {
  /** Average prices of each leg at the size; `null` where its book holds less. */
  nearPrices: Prices | null;
  farPrices: Prices | null;
  /** How long is held what never expires. */
  days: number;
  /** UTC ms. */
  now: number;
}

/** What one direction of a spread makes; figures are `null` without a price at the size, or without fees. */
export type SpreadTrade = Pick<
  SpreadCandidate,
  | 'direction'
  | 'openEdge'
  | 'closeLevel'
  | 'expectedLevel'
  | 'fees'
  | 'net'
  | 'netApr'
  | 'netFunding'
  | 'netFundingApr'
  | 'netFundingAprAtRate'
  | 'borrowApr'
>;

const UNKNOWN = { net: null, netApr: null, netFunding: null, netFundingApr: null, netFundingAprAtRate: null };

const DAYS_PER_YEAR = 365;

/**
 * F5 and F26 of one direction, with the funding that is expected of a perpetual leg (F29) beside it. It is held until the first leg is delivered, which then costs its delivery fee and no
 * slippage; the other leg leaves at the slippage that its book has now.
 */
export function spreadTrade(legs: Legs, direction: SpreadDirection, terms: Terms): SpreadTrade {
  const { near, far } = legs;
  const { nearPrices, farPrices, now } = terms;
  const sells = direction === 'sellFar';
  const [sold, bought] = sells ? [farPrices, nearPrices] : [nearPrices, farPrices];
  const edge = sold && bought && openEdge(sold, bought);
  const borrowApr = !sells && near.instrument.kind === 'spot' ? (near.terms?.borrowApr ?? null) : null;
  const endsAt = near.instrument.expiresAt ?? far.instrument.expiresAt;
  const held = endsAt === null ? terms.days : Math.max(0, endsAt - now) / DAY_MS;
  const expectedLevel = expectedLevelOf(legs, sells, terms, endsAt);
  const fees = feesOf([near, far], endsAt);
  const trade = {
    direction,
    openEdge: edge,
    closeLevel: sold && bought && closeLevel(sold, bought),
    expectedLevel,
    fees,
    borrowApr,
  };
  if (edge === null || expectedLevel === null || fees === null) return { ...trade, ...UNKNOWN };
  const costs = fees + ((borrowApr ?? 0) * held) / DAYS_PER_YEAR;
  const net = roundTrip(edge, expectedLevel, costs);
  // Of too few days no rate is made, no more than of a basis (F4).
  const isBrief = endsAt !== null && annualisedBasis(net, held) === null;
  const yearly = (funding: number) => (isBrief ? null : spreadNetApr(edge + funding, expectedLevel, costs, held));
  const funding = fundingOf(legs, sells, held * 24, now);
  return {
    ...{ ...trade, net, netApr: yearly(0) },
    netFunding: funding && net + funding.expected,
    netFundingApr: funding && yearly(funding.expected),
    netFundingAprAtRate: funding && yearly(funding.atRate),
  };
}

const NO_FUNDING = { expected: 0, atRate: 0 };

/** The one leg of which funding is paid; undefined between spot and a future, or two futures. */
export const perpetualOf = ({ near, far }: Pick<Legs, 'near' | 'far'>): Quoted | undefined =>
  [near, far].find(({ instrument }) => instrument.kind === 'perpetual');

/** What the perpetual leg receives within so many hours, fractions of the notional; `null` where its rate is not known. */
function fundingOf(legs: Legs, sells: boolean, within: number, now: number): typeof NO_FUNDING | null {
  const perpetual = perpetualOf(legs);
  if (perpetual === undefined) return NO_FUNDING;
  const { fundingRate: rate, nextFundingAt } = perpetual.ticker;
  const { fundingHours: hours } = perpetual.instrument;
  if (rate === null || hours === null) return null;
  const toNext = Math.max(0, (nextFundingAt ?? now) - now);
  const { expected, atRate } = fundingWithin({ rate, hours, toNext, trend: legs.trend }, within);
  const isShort = sells === (perpetual === legs.far);
  return isShort ? { expected, atRate } : { expected: -expected, atRate: -atRate };
}

/** Of both ways in and both ways out, a fraction of a leg's notional; `null` where a venue does not say. */
function feesOf(legs: readonly Quoted[], endsAt: number | null): number | null {
  let sum = 0;
  for (const { instrument, terms } of legs) {
    const leaving = isDelivered(instrument.expiresAt, endsAt) ? terms?.deliveryFee : terms?.takerFee;
    if (!terms || leaving === null || leaving === undefined) return null;
    sum += terms.takerFee + leaving;
  }
  return sum;
}

const isDelivered = (expiresAt: number | null, endsAt: number | null) => expiresAt !== null && expiresAt === endsAt;

/**
 * The close level to expect at the end (F5), with the index as 1: a delivered leg and spot stand at it, a perpetual as far
 * from spot as now, as carries go by too, and a later future above it by the annualised basis that it has now.
 */
function expectedLevelOf({ type, near, far, spot }: Legs, sells: boolean, terms: Terms, endsAt: number | null) {
  const farLevel = type === 'nearFar' ? laterLevel(far, spot, endsAt!, terms.now) : levelNow(far, spot);
  const nearEnd = priceAtEnd(near, terms.nearPrices, levelNow(near, spot), endsAt);
  const farEnd = priceAtEnd(far, terms.farPrices, farLevel, endsAt);
  if (!nearEnd || !farEnd) return null;
  return sells ? closeLevel(farEnd, nearEnd) : closeLevel(nearEnd, farEnd);
}

/** Where a perpetual stands, spot being 1; where no spot is known, at it. */
function levelNow({ instrument, mid }: Quoted, spot: Quoted | undefined): number {
  if (instrument.kind !== 'perpetual' || mid === null || spot === undefined || spot.mid === null) return 1;
  return mid / spot.mid;
}

/** Where a future will stand above the index when so much of its days is left. */
function laterLevel(far: Quoted, spot: Quoted | undefined, endsAt: number, now: number): number | null {
  if (far.mid === null || !spot || spot.mid === null) return null;
  const { expiresAt } = far.instrument;
  const value = basis(far.mid, spot.mid);
  return value === null ? null : 1 + (value * (expiresAt! - endsAt)) / (expiresAt! - now);
}

function priceAtEnd({ instrument, mid }: Quoted, now: Prices | null, level: number | null, endsAt: number | null) {
  if (level === null) return null;
  if (isDelivered(instrument.expiresAt, endsAt)) return { bid: level, ask: level };
  return now && mid !== null ? { bid: (level * now.bid) / mid, ask: (level * now.ask) / mid } : null;
}
