import type Big from 'big.js';

/** What legs that hold one coin may differ by, in lots of the coarser one. */
export const GAP_LOTS = 5;

/**
 * Whether legs that hold one coin are farther apart than their lots explain. @param long, short signed, base currency
 * @param lots of both, base currency
 */
export const isBeyondLots = (long: Big, short: Big, lots: readonly number[]): boolean =>
  long
    .plus(short)
    .abs()
    .gt(GAP_LOTS * Math.max(...lots));
