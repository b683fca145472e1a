import type { OrderExchange } from '#contract/candle';
import type { LeverageBracket } from '../../exchange';
import type { KeyAnswer, KeyHoldings, KeySilence } from '../../keyCheck';
import type { Side, VenueFill, VenueOrder, VenueRefusalReason, VenueReport } from '../../venue';
import type { Client, LiveExchange } from '../exchangeClass';
import type { Code, Raw } from '../ownClient';

/** Asks what counts against what an address may ask. */
export type Ask = <T>(question: () => Promise<T>) => Promise<T>;
/** Base currency of one contract of a symbol; null where nobody knows. */
export type ContractSizeOf = (symbol: string) => string | null;

/** The line to an exchange of one key. Nothing is asked twice by itself: who gets no answer is told so. */
export interface RealLine<E extends LiveExchange = OrderExchange> {
  readonly exchange: RealExchange<E>;
  readonly client: Client<E>;
  /** What ends all questions. */
  readonly signal: AbortSignal;
  readonly contractSizeOf: ContractSizeOf;
  /** How far the exchange's clock was ahead of ours when it was told last. */
  readonly skewMs: number;
  /** UTC ms by the exchange's clock, as it is told now. @throws Unanswered */
  time(): Promise<number>;
  /** UTC ms by the exchange's clock, reckoned. @throws Unanswered where it was never told, or too long ago, and is not told now */
  now(keptMs?: number): Promise<number>;
  /** Which account it speaks for, by the exchange's own number. @throws Unanswered */
  uid(): Promise<string>;
  /** @param isOrder whether it may be refused as an order is. @throws VenueRefused, Unanswered */
  asked<T extends object = Raw>(what: string, question: () => Promise<unknown>, isOrder?: boolean): Promise<T>;
}

/** Where an order is, and what we call it. */
export interface OrderPlace extends Pick<VenueOrder, 'symbol' | 'clientId'> {
  /** It was not sent before, UTC ms by the exchange's clock. */
  signedAt: number;
}

/** The orders of one key. */
export interface RealOrders {
  /** UTC ms by the exchange's clock. @throws Unanswered */
  time(): Promise<number>;
  /**
   * Whatever an order needs before it is sent.
   * @returns UTC ms by the exchange's clock, to sign it by
   * @throws VenueRefused: nothing was sent yet
   */
  prepare(order: VenueOrder): Promise<number>;
  /**
   * @param signedAt after `takenWithinMs` from then it is not taken any more, however late it comes
   * @throws VenueRefused, Unanswered
   */
  submit(order: VenueOrder, signedAt: number): Promise<VenueReport>;
  /** The order after it; one that had ended stays as it was. @throws Unanswered, also where nobody knows the order */
  cancel(place: OrderPlace): Promise<VenueReport>;
  /** null where the exchange knows no such order now. @throws Unanswered */
  find(place: OrderPlace): Promise<VenueReport | null>;
  /** Names of the orders that rest, of these contracts at least. What ends meanwhile may keep one out that rests. @throws Unanswered */
  open(symbols: readonly string[]): Promise<string[]>;
  /** Has all orders of what is counted down together cancelled after so long, ms; 0 takes that back. @throws Unanswered */
  countDown(together: string, ms: number): Promise<void>;
}

/** One own trade, whoever sent the order. */
export interface OwnTrade {
  symbol: string;
  /** Unique of its symbol. */
  id: string;
  /** The exchange's number of its order. */
  order: string;
  side: Side;
  /** Base currency. */
  quantity: string;
  price: string;
  /** Above zero is paid. */
  fee: string;
  feeAsset: string;
  maker: boolean;
  at: number;
  /** Where the trade itself says it. */
  origin?: Origin;
}

/** What the client called an order, and why the exchange sent it itself where it did. */
export interface Origin {
  name: string;
  forced?: VenueFill['forced'];
}

/** What moved money of an account, without its spot where that has a wallet of its own. */
export interface Income {
  /** An event of it has that name for ever. */
  name: string;
  /**
   * Of `trade` the trades tell it, `delivery` has its own beside it; `transfer` came from outside or went there, `result`
   * is part of the result.
   */
  means: 'trade' | 'delivery' | 'funding' | 'transfer' | 'result';
  closed?: OwnTrade;
  /** At which funding was settled, where it says so. */
  mark?: string;
  /** What asks whether it went between own wallets names it so; null where it cannot have. */
  transfer: string | null;
  /** Empty where it belongs to none. */
  symbol: string;
  asset: string;
  amount: string;
  /** The trade that it came of. */
  trade: string | null;
  at: number;
}

/** Where a symbol's trades are read from: after a number, or from an instant on where there is none. */
export interface TradesFrom {
  id: number | null;
  from: number;
}

/** What the exchange keeps of one account: the truth, by its numbers and times. */
export interface RealRecords {
  time(): Promise<number>;
  /** Ascending. @throws Unanswered */
  trades(symbol: string, from: TradesFrom, until: number): Promise<OwnTrade[]>;
  /** By which trades of one symbol are read on; null where they are read on by time. */
  numberOf(trade: Pick<OwnTrade, 'id'>): number | null;
  /** Ascending by time. @throws Unanswered */
  income(from: number, until: number): Promise<Income[]>;
  /** Wallets and positions as they stand. @throws Unanswered */
  holdings(): Promise<KeyHoldings>;
  /** Of an order by its number; absent where each trade says it. @throws Unanswered */
  originOf?(symbol: string, order: string): Promise<Origin>;
  /** The newest settlement until an instant; undefined where there was none of late. The mark is null where it is not told. @throws Unanswered */
  settlement(symbol: string, until: number): Promise<{ at: number; rate: string; mark: string | null } | undefined>;
  /** What larger positions take, by symbol; absent where the market tells it to all. @throws Unanswered */
  brackets?(): Promise<ReadonlyMap<string, readonly LeverageBracket[]>>;
  /** What an asset was worth then, USDT. @throws Unanswered */
  priceThen(asset: string, at: number): Promise<string>;
  /** Of what went between the account's own wallets, as `Income` names it. @throws Unanswered */
  ownTransfers(from: number): Promise<Set<string>>;
}

/** What an exchange streams of an account. */
export interface OwnStreams<E extends LiveExchange> {
  /** Followed each on its own. */
  follow: readonly ((client: Client<E>) => Promise<unknown>)[];
  /** Symbols whose orders a message speaks of; `ended` where nothing more will come. */
  heard(message: Raw): readonly string[] | 'ended';
  /** Whether the library is kept from a message. */
  isForUs?(message: Raw): boolean;
  /** Before they are opened anew. */
  forget?(client: Client<E>): void;
}

/** What a real account needs of its exchange. Whatever is asked there is asked through a line of one key. */
export interface RealExchange<E extends LiveExchange = OrderExchange> {
  /** How long after it was signed a request is taken, ms. */
  takenWithinMs: number;
  /** An order that ended unfilled is known for so long, ms. */
  forgottenAfterMs: number;
  /** Whether it counts what is asked by the customer, not by the address. */
  countsByCustomer: boolean;
  /** Whether who asks is not let in, by the exchange's code. */
  isNotLetIn(code: Code): boolean;
  /** Codes of a request whose time, or until when it may come, was not what the exchange expects. */
  wrongTime: readonly Code[];
  /** Why an order was not taken for certain; null where that is not certain. @param text the answer */
  refusalOf(code: Code, text: string): VenueRefusalReason | null;
  /** Has a client do what the library leaves out. */
  fit?(client: Client<E>): void;
  /** How far its clock is ahead of ours, and how long it took to say so, ms. From then on the client keeps its time. */
  tellTime(client: Client<E>, ask: Ask): Promise<{ serverTime: number; skewMs: number; latencyMs: number }>;
  /** Which account of the exchange's a key is of, by its own number. @throws what is no answer */
  tellUid(client: Client<E>): Promise<string>;
  /** What a key may, and how its account is set up. */
  checkKey(client: Client<E>, ask: Ask): Promise<KeyAnswer | KeySilence>;
  /** What the account of a key holds. */
  holdings(client: Client<E>, ask: Ask, contractSizeOf: ContractSizeOf): Promise<KeyHoldings | KeySilence>;
  orders(line: RealLine<E>): RealOrders;
  records(line: RealLine<E>): RealRecords;
  /** Symbols of one answer are cancelled together when nobody puts it off. */
  countedTogether(symbol: string): string;
  streams: OwnStreams<E>;
}
