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

interface CarryCosts {
  /** Quote currency, of both legs. */
  entryCost: number;
  exitCost: number;
  notional: number;
  /** Of a settlement, a fraction; positive: in our favour. */
  rate: number;
  /** Interest between two settlements, quote currency. */
  borrow?: number;
}

/**
 * Settlements until received funding has paid the costs (F8) = max(1, ceil((entry + exit) / c)), c = notional x rate in our favour -
 * borrow per settlement.
 * @returns `null` where c is not above zero: never paid back.
 */
export function breakEvenSettlements({ entryCost, exitCost, notional, rate, borrow = 0 }: CarryCosts): number | null {
  const perSettlement = notional * rate - borrow;
  if (!(perSettlement > 0)) return null;
  return defined(Math.max(1, Math.ceil((entryCost + exitCost) / perSettlement)));
}
