import type { BookLevel, OrderBook } from '#server/market/exchange';

/** A book as it is told: each state has a number, one above the state before it. */
export interface BookState {
  symbol: string;
  book: OrderBook;
  /** Number of the last change. */
  last: number;
  /** When it came to be, UTC ms by the exchange's clock. */
  at: number;
}

/** What is new since the state before: prices and what stands there now, in ticks and lots; no lots where nothing does. */
export interface BookChange {
  state: BookState;
  /** Numbers of the first change since, and of the state before. */
  first: number;
  previous: number;
  bids: BookLevel[];
  asks: BookLevel[];
}

type Listener = (change: BookChange) => void;

/**
 * The books of one exchange in the order in which it tells them. A snapshot is a state that was told, so that whoever adds
 * the changes after it has the same book as whoever began earlier.
 */
export class Books {
  readonly #read: (symbol: string) => OrderBook | null;
  readonly #stamp: () => number;
  readonly #now: () => number;
  readonly #stamps = new Map<string, number>();
  readonly #states = new Map<string, BookState>();
  readonly #listeners = new Map<string, Set<Listener>>();

  /**
   * @param read the book of a symbol right now; null while there is none
   * @param stamp changes whenever a book may have
   * @param now UTC ms by the exchange's clock
   */
  constructor(read: (symbol: string) => OrderBook | null, stamp: () => number, now: () => number) {
    this.#read = read;
    this.#stamp = stamp;
    this.#now = now;
  }

  /** The state of a symbol right now; undefined while it has no book. */
  at(symbol: string): BookState | undefined {
    const before = this.#states.get(symbol);
    const stamp = this.#stamp();
    if (before && this.#stamps.get(symbol) === stamp) return before;
    const book = this.#read(symbol);
    if (!book) return undefined;
    this.#stamps.set(symbol, stamp);
    const [bids, asks] = [changed(before?.book.bids, book.bids), changed(before?.book.asks, book.asks)];
    if (before && bids.length + asks.length === 0) return before;
    const at = this.#now();
    // The numbers of a process that starts again are above those that it told before.
    const previous = before?.last ?? at * 1000;
    const state = { symbol, book, last: previous + bids.length + asks.length, at };
    this.#states.set(symbol, state);
    const change = { state, first: previous + 1, previous, bids, asks };
    if (before) for (const listener of this.#listeners.get(symbol) ?? []) listener(change);
    return state;
  }

  /** Has `listener` called with each change of a symbol. @returns what ends that. */
  follow(symbol: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(symbol) ?? new Set();
    this.#listeners.set(symbol, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(symbol);
    };
  }

  /** Looks whether what is followed has changed. */
  tick(): void {
    for (const symbol of this.#listeners.keys()) this.at(symbol);
  }
}

function changed(before: readonly BookLevel[] = [], now: readonly BookLevel[]): BookLevel[] {
  const left = new Map(before.map(({ ticks, lots }) => [ticks, lots]));
  const levels: BookLevel[] = [];
  for (const level of now) {
    if (left.get(level.ticks) !== level.lots) levels.push(level);
    left.delete(level.ticks);
  }
  for (const ticks of left.keys()) levels.push({ ticks, lots: 0 });
  return levels;
}
