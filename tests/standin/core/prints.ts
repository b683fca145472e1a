import { SECOND_MS } from '#contract/duration';
import type { Market } from '#server/market/exchange';

/** Somebody's trade. Price in ticks, quantity in lots. */
export interface Print {
  id: number;
  ticks: number;
  lots: number;
  at: number;
  /** Whether who came first was the buyer. */
  buyerWasMaker: boolean;
}

/** The first second that has a number. */
const FIRST = Date.UTC(2024, 0, 1) / SECOND_MS;
const MIXED = 2_654_435_761;

/** A number of 0 up to 1 that a second has. */
const drawn = (second: number): number => (Math.imul(second, MIXED) >>> 0) / 2 ** 32;

/** One trade of others a second, at the best price there was: the same whenever one asks. */
export class Prints {
  readonly #market: Market;

  constructor(market: Market) {
    this.#market = market;
  }

  /** Number of the newest trade at an instant, UTC ms. */
  newestAt(at: number): number {
    return Math.floor(at / SECOND_MS) - FIRST;
  }

  /** The number of the first trade at an instant or after it. */
  firstFrom(at: number): number {
    return Math.max(1, Math.ceil(at / SECOND_MS) - FIRST);
  }

  /** Trades `first` to `last`; seconds in which nobody traded are left out. */
  between(symbol: string, first: number, last: number): Print[] {
    const prints: Print[] = [];
    for (let id = Math.max(1, first); id <= last; id += 1) {
      const at = (id + FIRST) * SECOND_MS;
      const book = this.#market.book?.(symbol, at);
      const draw = drawn(id);
      const buyerWasMaker = draw < 0.5;
      const level = (buyerWasMaker ? book?.bids : book?.asks)?.[0];
      if (!level) continue;
      const lots = Math.max(1, Math.floor(level.lots * (0.02 + 0.3 * ((draw * 1000) % 1))));
      prints.push({ id, ticks: level.ticks, lots, at, buyerWasMaker });
    }
    return prints;
  }
}
