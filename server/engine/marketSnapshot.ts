import type Big from 'big.js';
import { LRUCache } from 'lru-cache';
import { isLiveSource } from '#contract/candle';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import type { Leg } from '#contract/lifecycle';
import type { Places } from '../base/db/hedges/pairLegs';
import { partsOf, type SourceSymbol, symbolKey } from '../base/symbolKey';
import type { Clock, Market, Markets, Ticker } from '../market/exchange';
import { Asked, type BySymbol, marksOf } from '../market/marks';
import { perpetualOf } from '../market/perpetualOf';
import type { Gone, TradingTerms, Venue } from '../market/venue';
import type { PairModel, PairModels } from './pairModel';

/** One symbol as the engine sees it at a tick. */
export interface SymbolView {
  /** USDT; the newest price known, however old. */
  price: number;
  mark: number;
  /** UTC ms of the price. */
  at: number;
  turnover24h: number | null;
  /** Young enough and not just after a jump: entries may use it. */
  fresh: boolean;
  jumped: boolean;
  /** Trades at all. */
  tradable: boolean;
}

export type MarketView = BySymbol<SymbolView>;

/** By source. */
export type Views = ReadonlyMap<string, MarketView>;

/** What positions were valued at, USDT, by source and symbol. */
export type Marks = ReadonlyMap<string, BySymbol<number>>;

export const viewOf = (views: Views, source: string, symbol: string): SymbolView | undefined =>
  views.get(source)?.get(symbol);

/** Beyond it a price is stale: no entry. */
const STALE_MS = 10_000;
const STOPPED_MS = HOUR_MS;
const JUMP = 0.2;
const JUMP_PAUSE_MS = 60_000;
const FOLLOWED_MS = DAY_MS;
/** An imported source has no younger price than its newest day; a coin that lags behind it by more has stopped. */
const IMPORT_LAG_MS = 3 * DAY_MS;

interface Before {
  price: number;
  at: number;
}

/** Makes views of one source tick by tick; remembers prices so that a jump is seen. */
export class PriceTracker {
  readonly #kind: Market['kind'];
  readonly #before = new Map<string, Before>();
  readonly #jumpedAt = new Map<string, number>();

  constructor(kind: Market['kind']) {
    this.#kind = kind;
  }

  /**
   * The source at an instant, UTC ms; of a market that knows its symbols one by one those that are asked for. Where the
   * price is no positive number nothing is known.
   */
  async at(market: Market, now: number): Promise<MarketView> {
    if (market.listed === undefined) return this.viewsOf(await market.tickers(), now);
    return new Asked((symbol) => {
      const present = market.listed?.(symbol, now)?.ticker;
      const ticker = present ?? market.lastHeard?.(symbol)?.ticker;
      if (!ticker || !isUsable(ticker)) return undefined;
      const view = this.#viewOf(ticker, now, now);
      // What it was worth when it was heard of last is known; that it trades at that is not.
      return present ? view : { ...view, fresh: false };
    });
  }

  /** @param now UTC ms. Tickers whose price is no positive number are left out: nothing is known of them. */
  viewsOf(tickers: readonly Ticker[], now: number): Map<string, SymbolView> {
    const usable = tickers.filter(isUsable);
    const newest = usable.reduce((latest, { at }) => Math.max(latest, at), 0);
    return new Map(usable.map((ticker) => [ticker.symbol, this.#viewOf(ticker, newest, now)]));
  }

  #viewOf({ symbol, price, mark, at, turnover24h }: Ticker, newest: number, now: number): SymbolView {
    const before = this.#before.get(symbol);
    // After a gap in tracking a different price is no jump.
    const isFollowed = before !== undefined && now - before.at < FOLLOWED_MS;
    if (isFollowed && Math.abs(price / before.price - 1) > JUMP) this.#jumpedAt.set(symbol, now);
    this.#before.set(symbol, { price, at: now });
    const jumpedAt = this.#jumpedAt.get(symbol);
    const jumped = jumpedAt !== undefined && now - jumpedAt < JUMP_PAUSE_MS;
    const imported = this.#kind === 'imported';
    const tradable = imported ? newest - at <= IMPORT_LAG_MS : now - at <= STOPPED_MS;
    const young = imported ? tradable : now - at <= STALE_MS;
    const usableMark = mark !== null && mark > 0 && Number.isFinite(mark) ? mark : price;
    return { price, mark: usableMark, at, turnover24h, jumped, tradable, fresh: young && tradable && !jumped };
  }
}

const isUsable = ({ price, at }: Ticker): boolean => price > 0 && Number.isFinite(price) && Number.isFinite(at);

interface MarketSnapshotOptions {
  clock: Clock;
  markets: Markets;
  venue: Venue;
  pairModels: PairModels;
}

type Window = Pick<HedgeSettings, 'zBar' | 'zWindow'>;

const TERMS_KEPT_MS = 60_000;
const TERMS_KEPT = 10_000;

/** The markets as a tick sees them: prices, what an order must keep to, and what the closed bars say. */
export class MarketSnapshot {
  readonly #o: MarketSnapshotOptions;
  readonly #trackers = new Map<string, PriceTracker>();
  /** When each source was last out, UTC ms. */
  readonly #outAt = new Map<string, number>();
  readonly #terms: LRUCache<string, TradingTerms>;
  #past: { at: number; marks: Map<string, BySymbol<number>> } | null = null;
  #at = 0;
  #views: Views = new Map();
  #markets: ReadonlyMap<string, Market> = new Map();
  #bitcoin: ReadonlyMap<string, string> = new Map();

  constructor(options: MarketSnapshotOptions) {
    this.#o = options;
    // A clock of its own, which may be that of a past day.
    const perf = { now: options.clock };
    this.#terms = new LRUCache({ max: TERMS_KEPT, ttl: TERMS_KEPT_MS, ttlResolution: 0, perf });
  }

  get views(): Views {
    return this.#views;
  }

  /** The last price of bitcoin in a source, USDT. */
  bitcoinOf(source: string): number | null {
    const symbol = this.#bitcoin.get(source);
    return symbol === undefined ? null : (viewOf(this.#views, source, symbol)?.price ?? null);
  }

  /** The same by the marks of a past instant. */
  bitcoinIn(marks: Marks, source: string): number | null {
    return marks.get(source)?.get(this.#bitcoin.get(source) ?? '') ?? null;
  }

  /** Reads the prices of these sources; the others are forgotten. */
  async refresh(sources: ReadonlySet<string>): Promise<void> {
    const now = this.#o.clock();
    const views = new Map<string, MarketView>();
    const markets = new Map<string, Market>();
    const bitcoins = new Map<string, string>();
    for (const source of sources) {
      const market = await this.#o.markets.get(source);
      if (!market) continue;
      const view = await this.#trackerOf(market).at(market, now);
      const bitcoin = perpetualOf(await market.instruments(), 'BTC');
      if (market.isOut(now)) this.#outAt.set(source, now);
      markets.set(source, market);
      views.set(source, view);
      if (bitcoin) bitcoins.set(source, bitcoin.symbol);
    }
    this.#at = now;
    this.#past = null;
    this.#views = views;
    this.#markets = markets;
    this.#bitcoin = bitcoins;
  }

  of({ long, short }: Places): Record<Leg, SymbolView | undefined> {
    return {
      long: viewOf(this.#views, long.source, long.symbol),
      short: viewOf(this.#views, short.source, short.symbol),
    };
  }

  /** The instant of the views, UTC ms. */
  get at(): number {
    return this.#at;
  }

  /** A source of the last refresh; undefined for any other. */
  marketOf(source: string): Market | undefined {
    return this.#markets.get(source);
  }

  /** What the closed bars of two symbols of one source say; null without enough history. */
  async modelOf({ long, short }: Places, { zBar, zWindow }: Window): Promise<PairModel | null> {
    const market = this.#markets.get(long.source);
    if (market === undefined) return null;
    return this.#o.pairModels.of(market, { long: long.symbol, short: short.symbol, bar: zBar, window: zWindow });
  }

  async termsOf({ long, short }: Places): Promise<Record<Leg, TradingTerms | undefined>> {
    return { long: await this.#termsOf(long), short: await this.#termsOf(short) };
  }

  async #termsOf({ source, symbol }: SourceSymbol): Promise<TradingTerms | undefined> {
    const key = symbolKey({ source, symbol });
    const known = this.#terms.get(key);
    if (known) return known;
    const terms = await this.#o.venue.terms(source, symbol);
    // Terms that are unknown for a moment are asked for again at the next refresh.
    this.#terms.set(key, terms);
    return terms;
  }

  /** Which of the two the venue has taken off for good, and how. */
  async goneOf({ long, short }: Places): Promise<Record<Leg, Gone | null>> {
    const { venue } = this.#o;
    return {
      long: await venue.goneBy(long.source, long.symbol),
      short: await venue.goneBy(short.source, short.symbol),
    };
  }

  /** Whether a source is an exchange of which no more is there than what was collected. */
  isUnfollowed(source: string): boolean {
    return isLiveSource(source) && this.#markets.get(source)?.kind !== 'live';
  }

  /** Whether the venue of each is down. */
  venueDownOf({ long, short }: Places): Record<Leg, boolean> {
    const isOut = ({ source }: SourceSymbol) => this.#markets.get(source)?.isOut(this.#at) ?? false;
    return { long: isOut(long), short: isOut(short) };
  }

  /** When the venue of each was last out, UTC ms; long ago where it never was. */
  outAtOf({ long, short }: Places): Record<Leg, number> {
    const of = ({ source }: SourceSymbol) => this.#outAt.get(source) ?? Number.NEGATIVE_INFINITY;
    return { long: of(long), short: of(short) };
  }

  /**
   * Marks of what is held, by `symbolKey`, and of bitcoin in another source, at a past instant (UTC ms). Of sources that tell
   * all at once they are cached until the next refresh.
   */
  async marksAt(at: number, held: ReadonlyMap<string, Big>, source = ''): Promise<Marks> {
    if (this.#past?.at !== at) this.#past = { at, marks: new Map() };
    const { marks } = this.#past;
    const symbols = new Map([[source, [this.#bitcoin.get(source) ?? '']]]);
    for (const [key, quantity] of held) {
      const place = partsOf(key);
      if (!quantity.eq(0)) symbols.set(place.source, [...(symbols.get(place.source) ?? []), place.symbol]);
    }
    const found = new Map(marks);
    for (const [each, asked] of symbols) {
      const market = this.#markets.get(each);
      if (market === undefined || marks.has(each)) continue;
      const read = await marksOf(market, at, asked);
      found.set(each, read);
      if (!market.markThen) marks.set(each, read);
    }
    return found;
  }

  #trackerOf({ source, kind }: Market): PriceTracker {
    const tracker = this.#trackers.get(source) ?? new PriceTracker(kind);
    this.#trackers.set(source, tracker);
    return tracker;
  }
}
