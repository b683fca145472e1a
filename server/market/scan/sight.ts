import { SIMULATED_SOURCES } from '#contract/candle';
import { SCAN_INTERVAL_MS } from '#contract/scan';
import { type Side, vwap } from '../../base/maths/depth';
import { mapYielding } from '../../base/work/loopTurns';
import {
  type Clock,
  INSTRUMENT_KINDS,
  type Instrument,
  type InstrumentTerms,
  type Market,
  type Markets,
  type OrderBook,
  type Ticker,
  type WalletState,
} from '../exchange';

/** One instrument at one venue at one beat. Book and terms are worked out when somebody asks. */
export class Quoted {
  readonly market: Market;
  readonly instrument: Instrument;
  readonly ticker: Ticker;
  readonly #at: number;
  #book: OrderBook | null | undefined;
  #terms: InstrumentTerms | null | undefined;
  #sides: { bids: Side; asks: Side } | null | undefined;

  constructor(market: Market, instrument: Instrument, ticker: Ticker, at: number) {
    this.market = market;
    this.instrument = instrument;
    this.ticker = ticker;
    this.#at = at;
  }

  get book(): OrderBook | null {
    if (this.#book === undefined) this.#book = this.market.book?.(this.instrument.symbol, this.#at) ?? null;
    return this.#book;
  }

  get terms(): InstrumentTerms | null {
    if (this.#terms === undefined) this.#terms = this.market.terms(this.instrument.symbol, this.#at);
    return this.#terms;
  }

  /** Both sides of the book as numbers; `null` where there is none. */
  get sides(): { bids: Side; asks: Side } | null {
    if (this.#sides === undefined) this.#sides = this.book && sidesOf(this.book);
    return this.#sides;
  }

  /** Middle of the best prices; `null` without a book that has both. */
  get mid(): number | null {
    const { bids, asks } = this.sides ?? {};
    const [bid, ask] = [bids?.levels[0], asks?.levels[0]];
    return bid && ask ? ((bid.ticks + ask.ticks) / 2) * bids!.tick : null;
  }

  /** Average prices of selling and of buying so much at once, base currency; `null` where the book holds less. */
  at(quantity: number): { bid: number; ask: number } | null {
    if (!this.sides) return null;
    const bid = vwap(this.sides.bids, quantity);
    const ask = vwap(this.sides.asks, quantity);
    return bid === null || ask === null ? null : { bid, ask };
  }
}

function sidesOf({ tickSize, lotSize, bids, asks }: OrderBook): { bids: Side; asks: Side } {
  const steps = { tick: Number(tickSize), lot: Number(lotSize) };
  return { bids: { ...steps, levels: bids }, asks: { ...steps, levels: asks } };
}

/** What one venue lists of one coin. */
export interface CoinAtVenue {
  base: string;
  spot: Quoted | undefined;
  perpetual: Quoted | undefined;
  /** The near one first. */
  futures: Quoted[];
}

export interface VenueSight {
  market: Market;
  isOut: boolean;
  coins: ReadonlyMap<string, CoinAtVenue>;
  /** `null` where the venue does not say. */
  wallet(base: string): WalletState | null;
}

/** All venues at one beat. */
export interface MarketSight {
  /** UTC ms. */
  at: number;
  venues: readonly VenueSight[];
}

/** The venues that strategies trade at, as they stand; everybody who asks within a beat sees the same. */
export function createMarketSight(markets: Markets, clock: Clock): () => Promise<MarketSight> {
  const listed = new WeakMap<Market, { version: string; instruments: Promise<Instrument[]> }>();
  let kept: { beat: number; sight: Promise<MarketSight> } | undefined;

  function instrumentsOf(market: Market): Promise<Instrument[]> {
    const version = market.version();
    const known = listed.get(market);
    if (known?.version === version) return known.instruments;
    const instruments = market.instruments(INSTRUMENT_KINDS);
    listed.set(market, { version, instruments });
    return instruments;
  }

  async function venueAt(market: Market, at: number): Promise<VenueSight> {
    const instruments = await instrumentsOf(market);
    // Kind by kind: all of a venue's at once would hold the loop for longer than a slice.
    const tickers = (await mapYielding(INSTRUMENT_KINDS, (kind) => market.tickers(at, [kind]))).flat();
    const all = coinsOf(market, instruments, new Map(tickers.map((ticker) => [ticker.symbol, ticker])), at);
    const coins = market.kind === 'live' ? mostTraded(all) : all;
    return { market, isOut: market.isOut(at), coins, wallet: (base) => market.wallet(base, at) };
  }

  /** Of those that are followed; which they are does not change while the server runs. */
  let followed: Promise<string[]> | undefined;
  async function sources(): Promise<readonly string[]> {
    followed ??= markets.list().then((list) => list.flatMap(({ source, kind }) => (kind === 'live' ? [source] : [])));
    followed.catch(() => {
      followed = undefined;
    });
    return [...SIMULATED_SOURCES, ...(await followed)];
  }

  async function read(at: number): Promise<MarketSight> {
    const found = await Promise.all((await sources()).map((source) => markets.get(source)));
    const standing = found.filter((market) => market !== undefined);
    return { at, venues: await mapYielding(standing, (market) => venueAt(market, at)) };
  }

  return () => {
    const beat = Math.floor(clock() / SCAN_INTERVAL_MS);
    if (kept?.beat !== beat) {
      const sight = read(beat * SCAN_INTERVAL_MS);
      kept = { beat, sight };
      sight.catch(() => {
        if (kept?.sight === sight) kept = undefined;
      });
    }
    return kept.sight;
  };
}

/** Each book that is looked at is followed: of a real exchange those of the coins with futures and of the most traded ones. */
const FOLLOWED_COINS = 30;

function mostTraded(coins: ReadonlyMap<string, CoinAtVenue>): Map<string, CoinAtVenue> {
  const turnover = ({ perpetual, spot }: CoinAtVenue) => (perpetual ?? spot)?.ticker.turnover24h ?? 0;
  const rank = ([, coin]: [string, CoinAtVenue]) =>
    coin.futures.length > 0 ? Number.POSITIVE_INFINITY : turnover(coin);
  return new Map(
    [...coins].sort((a, b) => rank(b) - rank(a) || turnover(b[1]) - turnover(a[1])).slice(0, FOLLOWED_COINS),
  );
}

function coinsOf(market: Market, instruments: Instrument[], tickers: ReadonlyMap<string, Ticker>, at: number) {
  const coins = new Map<string, CoinAtVenue>();
  for (const instrument of instruments) {
    const ticker = tickers.get(instrument.symbol);
    if (ticker === undefined) continue;
    const { base, kind } = instrument;
    const coin: CoinAtVenue = coins.get(base) ?? { base, spot: undefined, perpetual: undefined, futures: [] };
    coins.set(base, coin);
    const quoted = new Quoted(market, instrument, ticker, at);
    if (kind === 'future') coin.futures.push(quoted);
    else coin[kind] = quoted;
  }
  for (const { futures } of coins.values()) futures.sort((a, b) => a.instrument.expiresAt! - b.instrument.expiresAt!);
  return coins;
}
