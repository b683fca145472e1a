import Big from 'big.js';
import { ZERO } from './decimal';

/** Exact; 0 of nothing. */
export const sum = (parts: readonly (Big | string)[]): Big =>
  parts.reduce<Big>((total, part) => total.plus(new Big(part)), ZERO);
