import type Big from 'big.js';
import type { Quote, Side, TradingTerms } from '../exchange/venue';
import { ceilTo, floorTo, larger, roundTo, smaller, ZERO } from '../maths/decimal';

export const midOf = ({ bid, ask }: Quote): number => (bid + ask) / 2;

/** The worst price a market order may take: `capBps` from the mid, on the price grid and never beyond the cap. */
export function capPrice(quote: Quote, side: Side, capBps: number, { tickSize }: TradingTerms): Big {
  const mid = ZERO.plus(midOf(quote));
  return side === 'buy'
    ? floorTo(mid.times(1 + capBps / 10_000), tickSize)
    : ceilTo(mid.times(1 - capBps / 10_000), tickSize);
}

/** Where a maker order rests: at the price that is wanted, where that would cross or none is, at the best one of its own side. */
export function restPrice({ bid, ask }: Quote, side: Side, { tickSize }: TradingTerms, wanted?: number): Big {
  const best = side === 'buy' ? floorTo(ZERO.plus(bid), tickSize) : ceilTo(ZERO.plus(ask), tickSize);
  if (wanted === undefined) return best;
  const level = roundTo(ZERO.plus(wanted), tickSize);
  return side === 'buy' ? smaller(best, level) : larger(best, level);
}
