import Big from 'big.js';
import { ZERO } from './decimal';

/** Exact; 0 of nothing. */
export const sum = (parts: readonly (Big | string)[]): Big =>
  parts.reduce<Big>((total, part) => total.plus(new Big(part)), ZERO);

/** An amount of USDT without what adding floats has left of it: ledgers keep eight places. */
export const ledgerMoney = (amount: number): number => Math.round(amount * 1e8) / 1e8;
