import Big from 'big.js';
import type { Side } from '#server/market/venue';

/** What an order trades. Each has a wallet of its own, and money gets there by a transfer, unless the exchange has one for both. */
export type Wallet = 'spot' | 'derivatives';

export type TimeInForce = 'GTC' | 'IOC' | 'FOK' | 'GTX';
export type OrderState = 'new' | 'partly' | 'filled' | 'cancelled' | 'expired';

/** By hand, by the countdown; for what it was asked for as: at once, as a whole, as a maker, or to reduce alone. */
export type Ending = 'customer' | 'countdown' | 'rest' | 'notWhole' | 'wouldTake' | 'reduced';

export interface Order {
  id: number;
  clientId: string;
  /** What the simulated market calls it. */
  symbol: string;
  wallet: Wallet;
  side: Side;
  type: 'limit' | 'market';
  timeInForce: TimeInForce;
  /** Null at the market. */
  price: Big | null;
  quantity: Big;
  reduceOnly: boolean;
  /** Whether the exchange itself closes a position with it, and why. */
  forced: 'liquidation' | 'partialLiquidation' | 'adl' | 'delivery' | null;
  /** What ended it before it was filled; null while nothing has. */
  endedBy: Ending | null;
  filled: Big;
  /** Quote currency. */
  turnover: Big;
  state: OrderState;
  /** UTC ms by the exchange's clock; `lookedAt` by the market's. */
  createdAt: number;
  updatedAt: number;
  lookedAt: number;
  /** What it keeps from being spent, of `lockedAsset`. */
  locked: Big;
  lockedAsset: string;
}

export interface Fill {
  id: number;
  order: Order;
  price: Big;
  quantity: Big;
  turnover: Big;
  fee: Big;
  feeAsset: string;
  realised: Big;
  isMaker: boolean;
  at: number;
}

/** Quantity is below zero of a short; cost is what it was opened for, of the same sign. */
export interface Position {
  symbol: string;
  quantity: Big;
  cost: Big;
  updatedAt: number;
  /** The next settlement that it pays or receives, UTC ms by the market's clock; null without funding. */
  fundedAt: number | null;
}

export type IncomeKind = 'realised' | 'fee' | 'funding' | 'transfer' | 'insurance';

export interface Income {
  id: number;
  kind: IncomeKind;
  symbol: string;
  asset: string;
  amount: Big;
  at: number;
  /** Fill that it came of. */
  fill: number | null;
  /** Of funding: at which mark, and of how much. */
  settled?: { mark: number; quantity: Big };
}

/** A transfer between the two wallets. */
export interface Transfer {
  id: number;
  asset: string;
  amount: Big;
  to: Wallet;
  at: number;
}

export type AccountEvent =
  | { kind: 'order'; order: Order; change: 'new' | 'trade' | 'cancelled' | 'expired'; fill: Fill | null }
  | { kind: 'spot'; assets: string[] }
  | { kind: 'derivatives'; reason: 'order' | 'funding' | 'transfer'; assets: string[]; symbols: string[]; change: Big };

export const ZERO = new Big(0);
const isLive = ({ state }: Order): boolean => state === 'new' || state === 'partly';

/** All that one customer has at one exchange. */
export class Account {
  readonly name: string;
  readonly free = new Map<string, Big>();
  readonly locked = new Map<string, Big>();
  /** Of the derivatives' wallet, without what is not realised. */
  readonly wallet: Map<string, Big>;
  readonly positions = new Map<string, Position>();
  readonly orders = new Map<number, Order>();
  readonly fills: Fill[] = [];
  readonly income: Income[] = [];
  readonly transfers: Transfer[] = [];
  readonly leverage = new Map<string, number>();
  readonly isolated = new Set<string>();
  /** When all orders of a symbol or of a wallet are cancelled; of null all there are. */
  readonly cancelsAt = new Map<string | null, number>();
  /** Where the exchange cancels orders of who is gone: after how many seconds, by what they trade; for few customers it does. */
  readonly dcp = new Map<Wallet, number>();
  isHedged = false;
  /** All assets are margin: totals are in USD. */
  isMultiAsset = false;
  /** Fees are paid in this asset while there is some. */
  feeAsset: string | null = null;
  /** What the exchange calls the way in which all of it is margin, where it has several. */
  level = 2;
  readonly #listeners = new Set<(event: AccountEvent) => void>();

  /** @param uid the exchange's own number of it. @param hasOneWallet what is free for spot is what derivatives are paid of */
  constructor(
    name: string,
    readonly uid: number,
    readonly hasOneWallet: boolean,
  ) {
    this.name = name;
    this.wallet = hasOneWallet ? this.free : new Map<string, Big>();
  }

  listen(listener: (event: AccountEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  tell(event: AccountEvent): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  freeOf(asset: string): Big {
    return this.free.get(asset) ?? ZERO;
  }

  lockedOf(asset: string): Big {
    return this.locked.get(asset) ?? ZERO;
  }

  walletOf(asset: string): Big {
    return this.wallet.get(asset) ?? ZERO;
  }

  add(to: Map<string, Big>, asset: string, amount: Big): void {
    to.set(asset, (to.get(asset) ?? ZERO).plus(amount));
  }

  /** Money that comes from outside. */
  deposit(wallet: Wallet, asset: string, amount: number | string): void {
    this.add(wallet === 'spot' ? this.free : this.wallet, asset, new Big(amount));
  }

  positionOf(symbol: string): Big {
    return this.positions.get(symbol)?.quantity ?? ZERO;
  }

  /** @param wallet null for both */
  live(wallet: Wallet | null, symbol?: string): Order[] {
    return [...this.orders.values()].filter(
      (order) =>
        isLive(order) && (wallet ?? order.wallet) === order.wallet && (symbol ?? order.symbol) === order.symbol,
    );
  }

  /** By number or by the client's own; of several with one client id the newest. @param symbol null for any */
  find(wallet: Wallet, symbol: string | null, id: number | undefined, clientId: string | undefined): Order | undefined {
    const all = [...this.orders.values()].filter(
      (order) => order.wallet === wallet && (symbol ?? order.symbol) === order.symbol,
    );
    return all.findLast((order) => (id === undefined ? order.clientId === clientId : order.id === id));
  }

  /** Adds to a position. @returns what was realised by that */
  trade(symbol: string, signed: Big, price: Big, at: number, fundedAt: number | null): Big {
    const before = this.positions.get(symbol) ?? { symbol, quantity: ZERO, cost: ZERO, updatedAt: at, fundedAt };
    const isClosing = before.quantity.times(signed).lt(0);
    const closed = isClosing ? (signed.abs().lt(before.quantity.abs()) ? signed : before.quantity.times(-1)) : ZERO;
    const costClosed = closed.eq(0) ? ZERO : before.cost.times(closed.abs()).div(before.quantity.abs()).round(8);
    const realised = closed.times(-1).times(price).minus(costClosed);
    const opened = signed.minus(closed);
    const quantity = before.quantity.plus(signed);
    const cost = before.cost.minus(costClosed).plus(opened.times(price));
    if (quantity.eq(0)) this.positions.delete(symbol);
    else this.positions.set(symbol, { symbol, quantity, cost, updatedAt: at, fundedAt: before.fundedAt });
    return realised;
  }
}
