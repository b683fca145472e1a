import { depthWithin, type Prices } from '../maths/depth';
import type { Quoted } from './sight';

const REACH = 0.05;

/** USDT within 5 % that the thinner of the two books holds for selling one leg and buying the other. */
export function depthOfLegs(short: Quoted, long: Quoted): number | null {
  if (!short.sides || !long.sides) return null;
  return Math.min(depthWithin(short.sides.bids, REACH), depthWithin(long.sides.asks, REACH));
}

/** Best prices; `null` where a side of the book is empty. */
export function touchOf({ sides }: Quoted): Prices | null {
  const [bid, ask] = [sides?.bids.levels[0], sides?.asks.levels[0]];
  return bid && ask ? { bid: bid.ticks * sides!.bids.tick, ask: ask.ticks * sides!.asks.tick } : null;
}
