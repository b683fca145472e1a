import Big from 'big.js';
import { ZERO } from './decimal';

/** Exact; 0 of nothing. */
export const sum = (parts: readonly (Big | string)[]): Big =>
  parts.reduce<Big>((total, part) => total.plus(new Big(part)), ZERO);

/** A sum that is undefined as soon as a part is. */
export const totalOf = (parts: readonly (number | null)[]): number | null =>
  parts.reduce<number | null>((total, part) => (total === null || part === null ? null : total + part), 0);

/** An amount of USDT without what adding floats has left of it: ledgers keep eight places. */
export const ledgerMoney = (amount: number): number => Math.round(amount * 1e8) / 1e8;
