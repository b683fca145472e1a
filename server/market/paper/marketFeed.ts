import Big from 'big.js';
import { LRUCache } from 'lru-cache';
import { HOUR_MS, SECOND_MS } from '#contract/duration';
import type { TimeRange } from '../../base/maths/candles';
import type {
  Clock,
  FundingHistory,
  Instrument,
  InstrumentTerms,
  Listing,
  Market,
  Markets,
  OrderBook,
  Ticker,
} from '../exchange';
import { Asked, type BySymbol, markPrice, marksOf } from '../marks';
import type { Side, TradingTerms } from '../venue';
import { orderBook } from './orderBook';
import type { TakenDepth } from './takenDepth';

/** For sources that do not say: fractions of the notional, USDT, and times the margin. */
const FEES = { makerFee: 0.0002, takerFee: 0.0005 };
const MIN_NOTIONAL = '5';
const MAX_LEVERAGE = 20;
/** Digits that a price derived from nothing but itself is quoted with. */
const PRICE_DIGITS = 5;

/** The larger the coin, the less has to be kept: turnover of a day in USDT from which a rate holds. */
const MAINTENANCE: readonly (readonly [from: number, rate: number])[] = [
  [1e9, 0.005],
  [2e8, 0.01],
  [5e7, 0.015],
  [1e7, 0.02],
];
/** That of the smallest coins. */
const HIGHEST_MAINTENANCE_RATE = 0.025;
/** No position of a symbol has to keep more. */
export const highestMaintenanceRate = ({ brackets }: TradingTerms): number =>
  Math.max(HIGHEST_MAINTENANCE_RATE, ...(brackets ?? []).map(({ maintenanceRate }) => maintenanceRate));

/** A power of ten as a plain decimal. */
const powerOfTen = (exponent: number): string => new Big(10).pow(exponent).toFixed();

/**
 * Steps and terms of a symbol. What the source does not know is derived from the price: a tick of five
 * significant digits and a lot that is worth about 1 USDT.
 */
export function tradingTerms(
  source: string,
  instrument: Instrument,
  { price, turnover24h }: Ticker,
  ofVenue: InstrumentTerms | null,
): TradingTerms {
  const { makerFee, takerFee } = ofVenue ?? FEES;
  const isSpot = instrument.kind === 'spot';
  const brackets = isSpot ? undefined : ofVenue?.brackets;
  const smallest = brackets?.[0];
  const heldBack = MAINTENANCE.find(([from]) => (turnover24h ?? 0) >= from)?.[1] ?? HIGHEST_MAINTENANCE_RATE;
  return {
    source,
    symbol: instrument.symbol,
    kind: instrument.kind,
    base: instrument.base,
    expiresAt: instrument.expiresAt,
    tickSize: instrument.tickSize ?? powerOfTen(Math.floor(Math.log10(price)) - PRICE_DIGITS + 1),
    lotSize: instrument.lotSize ?? powerOfTen(-Math.round(Math.log10(price))),
    minNotional: instrument.minNotional ?? MIN_NOTIONAL,
    maxLeverage: isSpot ? 1 : (smallest?.maxLeverage ?? instrument.maxLeverage ?? MAX_LEVERAGE),
    makerFee,
    takerFee,
    deliveryFee: ofVenue?.deliveryFee ?? 0,
    maintenanceRate: isSpot ? 0 : (smallest?.maintenanceRate ?? heldBack),
    brackets,
    collateralRatio: isSpot ? (ofVenue?.collateralRatio ?? 0) : 0,
  };
}

/** How long a source is believed to be the one that was looked up: finding an imported one asks the database. */
const LOOKED_UP_MS = 10_000;
/** Of past instants only a settlement asks, and of each for many accounts at once. */
const INSTANTS_KEPT = 64;
/** Without a newer price for so long nobody trades it. */
const SILENT_MS = 72 * HOUR_MS;
const DELISTED_MS = HOUR_MS;

/** One symbol at one instant. */
export interface Listed {
  ticker: Ticker;
  terms: TradingTerms;
  /** What positions are valued at, USDT. */
  mark: number;
  /** undefined while nobody trades it. */
  book: OrderBook | undefined;
  /** The book that first met an order resting at `price` after `after` (UTC ms) and before now, and when; undefined when none did. */
  metSince(side: Side, price: number, after: number): { book: OrderBook; at: number } | undefined;
  /** There are books here that may come back: what cannot wait is not done at another price. */
  mayBeQuoted: boolean;
  /** Taken off its exchange for good. */
  isDelisted: boolean;
  /** At which price a future was delivered; null before, and for everything else. */
  deliveredAt: number | null;
}

/** The symbols of one source at one instant. */
export type Board = BySymbol<Listed>;
export type Boards = ReadonlyMap<string, Board>;

export const listedOn = (boards: Boards, { source, symbol }: { source: string; symbol: string }): Listed | undefined =>
  boards.get(source)?.get(symbol);

interface Followed {
  market: Market;
  lookedUpAt: number;
  instruments: { version: string; bySymbol: Promise<Map<string, Instrument>> } | undefined;
  board: { stamp: string; board: Promise<Board> } | undefined;
}

/**
 * The markets as the venue sees them. Tickers are read once a second and source, however many orders and
 * accounts ask: prices move by the second.
 */
export class MarketFeed {
  readonly #markets: Markets;
  readonly #clock: Clock;
  readonly #followed = new Map<string, Followed>();
  readonly #marks = new LRUCache<string, Promise<BySymbol<number>>>({ max: INSTANTS_KEPT });

  readonly #frozenAt: () => number | undefined;
  readonly #taken: TakenDepth | null;

  /**
   * @param frozenAt an instant, UTC ms, that boards do not move on from
   * @param taken what is missing from the books for a while; null where they are whole at once
   */
  constructor(
    markets: Markets,
    clock: Clock,
    frozenAt: () => number | undefined = () => undefined,
    taken: TakenDepth | null = null,
  ) {
    this.#markets = markets;
    this.#clock = clock;
    this.#frozenAt = frozenAt;
    this.#taken = taken;
  }

  /** How long an order is under way to the venue of a source, ms; null where nobody knows. */
  async latencyMs(source: string): Promise<number | null> {
    return (await this.#follow(source))?.market.latencyMs(this.#now()) ?? null;
  }

  /** The board of each source that exists. */
  async boards(sources: Iterable<string>): Promise<Boards> {
    const boards = new Map<string, Board>();
    for (const source of new Set(sources)) {
      const board = await this.board(source);
      if (board) boards.set(source, board);
    }
    return boards;
  }

  async board(source: string): Promise<Board | undefined> {
    const followed = await this.#follow(source);
    if (!followed) return undefined;
    const now = this.#now();
    const stamp = `${followed.market.version()} ${Math.floor(now / SECOND_MS)}`;
    if (followed.board?.stamp !== stamp) followed.board = { stamp, board: this.#read(followed, now) };
    const { board } = followed.board;
    board.catch(() => {
      if (followed.board?.board === board) followed.board = undefined;
    });
    return board;
  }

  /** Whether the venue of a source answers nobody now. */
  async isOut(source: string): Promise<boolean> {
    return (await this.#follow(source))?.market.isOut(this.#now()) ?? false;
  }

  /** Mark of a symbol at a past instant; undefined where there is none, or none is known yet. */
  async markAt(source: string, symbol: string, instant: number): Promise<number | undefined> {
    const market = (await this.#follow(source))?.market;
    if (market === undefined) return undefined;
    if (market.markThen) return (await market.markThen(symbol, instant)) ?? undefined;
    const key = `${source} ${instant}`;
    const marks = this.#marks.get(key) ?? marksOf(market, instant, [symbol]);
    this.#marks.set(key, marks);
    marks.catch(() => this.#marks.delete(key));
    return (await marks).get(symbol);
  }

  /** Has what is told of a symbol from memory there; what is in memory always needs no wait. */
  async prepare(source: string, symbol: string): Promise<void> {
    await (await this.#follow(source))?.market.prepare?.(symbol);
  }

  /** Whether what happened at a source may be told later. */
  async tellsLate(source: string): Promise<boolean> {
    return (await this.#follow(source))?.market.settledUntil !== undefined;
  }

  /** Settlements of a symbol are told up to this instant, UTC ms; undefined where each is told at once. */
  async settledUntil(source: string, symbol: string): Promise<number | undefined> {
    return (await this.#follow(source))?.market.settledUntil?.(symbol);
  }

  /** Settlements of a symbol; undefined where there are none. */
  async funding(source: string, symbol: string, range: TimeRange): Promise<FundingHistory | undefined> {
    const followed = await this.#follow(source);
    return (await followed?.market.funding(symbol, range)) ?? undefined;
  }

  readonly #now = (): number => this.#frozenAt() ?? this.#clock();

  async #follow(source: string): Promise<Followed | undefined> {
    const known = this.#followed.get(source);
    const now = this.#clock();
    if (known && Math.abs(now - known.lookedUpAt) < LOOKED_UP_MS) return known;
    const market = await this.#markets.get(source);
    if (!market) return undefined;
    if (known?.market === market) {
      known.lookedUpAt = now;
      return known;
    }
    const followed = { market, lookedUpAt: now, instruments: undefined, board: undefined };
    this.#followed.set(source, followed);
    return followed;
  }

  async #read(followed: Followed, instant: number): Promise<Board> {
    const { market } = followed;
    if (market.listed) {
      return new Asked((symbol) => {
        const listing = market.listed?.(symbol, instant) ?? market.lastHeard?.(symbol);
        return listing ? new ListedSymbol(market, listing, instant, this.#now, this.#taken) : undefined;
      });
    }
    const [tickers, instruments] = await Promise.all([market.tickers(instant), this.#instruments(followed)]);
    const newest = tickers.reduce((at, ticker) => Math.max(at, ticker.at), 0);
    const board = new Map<string, Listed>();
    for (const ticker of tickers) {
      const instrument = instruments.get(ticker.symbol);
      if (!instrument || !(ticker.price > 0) || !Number.isFinite(ticker.price)) continue;
      board.set(ticker.symbol, new ListedSymbol(market, { instrument, ticker }, newest, this.#now, this.#taken));
    }
    return board;
  }

  #instruments(followed: Followed): Promise<Map<string, Instrument>> {
    const version = followed.market.version();
    if (followed.instruments?.version !== version) {
      const bySymbol = followed.market
        .instruments()
        .then((rows) => new Map(rows.map((instrument) => [instrument.symbol, instrument])));
      followed.instruments = { version, bySymbol };
      bySymbol.catch(() => {
        followed.instruments = undefined;
      });
    }
    return followed.instruments.bySymbol;
  }
}

/** Works out terms and book when somebody asks: of most symbols nobody does. */
class ListedSymbol implements Listed {
  readonly ticker: Ticker;
  readonly mark: number;
  readonly #market: Market;
  readonly #instrument: Instrument;
  readonly #newest: number;
  readonly #now: Clock;
  readonly #taken: TakenDepth | null;
  #terms: TradingTerms | undefined;
  #derived: { book: OrderBook | undefined } | undefined;

  /** @param newest instant of the newest price of the source, UTC ms */
  constructor(market: Market, { instrument, ticker }: Listing, newest: number, now: Clock, taken: TakenDepth | null) {
    this.#taken = taken;
    this.#market = market;
    this.#instrument = instrument;
    this.#newest = newest;
    this.#now = now;
    this.ticker = ticker;
    this.mark = markPrice(ticker) ?? ticker.price;
  }

  get terms(): TradingTerms {
    this.#terms ??= tradingTerms(
      this.#market.source,
      this.#instrument,
      this.ticker,
      this.#market.terms(this.ticker.symbol, this.#now()),
    );
    return this.#terms;
  }

  /** Without what was taken from it of late. */
  get book(): OrderBook | undefined {
    const book = this.#wholeBook;
    return book && (this.#taken?.without(this.terms, book, this.#now()) ?? book);
  }

  /** The market's own, which moves on within the second; else one that follows from price and turnover. */
  get #wholeBook(): OrderBook | undefined {
    if (this.#market.book) return this.#market.book(this.ticker.symbol, this.#now()) ?? undefined;
    this.#derived ??= { book: this.#deriveBook() };
    return this.#derived.book;
  }

  metSince(side: Side, price: number, after: number): { book: OrderBook; at: number } | undefined {
    const { symbol } = this.ticker;
    const at = this.#market.meetsAt?.(symbol, side, price, after, this.#now()) ?? null;
    const book = at === null ? null : this.#market.book?.(symbol, at);
    return at !== null && book ? { book: this.#taken?.without(this.terms, book, at) ?? book, at } : undefined;
  }

  get mayBeQuoted(): boolean {
    return this.#market.prepare !== undefined && !this.isDelisted;
  }

  get deliveredAt(): number | null {
    return this.#market.deliveryPrice(this.ticker.symbol);
  }

  /** A market that moves on says nothing but a last price of such a symbol; files always tell the turnover. */
  get isDelisted(): boolean {
    if (this.#instrument.kind === 'future') return false;
    return this.ticker.turnover24h === null && this.#newest - this.ticker.at >= DELISTED_MS;
  }

  #deriveBook(): OrderBook | undefined {
    const { price, turnover24h, at } = this.ticker;
    if (!turnover24h || turnover24h < 0 || this.#newest - at > SILENT_MS) return undefined;
    return orderBook(price, turnover24h, this.terms);
  }
}
