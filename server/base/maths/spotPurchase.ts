import Big from 'big.js';
import { floorTo } from './decimal';

interface SpotPurchase {
  /** Base currency. */
  received: Big;
  /** Quote currency: of what was received, and of what the fee took in the coin. */
  cost: Big;
  fee: Big;
}

/** A spot purchase whose fee is taken in the coin (F28): received q (1 - f), cost q p (1 - f), fee f q p. Exact. */
export function spotPurchase(quantity: string, price: string, fee: number): SpotPurchase {
  const received = new Big(quantity).times(new Big(1).minus(fee));
  return { received, cost: received.times(price), fee: new Big(quantity).times(fee).times(price) };
}

/** What hedges it (F28): what was received, in whole lots of both instruments. @param lots decimal powers of ten, as exchanges have them */
export function hedgeQuantity(received: Big, lots: readonly [string, string]): Big {
  const [own, other] = lots;
  return floorTo(received, new Big(own).gt(other) ? own : other);
}

/** What of a purchase can be sold again (F28): whole lots of what was received, base currency. */
export const leftOfPurchase = (quantity: number, fee: number, lot: number): number =>
  hedgeQuantity(spotPurchase(String(quantity), '1', fee).received, [String(lot), String(lot)]).toNumber();
