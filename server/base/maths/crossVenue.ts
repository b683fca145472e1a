import { defined } from './statistics';

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
