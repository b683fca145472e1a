import type { BookLevel } from '../exchange';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { ceil, floor, max, round } = Math;

const LEVELS = 24;
/** The last level lies so far from the first; the levels are the closer the nearer they are to the middle. */
const REACH = 0.05;
const DISTANCE = Float64Array.from({ length: LEVELS }, (_, i) => REACH * (i / (LEVELS - 1)) ** 2.2);
/** Size of a level, times that of the first. */
const SIZE = Float64Array.from({ length: LEVELS }, (_, i) => 1 + 0.6 * i);
/** Hides the last bits of a product, so that what lies on a step stays there. */
const GRAIN = 1e-9;

interface Quoted {
  /** USDT. */
  middle: number;
  /** A fraction of the middle. */
  halfSpread: number;
  /** USDT at the best price. */
  bidSize: number;
  askSize: number;
  /** Steps a USDT, and a coin. */
  priceUnits: number;
  lotUnits: number;
}

/** 24 levels a side out to 5 % from the best price. */
export function ladder(quoted: Quoted): { bids: BookLevel[]; asks: BookLevel[] } {
  const { middle, halfSpread, bidSize, askSize, priceUnits } = quoted;
  const bid = max(1, floor(middle * (1 - halfSpread) * priceUnits + GRAIN));
  const ask = max(bid + 1, ceil(middle * (1 + halfSpread) * priceUnits - GRAIN));
  return { bids: side(bid, -1, bidSize, quoted), asks: side(ask, 1, askSize, quoted) };
}

function side(best: number, direction: 1 | -1, size: number, { priceUnits, lotUnits }: Quoted): BookLevel[] {
  const levels: BookLevel[] = new Array(LEVELS);
  const lots = (size * lotUnits * priceUnits) / best;
  let ticks = best - direction;
  for (let i = 0; i < LEVELS; i += 1) {
    const next = best + direction * round(DISTANCE[i]! * best);
    ticks = direction === 1 ? Math.max(ticks + 1, next) : Math.min(ticks - 1, next);
    levels[i] = { ticks, lots: max(1, floor(lots * SIZE[i]!)) };
  }
  return direction === 1 ? levels : levels.filter((level) => level.ticks > 0);
}
