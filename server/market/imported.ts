import { LRUCache } from 'lru-cache';
import { BAR_MS, type Bar, isLiveSource } from '#contract/candle';
import { DAY_MS } from '#contract/duration';
import type { Queries } from '../base/db/client';
import {
  listFunding,
  listSeries,
  readCandles,
  readFunding,
  readMinutes,
  readTails,
  type StoredSeries,
} from '../base/db/markets/candle';
import { listInstruments } from '../base/db/markets/instrument';
import { type Candles, indexesWithin, lowerBound, sliceCandles, type TimeRange } from '../base/maths/candles';
import { fundingIntervals } from '../base/maths/funding';
import {
  type Clock,
  type FundingHistory,
  type Instrument,
  type InstrumentKind,
  type Market,
  NOTHING_KNOWN,
  PERPETUALS,
  type Ticker,
  WITHOUT_VENUE,
} from './exchange';
import { kindOfName } from './live/listing';

const CACHE_BYTES = 96 * 1024 * 1024;
/** Symbols a query: large enough to share its cost, small enough that the event loop breathes in between. */
const SYMBOLS_PER_QUERY = 4;

/** Histories of all imported sources, together bounded by their bytes. */
export type CandleCache = LRUCache<string, Candles | FundingHistory>;
export const createCandleCache = (): CandleCache =>
  new LRUCache({
    maxSize: CACHE_BYTES,
    sizeCalculation: (columns) => Math.max(1, columns.time.byteLength * Object.keys(columns).length),
  });

interface Dependencies {
  db: Queries;
  clock: Clock;
  cache: CandleCache;
}

/** The candles and funding imported from one exchange. Its state moves on when `createMarkets` sees a new stamp. */
export class ImportedMarket implements Market {
  readonly kind = 'imported';
  readonly terms = WITHOUT_VENUE.terms;
  readonly feeShares = WITHOUT_VENUE.feeShares;
  readonly wallet = WITHOUT_VENUE.wallet;
  readonly latencyMs = WITHOUT_VENUE.latencyMs;
  readonly clockAheadMs = WITHOUT_VENUE.clockAheadMs;
  readonly deliveryPrice = WITHOUT_VENUE.deliveryPrice;
  readonly source: string;
  readonly #db: Queries;
  readonly #clock: Clock;
  readonly #cache: CandleCache;
  readonly #loading = new Map<string, Promise<Candles | null>>();
  readonly #waiting = new Map<Bar, Map<string, (candles: Promise<Candles | null>) => void>>();
  #stamp = '';
  /** What was found out once about this state of the source. */
  #known = new Map<string, Promise<unknown>>();

  constructor(source: string, { db, clock, cache }: Dependencies) {
    this.source = source;
    this.#db = db;
    this.#clock = clock;
    this.#cache = cache;
  }

  /** Drops all that was known of an older state. */
  moveTo(stamp: string): void {
    if (stamp === this.#stamp) return;
    this.#stamp = stamp;
    this.#known = new Map();
    for (const key of [...this.#cache.keys()]) if (key.startsWith(`${this.source}|`)) this.#cache.delete(key);
  }

  version(): string {
    return `${this.source}-${this.#stamp}`;
  }

  /** What was collected of an exchange that is followed no more trades nowhere; files are traded by their closes. */
  isOut(): boolean {
    return isLiveSource(this.source);
  }

  /** Such an exchange has no book that could be thought up from its closes. */
  get book(): Market['book'] {
    return isLiveSource(this.source) ? () => null : undefined;
  }

  /** They are collected, and no file has them. */
  get minutes(): Market['minutes'] {
    return isLiveSource(this.source)
      ? (symbol, range) => readMinutes(this.#db, { source: this.source, symbol }, range)
      : undefined;
  }

  async instruments(kinds: readonly InstrumentKind[] = PERPETUALS): Promise<Instrument[]> {
    const all = await this.#once('instruments', () => this.#readInstruments());
    return all.filter(({ kind }) => kinds.includes(kind));
  }

  async candles(symbol: string, bar: Bar, range?: TimeRange): Promise<Candles | null> {
    const candles = await this.#whole(symbol, bar);
    return candles && sliceCandles(candles, ...indexesWithin(candles.time, range));
  }

  async runningHour(): Promise<null> {
    return null;
  }

  async funding(symbol: string, range?: TimeRange): Promise<FundingHistory | null> {
    const stored = (await this.#fundingOf()).get(symbol);
    const history = stored && (await this.#settlements(stored.symbol));
    if (!history) return null;
    const [from, to] = indexesWithin(history.time, range);
    const part = (column: Float64Array) => column.subarray(from, to);
    return { time: part(history.time), rate: part(history.rate), hours: part(history.hours) };
  }

  async tickers(at = this.#clock(), kinds: readonly InstrumentKind[] = PERPETUALS): Promise<Ticker[]> {
    const newest = new Map<string, StoredSeries>();
    for (const series of await this.#series()) {
      if (!kinds.includes(this.#kindOf(series.symbol))) continue;
      const known = newest.get(series.symbol);
      if (!known || closeOf(series) > closeOf(known)) newest.set(series.symbol, series);
    }
    const tickers = await Promise.all([...newest.values()].map((series) => this.#ticker(series, at)));
    return tickers.filter((ticker) => ticker !== null).sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  }

  /** Files are of perpetuals; of what was collected nothing but the name tells. */
  #kindOf(symbol: string): InstrumentKind {
    return isLiveSource(this.source) ? kindOfName(symbol) : 'perpetual';
  }

  async #ticker(series: StoredSeries, at: number): Promise<Ticker | null> {
    const { symbol, bar } = series;
    const candles = closeOf(series) <= at ? (await this.#tails(bar)).get(symbol) : await this.candles(symbol, bar);
    return candles ? tickerOf(symbol, candles, BAR_MS[bar], at) : null;
  }

  #tails(bar: Bar): Promise<Map<string, Candles>> {
    const rows = DAY_MS / BAR_MS[bar] + 1;
    return this.#once(`tails ${bar}`, () => readTails(this.#db, this.source, bar, rows));
  }

  #series(): Promise<StoredSeries[]> {
    return this.#once('series', () => listSeries(this.#db, this.source));
  }

  /** Which settlements a symbol with candles has. */
  #fundingOf(): Promise<Map<string, { symbol: string; hours: number }>> {
    return this.#once('funding', () => this.#matchFunding());
  }

  /** Files of funding write `BTC-USDT` where those of candles write `BTCUSDT`: base and quote tell, where no name is the same. */
  async #matchFunding(): Promise<Map<string, { symbol: string; hours: number }>> {
    const [stored, rows, series] = await Promise.all([
      listFunding(this.#db, this.source),
      listInstruments(this.#db, this.source),
      this.#series(),
    ]);
    const found = new Map(stored.map((one) => [one.symbol, one]));
    const pairs = new Map(rows.map(({ symbol, base, quote }) => [symbol, `${base}/${quote}`.toUpperCase()]));
    const withCandles = new Set(series.map(({ symbol }) => symbol));
    const spare = stored.filter(({ symbol }) => !withCandles.has(symbol));
    for (const symbol of withCandles) {
      const same = spare.filter((one) => pairs.get(one.symbol) === pairs.get(symbol));
      if (!found.has(symbol) && same.length === 1) found.set(symbol, same[0]!);
    }
    return found;
  }

  async #settlements(symbol: string): Promise<FundingHistory | null> {
    const key = `${this.source}|${this.#stamp}|funding|${symbol}`;
    const cached = this.#cache.get(key) as FundingHistory | undefined;
    if (cached) return cached;
    const stored = await readFunding(this.#db, this.source, symbol);
    if (!stored) return null;
    const history = { ...stored, hours: fundingIntervals(stored.time).hours };
    this.#cache.set(key, history);
    return history;
  }

  #once<T>(name: string, find: () => Promise<T>): Promise<T> {
    const known = this.#known;
    let found = known.get(name) as Promise<T> | undefined;
    if (!found) {
      found = find();
      known.set(name, found);
      // A failure is told to those who wait and tried again for the next.
      found.catch(() => known.delete(name));
    }
    return found;
  }

  async #readInstruments(): Promise<Instrument[]> {
    const [rows, series, funding] = await Promise.all([
      listInstruments(this.#db, this.source),
      this.#series(),
      this.#fundingOf(),
    ]);
    const stored = new Map<string, StoredSeries[]>();
    for (const one of series) stored.set(one.symbol, [...(stored.get(one.symbol) ?? []), one]);
    return rows
      .flatMap(({ symbol, base, quote }) => {
        const own = stored.get(symbol);
        if (!own) return [];
        const names = { symbol, kind: this.#kindOf(symbol), base, quote, settle: quote, exchange: this.source };
        const fundingHours = funding.get(symbol)?.hours ?? null;
        return [{ ...names, ...UNKNOWN_TERMS, fundingHours, ...spanOf(own) }];
      })
      .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  }

  #whole(symbol: string, bar: Bar): Promise<Candles | null> {
    const key = `${this.source}|${this.#stamp}|${bar}|${symbol}`;
    const cached = this.#cache.get(key) as Candles | undefined;
    if (cached) return Promise.resolve(cached);
    let loading = this.#loading.get(key);
    if (!loading) {
      loading = this.#load(symbol, bar)
        .then((candles) => {
          if (candles) this.#cache.set(key, candles);
          return candles;
        })
        .finally(() => this.#loading.delete(key));
      this.#loading.set(key, loading);
    }
    return loading;
  }

  /** Waits for the others that are asked for at the same moment, so that they share queries. */
  #load(symbol: string, bar: Bar): Promise<Candles | null> {
    return new Promise((resolve) => {
      let waiting = this.#waiting.get(bar);
      if (!waiting) {
        waiting = new Map();
        this.#waiting.set(bar, waiting);
        setImmediate(() => this.#query(bar));
      }
      waiting.set(symbol, resolve);
    });
  }

  #query(bar: Bar): void {
    const waiting = [...(this.#waiting.get(bar) ?? [])];
    this.#waiting.delete(bar);
    for (let at = 0; at < waiting.length; at += SYMBOLS_PER_QUERY) {
      const group = waiting.slice(at, at + SYMBOLS_PER_QUERY);
      const symbols = group.map(([symbol]) => symbol);
      const found = readCandles(this.#db, this.source, bar, symbols);
      for (const [symbol, resolve] of group) resolve(found.then((candles) => candles.get(symbol) ?? null));
    }
  }
}

const UNKNOWN_TERMS = {
  contractSize: '1',
  expiresAt: null,
  sector: null,
  tickSize: null,
  lotSize: null,
  minNotional: null,
  maxLeverage: null,
};

const closeOf = ({ lastAt, bar }: StoredSeries) => lastAt + BAR_MS[bar];

/** @param series of one symbol, coarsest bar first */
function spanOf(series: StoredSeries[]): Pick<Instrument, 'bars' | 'listedAt' | 'lastAt'> {
  return {
    bars: series.map(({ bar }) => bar),
    listedAt: Math.min(...series.map(({ firstAt }) => firstAt)),
    lastAt: series[0]!.lastAt,
  };
}

/** The newest close not after `at`, against the close 24 h before it; `null` before the first close. */
function tickerOf(symbol: string, candles: Candles, barMs: number, at: number): Ticker | null {
  const last = lowerBound(candles.time, at - barMs + 1) - 1;
  if (last < 0) return null;
  const opened = candles.time[last]!;
  const first = lowerBound(candles.time, opened - DAY_MS + barMs);
  const before = lowerBound(candles.time, opened - DAY_MS);
  const sum = (column: Float64Array) => column.subarray(first, last + 1).reduce((total, value) => total + value, 0);
  const price = candles.close[last]!;
  return {
    symbol,
    at: opened + barMs,
    price,
    ...NOTHING_KNOWN,
    // Across a gap there is no close of a day ago to compare with.
    change24h: candles.time[before] === opened - DAY_MS ? price / candles.close[before]! - 1 : null,
    high24h: Math.max(...candles.high.subarray(first, last + 1)),
    low24h: Math.min(...candles.low.subarray(first, last + 1)),
    volume24h: sum(candles.volume),
    turnover24h: sum(candles.turnover),
  };
}
