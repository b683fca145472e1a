import type { TickerRow } from '#contract/market';

/** What is known of a price: whole rows that were read, or the part of them that a live event carries. */
export type TickerUpdate = Pick<TickerRow, 'symbol' | 'at' | 'price'> & Partial<TickerRow> & { mark?: number | null };

export interface LiveTicker extends TickerUpdate {
  /** Whether the price went up (1), down (-1) or stayed since the one before. */
  moved: -1 | 0 | 1;
}

/**
 * The newest prices of a source by symbol. Each cell listens to its own symbol, so that a tick redraws
 * the figures that changed and not the table.
 */
export class TickerStore {
  readonly #tickers = new Map<string, LiveTicker>();
  readonly #listeners = new Map<string, Set<() => void>>();

  subscribe(symbol: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(symbol) ?? new Set();
    this.#listeners.set(symbol, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(symbol) === listeners) this.#listeners.delete(symbol);
    };
  }

  of(symbol: string): LiveTicker | undefined {
    return this.#tickers.get(symbol);
  }

  /** Takes what is told, but never an older price for a newer one. */
  publish(updates: Iterable<TickerUpdate>): void {
    for (const told of updates) {
      const before = this.#tickers.get(told.symbol);
      const update = before && told.at < before.at ? { ...told, ...priceOf(before) } : told;
      if (before && saysNothingNew(before, update)) continue;
      const moved = before ? (Math.sign(update.price - before.price) as -1 | 0 | 1) : 0;
      this.#tickers.set(update.symbol, { ...before, ...update, moved });
      this.#announce(update.symbol);
    }
  }

  /** Forgets every price. */
  clear(): void {
    const symbols = [...this.#tickers.keys()];
    this.#tickers.clear();
    for (const symbol of symbols) this.#announce(symbol);
  }

  #announce(symbol: string): void {
    for (const listener of [...(this.#listeners.get(symbol) ?? [])]) listener();
  }
}

/** What a live event carries; the other figures may well come later with an older price. */
function priceOf({ at, price, mark, change24h }: LiveTicker): Omit<TickerUpdate, 'symbol'> {
  return { at, price, ...(mark === undefined ? {} : { mark }), ...(change24h === undefined ? {} : { change24h }) };
}

function saysNothingNew(before: LiveTicker, update: TickerUpdate): boolean {
  const { at: _at, ...figures } = update;
  return Object.entries(figures).every(([name, value]) => before[name as keyof TickerUpdate] === value);
}
