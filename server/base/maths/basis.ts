import { DAY_MS } from '#contract/duration';
import { firstAtOrAfter } from './closes';
import { defined } from './statistics';

/** An opening: what was seen and what was got between both legs, fractions, and the notional of a leg. */
export interface EntryEdge {
  expected: number;
  realised: number;
  notional: number;
}

/** Edges of openings together, weighted by notional, and what part of what was seen was got; null where nothing is. */
export function expectedAndRealised(edges: readonly EntryEdge[]): {
  edgeOpen: number | null;
  edgeTaken: number | null;
  takenShare: number | null;
} {
  const notional = edges.reduce((sum, edge) => sum + edge.notional, 0);
  if (notional === 0) return { edgeOpen: null, edgeTaken: null, takenShare: null };
  const edgeOpen = edges.reduce((sum, edge) => sum + edge.expected * edge.notional, 0) / notional;
  const edgeTaken = edges.reduce((sum, edge) => sum + edge.realised * edge.notional, 0) / notional;
  return { edgeOpen, edgeTaken, takenShare: edgeOpen === 0 ? null : edgeTaken / edgeOpen };
}

/** One leg of a roll at its quantity: average price and middle (quote currency), fee as a fraction. */
interface RollLeg {
  price: number;
  mid: number;
  fee: number;
}

/**
 * What letting a leg go on in another instrument costs, quote currency: both fees, and how far both average prices lie
 * from their middles (F9). The other leg of the spread is not traded.
 * @param quantity base currency.
 */
export function rollCost(quantity: number, legs: readonly RollLeg[]): { fees: number; slippage: number; cost: number } {
  const fees = legs.reduce((sum, { price, fee }) => sum + quantity * price * fee, 0);
  const slippage = legs.reduce((sum, { price, mid }) => sum + quantity * Math.abs(price - mid), 0);
  return { fees, slippage, cost: fees + slippage };
}

/** A leg that is held: signed quantity, its signed cost and what it has realised, quote currency. */
interface HeldLeg {
  quantity: number;
  cost: number;
  realised: number;
}

/**
 * What a spread will have made when both its legs stand at one price, quote currency: what the legs were opened apart,
 * what is realised already, and what is left over of one of them at that price, less what leaving costs.
 * @param price at which both end. @param leaving fee of each leg at its end, fractions.
 */
export function convergedPnl(
  legs: readonly HeldLeg[],
  price: number,
  leaving: readonly number[],
  { funding, fees }: { funding: number; fees: number },
): number {
  const made = legs.reduce((sum, { quantity, cost, realised }) => sum + realised + quantity * price - cost, 0);
  const left = legs.reduce((sum, { quantity }, i) => sum + Math.abs(quantity) * price * (leaving[i] ?? 0), 0);
  return made + funding - fees - left;
}

const DAYS_PER_YEAR = 365;
/** Under so many days to expiry the smallest noise would make a huge rate of a basis. */
const FEWEST_DAYS = 3;

/**
 * Premium of a perpetual (F3) = mark / index - 1, a fraction. The predicted rate and the last settled one are numbers of their own.
 * @returns `null` where a price is unknown.
 */
export function premium(mark: number | null, index: number | null): number | null {
  return mark === null || index === null ? null : defined(mark / index - 1);
}

/** Basis of a future (F4) = F / S - 1, a fraction. */
export function basis(future: number, spot: number): number | null {
  return defined(future / spot - 1);
}

/**
 * Annualised basis (F4) = basis x 365 / days to expiry, a fraction per year.
 * @returns `null` under 3 days: then the raw basis is shown alone.
 */
export function annualisedBasis(value: number, days: number): number | null {
  return days < FEWEST_DAYS ? null : defined((value * DAYS_PER_YEAR) / days);
}

/** Annualised basis between two futures (F4) = (F far / F near - 1) x 365 / (days far - days near), a fraction per year. */
export function calendarBasis(far: number, near: number, daysFar: number, daysNear: number): number | null {
  return daysFar > daysNear ? defined(((far / near - 1) * DAYS_PER_YEAR) / (daysFar - daysNear)) : null;
}

/** From one instant to another, UTC ms; never below 0. */
export const daysTo = (instant: number, now: number): number => Math.max(0, instant - now) / DAY_MS;

/**
 * F4 of a basis at an instant: to the expiry of the future, between two futures over the days that they lie apart.
 * @param near, far expiries, UTC ms; null for what has none.
 */
export function annualisedAt(rate: number, now: number, near: number | null, far: number | null): number | null {
  if (far === null) return null;
  if (near !== null) return calendarBasis(1 + rate, 1, daysTo(far, now), daysTo(near, now));
  return annualisedBasis(rate, daysTo(far, now));
}

/** What opening at one level and closing at another makes (F5) = open edge - close level - fees, a fraction. */
export const roundTrip = (edge: number, level: number, fees: number): number => edge - level - fees;

interface Quote {
  bid: number;
  ask: number;
}

/** Calendar spread (F6), quote currency and a fraction of the near middle. */
interface CalendarSpread {
  /** Sell far, buy near = bid(far) - ask(near). */
  sellFar: number;
  sellFarShare: number;
  /** Buy far, sell near = bid(near) - ask(far). */
  buyFar: number;
  buyFarShare: number;
}

export function calendarSpread(far: Quote, near: Quote): CalendarSpread {
  const middle = (near.bid + near.ask) / 2;
  const [sellFar, buyFar] = [far.bid - near.ask, near.bid - far.ask];
  return { sellFar, sellFarShare: sellFar / middle, buyFar, buyFarShare: buyFar / middle };
}

/**
 * Net APR of a spread at a size (F26) = (open edge - expected close level - fees) x 365 / days, a fraction per year.
 * @param level 0 at a common expiry. @param fees of all orders, a delivered leg with its delivery fee in place of an exit fee.
 */
export function spreadNetApr(edge: number, level: number, fees: number, days: number): number | null {
  return days > 0 ? defined((roundTrip(edge, level, fees) * DAYS_PER_YEAR) / days) : null;
}

/** Values at the closes of bars, by the opening instants of those, UTC ms ascending. */
export interface ClosedAt {
  time: Float64Array;
  value: Float64Array;
  /** Length of a bar, ms. */
  barMs: number;
}

/**
 * Opens, highs and lows of a value of which only closes are known, such as the gap between two legs: their own highs
 * are not of one moment. The value at a bar's opening instant is the close of the finer bar that ends there, else that
 * of the bar before, else the first within; the extremes are those of the finer closes, so that what happened between
 * two of them is not seen.
 * @param bars whose closes are `value`. @param finer closes of shorter bars of the same value; empty where there are none.
 */
export function barsOfCloses(bars: ClosedAt, finer: ClosedAt): Record<'open' | 'high' | 'low', Float64Array> {
  const { time, value, barMs } = bars;
  const [open, high, low] = [
    new Float64Array(time.length),
    new Float64Array(time.length),
    new Float64Array(time.length),
  ];
  for (let i = 0; i < time.length; i++) {
    const [start, close] = [time[i]!, value[i]!];
    const first = firstAtOrAfter(finer.time, start - finer.barMs);
    const end = firstAtOrAfter(finer.time, start + barMs - finer.barMs, 'after');
    const isKnown = finer.time[first] === start - finer.barMs;
    const follows = i > 0 && time[i - 1] === start - barMs;
    const seen = finer.value.subarray(first, end);
    open[i] = !isKnown && follows ? value[i - 1]! : (seen[0] ?? close);
    high[i] = seen.reduce((most, one) => Math.max(most, one), Math.max(open[i]!, close));
    low[i] = seen.reduce((least, one) => Math.min(least, one), Math.min(open[i]!, close));
  }
  return { open, high, low };
}
