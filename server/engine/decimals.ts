import Big from 'big.js';

export const ZERO = new Big(0);

/** The largest multiple of `step` that is not beyond `value`, towards zero. */
export const floorTo = (value: Big, step: string): Big => value.div(step).round(0, Big.roundDown).times(step);
/** The multiple of `step` away from zero that covers `value`. */
export const ceilTo = (value: Big, step: string): Big => value.div(step).round(0, Big.roundUp).times(step);
/** The nearest multiple of `step`. */
export const roundTo = (value: Big, step: string): Big => value.div(step).round(0, Big.roundHalfUp).times(step);

/** Money is booked to eight decimals. */
export const cents = (amount: Big): Big => amount.round(8, Big.roundHalfUp);

/** As the database and the venue write it: never in exponential notation. */
export const text = (value: Big): string => value.toFixed();
