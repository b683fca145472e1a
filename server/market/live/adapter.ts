import type {
  OrderBook as CcxtBook,
  MarketInterface as CcxtMarket,
  FundingRateHistory as CcxtSettlement,
  Exchange,
} from 'ccxt';
import type { InstrumentKind, LeverageBracket } from '../exchange';

/** How an exchange counts what it is asked, within a minute. */
export interface Weight {
  /** What is counted apart. */
  pool: string;
  used: number;
  limit: number;
}

/** What a ticker, mark or best price of the exchange says; what it does not is undefined. Prices in the quote currency. */
export interface Heard {
  /** UTC ms by the exchange's clock. */
  at?: number | undefined;
  last?: number | undefined;
  bid?: number | undefined;
  ask?: number | undefined;
  mark?: number | undefined;
  index?: number | undefined;
  /** A fraction. */
  change24h?: number | undefined;
  high24h?: number | undefined;
  low24h?: number | undefined;
  /** Base currency. */
  volume24h?: number | undefined;
  /** Quote currency. */
  turnover24h?: number | undefined;
  /** Predicted, a fraction of the running interval. */
  fundingRate?: number | undefined;
  nextFundingAt?: number | undefined;
  /** Quote currency, and base currency. */
  openInterest?: number | undefined;
  interest?: number | undefined;
}

/** A closed or running candle: opening instant, open, high, low, close, base volume, quote volume. */
export type CandleRow = readonly [number, number, number, number, number, number, number];

/** A stream of all symbols. */
export interface AllSymbols {
  /** Settles with the next message, and again when called again. */
  watch(exchange: Exchange): Promise<unknown>;
  /** How often it says something, ms. */
  everyMs: number;
}

/** By the library's symbol. */
export type HeardRows = readonly (readonly [symbol: string, heard: Heard])[];

/** What one message says. */
export interface Told {
  /** The name under which it is waited for. */
  channel: string;
  heard: HeardRows;
}

/** A bracket as it is told: where it ends in the quote currency, or in the base currency. */
export interface ToldBracket extends LeverageBracket {
  isInBase: boolean;
}

/** Fractions of the notional. */
export interface Fees {
  maker: number;
  taker: number;
}

/** When an exchange has announced to be closed, UTC ms. */
export interface Maintenance {
  from: number;
  /** null where it does not say. */
  until: number | null;
  title: string;
}

/** What is particular to one exchange; one file each. */
export interface Adapter {
  /** Loads its class alone, with the markets that are followed. */
  open(): Promise<Exchange>;
  /** Fees of the lowest tier as they are published, where the library has others; nobody without an account is told them. */
  baseFees?: Readonly<Partial<Record<InstrumentKind, Fees>>>;
  /** Streams of all symbols, by name. */
  streams: Readonly<Record<string, AllSymbols>>;
  /** All prices by REST, the fallback of the streams: by the library's symbol. */
  prices(exchange: Exchange): Promise<Map<string, Heard>>;
  /** What a message of the streams says of prices; null where it is about something else. */
  told(message: object, exchange: Exchange, url: string): Told | null;
  /** What no stream tells, of all symbols at once; absent where they tell all. What it says a price of trades now. */
  figures?(exchange: Exchange): Promise<Map<string, Heard>>;
  /** Last prices of spot by its own names: a coin may trade less often than a stream may be silent. */
  spotPrices(exchange: Exchange): Promise<Iterable<readonly [id: unknown, price: unknown]>>;
  /** Hours between settlements, by the library's symbol; absent: the usual. */
  fundingHours(exchange: Exchange): Promise<Map<string, number>>;
  usualFundingHours: number;
  /** What it has announced and is not over; absent where it announces nothing that can be asked for. */
  maintenance?(exchange: Exchange): Promise<Maintenance[]>;
  /** UTC ms. The cheapest call: whether anybody answers is told by it. */
  time(exchange: Exchange): Promise<number>;
  /** Base currency; absent where it costs too much to ask for each symbol. */
  openInterest?(exchange: Exchange, symbol: string): Promise<number | null>;
  /** Interest a day of borrowing a coin, of who has no discount: fractions, by coin; absent where only who has a key is told. */
  borrowRates?(exchange: Exchange): Promise<Map<string, number>>;
  listedAt(market: CcxtMarket): number | null;
  candles(exchange: Exchange, symbol: string, bar: string, since: number, limit: number): Promise<CandleRow[]>;
  /** Of one answer. */
  mostCandles: number;
  /** Settled funding from an instant on, ascending, of a perpetual. */
  settlements(exchange: Exchange, symbol: string, since: number): Promise<CcxtSettlement[]>;
  /** Who is told of so many asks for those after them. */
  mostSettlements: number;
  /** What positions of a size take, ascending; absent where only who has an account is told. */
  brackets?(exchange: Exchange, symbol: string): Promise<ToldBracket[]>;
  /** The next state of a book. */
  watchBook(exchange: Exchange, symbol: string): Promise<CcxtBook>;
  leaveBook(exchange: Exchange, symbol: string): Promise<unknown>;
  /** How long it refuses who asked too often, ms, where it does not say so; by what it answered. */
  refusedMs(message: string): number;
  /** Told with an answer; null where the exchange does not say. @param url what was asked */
  weight(headers: Readonly<Record<string, string>>, url: string): Weight | null;
}
