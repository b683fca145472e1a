import { LRUCache } from 'lru-cache';
import type { Bar } from '#contract/candle';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { Candles, TimeRange } from '../../base/maths/candles';
import type {
  Clock,
  FundingHistory,
  Instrument,
  InstrumentKind,
  InstrumentTerms,
  Listing,
  Market,
  OrderBook,
  RunningHour,
  Ticker,
  Touch,
} from '../exchange';
import { INSTRUMENT_KINDS, PERPETUALS, WITHOUT_VENUE } from '../exchange';
import type { ImportedMarket } from '../imported';
import { markPrice } from '../marks';
import { expiryOfName } from './listing';
import { LiveBrackets } from './liveBrackets';
import type { LiveFeed, Present } from './liveFeed';
import type { LiveTimes } from './liveTimes';

/** The present is not older; what is asked for before it is told by the store. */
const PRESENT_MS = MINUTE_MS;
const RUNNING_KEPT_MS = 5 * SECOND_MS;
const RUNNING_KEPT = 1_000;
/** A candle that is missing for longer will not come, and what is listed no more for longer has gone for good. */
const GONE_MS = DAY_MS;

interface LiveMarketOptions {
  feed: LiveFeed;
  /** What the collector has stored of it. */
  past: ImportedMarket;
  clock: Clock;
  times: LiveTimes;
}

/** An exchange that is followed: its present by the feed, its past by what was stored. */
export class LiveMarket implements Market {
  readonly kind = 'live';
  readonly feeShares = WITHOUT_VENUE.feeShares;
  readonly wallet = WITHOUT_VENUE.wallet;
  readonly source: string;
  readonly feed: LiveFeed;
  readonly #past: ImportedMarket;
  readonly #clock: Clock;
  readonly #times: LiveTimes;
  readonly #running: LRUCache<string, Promise<RunningHour | null>>;
  /** Symbols that are listed no more and were asked for, with their last stored close. */
  readonly #gone = new Map<string, Listing>();
  readonly #delivered = new Map<string, number>();
  readonly #brackets: LiveBrackets;
  #movedAt = Number.NEGATIVE_INFINITY;

  constructor({ feed, past, clock, times }: LiveMarketOptions) {
    this.source = past.source;
    this.feed = feed;
    this.#past = past;
    this.#clock = clock;
    this.#times = times;
    this.#brackets = new LiveBrackets(feed, clock);
    this.#running = new LRUCache({ max: RUNNING_KEPT, ttl: RUNNING_KEPT_MS });
  }

  /** What is stored has changed: read anew, but not with every candle that is added. */
  moveTo(stamp: string): void {
    const now = this.#clock();
    if (now - this.#movedAt < this.#times.history) return;
    this.#movedAt = now;
    this.#past.moveTo(stamp);
  }

  version(): string {
    return `${this.#past.version()}-${this.feed.listedAt}`;
  }

  /** What is listed, and what is stored of what is listed no more. */
  async instruments(kinds: readonly InstrumentKind[] = PERPETUALS): Promise<Instrument[]> {
    const stored = new Map(
      (await this.#past.instruments(INSTRUMENT_KINDS)).map((instrument) => [instrument.symbol, instrument]),
    );
    const listed: Instrument[] = [];
    for (const { instrument } of this.feed.listings.values()) {
      const past = stored.get(instrument.symbol);
      stored.delete(instrument.symbol);
      if (kinds.includes(instrument.kind)) listed.push(past ? withPast(instrument, past) : instrument);
    }
    const gone = [...stored.values()].filter(({ kind }) => kinds.includes(kind));
    return [...listed, ...gone].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  }

  candles(symbol: string, bar: Bar, range?: TimeRange): Promise<Candles | null> {
    return this.#past.candles(symbol, bar, range);
  }

  get minutes(): Market['minutes'] {
    return this.#past.minutes;
  }

  funding(symbol: string, range?: TimeRange): Promise<FundingHistory | null> {
    return this.#past.funding(symbol, range);
  }

  /** Of now, those that something was heard of within seconds; of the past, by the candles that had closed. */
  async tickers(at = this.#clock(), kinds: readonly InstrumentKind[] = PERPETUALS): Promise<Ticker[]> {
    if (this.#isPast(at)) return this.#past.tickers(at, kinds);
    const found: Ticker[] = [];
    for (const { instrument } of this.feed.listings.values()) {
      const ticker = kinds.includes(instrument.kind) ? this.#ticker(instrument.symbol) : null;
      if (ticker !== null) found.push(ticker);
    }
    return found.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  }

  /** null for what nothing is known of now, and for the past. */
  listed(symbol: string, at = this.#clock()): Listing | null {
    const instrument = this.feed.listings.get(symbol)?.instrument;
    const ticker = instrument && !this.#isPast(at) ? this.#ticker(symbol) : null;
    return instrument && ticker ? { instrument, ticker } : null;
  }

  book(symbol: string, at = this.#clock()): OrderBook | null {
    return this.#isPast(at) || this.isOut() ? null : this.feed.book(symbol);
  }

  touchAt(symbol: string, at: number): Touch | null {
    return this.isOut() ? null : this.feed.touchAt(symbol, at);
  }

  isHeard(): Promise<boolean> {
    return this.feed.heard(this.#times.firstPrices);
  }

  async prepare(symbol: string): Promise<void> {
    const expiresAt = expiryOfName(symbol);
    if (expiresAt !== null && expiresAt <= this.#clock()) await this.#deliver(symbol, expiresAt);
    const listing = this.feed.listings.get(symbol);
    if (listing) {
      await Promise.all([this.feed.prepareBook(symbol), this.#brackets.ready(listing, this.#times.firstBook)]);
    }
    if (!listing && this.feed.listedAt > 0) await this.#readGone(symbol);
  }

  lastHeard(symbol: string): Listing | null {
    const listing = this.feed.listings.get(symbol);
    if (listing === undefined) return this.#gone.get(symbol) ?? null;
    const present = this.feed.lastHeard(symbol);
    const price = present?.last ?? present?.mark;
    if (!present || price === undefined) return null;
    const { instrument } = listing;
    return { instrument, ticker: tickerOf(symbol, present, price, this.feed.rest.aheadMs ?? 0) };
  }

  /** Base currency; of a future that is listed no more that of its perpetual, which is the same; of any other what it was. null where nobody knows. */
  contractSizeOf(symbol: string): string | null {
    const { listings } = this.feed;
    const listing = listings.get(symbol) ?? listings.get(symbol.replace(/_\d{6}$/, ''));
    return listing?.instrument.contractSize ?? this.feed.contractSizes.get(symbol) ?? null;
  }

  /** The fees of who has no discount. Nobody here has agreed on a loan, and coins back nothing. */
  terms(symbol: string): InstrumentTerms | null {
    const listing = this.feed.listings.get(symbol);
    if (!listing?.fees) return null;
    const { maker: makerFee, taker: takerFee } = listing.fees;
    const deliveryFee = listing.instrument.kind === 'future' ? takerFee : null;
    const unsaid = { fundingCap: null, collateralRatio: 0, borrowApr: 0, adl: null };
    const { mark, last } = this.feed.lastHeard(symbol) ?? {};
    return { makerFee, takerFee, deliveryFee, ...unsaid, brackets: this.#brackets.of(listing, mark ?? last) };
  }

  /** Of the past the close of the hour that ended then. */
  async markThen(symbol: string, at: number): Promise<number | null> {
    if (!this.#isPast(at)) {
      const ticker = this.#ticker(symbol);
      return ticker && markPrice(ticker);
    }
    const closed = await this.#past.candles(symbol, '1h', { end: at - HOUR_MS + 1 });
    const opened = closed?.time.at(-1);
    if (opened === undefined) return null;
    const isOfThen = at - (opened + HOUR_MS) < HOUR_MS;
    return isOfThen || this.#clock() - at > GONE_MS ? closed!.close.at(-1)! : null;
  }

  /** Until the next one that is due; of one that is listed no more none is. */
  async settledUntil(symbol: string): Promise<number> {
    const instrument = this.feed.listings.get(symbol)?.instrument;
    if (this.feed.listedAt === 0) return Number.NEGATIVE_INFINITY;
    if (!instrument?.fundingHours) return Number.POSITIVE_INFINITY;
    const last = (await this.#past.funding(symbol))?.time.at(-1);
    if (last === undefined) return Number.NEGATIVE_INFINITY;
    const due = last + instrument.fundingHours * HOUR_MS;
    // One that comes earlier than it used to is announced.
    const announced = this.feed.present(symbol)?.nextFundingAt ?? due;
    return (announced > last ? Math.min(due, announced) : due) - 1;
  }

  deliveryPrice(symbol: string): number | null {
    return this.#delivered.get(symbol) ?? null;
  }

  async runningHour(symbol: string): Promise<RunningHour | null> {
    const known = this.#running.get(symbol) ?? this.#readRunning(symbol);
    this.#running.set(symbol, known);
    return known;
  }

  /** Also while nothing is heard of all that it lists, as before it is known what that is. */
  isOut(): boolean {
    return this.feed.isOut || this.feed.isSilent;
  }

  latencyMs(): number | null {
    return this.feed.rest.delayMs;
  }

  clockAheadMs(): number | null {
    return this.feed.rest.aheadMs;
  }

  /** By the close of the perpetual at that hour: of the average of an index, which exchanges take, nothing is stored. */
  async #deliver(symbol: string, expiresAt: number): Promise<void> {
    if (this.#delivered.has(symbol) || !this.#isPast(expiresAt)) return;
    const price = await this.markThen(symbol.slice(0, symbol.lastIndexOf('_')), expiresAt);
    if (price !== null) this.#delivered.set(symbol, price);
  }

  /** What is held of it is worth its last close; for a day it may come back, then it is taken for gone (no turnover). */
  async #readGone(symbol: string): Promise<void> {
    const instrument = (await this.#past.instruments(INSTRUMENT_KINDS)).find((stored) => stored.symbol === symbol);
    const candles = instrument && (await this.#past.candles(symbol, '1h'));
    const opened = candles?.time.at(-1);
    if (!instrument || opened === undefined) return;
    const at = opened + HOUR_MS;
    const turnover24h = this.#clock() - at > GONE_MS ? null : 0;
    const ticker = tickerOf(symbol, { heardAt: at, turnover24h: turnover24h ?? undefined }, candles!.close.at(-1)!, 0);
    const expiresAt = expiryOfName(symbol);
    this.#gone.set(symbol, { instrument: { ...instrument, expiresAt }, ticker });
  }

  #isPast(at: number): boolean {
    return at < this.#clock() - PRESENT_MS;
  }

  #ticker(symbol: string): Ticker | null {
    const present = this.feed.present(symbol);
    if (present?.last === undefined) return null;
    return tickerOf(symbol, present, present.last, this.feed.rest.aheadMs ?? 0);
  }

  /** null where the exchange does not answer at once: nobody waits for a candle that is not closed. */
  async #readRunning(symbol: string): Promise<RunningHour | null> {
    const listing = this.feed.listings.get(symbol);
    if (listing === undefined) return null;
    const { adapter } = this.feed;
    const hour = Math.floor(this.#clock() / HOUR_MS) * HOUR_MS;
    try {
      const rows = await this.feed.askNow((asked) => adapter.candles(asked, listing.unified, '1h', hour, 1));
      const row = rows.find(([time]) => time === hour);
      if (row === undefined) return null;
      const [time, open, high, low, close, volume, turnover] = row;
      return { time, at: this.#clock(), open, high, low, close, volume, turnover };
    } catch {
      return null;
    }
  }
}

/** Steps and terms as they are listed; bars and their span as they are stored. */
function withPast(listed: Instrument, { bars, listedAt, lastAt }: Instrument): Instrument {
  // Not every exchange says it of spot.
  const isTold = listed.listedAt > 0;
  return { ...listed, bars, listedAt: isTold ? Math.min(listed.listedAt, listedAt) : listedAt, lastAt };
}

function tickerOf(symbol: string, present: Present, price: number, aheadMs: number): Ticker {
  const { at, heardAt, openInterest, nextFundingAt } = present;
  return {
    symbol,
    // By our clock: a price of the future is as wrong as one of the past.
    at: Math.min(heardAt, (at ?? heardAt) - aheadMs),
    price,
    mark: present.mark ?? null,
    index: present.index ?? null,
    change24h: present.change24h ?? null,
    high24h: present.high24h ?? null,
    low24h: present.low24h ?? null,
    volume24h: present.volume24h ?? null,
    turnover24h: present.turnover24h ?? null,
    fundingRate: present.fundingRate ?? null,
    settledFundingRate: null,
    nextFundingAt: nextFundingAt ?? null,
    openInterest: openInterest ?? null,
    openInterestChange24h: null,
    longShortRatio: null,
  };
}
