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
  /** Takes away from what a deal holds, also where the account's position grows by it, because other deals net it. */
  isExit?: boolean;
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
  forced?: 'liquidation' | 'delisting' | 'delivery' | 'adl';
  /** Traded by somebody else on the account: by hand, or by another program. It belongs to no deal. */
  isOutside?: true;
  side: Side;
  quantity: string;
  price: string;
  /** USDT, positive is paid; what a fee in coin is worth at the price of the fill. */
  fee: string;
  /** Of a fee that is taken from the coin that was bought, base currency: so much less was received. F28. */
  feeInBase?: string;
  /** What the venue took, where that is neither USDT nor the coin that was bought; below zero it gave. */
  feePaid?: { asset: string; amount: string };
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
