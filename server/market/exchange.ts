import type Big from 'big.js';
import type { Bar } from '#contract/candle';
import type { Candles, TimeRange } from '../base/maths/candles';

/** Settled funding of one symbol: `time` in UTC ms ascending, `rate` a fraction of the notional per settlement, `hours` of its interval. */
export interface FundingHistory {
  time: Float64Array;
  rate: Float64Array;
  hours: Float64Array;
}

export const INSTRUMENT_KINDS = ['spot', 'perpetual', 'future'] as const;
/** `future` expires and is delivered, `perpetual` pays funding, `spot` is the coin itself. */
export type InstrumentKind = (typeof INSTRUMENT_KINDS)[number];
/** What is meant where nobody names a kind. */
export const PERPETUALS: readonly InstrumentKind[] = ['perpetual'];

/** One thing to trade. `null` stands for a figure the source does not give. */
export interface Instrument {
  symbol: string;
  kind: InstrumentKind;
  base: string;
  quote: string;
  /** Asset in which it is paid. */
  settle: string;
  /** Base currency a contract, as a decimal string; quantities are in base currency all the same. */
  contractSize: string;
  /** Of a future, UTC ms. */
  expiresAt: number | null;
  /** Who lists it: `simulated`, or the exchange named at the import. */
  exchange: string;
  sector: string | null;
  /** Opening instant of the first candle, UTC ms. */
  listedAt: number;
  /** Opening instant of the newest stored candle of the coarsest bar, UTC ms. */
  lastAt: number;
  /** Bars with candles, coarsest first. */
  bars: Bar[];
  /** Hours between funding settlements. */
  fundingHours: number | null;
  /** Price step, quantity step (base), smallest order (quote), as decimal strings. */
  tickSize: string | null;
  lotSize: string | null;
  minNotional: string | null;
  maxLeverage: number | null;
}

/** The market of one symbol at one instant. Rates and changes are fractions. */
export interface Ticker {
  symbol: string;
  /** Instant the price belongs to, UTC ms. */
  at: number;
  price: number;
  mark: number | null;
  index: number | null;
  change24h: number | null;
  high24h: number | null;
  low24h: number | null;
  /** Base currency. */
  volume24h: number | null;
  /** Quote currency. */
  turnover24h: number | null;
  /** Predicted rate of the running interval, due at `nextFundingAt`. F3. */
  fundingRate: number | null;
  /** Rate of the last settlement. */
  settledFundingRate: number | null;
  nextFundingAt: number | null;
  /** Quote currency. */
  openInterest: number | null;
  openInterestChange24h: number | null;
  longShortRatio: number | null;
}

/** Of a symbol of which the price alone is known. */
export const NOTHING_KNOWN: Omit<Ticker, 'symbol' | 'at' | 'price'> = {
  ...{ mark: null, index: null, change24h: null, high24h: null, low24h: null, volume24h: null, turnover24h: null },
  ...{ fundingRate: null, settledFundingRate: null, nextFundingAt: null },
  ...{ openInterest: null, openInterestChange24h: null, longShortRatio: null },
};

/** A symbol of any kind as it stood at one instant. */
export interface Listing {
  instrument: Instrument;
  ticker: Ticker;
}

/** What was traded of a symbol since the last full hour. Prices in the quote currency. */
export interface RunningHour {
  /** When the hour began, UTC ms. */
  time: number;
  /** Instant of the newest price, UTC ms. */
  at: number;
  open: number;
  high: number;
  low: number;
  /** The newest price. */
  close: number;
  /** Base currency. */
  volume: number;
  /** Quote currency. */
  turnover: number;
}

/** A price in ticks and what is offered there in lots, both whole numbers. */
export interface BookLevel {
  ticks: number;
  lots: number;
}

/** What can be traded at once. Both sides best price first. */
export interface OrderBook {
  tickSize: Big;
  lotSize: Big;
  bids: BookLevel[];
  asks: BookLevel[];
  /** Its levels are orders of others, which stand until they go: what was taken of one does not come back with time. */
  isReal?: boolean;
}

/** Best prices, quote currency. */
export interface Touch {
  bids: number;
  asks: number;
}

/** One step of what a position of a size takes. */
export interface LeverageBracket {
  /** The largest notional that it is for, USDT. */
  cap: number;
  maxLeverage: number;
  /** A fraction of the whole notional, and what is taken off of what that comes to, USDT. */
  maintenanceRate: number;
  deducted: number;
}

/** What it costs and takes to hold a symbol at its venue. Fees and rates are fractions. */
export interface InstrumentTerms {
  makerFee: number;
  takerFee: number;
  /** Of a future at its expiry. */
  deliveryFee: number | null;
  /** The largest funding rate of a settlement, either way. */
  fundingCap: number | null;
  /** 抵押率: part of the value of the base coin that backs derivatives. */
  collateralRatio: number;
  /** Interest a year of borrowing the base coin. */
  borrowApr: number;
  /** 1 ... 5: how near positions are to being closed for others' losses; `null` for spot. */
  adl: number | null;
  /** Ascending; absent where the venue does not say, `null` before it has. */
  brackets?: readonly LeverageBracket[] | null | undefined;
}

/** How an asset can be moved at one moment. */
export interface WalletState {
  canDeposit: boolean;
  canWithdraw: boolean;
  /** The chain that it goes by. */
  network: string;
  /** USDT, and minutes. */
  transferFee: number;
  transferMinutes: number;
}

/** One source of market data: the simulated market, an exchange that is followed, or the candles imported from one. */
export interface Market {
  /** Name of the source as the API speaks of it: `simulated`, `bybit` ... */
  readonly source: string;
  readonly kind: 'simulated' | 'live' | 'imported';
  /** Changes whenever stored history changed, so that what was computed from it can be kept until then. */
  version(): string;
  /** All symbols of these kinds (default: perpetuals), ascending by symbol. */
  instruments(kinds?: readonly InstrumentKind[]): Promise<Instrument[]>;
  /** Candles whose bar has closed; `null` for an unknown symbol or a bar that is not stored. */
  candles(symbol: string, bar: Bar, range?: TimeRange): Promise<Candles | null>;
  /**
   * The newest minutes of so many hours in which there are any, before `end` (UTC ms); of what is not watched there are none.
   * Absent where a source never has them.
   */
  minutes?(symbol: string, range: { hours: number; end?: number | undefined }): Promise<Candles>;
  /** `null` where no price is younger than the closed bars: right at a full hour, of a stopped coin, of an imported source. */
  runningHour(symbol: string): Promise<RunningHour | null>;
  /** Settlements; `null` where the source has no funding. */
  funding(symbol: string, range?: TimeRange): Promise<FundingHistory | null>;
  /** Every symbol of these kinds (default: perpetuals) as it stood at `at` (default: now). An imported source answers with its last closes. */
  tickers(at?: number, kinds?: readonly InstrumentKind[]): Promise<Ticker[]>;
  /**
   * One symbol of any kind at `at` (default: now), from memory; `null` for one that was never listed. Absent where a
   * source knows its symbols only all at once.
   */
  listed?(symbol: string, at?: number): Listing | null;
  /** The book at `at` (default: now), from memory; `null` while nobody trades the symbol or the venue is out. Absent where a source has no books. */
  book?(symbol: string, at?: number): OrderBook | null;
  /** Best prices at an instant of the last minute, quote currency; `null` while there were none. Absent where `book` tells of the past. */
  touchAt?(symbol: string, at: number): Touch | null;
  /**
   * The first full second after `after` and not after `until`, UTC ms, in which somebody trades with an order that rests at `price`;
   * `null` where nobody does. Absent where `book` is.
   */
  meetsAt?(symbol: string, side: 'buy' | 'sell', price: number, after: number, until: number): number | null;
  /**
   * Instants within a stretch of time at which the prices of a symbol stood at least so far (a fraction) from those at other
   * venues because of what happened at one of `sources`, one of each such gap; UTC ms, ascending. Absent where a source keeps no quotes.
   */
  gapsWithin?(symbol: string, sources: readonly string[], least: number, from: number, until: number): number[];
  /** Whether anything was heard of it yet; waits a moment for that. Absent where it is known from the start. */
  isHeard?(): Promise<boolean>;
  /** Has what the present and the end of a symbol are told by in memory, as far as there is anything. Absent where it always is. */
  prepare?(symbol: string): Promise<void>;
  /** One symbol as it was heard of last, however long ago that is: what is held has to be valued. Absent where `listed` always tells. */
  lastHeard?(symbol: string): Listing | null;
  /** What was held of a symbol was valued at a past instant; `null` until that is known. Absent where `listed` and `tickers` tell of the past. */
  markThen?(symbol: string, at: number): Promise<number | null>;
  /** Settlements of a symbol are told up to this instant, UTC ms; a later one may be told late. Absent where each is told at once. */
  settledUntil?(symbol: string): Promise<number>;
  /** `null` for an unknown symbol, and where the source does not say. */
  terms(symbol: string, at?: number): InstrumentTerms | null;
  /** Part of the fees in `terms` that an account of each tier pays, the lowest tier first; more than the first only where the venue says. */
  readonly feeShares: readonly number[];
  /** `null` for an unknown asset, and where the source does not say. */
  wallet(asset: string, at?: number): WalletState | null;
  /** Whether the venue answers nobody. */
  isOut(at?: number): boolean;
  /** How long an order sent at `at` is under way, ms; `null` where nobody knows. */
  latencyMs(at?: number): number | null;
  /** How far the venue's clock is ahead of ours at `at`, ms, below 0 behind; `null` where nobody knows. */
  clockAheadMs(at?: number): number | null;
  /** Price at which a future was delivered; `null` before, and for everything else. */
  deliveryPrice(symbol: string): number | null;
}

/** What a source of files says of its venue: nothing. */
export const WITHOUT_VENUE = {
  terms: () => null,
  feeShares: [1],
  wallet: () => null,
  isOut: () => false,
  latencyMs: () => null,
  clockAheadMs: () => null,
  deliveryPrice: () => null,
} satisfies Partial<Market>;

/** All sources of this server. */
export interface Markets {
  /** What is meant where nobody names a source, and the venue of a first account. */
  readonly home: string;
  list(): Promise<Market[]>;
  /** `undefined` for an unknown source. */
  get(source: string): Promise<Market | undefined>;
  /** Every venue that orders may go to, whether it answers or not. */
  traded(): readonly Market[];
}

/** The present in UTC ms; given from outside so that tests and replays own it. */
export type Clock = () => number;
