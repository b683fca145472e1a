import type { Clock, Instrument, InstrumentKind, Listing, OrderBook } from '#server/market/exchange';
import type { SimulatedMarket } from '#server/market/simulated';
import { Books } from './books';
import { Candles } from './candles';
import { Faults } from './faults';
import { Keys } from './keys';
import { Prints } from './prints';
import { Trading, type TradingRules } from './trading';

/** How long a quote of the simulated market stands. */
const QUOTE_MS = 250;
/** More than orders take from books within a quote. */
const TAKES = 10_000;

/** One exchange that stands in for a real one: what it lists, quotes and keeps. How it is asked and answers is its dialect's. */
export class Exchange {
  readonly market: SimulatedMarket;
  readonly books: Books;
  readonly candles: Candles;
  readonly prints: Prints;
  readonly keys = new Keys();
  readonly faults = new Faults();
  /** Whether it stands in for the exchange's test network. */
  isTestnet = false;
  readonly trading: Trading;
  readonly #clock: Clock;
  readonly #lists: (base: string) => boolean;

  /** @param lists which coins of the market it lists; absent: all */
  constructor(
    market: SimulatedMarket,
    clock: Clock,
    rules: TradingRules = { hasOneWallet: false, endsUnmet: false },
    lists: (base: string) => boolean = () => true,
  ) {
    this.market = market;
    this.#clock = clock;
    this.#lists = lists;
    this.books = new Books(
      (symbol) => this.#bookOf(symbol),
      () => Math.floor(this.#clock() / QUOTE_MS) * TAKES + (this.trading.takes % TAKES),
      () => this.now(),
    );
    this.candles = new Candles(market);
    this.prints = new Prints(market);
    this.trading = new Trading(this, rules);
  }

  /** UTC ms by the exchange's own clock, which requests are judged by. */
  now(): number {
    return this.#clock() + this.faults.clockAheadMs;
  }

  /** UTC ms as everybody else has it: what the market is asked by. */
  trueNow(): number {
    return this.#clock();
  }

  /** What it lists, ascending by symbol. */
  async instruments(kinds: readonly InstrumentKind[]): Promise<Instrument[]> {
    return (await this.market.instruments(kinds)).filter(({ base }) => this.#lists(base));
  }

  /** One symbol as it stands; null for one that is not listed. */
  listed(symbol: string): Listing | null {
    const listing = this.market.listed(symbol);
    return listing && this.#lists(listing.instrument.base) ? listing : null;
  }

  #bookOf(symbol: string): OrderBook | null {
    if (this.faults.delisted.has(symbol)) return null;
    const book = this.market.book(symbol);
    return book && this.trading.left(symbol, book);
  }
}
