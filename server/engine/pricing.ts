import type Big from 'big.js';
import type { Quote, Side, TradingTerms } from '../exchange/venue';
import { ceilTo, floorTo, ZERO } from '../maths/decimal';

export const midOf = ({ bid, ask }: Quote): number => (bid + ask) / 2;

/** The worst price a market order may take: `capBps` from the mid, on the price grid and never beyond the cap. */
export function capPrice(quote: Quote, side: Side, capBps: number, { tickSize }: TradingTerms): Big {
  const mid = ZERO.plus(midOf(quote));
  return side === 'buy'
    ? floorTo(mid.times(1 + capBps / 10_000), tickSize)
    : ceilTo(mid.times(1 - capBps / 10_000), tickSize);
}

/** Where a maker order rests: at the best price of its own side. */
export function restPrice({ bid, ask }: Quote, side: Side, { tickSize }: TradingTerms): Big {
  return side === 'buy' ? floorTo(ZERO.plus(bid), tickSize) : ceilTo(ZERO.plus(ask), tickSize);
}
