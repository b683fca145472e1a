import type { AccountTrouble } from '#contract/lifecycle';
import type {
  MoveOrder,
  Side,
  VenueEvent,
  VenueLookup,
  VenueOrder,
  VenueReport,
} from '../base/db/accounts/venueRecord';
import type { InstrumentKind, LeverageBracket } from './exchange';

export type {
  MoveOrder,
  Side,
  VenueBailout,
  VenueEvent,
  VenueFill,
  VenueFunding,
  VenueLookup,
  VenueMove,
  VenueOrder,
  VenueOrderEnd,
  VenueOrderState,
  VenueReport,
  VenueTransfer,
} from '../base/db/accounts/venueRecord';

export interface VenuePosition {
  source: string;
  symbol: string;
  /** Signed: long is positive. Never zero: a flat symbol is absent. */
  quantity: string;
  /** What an exchange says of all of it, whoever opened it, USDT; absent where nobody but us trades. */
  told?: { entryPrice: string; unrealised: string };
  /** Notional for each unit of margin that the venue holds for it; absent where it does not say. */
  leverage?: number | undefined;
}

export interface VenueMargin {
  /** Cash plus position value, USDT. */
  equity: string;
  /** The same with coins at what they back: what derivatives are held against, USDT. */
  marginBalance: string;
  /** USDT that spot may be bought for: within the balance, and free. */
  spendable: string;
  /** USDT that is free in a wallet apart, which backs no contracts; absent where one wallet serves all. */
  beside?: string;
  /** What positions and resting orders hold, USDT. */
  initialMargin: string;
  maintenanceMargin: string;
  /** Notional that the account may still grow by under its cap, USDT; absent without one. */
  room?: string;
}

/** USDT of an account, without what its open contracts have made. */
export interface VenueFunds {
  /** In all wallets. */
  wallet: string;
  /** What its open contracts cost, signed, by the venue's own count. */
  cost: string;
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
  /** Part of the notional that has to be kept; none for spot. Of the smallest position where there are brackets. */
  maintenanceRate: number;
  /** What larger positions take, ascending; absent where the venue does not say, `null` before it has. */
  brackets?: readonly LeverageBracket[] | null | undefined;
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
  'priceBand',
  'suspended',
  'notPermitted',
  'noKey',
  'otherAccount',
  'twoWay',
  'isolated',
  'accountMode',
  'mayWithdraw',
  'openKey',
  'overCap',
  'spotRests',
  'noCountdown',
  'noDeadline',
  'tooOften',
  'unreachable',
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
  /** Everything that happened to the account after a sequence, ascending; the first `most` of it where that is given. */
  events(account: string, after: number, most?: number): Promise<VenueEvent[]>;
  /** @throws when the venue cannot be asked: a failed query never reads as flat. */
  positions(account: string): Promise<VenuePosition[]>;
  /** Up to which event all that time did at a source is told; null while a settlement of the past may be missing. @throws when it cannot be asked */
  settled(account: string, source: string): Promise<number | null>;
  margin(account: string): Promise<VenueMargin>;
  /** @throws when the venue cannot be asked. */
  funds(account: string): Promise<VenueFunds>;
  /**
   * Its one writer is there: orders that rest are kept for as long as it says so again and again.
   * @returns why nothing is to be opened in the account for now; null where nothing is wrong with it
   */
  tend(account: string): Promise<AccountTrouble | null>;
  /** What larger positions of an account take, where only who has one is told; undefined where nothing is told. */
  brackets?(account: string, symbol: string): Promise<readonly LeverageBracket[] | undefined>;
  /**
   * undefined while a symbol is not traded, or not known: that alone does not say that it is gone.
   * @param account whose terms they are, where the venue has others for it than for who has none
   */
  terms(source: string, symbol: string, account?: string): Promise<TradingTerms | undefined>;
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

/** What of a venue is of one account: prices and terms are the market's, whoever trades there. */
export type AccountVenue = Pick<
  Venue,
  'submit' | 'cancel' | 'lookup' | 'events' | 'positions' | 'settled' | 'margin' | 'funds' | 'tend' | 'brackets'
>;

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
