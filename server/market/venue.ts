import type { InstrumentKind } from './exchange';

/**
 * Where orders go. Quantities, prices and money are decimal strings: base currency, USDT a coin, USDT.
 * `account` is the id of an account, the first one's being its owner's; `clientId` is ours and unique for ever; `source` names the market of the symbol.
 */
export type Side = 'buy' | 'sell';

export interface VenueOrder {
  clientId: string;
  account: string;
  source: string;
  symbol: string;
  side: Side;
  /** `market`: what can be filled at once up to `limitPrice`, the rest expires. `maker`: rests at `limitPrice`, refused when it would cross. */
  type: 'market' | 'maker';
  quantity: string;
  limitPrice: string;
  reduceOnly: boolean;
  /** Initial margin of the account's position in this symbol is its notional / leverage; spot has none and takes 1. */
  leverage: number;
}

/** `open` rests in the book; `expired` is the unfilled rest of a market order. */
export type VenueOrderState = 'open' | 'filled' | 'cancelled' | 'expired';

/** The state of an order at the venue. Cumulative: a report never shrinks. */
export interface VenueReport {
  clientId: string;
  exchangeId: string;
  state: VenueOrderState;
  filledQuantity: string;
  /** UTC ms. */
  at: number;
}

export type VenueLookup =
  | { found: true; report: VenueReport }
  /** `covered`: the venue vouches that an order sent before the lookup cannot appear any more, however late it arrives. */
  | { found: false; covered: boolean };

interface EventOf<Kind extends string> {
  kind: Kind;
  /** Ascending by account from 1 without gaps: the order in which things happened to the account's money. */
  sequence: number;
  account: string;
  /** Empty, as the symbol is, where the event belongs to none. */
  source: string;
  symbol: string;
  /** UTC ms. */
  at: number;
}

export interface VenueFill extends EventOf<'fill'> {
  /** Unique for ever: a fill that is told twice is booked once. */
  fillId: string;
  /** null: the venue closed by itself. */
  clientId: string | null;
  /** Why it did. */
  forced?: 'liquidation' | 'delisting' | 'delivery';
  side: Side;
  quantity: string;
  price: string;
  /** USDT, positive is paid; what a fee in coin is worth at the price of the fill. */
  fee: string;
  /** Of a fee that is taken from the coin that was bought, base currency: so much less was received. F28. */
  feeInBase?: string;
  maker: boolean;
}

/** A settlement of the account's whole position in a symbol. F2. */
export interface VenueFunding extends EventOf<'funding'> {
  /** Fraction of the notional. */
  rate: string;
  mark: string;
  /** Signed position it was charged on. */
  quantity: string;
  /** USDT, received is positive. */
  amount: string;
}

/** Money from outside. */
export interface VenueTransfer extends EventOf<'transfer'> {
  amount: string;
}

/** What the venue paid of a loss beyond all that was in the account: no money from outside. */
export interface VenueBailout extends EventOf<'bailout'> {
  amount: string;
}

/** USDT or a coin that went to another account of the same owner, or came from one. */
export interface VenueMove extends EventOf<'move'> {
  /** Ours, the same at both ends; once an account. */
  moveId: string;
  /** Signed USDT; of a coin what it was worth when it left, to the last digit, which is no cash. */
  amount: string;
  /** Paid beside it, USDT; none where it came in. */
  fee?: string;
  /** Signed quantity, and the price when it left, USDT; the event names its spot. */
  coin?: { quantity: string; price: string };
}

/** What is to leave an account (negative) or to come into it. */
export interface MoveOrder {
  moveId: string;
  /** Signed USDT, or base currency of the coin. */
  amount: string;
  /** USDT. */
  fee?: string;
  /** A coin by its spot; the price (USDT) is what the venue told when it left, and the mark of now where it leaves. */
  coin?: { source: string; symbol: string; price?: string };
}

/** A resting order ended without its owner asking for it. */
export interface VenueOrderEnd extends EventOf<'orderEnd'> {
  report: VenueReport;
}

export type VenueEvent = VenueFill | VenueFunding | VenueTransfer | VenueBailout | VenueMove | VenueOrderEnd;

export interface VenuePosition {
  source: string;
  symbol: string;
  /** Signed: long is positive. Never zero: a flat symbol is absent. */
  quantity: string;
}

export interface VenueMargin {
  /** Cash plus position value, USDT. */
  equity: string;
  /** The same with coins at what they back: what derivatives are held against, USDT. */
  marginBalance: string;
  /** USDT that spot may be bought for: within the balance, and free. */
  spendable: string;
  /** What positions and resting orders hold, USDT. */
  initialMargin: string;
  maintenanceMargin: string;
}

/** Steps and terms of one symbol. */
export interface TradingTerms {
  source: string;
  symbol: string;
  kind: InstrumentKind;
  /** The coin itself. */
  base: string;
  /** Of a future, UTC ms. */
  expiresAt: number | null;
  tickSize: string;
  lotSize: string;
  /** Smallest notional of an order that opens, USDT. */
  minNotional: string;
  maxLeverage: number;
  /** Fractions of the notional. */
  makerFee: number;
  takerFee: number;
  /** Of a future that is delivered. */
  deliveryFee: number;
  /** Part of the notional that has to be kept; none for spot. */
  maintenanceRate: number;
  /** 抵押率: part of the value of a coin in the account that backs its derivatives; 0 for these. */
  collateralRatio: number;
}

/** Taken off its exchange, or a future that was delivered. */
export type Gone = 'delisted' | 'delivery';

/** The best prices and the quantities at them. */
export interface Quote {
  source: string;
  symbol: string;
  bid: number;
  ask: number;
  /** UTC ms of the price behind it. */
  at: number;
}

/** Why a venue says no for certain; only these count as "nothing happened". */
export const VENUE_REFUSALS = [
  'insufficientMargin',
  'insufficientBalance',
  'belowMinNotional',
  'badStep',
  'wouldCross',
  'nothingToReduce',
  'noLiquidity',
  'unknownSymbol',
  'duplicateClientId',
  'tooMuchLeverage',
  'rejected',
] as const;
export type VenueRefusalReason = (typeof VENUE_REFUSALS)[number];

/** The venue refused the order and vouches that nothing of it was done. Any other error leaves the order in doubt. */
export class VenueRefused extends Error {
  constructor(readonly reason: VenueRefusalReason) {
    super(reason);
    this.name = 'VenueRefused';
  }
}

export interface Venue {
  /** @throws VenueRefused; any other error: in doubt. Fills of the order come as events, never in the reply. */
  submit(order: VenueOrder): Promise<VenueReport>;
  /** The order's state after it; cancelling what has ended is no error. @throws when in doubt. */
  cancel(account: string, clientId: string): Promise<VenueReport>;
  /**
   * @param vouch whether an order that is not there shall never be; who only looks must not take an order's way from it.
   * @throws when the venue cannot be asked: that is not an answer.
   */
  lookup(account: string, clientId: string, vouch?: boolean): Promise<VenueLookup>;
  /** Everything that happened to the account after `sequence`, ascending. */
  events(account: string, after: number): Promise<VenueEvent[]>;
  /** @throws when the venue cannot be asked: a failed query never reads as flat. */
  positions(account: string): Promise<VenuePosition[]>;
  margin(account: string): Promise<VenueMargin>;
  /** undefined while a symbol is not traded, or not known: that alone does not say that it is gone. */
  terms(source: string, symbol: string): Promise<TradingTerms | undefined>;
  /** How the symbol was taken off for good, for which the venue vouches; null while it was not. */
  goneBy(source: string, symbol: string): Promise<Gone | null>;
  quote(source: string, symbol: string): Promise<Quote | undefined>;
  /** VWAP of taking `quantity` from the book at once and what of it is there. F9. */
  cost(
    source: string,
    symbol: string,
    side: Side,
    quantity: string,
  ): Promise<{ price: number; quantity: string } | undefined>;
}

/** A venue of ours: it moves when it is told to, and gives out paper money. */
export interface PaperVenue extends Venue {
  /** Opens the account with this much USDT; an account that is open already stays as it is. */
  open(account: string, capital: string): Promise<void>;
  /**
   * Moves USDT or a coin out of an account or into it, once for each `moveId`: told again it changes nothing.
   * @throws VenueRefused, `insufficientBalance` for more than is there, `insufficientMargin` for a coin that derivatives
   * are held against; any other error: in doubt.
   */
  move(account: string, move: MoveOrder): Promise<void>;
  /**
   * Settles funding that fell due, fills resting orders that the market reached, liquidates. Each missed settlement is
   * settled once.
   * @param accounts those of which the caller is the one writer; all when it is not given.
   */
  advance(accounts?: ReadonlySet<string>): Promise<void>;
}
