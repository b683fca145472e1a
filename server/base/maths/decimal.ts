import Big from 'big.js';

/** Money that is computed, not counted, ends here: digits after the point of fees and settlements, USDT. */
const MONEY_DIGITS = 8;

export const ZERO = new Big(0);

/** The largest multiple of `step` that is not beyond `value`, towards zero. */
export const floorTo = (value: Big, step: string): Big => value.div(step).round(0, Big.roundDown).times(step);
/** The multiple of `step` away from zero that covers `value`. */
export const ceilTo = (value: Big, step: string): Big => value.div(step).round(0, Big.roundUp).times(step);
/** The nearest multiple of `step`. */
export const roundTo = (value: Big, step: string): Big => value.div(step).round(0, Big.roundHalfUp).times(step);

export const money = (value: Big): Big => value.round(MONEY_DIGITS, Big.roundHalfUp);

/** An amount as people read it, USDT. */
export const usdt = (amount: number | Big): string =>
  `${Number(amount).toLocaleString('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })} USDT`;

/** As the database and the venue write it: plain digits, without an exponent and without a negative zero. */
export const plain = (value: Big): string => (value.eq(0) ? '0' : value.toFixed());

/** A quantity as it changes a position: what is sold is below zero. */
export const signedBy = (side: string, quantity: Big): Big => (side === 'buy' ? quantity : quantity.neg());

/** undefined for what is not a finite decimal above zero. */
export function positive(text: string): Big | undefined {
  try {
    const value = new Big(text);
    return value.gt(0) ? value : undefined;
  } catch {
    return undefined;
  }
}

export const smaller = (a: Big, b: Big): Big => (a.lt(b) ? a : b);
export const larger = (a: Big, b: Big): Big => (a.gt(b) ? a : b);

/** Exact; 0 of nothing. */
export const sum = (parts: readonly (Big | string)[]): Big =>
  parts.reduce<Big>((total, part) => total.plus(new Big(part)), ZERO);

/** A sum that is undefined as soon as a part is. */
export const totalOf = (parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((total, part) => (total === null || part === null ? null : total + part), 0);

/** An amount of USDT without what adding floats has left of it: ledgers keep eight places. */
export const ledgerMoney = (amount: number): number => Math.round(amount * 1e8) / 1e8;
