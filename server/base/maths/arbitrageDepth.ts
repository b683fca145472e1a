import type { Side } from './depth';

/** Taker fees, fractions. */
interface Fees {
  buy: number;
  sell: number;
}

/**
 * The largest size that buying from one book and selling into the other at once does without a loss: as long as F25 at that size is not
 * below 0, or to the end of a book.
 * @returns what is paid for it before the fee, quote currency; 0 where the best prices already lose.
 */
export function profitableDepth(asks: Side, bids: Side, fees: Fees): number {
  let [paid, made] = [0, 0];
  let [i, j] = [0, 0];
  let [offered, wanted] = [sizeOf(asks, 0), sizeOf(bids, 0)];
  while (i < asks.levels.length && j < bids.levels.length) {
    const [ask, bid] = [asks.levels[i]!.ticks * asks.tick, bids.levels[j]!.ticks * bids.tick];
    const quantity = Math.min(offered, wanted);
    const each = bid * (1 - fees.sell) - ask * (1 + fees.buy);
    // What the better levels made pays for so much of a level that loses.
    if (made + each * quantity < 0) return paid + (made / -each) * ask;
    made += each * quantity;
    paid += quantity * ask;
    offered -= quantity;
    wanted -= quantity;
    if (offered <= 0) offered = sizeOf(asks, ++i);
    if (wanted <= 0) wanted = sizeOf(bids, ++j);
  }
  return paid;
}

/** Base currency. */
const sizeOf = ({ lot, levels }: Side, level: number): number => (levels[level]?.lots ?? 0) * lot;
