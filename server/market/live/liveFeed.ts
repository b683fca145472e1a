import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Exchange } from 'ccxt';
import type { LiveExchange } from '#contract/candle';
import { HOUR_MS, SECOND_MS } from '#contract/duration';
import type { Clock, OrderBook, Touch } from '../exchange';
import type { Adapter, AllSymbols, Heard, Maintenance } from './adapter';
import { type ExchangePlace, leadTo } from './address';
import { followed, followedIds, hearPlainly } from './channels';
import { priceOf } from './heard';
import { type LiveListing, listingOf } from './listing';
import { LiveBooks } from './liveBooks';
import type { LiveTimes } from './liveTimes';
import { Rest } from './rest';
import { beforeSilence, Silence } from './silence';

/** A symbol as the exchange tells it. */
export interface Present extends Heard {
  /** When anything was heard of it, UTC ms by our clock. */
  heardAt: number;
}

/** What a stream is at. */
export interface StreamState {
  /** When it last said anything, UTC ms; null before it ever did. */
  heardAt: number | null;
  /** Since when it fails, in a word of the library; null while it does not. */
  failure: string | null;
  /** How often it was opened anew. */
  reopened: number;
}

interface LiveFeedOptions {
  name: LiveExchange;
  source: string;
  adapter: Adapter;
  clock: Clock;
  times: LiveTimes;
  place: ExchangePlace;
  /** Told once of what fails, until it works again. */
  onTrouble: (what: string) => void;
}

/**
 * The present of one exchange, kept by streams: what is listed, all prices, and the books of what is looked at. What the
 * streams lose, REST brings; whether anybody is there is told by REST alone, for a stream that says nothing may be a quiet one.
 */
export class LiveFeed {
  readonly #o: LiveFeedOptions;
  readonly #ending = new AbortController();
  readonly #present = new Map<string, Present>();
  readonly #streams = new Map<string, StreamState>();
  readonly rest: Rest;
  #exchange: Exchange | undefined;
  #books: LiveBooks | undefined;
  /** Of all that was ever listed, base currency: what happened to it may be told later. */
  readonly contractSizes = new Map<string, string>();
  #listings: ReadonlyMap<string, LiveListing> = new Map();
  #listedAt = 0;
  #resyncedAt = Number.NEGATIVE_INFINITY;
  #running: Promise<unknown> = Promise.resolve();
  #isReopening = false;
  #startedAt = 0;
  #asked = 0;
  #tellFirst = () => {};
  readonly #first = new Promise<void>((resolve) => {
    this.#tellFirst = resolve;
  });
  #isHeard = false;
  #maintenance: readonly Maintenance[] = [];

  constructor(options: LiveFeedOptions) {
    this.#o = options;
    // Each loop and each book waits on it, more of them than node takes for a leak; all leave it with their wait.
    setMaxListeners(0, this.#ending.signal);
    this.rest = new Rest(options.adapter, options.clock, options.times, this.#ending.signal);
  }

  start(): void {
    this.#startedAt = this.#o.clock();
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#exchange?.close();
    await this.#running;
    await this.#exchange?.close();
  }

  /** By our symbol. */
  get listings(): ReadonlyMap<string, LiveListing> {
    return this.#listings;
  }

  /** Changes with what is listed. */
  get listedAt(): number {
    return this.#listedAt;
  }

  get streams(): ReadonlyMap<string, StreamState> {
    return this.#streams;
  }

  get isOut(): boolean {
    return this.#exchange === undefined || this.rest.isOut;
  }

  /** Since when nobody answers, or nothing is heard, as far as this process knows; null while neither is so. */
  get outSince(): number | null {
    if (this.isOut) return Math.max(this.#startedAt, this.rest.answeredAt);
    if (!this.isSilent) return null;
    return [...this.#present.values()].reduce((newest, { heardAt }) => Math.max(newest, heardAt), this.#startedAt);
  }

  get adapter(): Adapter {
    return this.#o.adapter;
  }

  get signal(): AbortSignal {
    return this.#ending.signal;
  }

  /** Whether what is listed, and its prices, have been told; waits so long for them at most. */
  async heard(waitMs: number): Promise<boolean> {
    if (!this.#isHeard) await beforeSilence(this.#first, waitMs).catch(() => undefined);
    return this.#isHeard;
  }

  /** What is known of a symbol now; null where nothing was heard of it for too long. */
  present(symbol: string): Present | null {
    const listing = this.#listings.get(symbol);
    const present = listing && this.#present.get(listing.unified);
    const now = this.#o.clock();
    if (!present || now - present.heardAt > this.#o.times.stale) return null;
    // Not every stream says when the next settlement is: the one after that which has passed, until it does.
    const { fundingHours } = listing.instrument;
    if (present.nextFundingAt !== undefined && present.nextFundingAt <= now && fundingHours !== null) {
      const stepMs = fundingHours * HOUR_MS;
      present.nextFundingAt += (Math.floor((now - present.nextFundingAt) / stepMs) + 1) * stepMs;
    }
    return present;
  }

  /** What was heard of a symbol last, however long ago; null where nothing ever was. */
  lastHeard(symbol: string): Present | null {
    const listing = this.#listings.get(symbol);
    return (listing && this.#present.get(listing.unified)) ?? null;
  }

  /** How many books are followed. */
  get books(): number {
    return this.#books?.size ?? 0;
  }

  /** Of those listed, how many have no price. */
  get stale(): number {
    return this.silent().length;
  }

  /** Those listed that have no price, the longest silent first, with when they were heard of last; null for never. */
  silent(): { symbol: string; heardAt: number | null }[] {
    const found: { symbol: string; heardAt: number | null }[] = [];
    for (const symbol of this.#listings.keys()) {
      if (this.present(symbol)?.last === undefined)
        found.push({ symbol, heardAt: this.lastHeard(symbol)?.heardAt || null });
    }
    return found.sort((a, b) => (a.heardAt ?? 0) - (b.heardAt ?? 0));
  }

  /** Whether nothing is heard of all that is listed. */
  get isSilent(): boolean {
    for (const symbol of this.#listings.keys()) if (this.present(symbol)?.last !== undefined) return false;
    return true;
  }

  /** Announced and not over. */
  get maintenance(): readonly Maintenance[] {
    return this.#maintenance;
  }

  /** The book of a symbol; null until it is there: whoever asks has it followed for a while. */
  book(symbol: string): OrderBook | null {
    const listing = this.#listings.get(symbol);
    return (listing && this.#books?.get(listing)) ?? null;
  }

  /** Best prices at an instant of the last minute; null where they were not followed then. */
  touchAt(symbol: string, at: number): Touch | null {
    const listing = this.#listings.get(symbol);
    return (listing && this.#books?.touchAt(listing, at)) ?? null;
  }

  /** Has a book followed; waits a moment for it where it was not yet. */
  async prepareBook(symbol: string): Promise<void> {
    const listing = this.#listings.get(symbol);
    if (listing) await this.#books?.ready(listing);
  }

  /** Asks when there is room, once the exchange is open. @throws what the library throws */
  async ask<T>(question: (exchange: Exchange) => Promise<T>): Promise<T> {
    if (this.#exchange === undefined) throw new Error('not open');
    return this.rest.askPatiently(this.#exchange, question);
  }

  /** Asks at once. @throws what the library throws */
  async askNow<T>(question: (exchange: Exchange) => Promise<T>): Promise<T> {
    if (this.#exchange === undefined) throw new Error('not open');
    return this.rest.ask(this.#exchange, question);
  }

  async #run(): Promise<void> {
    const exchange = await this.#keepTrying('open', () => this.#open());
    if (exchange === undefined) return;
    await this.#keepTrying('listings', () => this.#readListings(exchange));
    await this.#keepTrying('prices', () => this.#readPrices(exchange));
    this.#isHeard = !this.signal.aborted;
    this.#tellFirst();
    const streams = Object.entries(this.#o.adapter.streams);
    await Promise.all([
      ...streams.map(([name, stream]) => this.#follow(exchange, name, stream)),
      this.#every(this.#o.times.ping, 'ping', () => this.rest.ping(exchange)),
      this.#every(this.#o.times.poll, 'prices', () => this.#pollPrices(exchange)),
      this.#readMaintenance(exchange).catch(() => undefined),
      this.#every(this.#o.times.announced, 'maintenance', () => this.#readMaintenance(exchange)),
      this.#every(this.#o.times.listings, 'listings', () => this.#readListings(exchange)),
      this.#every(this.#o.times.figures, 'figures', () => this.#readFigures(exchange)),
      this.#every(this.#o.times.spot, 'spot prices', () => this.#readSpotPrices(exchange)),
      this.#every(this.#o.times.interest, 'open interest', () => this.#readOpenInterest(exchange)),
      this.#every(this.#o.times.idle / 4, 'books', async () => this.#books?.dropIdle()),
    ]);
  }

  async #open(): Promise<Exchange> {
    const { adapter, place, times, clock } = this.#o;
    const exchange = await adapter.open();
    exchange.timeout = times.answer;
    exchange.milliseconds = clock;
    exchange.seconds = () => Math.floor(clock() / SECOND_MS);
    // Its own waits before it connects again grow beyond the silence after which it is made to connect again: it never would.
    exchange.options.ws = { ...exchange.options.ws, backoff: { base: 0 } };
    await leadTo(exchange, place);
    hearPlainly(exchange, adapter.told, (unified, heard) => this.#hear(unified, heard, true));
    this.rest.listen(exchange);
    await this.rest.ping(exchange);
    this.#books = new LiveBooks({ adapter, exchange, clock, times, signal: this.#ending.signal });
    this.#exchange = exchange;
    return exchange;
  }

  /** @param isNow whether it says that the symbol trades now, as a stream does */
  #hear(unified: string, heard: Heard, isNow: boolean): void {
    const known = this.#present.get(unified) ?? { heardAt: 0 };
    for (const name in heard) {
      const value = heard[name as keyof Heard];
      if (value !== undefined && name !== 'at') known[name as keyof Heard] = value;
    }
    if (isNow || known.heardAt === 0) {
      // Who does not say when speaks of now: it is not as old as what was heard before.
      known.at = heard.at;
      known.heardAt = this.#o.clock();
    }
    this.#present.set(unified, known);
  }

  async #readListings(exchange: Exchange): Promise<void> {
    const { adapter, source, clock } = this.#o;
    const [, hours] = await this.rest.ask(exchange, () =>
      Promise.all([exchange.loadMarkets(true), adapter.fundingHours(exchange)]),
    );
    const found = new Map<string, LiveListing>();
    for (const market of followed(exchange)) {
      const fundingHours = hours.get(market.symbol) ?? adapter.usualFundingHours;
      const listing = listingOf(market, { source, adapter, fundingHours });
      if (listing !== null) found.set(listing.instrument.symbol, listing);
    }
    const kept = new Set([...found.values()].map(({ unified }) => unified));
    for (const unified of this.#present.keys()) if (!kept.has(unified)) this.#present.delete(unified);
    for (const { instrument } of found.values()) this.contractSizes.set(instrument.symbol, instrument.contractSize);
    this.#listings = found;
    this.#listedAt = clock();
  }

  async #readMaintenance(exchange: Exchange): Promise<void> {
    const { adapter } = this.#o;
    if (adapter.maintenance === undefined || this.rest.isOut) return;
    this.#maintenance = await this.rest.ask(exchange, () => adapter.maintenance!(exchange));
  }

  async #readPrices(exchange: Exchange): Promise<void> {
    // While the streams speak, a symbol that they are silent about has no price: REST may tell an old one.
    const isFallback = this.#silentStreams() > 0;
    const prices = await this.rest.ask(exchange, () => this.#o.adapter.prices(exchange));
    for (const [unified, heard] of prices) this.#hear(unified, heard, isFallback);
    this.#resyncedAt = this.#o.clock();
  }

  async #pollPrices(exchange: Exchange): Promise<void> {
    const { clock, times } = this.#o;
    if (this.#silentStreams() > 0 || clock() - this.#resyncedAt >= times.resync) await this.#readPrices(exchange);
  }

  async #readFigures(exchange: Exchange): Promise<void> {
    const { adapter } = this.#o;
    if (adapter.figures === undefined || this.rest.isOut) return;
    for (const [unified, heard] of await this.rest.ask(exchange, () => adapter.figures!(exchange))) {
      this.#hear(unified, heard, heard.last !== undefined);
    }
  }

  async #readSpotPrices(exchange: Exchange): Promise<void> {
    const { spot: spots } = followedIds(exchange);
    if (spots.size === 0 || this.rest.isOut) return;
    for (const [id, price] of await this.rest.ask(exchange, () => this.#o.adapter.spotPrices(exchange))) {
      const unified = spots.get(id);
      const last = priceOf(price);
      if (unified !== undefined && last !== undefined) this.#hear(unified, { last }, true);
    }
  }

  #silentStreams(): number {
    const { adapter, clock, times } = this.#o;
    const silent = ([name, { heardAt }]: [string, StreamState]) =>
      clock() - (heardAt ?? 0) > times.silent + adapter.streams[name]!.everyMs;
    return [...this.#streams].filter(silent).length;
  }

  /** Asks for the open interest of one symbol after another: of all at once nobody tells it. */
  async #readOpenInterest(exchange: Exchange): Promise<void> {
    const { adapter } = this.#o;
    if (adapter.openInterest === undefined) return;
    const listings = [...this.#listings.values()].filter(({ instrument }) => instrument.kind === 'perpetual');
    const unified = listings[this.#asked++ % listings.length]?.unified;
    const present = unified && this.#present.get(unified);
    if (!present || this.rest.isOut) return;
    const amount = await this.rest.ask(exchange, () => adapter.openInterest!(exchange, unified));
    const price = present.mark ?? present.last;
    if (amount !== null && price !== undefined) present.openInterest = amount * price;
  }

  /** Keeps one stream of all symbols open. */
  async #follow(exchange: Exchange, name: string, { watch, everyMs }: AllSymbols): Promise<void> {
    const { clock, times } = this.#o;
    const state: StreamState = { heardAt: null, failure: null, reopened: 0 };
    this.#streams.set(name, state);
    let wait = times.again;
    while (!this.signal.aborted) {
      try {
        await beforeSilence(watch(exchange), times.silent + everyMs);
        state.heardAt = clock();
        state.failure = null;
        wait = times.again;
      } catch (error) {
        if (this.signal.aborted) return;
        state.reopened += 1;
        if (state.failure === null) this.#o.onTrouble(`stream ${name}: ${(error as Error).name}`);
        state.failure = (error as Error).name;
        if (error instanceof Silence) await this.#reopen(exchange);
        await this.#rest(wait);
        wait = Math.min(wait * 2, times.longest);
      }
    }
  }

  /** Closes all connections of streams: each is opened again by who watches it. */
  async #reopen(exchange: Exchange): Promise<void> {
    if (this.#isReopening) return;
    this.#isReopening = true;
    await exchange.close().catch(() => undefined);
    this.#isReopening = false;
  }

  async #every(ms: number, what: string, run: () => Promise<unknown>): Promise<void> {
    let failing = false;
    for (;;) {
      await this.#rest(ms);
      if (this.signal.aborted) return;
      try {
        await run();
        failing = false;
      } catch (error) {
        if (!failing && !this.signal.aborted) this.#o.onTrouble(`${what}: ${(error as Error).name}`);
        failing = true;
      }
    }
  }

  /** undefined when it ends meanwhile. */
  async #keepTrying<T>(what: string, run: () => Promise<T>): Promise<T | undefined> {
    const { times } = this.#o;
    let wait = times.again;
    while (!this.signal.aborted) {
      try {
        return await run();
      } catch (error) {
        if (wait === times.again) this.#o.onTrouble(`${what}: ${(error as Error).name}`);
      }
      await this.#rest(wait);
      wait = Math.min(wait * 2, times.longest);
    }
    return undefined;
  }

  /** Ends early, and quietly, when the feed ends. */
  async #rest(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.signal }).catch(() => undefined);
  }
}
