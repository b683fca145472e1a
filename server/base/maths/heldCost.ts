import type Big from 'big.js';
import { money, ZERO } from './decimal';

/** What is held of one thing: signed quantity, and signed notional that it cost. */
export interface HeldCost {
  quantity: Big;
  cost: Big;
}

/**
 * What is held after a signed quantity was traded at a price. Adding grows the cost; taking away removes its share of it,
 * so that realised + quantity x mark - cost stays equal to the cash that flowed plus quantity x mark. What goes beyond
 * flat begins anew.
 * @returns what is held then, and the price PnL realised in the quote currency.
 */
export function movedBy(held: HeldCost, signed: Big, price: Big): HeldCost & { realised: Big } {
  const { quantity, cost } = held;
  if (quantity.times(signed).gte(0)) {
    return { quantity: quantity.plus(signed), cost: cost.plus(signed.times(price)), realised: ZERO };
  }
  const whole = signed.abs().gte(quantity.abs());
  const taken = whole ? quantity.neg() : signed;
  const removed = whole ? cost : money(cost.times(taken.abs()).div(quantity.abs()));
  const rest = signed.minus(taken);
  return {
    quantity: quantity.plus(signed),
    cost: cost.minus(removed).plus(rest.times(price)),
    realised: taken.neg().times(price).minus(removed),
  };
}
