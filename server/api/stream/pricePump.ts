import { type PriceRow, priceTopic, type Topic } from '#contract/stream';
import type { Clock, Market, Markets } from '../../market/exchange';
import type { StreamHub } from './streamHub';

const TICK_MS = 1_000;
const PRICE = 'price:';

interface PumpOptions {
  hub: StreamHub;
  markets: Markets;
  clock: Clock;
  onFailure: (error: unknown) => void;
}

/** Publishes, once a second, what changed in the prices of the sources that somebody watches. */
export class PricePump {
  readonly #hub: StreamHub;
  readonly #markets: Markets;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  /** The newest prices of each watched source. */
  readonly #tables = new Map<string, Map<string, PriceRow>>();
  #timer: NodeJS.Timeout | undefined;
  #isAtWork = false;

  constructor({ hub, markets, clock, onFailure }: PumpOptions) {
    this.#hub = hub;
    this.#markets = markets;
    this.#clock = clock;
    this.#onFailure = onFailure;
    hub.onDemand((topic, isWanted) => {
      if (topic.startsWith(PRICE)) this.#demand(topic, isWanted);
    });
  }

  /** Stops for good. */
  stop(): void {
    this.#tables.clear();
    clearInterval(this.#timer);
  }

  #demand(topic: Topic, isWanted: boolean): void {
    const source = topic.slice(PRICE.length);
    if (isWanted) {
      this.#tables.set(source, new Map());
      this.#timer ??= setInterval(() => void this.#tick(), TICK_MS).unref();
      void this.#tick();
    } else {
      this.#tables.delete(source);
      if (this.#tables.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }

  async #tick(): Promise<void> {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    try {
      // Asked for all at once, so that a name nobody lists costs nothing.
      for (const market of await this.#markets.list()) {
        if (this.#tables.has(market.source)) await this.#publish(market);
      }
    } catch (error) {
      this.#onFailure(error);
    } finally {
      this.#isAtWork = false;
    }
  }

  async #publish(market: Market): Promise<void> {
    const { source } = market;
    const tickers = await market.tickers();
    const before = this.#tables.get(source);
    // The last reader may have gone meanwhile.
    if (before === undefined) return;
    const table = new Map<string, PriceRow>();
    const changed: PriceRow[] = [];
    for (const { symbol, price, mark, change24h, at } of tickers) {
      const old = before.get(symbol);
      const isSame = old !== undefined && old[1] === price && old[2] === mark && old[3] === change24h;
      const row: PriceRow = isSame ? old : [symbol, price, mark, change24h, at];
      table.set(symbol, row);
      if (!isSame) changed.push(row);
    }
    this.#tables.set(source, table);
    if (changed.length === 0) return;
    const at = this.#clock();
    this.#hub.publish({
      topic: priceTopic(source),
      userId: null,
      type: 'price',
      key: source,
      data: { source, at, rows: changed },
      whole: () => ({ source, at, rows: [...table.values()] }),
    });
  }
}
