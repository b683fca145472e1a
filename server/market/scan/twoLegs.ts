import { DAY_MS } from '#contract/duration';
import type { Obstacle } from '#contract/scan';
import { depthWithin, type Prices } from '../../base/maths/depth';
import type { Quoted } from './sight';

const REACH = 0.05;
const HIGH_ADL = 4;
const YOUNG_MS = 30 * DAY_MS;

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

/** What is risky of these legs whatever they make: near to being closed for others' losses, or listed of late. */
export function riskObstacles(legs: readonly Quoted[], now: number): Obstacle[] {
  const found: Obstacle[] = [];
  if (legs.some(({ terms }) => (terms?.adl ?? 0) >= HIGH_ADL)) found.push('adl');
  if (legs.some(({ instrument }) => now - instrument.listedAt < YOUNG_MS)) found.push('young');
  return found;
}

/** When an instrument was quoted that is looked at now, UTC ms: a venue that is out says nothing new. */
export const quotedAt = ({ ticker }: Quoted, isOut: boolean, at: number): number =>
  isOut ? Math.min(at, ticker.at) : at;

/** The smaller of two figures; `null` where one is not known. */
export const lesserOf = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? null : Math.min(a, b);
