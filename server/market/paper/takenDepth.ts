import type Big from 'big.js';
import { type SourceSymbol, symbolKey } from '../../base/symbolKey';
import type { BookLevel, OrderBook } from '../exchange';
import type { Side } from '../venue';

/** What is missing on one side, lots, at an instant (UTC ms). */
interface Missing {
  lots: number;
  at: number;
}

/** Less than that is there again. */
const NOTHING = 0.5;

/**
 * What was taken from books that are the market's, and so know nothing of it. It comes back with a half-life: who hits
 * the same side again soon meets what is behind.
 */
export class TakenDepth {
  readonly #halfLifeMs: number;
  /** By symbol and side. */
  readonly #missing = new Map<string, Missing>();

  constructor(halfLifeMs: number) {
    this.#halfLifeMs = halfLifeMs;
  }

  /** An order of this side took `quantity` from a book. @returns what takes that back. */
  take(of: SourceSymbol, side: Side, quantity: Big, { lotSize }: OrderBook, at: number): () => void {
    const lots = quantity.div(lotSize).toNumber();
    const key = keyOf(of, side);
    this.#missing.set(key, { lots: this.#lotsAt(key, at) + lots, at });
    return () => {
      const now = this.#missing.get(key)?.at ?? at;
      this.#missing.set(key, { lots: Math.max(0, this.#lotsAt(key, now) - this.#left(lots, now - at)), at: now });
    };
  }

  /** The book without what was taken; its last levels stay, so that there is a price always. */
  without(of: SourceSymbol, book: OrderBook, at: number): OrderBook {
    if (this.#missing.size === 0) return book;
    const [asks, bids] = [this.#lotsAt(keyOf(of, 'buy'), at), this.#lotsAt(keyOf(of, 'sell'), at)];
    if (asks === 0 && bids === 0) return book;
    return { ...book, asks: behind(book.asks, asks), bids: behind(book.bids, bids) };
  }

  #lotsAt(key: string, at: number): number {
    const missing = this.#missing.get(key);
    if (missing === undefined) return 0;
    const lots = this.#left(missing.lots, at - missing.at);
    if (lots >= NOTHING) return lots;
    this.#missing.delete(key);
    return 0;
  }

  #left(lots: number, passedMs: number): number {
    return lots * 0.5 ** (Math.max(0, passedMs) / this.#halfLifeMs);
  }
}

const keyOf = (of: SourceSymbol, side: Side): string => `${side} ${symbolKey(of)}`;

function behind(levels: readonly BookLevel[], missing: number): BookLevel[] {
  let gone = Math.round(missing);
  const left: BookLevel[] = [];
  for (const [i, { ticks, lots }] of levels.entries()) {
    const rest = lots - Math.min(lots, gone);
    gone -= lots - rest;
    if (rest > 0) left.push({ ticks, lots: rest });
    else if (i === levels.length - 1 && left.length === 0) left.push({ ticks, lots: 1 });
  }
  return left;
}
