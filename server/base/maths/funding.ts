import { HOUR_MS } from '#contract/duration';
import { defined } from './statistics';

const HOURS_PER_YEAR = 8760;

/**
 * Funding APR (F1) = rate x 8760 / hours: simple, 365 days of 24 h, a fraction per year.
 * @param rate funding rate of one settlement, a fraction of the notional; positive: longs pay.
 * @param hours settlement interval of this symbol; never assumed.
 * @returns `null` where rate or interval is unknown.
 */
export function fundingApr(rate: number | null, hours: number | null): number | null {
  if (rate === null || hours === null || !(hours > 0)) return null;
  return defined((rate * HOURS_PER_YEAR) / hours);
}

/**
 * Cash of one settlement (F2) = -side x quantity x mark x rate, in the quote currency; received is positive.
 * @param side +1 long, -1 short.
 * @param quantity unsigned, base currency.
 */
export function fundingCash(side: 1 | -1, quantity: number, mark: number, rate: number): number {
  // Adding 0 turns the -0 of a zero rate into 0.
  return -side * quantity * mark * rate + 0;
}

/**
 * How many settlements fall into the hours to come.
 * @param toNext ms until the next one
 * @param every hours between two
 * @param within hours
 */
export function settlementsWithin(toNext: number, every: number, within: number): number {
  const left = within - toNext / HOUR_MS;
  return left < 0 || !(every > 0) ? 0 : Math.floor(left / every) + 1;
}
