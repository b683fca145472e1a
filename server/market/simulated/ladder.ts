import type { BookLevel } from '../exchange';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { ceil, floor, max, min, round } = Math;

const LEVELS = 24;
/** The last level lies so far from the first; the levels are the closer the nearer they are to the middle. */
const REACH = 0.05;
const DISTANCE = Float64Array.from({ length: LEVELS }, (_, i) => REACH * (i / (LEVELS - 1)) ** 2.2);
/** Size of a level, times that of the first. */
const SIZE = Float64Array.from({ length: LEVELS }, (_, i) => 1 + 0.6 * i);
/** Hides the last bits of a product, so that what lies on a step stays there. */
const GRAIN = 1e-9;

/** In price steps. */
export interface Best {
  bid: number;
  ask: number;
}

/** @param halfSpread a fraction of the middle. @param priceUnits steps a USDT */
export function bestAround(middle: number, halfSpread: number, priceUnits: number): Best {
  const bid = max(1, floor(middle * (1 - halfSpread) * priceUnits + GRAIN));
  return { bid, ask: max(bid + 1, ceil(middle * (1 + halfSpread) * priceUnits - GRAIN)) };
}

interface Sizes {
  /** USDT at the best price. */
  bidSize: number;
  askSize: number;
}

/** Steps a USDT, and a coin. */
interface Steps {
  priceUnits: number;
  lotUnits: number;
}

/** 24 levels a side out to 5 % from the best price. */
export function ladder({ bid, ask }: Best, { bidSize, askSize }: Sizes, steps: Steps) {
  return { bids: side(bid, -1, bidSize, steps), asks: side(ask, 1, askSize, steps) };
}

function side(best: number, direction: 1 | -1, size: number, { priceUnits, lotUnits }: Steps): BookLevel[] {
  const levels: BookLevel[] = new Array(LEVELS);
  const lots = (size * lotUnits * priceUnits) / best;
  let ticks = best - direction;
  for (let i = 0; i < LEVELS; i += 1) {
    const next = best + direction * round(DISTANCE[i]! * best);
    ticks = direction === 1 ? max(ticks + 1, next) : min(ticks - 1, next);
    levels[i] = { ticks, lots: max(1, floor(lots * SIZE[i]!)) };
  }
  return direction === 1 ? levels : levels.filter((level) => level.ticks > 0);
}
