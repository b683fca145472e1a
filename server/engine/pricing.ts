import type Big from 'big.js';
import { ceilTo, floorTo, larger, roundTo, smaller, ZERO } from '../base/maths/decimal';
import type { Quote, Side, TradingTerms } from '../market/venue';

export const midOf = ({ bid, ask }: Quote): number => (bid + ask) / 2;

/** How far a market order may go: from the mid, and by ticks from the best price of the other side where those bound it too. */
interface Reach {
  capBps: number;
  payUp?: number;
}

/** The worst price a market order may take: on the price grid and never beyond its reach. */
export function capPrice(quote: Quote, side: Side, { capBps, payUp }: Reach, { tickSize }: TradingTerms): Big {
  const mid = ZERO.plus(midOf(quote));
  const cap =
    side === 'buy'
      ? floorTo(mid.times(1 + capBps / 10_000), tickSize)
      : ceilTo(mid.times(1 - capBps / 10_000), tickSize);
  if (payUp === undefined) return cap;
  const ticks = ZERO.plus(tickSize).times(payUp);
  return side === 'buy'
    ? smaller(cap, roundTo(ZERO.plus(quote.ask), tickSize).plus(ticks))
    : larger(cap, roundTo(ZERO.plus(quote.bid), tickSize).minus(ticks));
}

/** Where a maker order rests: at the price that is wanted, where that would cross or none is, at the best one of its own side. */
export function restPrice({ bid, ask }: Quote, side: Side, { tickSize }: TradingTerms, wanted?: number): Big {
  const best = side === 'buy' ? floorTo(ZERO.plus(bid), tickSize) : ceilTo(ZERO.plus(ask), tickSize);
  if (wanted === undefined) return best;
  const level = roundTo(ZERO.plus(wanted), tickSize);
  return side === 'buy' ? smaller(best, level) : larger(best, level);
}
