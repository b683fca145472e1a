import { defined } from './statistics';

const BPS = 1e4;

/** A price in ticks and what is offered there in lots, best price first. */
interface Level {
  ticks: number;
  lots: number;
}

interface Walk {
  /** Volume-weighted price, quote currency. */
  price: number;
  /** Base currency. */
  quantity: number;
  /** Whether the book held all of it. */
  isWhole: boolean;
}

/**
 * Takes a notional from one side of a book (F9).
 * @param tick, lot size of a step: quote currency, base currency. @param notional quote currency, above zero.
 * @returns `null` for an empty side.
 */
export function walkBook(levels: readonly Level[], tick: number, lot: number, notional: number): Walk | null {
  let left = notional;
  let quantity = 0;
  for (let i = 0; i < levels.length && left > 0; i += 1) {
    const { ticks, lots } = levels[i]!;
    const price = ticks * tick;
    const taken = Math.min(left, price * lots * lot);
    quantity += taken / price;
    left -= taken;
  }
  if (quantity === 0) return null;
  const spent = notional - Math.max(0, left);
  return { price: spent / quantity, quantity, isWhole: left <= 0 };
}

/** What one side of a book holds up to `reach` from its best price, a fraction; quote currency. */
export function depthWithin(levels: readonly Level[], tick: number, lot: number, reach: number): number {
  const best = levels[0]?.ticks ?? 0;
  let sum = 0;
  for (const { ticks, lots } of levels) {
    if (Math.abs(ticks / best - 1) > reach) break;
    sum += ticks * tick * lots * lot;
  }
  return sum;
}

/** Slippage (F9) = |VWAP - middle| / middle, bps. */
export function slippageBps(price: number, middle: number): number | null {
  return defined((Math.abs(price - middle) / middle) * BPS);
}
