import type Big from 'big.js';
import { ceilTo, floorTo, ZERO } from './decimal';

interface Steps {
  /** Of an order that takes nothing off a position, USDT. */
  minNotional: string;
  lotSize: string;
}

/** A venue may take the value at another price than ours. */
const CLEARLY = 1.02;

/** The smallest order that takes nothing off a position and that its venue surely takes at a price (USDT), base currency. */
export const leastOrder = ({ minNotional, lotSize }: Steps, price: number): Big =>
  ceilTo(ZERO.plus(minNotional).times(CLEARLY).div(price), lotSize);

/** What of a quantity that no reducing order takes is too little for any, and stays in its account. Base currency. */
export function crumbOf(held: Big, terms: Steps, price: number): Big {
  const onGrid = floorTo(held, terms.lotSize);
  return onGrid.eq(0) || onGrid.lt(leastOrder(terms, price)) ? held : held.minus(onGrid);
}
