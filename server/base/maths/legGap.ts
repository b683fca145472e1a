import type Big from 'big.js';

/** What legs that hold one coin may differ by, in lots of the coarser one. */
export const GAP_LOTS = 5;

/** How far legs that hold one coin are apart, in lots of the coarser one. @param long, short signed, base currency. @param lots of both, base currency */
export const gapInLots = (long: Big, short: Big, lots: readonly number[]): Big =>
  long
    .plus(short)
    .abs()
    .div(Math.max(...lots));

/** Whether legs that hold one coin are farther apart than their lots explain. */
export const isBeyondLots = (...legs: Parameters<typeof gapInLots>): boolean => gapInLots(...legs).gt(GAP_LOTS);
