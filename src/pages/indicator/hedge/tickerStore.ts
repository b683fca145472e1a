import type { TickerRow } from '#contract/market';

export interface LiveTicker extends TickerRow {
  /** Whether the price went up (1), down (-1) or stayed since the reading before. */
  moved: -1 | 0 | 1;
}

/** The newest prices by symbol; each cell listens by itself, so that a tick redraws figures and not the table. */
export class TickerStore {
  readonly #tickers = new Map<string, LiveTicker>();
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  of(symbol: string): LiveTicker | undefined {
    return this.#tickers.get(symbol);
  }

  publish(tickers: readonly TickerRow[]): void {
    for (const ticker of tickers) {
      const before = this.#tickers.get(ticker.symbol);
      const moved = before ? (Math.sign(ticker.price - before.price) as -1 | 0 | 1) : 0;
      this.#tickers.set(ticker.symbol, { ...ticker, moved });
    }
    for (const listener of this.#listeners) listener();
  }
}
