import { BAR_MS, BARS, type Bar, SIMULATED } from '#contract/candle';
import { DAY_MS } from '#contract/duration';
import { indexesWithin, sliceCandles } from './columns';
import type { Candles, Clock, FundingHistory, Instrument, Market, RunningHour, Ticker, TimeRange } from './exchange';
import { buildCandles } from './simulated/candles';
import { Coin, createSharedFactors, type SharedFactors } from './simulated/coin';
import type { Factor } from './simulated/factor';
import { Funding } from './simulated/funding';
import { type Listing, listingsAt } from './simulated/listing';
import { TickerSource } from './simulated/ticker';
import { EPOCH_MS, hourAt, instantOf } from './simulated/time';

/** History offered of each bar, counted back from today's midnight. */
const DAYS_OFFERED: Record<Bar, number> = { '1d': 730, '4h': 90, '1h': 90 };

/** Funding asked for from here on is worked out by itself. */
const LATELY_MS = 7 * DAY_MS;

interface Traded {
  coin: Coin;
  funding: Funding;
  ticker: TickerSource;
}

interface Kept<T> {
  stamp: string;
  value: T;
}

/**
 * The market that needs no exchange: everything in it is a function of seed, symbol and instant, so a
 * restart continues the same history and two servers with one seed agree.
 */
class SimulatedMarket implements Market {
  readonly source = SIMULATED;
  readonly kind = 'simulated';
  readonly #seed: number;
  readonly #clock: Clock;
  readonly #shared: SharedFactors;
  readonly #traded = new Map<string, Traded>();
  readonly #candles = new Map<string, Kept<Candles>>();
  readonly #funding = new Map<string, Kept<FundingHistory>>();
  readonly #sharedHours = new Map<Factor, Kept<Float64Array>>();
  #listings: Kept<Map<string, Listing>> | undefined;

  constructor(seed: number, clock: Clock) {
    this.#seed = seed;
    this.#clock = clock;
    this.#shared = createSharedFactors(seed);
  }

  version(): string {
    return `${this.source}-${this.#seed}-${hourAt(this.#clock())}`;
  }

  async instruments(): Promise<Instrument[]> {
    const now = this.#clock();
    return [...this.#listingsAt(now).values()].map((listing) => this.#instrument(listing, now)).sort(bySymbol);
  }

  async candles(symbol: string, bar: Bar, range?: TimeRange): Promise<Candles | null> {
    const now = this.#clock();
    const listing = this.#listingsAt(now).get(symbol);
    if (!listing || !BARS.includes(bar)) return null;
    const candles = this.#allCandles(listing, bar, now);
    return sliceCandles(candles, ...indexesWithin(candles.time, range));
  }

  async runningHour(symbol: string): Promise<RunningHour | null> {
    const now = this.#clock();
    const listing = this.#listingsAt(now).get(symbol);
    return listing ? this.#tradedOf(listing).ticker.runningHour(now, listing) : null;
  }

  async funding(symbol: string, range?: TimeRange): Promise<FundingHistory | null> {
    const now = this.#clock();
    const listing = this.#listingsAt(now).get(symbol);
    if (!listing) return null;
    const offered = Math.max(listing.listedAt, startOf('1d', now));
    const end = Math.min(now, listing.stoppedAt ?? now);
    const { funding } = this.#tradedOf(listing);
    // Who asks for the last days, as a venue does every hour, does not pay for two years.
    if (range?.start !== undefined && range.start > now - LATELY_MS) {
      const before = Math.max(offered, range.start - 1);
      return within(funding.history(before, Math.min(end, (range.end ?? end + 1) - 1)), range);
    }
    const history = keep(this.#funding, symbol, `${offered} ${hourAt(end)}`, () => funding.history(offered, end));
    return within(history, range);
  }

  async tickers(at = this.#clock()): Promise<Ticker[]> {
    const instant = Math.min(at, this.#clock());
    return [...this.#listingsAt(instant).values()]
      .map((listing) => this.#tradedOf(listing).ticker.at(instant, listing))
      .sort(bySymbol);
  }

  #instrument(listing: Listing, now: number): Instrument {
    const { coin } = this.#tradedOf(listing);
    return {
      symbol: coin.symbol,
      base: coin.spec.base,
      quote: 'USDT',
      exchange: SIMULATED,
      sector: coin.spec.sector,
      listedAt: Math.max(listing.listedAt, startOf('1d', now)),
      lastAt: endOf('1d', listing, now) - DAY_MS,
      bars: [...BARS],
      fundingHours: coin.fundingHours,
      tickSize: (1 / coin.priceUnits).toFixed(coin.priceDecimals),
      lotSize: (1 / coin.lotUnits).toFixed(coin.lotDecimals),
      minNotional: coin.spec.turnoverMillions >= 800 ? '20' : '5',
      maxLeverage: leverageOf(coin.spec.turnoverMillions),
    };
  }

  #allCandles(listing: Listing, bar: Bar, now: number): Candles {
    const from = hourAt(Math.max(listing.listedAt, startOf(bar, now)));
    const to = Math.max(from, hourAt(endOf(bar, listing, now)));
    const { coin } = this.#tradedOf(listing);
    return keep(this.#candles, `${coin.symbol} ${bar}`, `${from} ${to}`, () =>
      buildCandles(coin, bar, from, to, (factor, fromDay, toDay) => this.#hoursOf(factor, fromDay, toDay, now)),
    );
  }

  /** Hours of a factor that many coins share, computed once for the whole window; `null` for a coin's own factor. */
  #hoursOf(factor: Factor, fromDay: number, toDay: number, now: number): Float64Array | null {
    const isShared = factor === this.#shared.market || [...this.#shared.sectors.values()].includes(factor);
    if (!isShared) return null;
    const start = hourAt(startOf('1d', now)) / 24;
    const end = Math.floor(hourAt(now) / 24) + 1;
    const hours = keep(this.#sharedHours, factor, `${start} ${end}`, () => factor.hours(start, end));
    return hours.subarray((fromDay - start) * 24, (toDay - start) * 24 + 1);
  }

  #listingsAt(instant: number): Map<string, Listing> {
    const stamp = String(hourAt(instant));
    if (this.#listings?.stamp !== stamp) {
      const listings = listingsAt(instantOf(hourAt(instant)));
      this.#listings = { stamp, value: new Map(listings.map((listing) => [`${listing.spec.base}USDT`, listing])) };
    }
    return this.#listings.value;
  }

  #tradedOf({ spec }: Listing): Traded {
    let traded = this.#traded.get(spec.base);
    if (!traded) {
      const coin = new Coin(this.#seed, spec, this.#shared);
      const funding = new Funding(coin);
      traded = { coin, funding, ticker: new TickerSource(coin, funding) };
      this.#traded.set(spec.base, traded);
    }
    return traded;
  }
}

function within({ time, rate }: FundingHistory, range: TimeRange | undefined): FundingHistory {
  const [from, to] = indexesWithin(time, range);
  return { time: time.subarray(from, to), rate: rate.subarray(from, to) };
}

const bySymbol = (a: { symbol: string }, b: { symbol: string }) => (a.symbol < b.symbol ? -1 : 1);

/** Opening instant of the oldest bar offered. */
function startOf(bar: Bar, now: number): number {
  return Math.max(EPOCH_MS, Math.floor(now / DAY_MS) * DAY_MS - DAYS_OFFERED[bar] * DAY_MS);
}

/** Close of the newest closed bar. */
function endOf(bar: Bar, { stoppedAt }: Listing, now: number): number {
  return Math.floor(Math.min(now, stoppedAt ?? now) / BAR_MS[bar]) * BAR_MS[bar];
}

function leverageOf(turnoverMillions: number): number {
  if (turnoverMillions >= 5_000) return 125;
  if (turnoverMillions >= 400) return 75;
  return turnoverMillions >= 60 ? 50 : 25;
}

/** The value kept under `key` while its stamp is the same, else a new one. */
function keep<K, T>(store: Map<K, Kept<T>>, key: K, stamp: string, make: () => T): T {
  const known = store.get(key);
  if (known?.stamp === stamp) return known.value;
  const value = make();
  store.set(key, { stamp, value });
  return value;
}

/**
 * @param seed chooses the history; the same seed always gives the same one
 */
export function createSimulatedMarket({ seed = 1, clock }: { seed?: number; clock: Clock }): Market {
  return new SimulatedMarket(seed, clock);
}
