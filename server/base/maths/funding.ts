import { HOUR_MS } from '#contract/duration';
import { defined } from './statistics';

/** Intervals at which exchanges settle. */
export const FUNDING_HOURS: readonly number[] = [1, 4, 8];

interface FundingIntervals {
  /** Of each settlement. */
  hours: Float64Array;
  /** Settlements that are absent before each. */
  missing: Int32Array;
}

/**
 * The interval of each settlement: its distance to the one before. A longer step that the next one does not repeat is a
 * gap in the interval that was, not an interval; the first settlement has that of the second.
 * @param time full hours in UTC ms, strictly ascending.
 */
export function fundingIntervals(time: Float64Array): FundingIntervals {
  const hours = new Float64Array(time.length);
  const missing = new Int32Array(time.length);
  const stepAt = (i: number) => Math.round((time[i]! - time[i - 1]!) / HOUR_MS);
  let interval = firstInterval(time, stepAt);
  for (let i = 1; i < time.length; i += 1) {
    const step = stepAt(i);
    const isRepeated = i + 1 < time.length && stepAt(i + 1) === step;
    if (FUNDING_HOURS.includes(step) && (step < interval || isRepeated)) interval = step;
    hours[i] = interval;
    missing[i] = Math.max(0, Math.ceil(step / interval) - 1);
  }
  hours[0] = hours[1] ?? interval;
  return { hours, missing };
}

function firstInterval(time: Float64Array, stepAt: (i: number) => number): number {
  let once: number | undefined;
  for (let i = 1; i < time.length; i += 1) {
    const step = stepAt(i);
    if (!FUNDING_HOURS.includes(step)) continue;
    if (i + 1 < time.length && stepAt(i + 1) === step) return step;
    once ??= step;
  }
  return once ?? Math.max(...FUNDING_HOURS);
}

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
