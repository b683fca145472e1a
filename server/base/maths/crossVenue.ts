import { defined } from './statistics';

const HALVINGS = 14;

/**
 * The largest value within [least, most] that passes, where what is larger passes less easily.
 * Halves the ratio of the two: the answer is at most 0.1 % below the true one where `most` is a million times `least`.
 * @param least, most above 0.
 * @returns `null` where not even the least passes.
 */
export function largest(least: number, most: number, passes: (value: number) => boolean): number | null {
  if (!(least <= most) || !passes(least)) return null;
  if (passes(most)) return most;
  let [low, high] = [least, most];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = Math.sqrt(low * high);
    if (passes(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/** Fees of one leg's orders, fractions of its notional. */
export interface LegFees {
  maker: number;
  taker: number;
}

/** How a trip of two legs is assumed to go. */
export interface TripTerms {
  /** `maker`: one leg rests, the other one takes what it was filled with. */
  entry: 'taker' | 'maker';
  /** `rolled`: held on, so that leaving is not paid for. */
  exit: 'counted' | 'rolled';
}

/**
 * Fees of the legs, a fraction of one leg's notional: two on the way in, two more where leaving counts. Of resting the leg
 * that saves more makes use; leaving takes on both sides.
 */
export function assumedFees(one: LegFees, other: LegFees, { entry, exit }: TripTerms): number {
  const taken = one.taker + other.taker;
  const saved = entry === 'maker' ? Math.max(0, one.taker - one.maker, other.taker - other.maker) : 0;
  return (exit === 'counted' ? 2 : 1) * taken - saved;
}

/**
 * What F7 expects to leave at: the present close level (F5), or where nobody leaves the level of the middles, which stay as
 * far apart as they are.
 */
export const assumedLevel = (closeLevel: number, mids: { short: number; long: number }, { exit }: TripTerms): number =>
  exit === 'counted' ? closeLevel : mids.short / mids.long - 1;

const HOURS_PER_YEAR = 8760;
const BPS = 1e4;

/** Rate of one settlement, a fraction, and the hours of its interval. */
interface Rate {
  rate: number;
  hours: number;
}

/** Gross APR of a funding pair over two venues (F7) = 8760 x (rS / hS - rL / hL), a fraction per year. */
export function crossVenueApr(short: Rate, long: Rate): number | null {
  return defined(HOURS_PER_YEAR * (short.rate / short.hours - long.rate / long.hours));
}

interface Planned {
  /** Sum of the settlements of each leg inside the planned hours, a fraction of its notional. */
  short: number;
  long: number;
  /** Sum of the own four fees, a fraction of one leg's notional. */
  fees: number;
  /** F5 at the size: slippage and price gap are in it. */
  openEdge: number;
  expectedCloseLevel: number;
  hours: number;
}

/**
 * Net APR on one leg's notional over the planned hours (F7) =
 * [funding of the short leg - funding of the long leg - fees + open edge - expected close level] x 8760 / H, a fraction per year.
 */
export function crossVenueNetApr({ short, long, fees, openEdge, expectedCloseLevel, hours }: Planned): number | null {
  return defined(((short - long - fees + openEdge - expectedCloseLevel) * HOURS_PER_YEAR) / hours);
}

interface Side {
  /** VWAP at the size (F9), quote currency. */
  price: number;
  /** Taker fee, a fraction. */
  fee: number;
}

/**
 * Arbitrage net (F25) = bid(sell venue) x (1 - fee) / (ask(buy venue) x (1 + fee)) - 1, bps. What it costs to move the inventory back
 * is not in it.
 */
export function arbitrageNetBps(sell: Side, buy: Side): number | null {
  return defined(((sell.price * (1 - sell.fee)) / (buy.price * (1 + buy.fee)) - 1) * BPS);
}
