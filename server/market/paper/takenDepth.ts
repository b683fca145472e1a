import type Big from 'big.js';
import { LRUCache } from 'lru-cache';
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

/** Levels of real books that something was taken of; the oldest are forgotten. */
const LEVELS_KEPT = 10_000;

/**
 * What was taken from books that are the market's, and so know nothing of it. Of simulated ones it comes back with a
 * half-life: who hits the same side again soon meets what is behind. Of real ones it is missing from its level for as long
 * as that stands: nobody takes the same order twice.
 */
export class TakenDepth {
  readonly #halfLifeMs: number;
  /** By symbol and side. */
  readonly #missing = new Map<string, Missing>();
  /** Lots that were taken of levels of real books, by symbol, side and price; made with the first, for it takes its room at once. */
  #levels: LRUCache<string, number> | undefined;
  /** What another process took of real books, base currency, by symbol and side, until the book is seen. */
  readonly #owed = new Map<string, Big>();

  constructor(halfLifeMs: number) {
    this.#halfLifeMs = halfLifeMs;
  }

  /** An order of this side took `quantity` from a book. @returns what takes that back. */
  take(of: SourceSymbol, side: Side, quantity: Big, book: OrderBook, at: number): () => void {
    const lots = quantity.div(book.lotSize).toNumber();
    const key = keyOf(of, side);
    if (book.isReal) return this.#takeLevels(key, side === 'buy' ? book.asks : book.bids, lots);
    this.#missing.set(key, { lots: this.#lotsAt(key, at) + lots, at });
    return () => {
      const now = this.#missing.get(key)?.at ?? at;
      this.#missing.set(key, { lots: Math.max(0, this.#lotsAt(key, now) - this.#left(lots, now - at)), at: now });
    };
  }

  /** Another process took that from a real book, nobody here knows of which levels: it is missing from the front of the next one. */
  owe(of: SourceSymbol, side: Side, quantity: Big): void {
    const key = keyOf(of, side);
    this.#owed.set(key, quantity.plus(this.#owed.get(key) ?? 0));
  }

  /** The book without what was taken; its last levels stay, so that there is a price always. */
  without(of: SourceSymbol, book: OrderBook, at: number): OrderBook {
    if (book.isReal) return this.#withoutLevels(of, book);
    if (this.#missing.size === 0) return book;
    const [asks, bids] = [this.#lotsAt(keyOf(of, 'buy'), at), this.#lotsAt(keyOf(of, 'sell'), at)];
    if (asks === 0 && bids === 0) return book;
    return { ...book, asks: behind(book.asks, asks), bids: behind(book.bids, bids) };
  }

  /** @param standing without what was taken of them before, the best first */
  #takeLevels(key: string, standing: readonly BookLevel[], lots: number): () => void {
    const taken: [level: string, lots: number][] = [];
    let left = lots;
    for (const { ticks, lots: there } of standing) {
      if (left <= 0) break;
      taken.push([`${key} ${ticks}`, Math.min(left, there)]);
      left -= there;
    }
    this.#levels ??= new LRUCache({ max: LEVELS_KEPT });
    const levels = this.#levels;
    const add = (sign: 1 | -1) => {
      for (const [level, some] of taken) levels.set(level, Math.max(0, (levels.get(level) ?? 0) + sign * some));
    };
    add(1);
    return () => add(-1);
  }

  #withoutLevels(of: SourceSymbol, book: OrderBook): OrderBook {
    if ((this.#levels?.size ?? 0) + this.#owed.size === 0) return book;
    const left = (side: Side, levels: readonly BookLevel[]) => {
      const key = keyOf(of, side);
      const owed = this.#owed.get(key);
      this.#owed.delete(key);
      if (owed) this.#takeLevels(key, this.#rest(key, levels), owed.div(book.lotSize).toNumber());
      return this.#rest(key, levels);
    };
    return { ...book, asks: left('buy', book.asks), bids: left('sell', book.bids) };
  }

  /** A level that is smaller than what was taken of it has lost some of that: what comes anew is there to be taken. */
  #rest(key: string, levels: readonly BookLevel[]): BookLevel[] {
    return levels.flatMap((level) => {
      const name = `${key} ${level.ticks}`;
      const taken = this.#levels?.get(name);
      if (taken === undefined) return [level];
      if (taken > level.lots) this.#levels?.set(name, level.lots);
      const lots = level.lots - taken;
      return lots > 0 ? [{ ticks: level.ticks, lots }] : [];
    });
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
