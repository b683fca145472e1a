import type { CexRateCandidate, RateNote } from '#contract/cexRateScan';
import { DAY_MS } from '#contract/duration';
import type { Obstacle } from '#contract/scan';
import type { WalletState } from '../exchange/exchange';
import { crossGrossApr, crossNetApr, crossPaybackHours, type FundedLeg } from '../maths/crossFunding';
import { closeLevel, openEdge, type Side } from '../maths/depth';
import { largest } from '../maths/largest';
import { commonQuantity, leastNotional } from './commonQuantity';
import type { MarketSight, Quoted } from './sight';

/** What rows are worked out for. */
export interface RatePlan {
  /** Notional of each leg, USDT. */
  size: number;
  /** Planned hours. */
  hours: number;
  /** Net a year that the capacity is the largest size for, a fraction. */
  leastApr: number;
}

const HIGH_ADL = 4;
const YOUNG_MS = 30 * DAY_MS;
/** What a size may be asked for at most, USDT: capacities end there too. */
const LARGEST_SIZE = 10_000_000;
const HOURS_PER_YEAR = 8760;

/** A coin's perpetual at one venue. */
export interface VenueLeg {
  source: string;
  isOut: boolean;
  quoted: Quoted;
  wallet: WalletState | null;
}

/** A coin with its perpetuals, in the order of the venues. */
export interface CoinLegs {
  base: string;
  legs: VenueLeg[];
}

/** Every coin by the venues that list its perpetual. */
export function coinLegs({ venues }: MarketSight): CoinLegs[] {
  const coins = new Map<string, CoinLegs>();
  for (const { market, isOut, coins: listed, wallet } of venues) {
    for (const { base, perpetual } of listed.values()) {
      if (perpetual === undefined) continue;
      const coin = coins.get(base) ?? { base, legs: [] };
      coins.set(base, coin);
      coin.legs.push({ source: market.source, isOut, quoted: perpetual, wallet: wallet(base) });
    }
  }
  return [...coins.values()];
}

/** A coin at two venues. */
export interface RatePair {
  base: string;
  legs: readonly [VenueLeg, VenueLeg];
}

/** Every two venues of each coin once. */
export const ratePairs = (coins: readonly CoinLegs[]): RatePair[] =>
  coins.flatMap(({ base, legs }) =>
    legs.flatMap((one, i) => legs.slice(i + 1).map((other) => ({ base, legs: [one, other] as const }))),
  );

interface Trip {
  /** Fractions of a leg's notional: F5 both ways, and the four fees. */
  openEdge: number;
  closeLevel: number;
  fees: number;
  /** Fees less open edge plus close level: what going in and out at once costs. */
  cost: number;
}

/** One direction of a pair. */
interface Way {
  long: VenueLeg;
  short: VenueLeg;
  funded: { long: FundedLeg; short: FundedLeg } | null;
  trip: Trip | null;
  grossApr: number | null;
  netApr: number | null;
}

/**
 * What a coin's perpetuals at two venues would make from now on at a size, in the better direction. Pure.
 * @param weeks sum of the rates settled within 7 days by leg of the pair.
 * @param now UTC ms.
 */
export function cexRateCandidate(
  pair: RatePair,
  weeks: readonly (number | null)[],
  plan: RatePlan,
  now: number,
): CexRateCandidate {
  const [one, other] = pair.legs;
  const price = priceOf(pair);
  const quantity = commonQuantity([one.quoted, other.quoted], plan.size, price);
  const way = better(wayOf(one, other, quantity, plan.hours, now), wayOf(other, one, quantity, plan.hours, now));
  const { long, short, funded, trip, grossApr, netApr } = way;
  const week = (leg: VenueLeg) => weeks[leg === one ? 0 : 1] ?? null;
  const [longWeek, shortWeek] = [week(long), week(short)];
  const payback = funded && trip && crossPaybackHours(funded.short, funded.long, trip.cost);
  const row = {
    id: `${pair.base} ${one.source} ${other.source}`,
    base: pair.base,
    long: long.source,
    short: short.source,
    longSymbol: long.quoted.instrument.symbol,
    shortSymbol: short.quoted.instrument.symbol,
    longRate: long.quoted.ticker.fundingRate,
    shortRate: short.quoted.ticker.fundingRate,
    longHours: long.quoted.instrument.fundingHours,
    shortHours: short.quoted.instrument.fundingHours,
    longNextAt: long.quoted.ticker.nextFundingAt,
    shortNextAt: short.quoted.ticker.nextFundingAt,
    rateGap: grossApr === null ? null : (grossApr * 8) / HOURS_PER_YEAR,
    grossApr,
    quantity,
    fees: feesOf(way),
    openEdge: trip?.openEdge ?? null,
    closeLevel: trip?.closeLevel ?? null,
    netApr,
    paybackDays: payback === null ? null : payback / 24,
    capacity: capacityOf(way, price, plan),
    replay: trip && longWeek !== null && shortWeek !== null ? shortWeek - longWeek - trip.cost : null,
    openInterest: smaller(long.quoted.ticker.openInterest, short.quoted.ticker.openInterest),
  };
  return { ...row, notes: notesOf(way), obstacles: obstaclesOf(way, row, price, now) };
}

/** The higher middle of the two: neither leg is larger than asked for. */
const priceOf = ({ legs }: RatePair): number =>
  Math.max(...legs.map(({ quoted }) => quoted.mid ?? quoted.ticker.price));

const smaller = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.min(a, b);

function wayOf(long: VenueLeg, short: VenueLeg, quantity: number, hours: number, now: number): Way {
  const [longLeg, shortLeg] = [fundedOf(long, now), fundedOf(short, now)];
  const funded = longLeg && shortLeg && { long: longLeg, short: shortLeg };
  const trip = tripOf(long, short, quantity);
  return {
    long,
    short,
    funded,
    trip,
    grossApr: funded && crossGrossApr(funded.short, funded.long),
    netApr: funded && trip && crossNetApr(funded.short, funded.long, hours, trip.cost),
  };
}

function better(one: Way, other: Way): Way {
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
function feesOf({ long, short }: Pick<Way, 'long' | 'short'>): number | null {
  const [a, b] = [long.quoted.terms, short.quoted.terms];
  return a && b && 2 * (a.takerFee + b.takerFee);
}

function tripOf(long: VenueLeg, short: VenueLeg, quantity: number): Trip | null {
  const [bought, sold] = [long.quoted.at(quantity), short.quoted.at(quantity)];
  const fees = feesOf({ long, short });
  if (!bought || !sold || fees === null) return null;
  const [edge, level] = [openEdge(sold, bought), closeLevel(sold, bought)];
  return { openEdge: edge, closeLevel: level, fees, cost: fees - edge + level };
}

/** The largest notional of a leg that still nets so much a year, USDT; 0 where none does. */
function capacityOf({ long, short, funded }: Way, price: number, { hours, leastApr }: RatePlan): number | null {
  const quoted = [long.quoted, short.quoted];
  const sides = quoted.flatMap((leg) => (leg.sides ? [leg.sides.bids, leg.sides.asks] : []));
  if (!funded || sides.length < 4 || feesOf({ long, short }) === null) return null;
  const lot = Math.max(...sides.map((side) => side.lot));
  const least = Math.max(1, Math.ceil(leastNotional(quoted) / price / lot)) * lot;
  const most = Math.min(LARGEST_SIZE / price, ...sides.map(heldBy));
  const found = largest(least, most, (quantity) => {
    const trip = tripOf(long, short, quantity);
    return trip !== null && crossNetApr(funded.short, funded.long, hours, trip.cost) >= leastApr;
  });
  return found === null ? 0 : commonQuantity(quoted, found * price, price) * price;
}

/** Base currency. */
const heldBy = ({ lot, levels }: Side): number => levels.reduce((sum, { lots }) => sum + lots, 0) * lot;

const notesOf = ({ long, short }: Way): RateNote[] =>
  long.quoted.instrument.fundingHours === short.quoted.instrument.fundingHours ? [] : ['interval'];

type Figures = Pick<CexRateCandidate, 'quantity' | 'paybackDays' | 'grossApr'>;

function obstaclesOf({ long, short, trip }: Way, row: Figures, price: number, now: number): Obstacle[] {
  const legs = [long, short];
  if (legs.some(({ isOut }) => isOut)) return ['out'];
  const quoted = legs.map((leg) => leg.quoted);
  const isKnown = quoted.every(({ sides, terms }) => sides && terms) && row.grossApr !== null;
  const found: Obstacle[] = [];
  if (row.quantity * price < leastNotional(quoted) || row.quantity === 0) found.push('minimum');
  else if (trip === null && isKnown) found.push('depth');
  if (!isKnown) found.push('incomplete');
  if (trip !== null && row.grossApr !== null && row.paybackDays === null) found.push('noPayback');
  if (quoted.some(({ terms }) => (terms?.adl ?? 0) >= HIGH_ADL)) found.push('adl');
  if (quoted.some(({ instrument }) => now - instrument.listedAt < YOUNG_MS)) found.push('young');
  if (legs.some(({ wallet }) => wallet && !(wallet.canDeposit && wallet.canWithdraw))) found.push('wallet');
  return found;
}
