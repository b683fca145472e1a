import Big from 'big.js';
import { SECOND_MS } from '#contract/duration';
import type { Instrument, Listing, Market, OrderBook } from '#server/market/exchange';
import { bestPrice, depthWithin, takeFromBook } from '#server/market/paper/orderBook';
import { TakenDepth } from '#server/market/paper/takenDepth';
import type { Side } from '#server/market/venue';
import {
  Account,
  type Ending,
  type Fill,
  type Income,
  type Order,
  type Position,
  type TimeInForce,
  type Wallet,
  ZERO,
} from './account';
import type { Books } from './books';
import { bracketsOf } from './brackets';
import type { Faults } from './faults';

/** What trading needs of its exchange. */
interface Floor {
  market: Market & Required<Pick<Market, 'listed' | 'book' | 'meetsAt'>>;
  books: Books;
  faults: Faults;
  now(): number;
  trueNow(): number;
  listed(symbol: string): Listing | null;
}

/** In what exchanges differ. */
export interface TradingRules {
  /** One wallet for spot and derivatives: what is free of it is margin, and what is margin cannot be spent. */
  hasOneWallet: boolean;
  /** What cannot be a maker, or not whole, is taken and ended at once; elsewhere it is refused. */
  endsUnmet: boolean;
  /** Several orders that rest may have one name. */
  takesNamesTwice?: boolean;
}

export interface Wanted {
  symbol: string;
  wallet: Wallet;
  clientId: string;
  side: Side;
  type: 'limit' | 'market';
  timeInForce: TimeInForce;
  price: Big | null;
  quantity: Big;
  reduceOnly: boolean;
  forced?: Order['forced'];
}

/** Why an order is not taken; dialects have their own codes and words for it. */
export type Why = 'margin' | 'reduceOnly' | 'wouldTake' | 'notWhole' | 'duplicate' | 'nobody';

export class Refused extends Error {
  readonly why: Why;

  constructor(why: Why) {
    super(why);
    this.why = why;
  }
}

const USDT = 'USDT';
/** How often resting orders are held against the market. */
const TICK_MS = 200;
const COMES_BACK_MS = 20 * SECOND_MS;
const FIRST_UID = 350_000_001;
const USUAL_LEVERAGE = 20;
/** What fees in another asset come to, of those in the usual one. */
const OTHER_ASSET_SHARE = { spot: new Big('0.75'), derivatives: new Big('0.9') };
const FEE_DIGITS = 8;

const signOf = (side: Side): 1 | -1 => (side === 'buy' ? 1 : -1);

/** Whether a price is as good as an order wants it; any is at the market. */
const isWithin = ({ price, side }: Wanted, met: Big): boolean =>
  price === null || (side === 'buy' ? met.lte(price) : met.gte(price));

const RESTS: readonly TimeInForce[] = ['GTC', 'GTX'];
/** How the exchange names the orders of its own. */
const FORCED_NAMES = {
  liquidation: 'autoclose',
  partialLiquidation: 'autoclose',
  adl: 'adl_autoclose',
  delivery: 'settlement_autoclose',
} as const;

/** Customers, their orders and what comes of them. */
export class Trading {
  readonly #exchange: Floor;
  readonly #rules: TradingRules;
  readonly #accounts = new Map<string, Account>();
  readonly #taken = new TakenDepth(COMES_BACK_MS);
  #tickedAt = 0;
  #orders = 0;
  /** Fills, income and transfers are counted together: in the order in which they were. */
  #records = 0;
  /** How often the depth of a book was changed by an order. */
  takes = 0;

  constructor(exchange: Floor, rules: TradingRules) {
    this.#exchange = exchange;
    this.#rules = rules;
    this.#orders = exchange.trueNow() * 100;
    this.#records = exchange.trueNow();
  }

  account(name: string): Account {
    const known =
      this.#accounts.get(name) ?? new Account(name, FIRST_UID + this.#accounts.size, this.#rules.hasOneWallet);
    this.#accounts.set(name, known);
    return known;
  }

  /** A book without what orders took from it. */
  left(symbol: string, book: OrderBook): OrderBook {
    return this.#taken.without({ source: '', symbol }, book, this.#exchange.trueNow());
  }

  leverageOf(account: Account, { symbol, maxLeverage }: Instrument): number {
    return account.leverage.get(symbol) ?? Math.min(USUAL_LEVERAGE, maxLeverage ?? 1);
  }

  markOf(symbol: string): Big {
    const ticker = this.#exchange.listed(symbol)?.ticker;
    return new Big(ticker?.mark ?? ticker?.price ?? 0);
  }

  /** What a position of a value has to be backed by, USDT. */
  maintenanceOf(symbol: string, value: Big): Big {
    const { rate, deducted } = this.#bracketOf(symbol, value);
    return value.abs().times(rate).minus(deducted);
  }

  #bracketOf(symbol: string, value: Big): { rate: number; deducted: number } {
    const brackets = bracketsOf(this.#exchange.listed(symbol)!.instrument.maxLeverage ?? 1);
    const { maintenance: rate, deducted } = brackets.find(({ cap }) => value.abs().lte(cap)) ?? brackets.at(-1)!;
    return { rate, deducted };
  }

  /** The mark at which the account has too little, all else staying as it is; 0 where there is none. */
  liquidationPrice(account: Account, { symbol, quantity, cost }: Position): Big {
    const value = quantity.times(this.markOf(symbol));
    const { balance, maintenance } = this.margin(account);
    const { rate, deducted } = this.#bracketOf(symbol, value);
    const others = balance.minus(value.minus(cost)).minus(maintenance.minus(this.maintenanceOf(symbol, value)));
    const price = cost
      .minus(others)
      .minus(deducted)
      .div(quantity.minus(quantity.abs().times(rate)));
    return price.gt(0) ? price : ZERO;
  }

  /** Money of the derivatives' wallet, USDT. */
  margin(account: Account) {
    let [unrealised, initial, maintenance, orders] = [ZERO, ZERO, ZERO, ZERO];
    for (const { symbol, quantity, cost } of account.positions.values()) {
      const instrument = this.#exchange.listed(symbol)!.instrument;
      const value = quantity.times(this.markOf(symbol));
      unrealised = unrealised.plus(value.minus(cost));
      initial = initial.plus(value.abs().div(this.leverageOf(account, instrument)));
      maintenance = maintenance.plus(this.maintenanceOf(symbol, value));
    }
    for (const { symbol, quantity, filled, price, reduceOnly } of account.live('derivatives')) {
      if (reduceOnly || !price) continue;
      const instrument = this.#exchange.listed(symbol)!.instrument;
      orders = orders.plus(quantity.minus(filled).times(price).div(this.leverageOf(account, instrument)));
    }
    // Of one wallet, what orders of spot keep back is still there, and is no margin.
    const locked = account.hasOneWallet ? account.lockedOf(USDT) : ZERO;
    const wallet = account.walletOf(USDT).plus(locked);
    const balance = wallet.plus(unrealised);
    return {
      wallet,
      unrealised,
      balance,
      initial,
      maintenance,
      orders,
      available: balance.minus(initial).minus(orders).minus(locked),
    };
  }

  /** What may be spent at spot: what is there, and holds no position. */
  spendable(account: Account, asset: string): Big {
    const free = account.freeOf(asset);
    if (!account.hasOneWallet || asset !== USDT) return free;
    const { available } = this.margin(account);
    return available.lt(free) ? available : free;
  }

  /** @throws {Refused} */
  place(account: Account, wanted: Wanted): Order {
    const listing = this.#exchange.listed(wanted.symbol)!;
    const book = this.#exchange.books.at(wanted.symbol)?.book;
    const met = book && bestPrice(book, wanted.side);
    const takes = met !== undefined && isWithin(wanted, met);
    this.#check(account, wanted, book);
    const unmet = this.#unmet(wanted, book, takes);
    if (unmet && !this.#rules.endsUnmet) throw new Refused(unmet);
    const price = wanted.price ?? met!;
    const [locked, lockedAsset] = this.#needed(account, wanted, listing.instrument, price);
    const now = this.#exchange.now();
    const order: Order = {
      ...wanted,
      forced: wanted.forced ?? null,
      endedBy: null,
      id: ++this.#orders,
      filled: ZERO,
      turnover: ZERO,
      state: 'new',
      createdAt: now,
      updatedAt: now,
      lookedAt: this.#exchange.trueNow(),
      locked,
      lockedAsset,
    };
    account.orders.set(order.id, order);
    this.#lock(account, order, locked);
    account.tell({ kind: 'order', order, change: 'new', fill: null });
    if (unmet) this.#end(account, order, unmet);
    else if (book && takes) this.#take(account, order, listing, book);
    if (!RESTS.includes(order.timeInForce)) this.#end(account, order, 'rest');
    return order;
  }

  /** What an order is asked for as and cannot be. */
  #unmet(wanted: Wanted, book: OrderBook | undefined, takes: boolean): 'wouldTake' | 'notWhole' | null {
    const { timeInForce, side, price, quantity } = wanted;
    if (timeInForce === 'GTX') return takes ? 'wouldTake' : null;
    if (timeInForce !== 'FOK') return null;
    return !book || !price || depthWithin(book, side, price).lt(quantity) ? 'notWhole' : null;
  }

  /** @throws what may not even be tried */
  #check(account: Account, wanted: Wanted, book: OrderBook | undefined): void {
    const { wallet, clientId, symbol, side, type, reduceOnly } = wanted;
    const others = account.live(account.hasOneWallet ? null : wallet);
    if (!this.#rules.takesNamesTwice && others.some((order) => order.clientId === clientId))
      throw new Refused('duplicate');
    if (!book && type === 'market') throw new Refused('nobody');
    if (reduceOnly && !account.positionOf(symbol).times(signOf(side)).lt(0)) throw new Refused('reduceOnly');
  }

  cancel(account: Account, order: Order, by: 'customer' | 'countdown' = 'customer'): void {
    this.#end(account, order, by);
  }

  /** Money that comes from another account of the same customer, or goes there. */
  bring(account: Account, asset: string, amount: Big): void {
    const at = this.#exchange.now();
    this.#earn(account, { kind: 'transfer', symbol: '', asset, amount, at, fill: null });
    account.tell({ kind: 'derivatives', reason: 'transfer', assets: [asset], symbols: [], change: amount });
  }

  /** Money from one wallet to the other. @returns false where there is not so much */
  transfer(account: Account, asset: string, amount: Big, to: Wallet): number | null {
    const [source, target] = to === 'spot' ? [account.wallet, account.free] : [account.free, account.wallet];
    const most = to === 'spot' && asset === USDT ? this.margin(account).available : (source.get(asset) ?? ZERO);
    if (amount.gt(most) || amount.gt(source.get(asset) ?? ZERO)) return null;
    account.add(source, asset, amount.times(-1));
    account.add(target, asset, amount);
    const id = ++this.#records;
    const at = this.#exchange.now();
    account.transfers.push({ id, asset, amount, to, at });
    const change = to === 'spot' ? amount.times(-1) : amount;
    account.income.push({ id, kind: 'transfer', symbol: '', asset, amount: change, at, fill: null });
    account.tell({ kind: 'derivatives', reason: 'transfer', assets: [asset], symbols: [], change });
    account.tell({ kind: 'spot', assets: [asset] });
    return id;
  }

  /** The exchange closes a position by itself, at the market. */
  force(account: Account, symbol: string, why: NonNullable<Order['forced']>, share = 1): Order {
    const quantity = account.positionOf(symbol);
    const { lotSize } = this.#exchange.listed(symbol)!.instrument;
    const part = quantity.abs().times(share).div(lotSize!).round(0, Big.roundUp).times(lotSize!);
    const clientId = `${FORCED_NAMES[why]}-${why === 'liquidation' ? this.#exchange.now() : this.#orders}`;
    return this.place(account, {
      ...{ symbol, wallet: 'derivatives', clientId },
      ...{ side: quantity.gt(0) ? 'sell' : 'buy', type: 'market', timeInForce: 'IOC', price: null },
      ...{ quantity: part, reduceOnly: true, forced: why },
    });
  }

  /** Has all orders of a symbol, of a wallet, or of the account (null), cancelled at an instant unless it is put off or taken back (null). @param at UTC ms by the market's clock */
  cancelAllAt(account: Account, of: string | Wallet | null, at: number | null): void {
    if (at === null) account.cancelsAt.delete(of);
    else account.cancelsAt.set(of, at);
  }

  /** Time has passed: resting orders meet the market, funding settles, and who has too little is closed. */
  tick(): void {
    const now = this.#exchange.trueNow();
    if (now < this.#tickedAt + TICK_MS) return;
    this.#tickedAt = now;
    for (const account of this.#accounts.values()) {
      for (const order of account.live(null)) this.#meet(account, order);
      this.#countDown(account);
      for (const symbol of [...account.positions.keys()]) this.#fund(account, symbol);
      if (account.positions.size > 0) this.#liquidate(account);
    }
  }

  #countDown(account: Account): void {
    for (const [of, at] of account.cancelsAt) {
      if (this.#exchange.trueNow() < at) continue;
      account.cancelsAt.delete(of);
      for (const order of account.live(null))
        if ([null, order.wallet, order.symbol].includes(of)) this.#end(account, order, 'countdown');
    }
  }

  #liquidate(account: Account): void {
    const { balance, maintenance } = this.margin(account);
    if (balance.gte(maintenance)) return;
    for (const symbol of [...account.positions.keys()])
      if (this.#exchange.books.at(symbol)) this.force(account, symbol, 'liquidation');
  }

  /** What an order keeps back, and of which asset. @throws where there is too little */
  #needed(account: Account, wanted: Wanted, instrument: Instrument, price: Big): [Big, string] {
    if (wanted.wallet === 'spot') {
      const [amount, asset] =
        wanted.side === 'buy' ? [wanted.quantity.times(price), instrument.quote] : [wanted.quantity, instrument.base];
      if (this.spendable(account, asset).lt(amount)) throw new Refused('margin');
      return [amount, asset];
    }
    const held = account.positionOf(wanted.symbol);
    const signed = wanted.quantity.times(signOf(wanted.side));
    const opening = wanted.reduceOnly
      ? ZERO
      : held.times(signed).lt(0)
        ? wanted.quantity.minus(held.abs())
        : wanted.quantity;
    const fee = this.#exchange.market.terms(wanted.symbol)?.takerFee ?? 0;
    const cost = opening.lt(0) ? ZERO : opening.times(price);
    const margin = cost.div(this.leverageOf(account, instrument)).plus(cost.times(fee));
    if (margin.gt(0) && this.margin(account).available.lt(margin)) throw new Refused('margin');
    return [ZERO, USDT];
  }

  #lock(account: Account, order: Order, amount: Big): void {
    if (order.wallet !== 'spot') return;
    account.add(account.free, order.lockedAsset, amount.times(-1));
    account.add(account.locked, order.lockedAsset, amount);
    account.tell({ kind: 'spot', assets: [order.lockedAsset] });
  }

  #end(account: Account, order: Order, by: Ending): void {
    if (order.state !== 'new' && order.state !== 'partly') return;
    const state = by === 'customer' || by === 'countdown' ? 'cancelled' : 'expired';
    order.state = state;
    order.endedBy = by;
    order.updatedAt = this.#exchange.now();
    this.#lock(account, order, order.locked.times(-1));
    order.locked = ZERO;
    account.tell({ kind: 'order', order, change: state, fill: null });
  }

  #take(account: Account, order: Order, { instrument }: Listing, book: OrderBook): void {
    const most = this.#exchange.faults.fillShare;
    const wanted = order.quantity.minus(order.filled);
    const quantity = wanted.times(most).div(instrument.lotSize!).round(0, Big.roundUp).times(instrument.lotSize!);
    for (const { price, quantity: part } of takeFromBook(book, order.side, quantity, order.price ?? undefined)) {
      this.#taken.take({ source: '', symbol: order.symbol }, order.side, part, book, this.#exchange.trueNow());
      this.takes += 1;
      this.#fill(account, order, price, part, false);
    }
  }

  #meet(account: Account, order: Order): void {
    const { market } = this.#exchange;
    const now = this.#exchange.trueNow();
    const at = market.meetsAt(order.symbol, order.side, Number(order.price), order.lookedAt, now);
    if (at === null) {
      order.lookedAt = Math.floor(now / SECOND_MS) * SECOND_MS;
      return;
    }
    order.lookedAt = at;
    const book = market.book(order.symbol, at);
    if (!book || !order.price) return;
    const there = depthWithin(this.left(order.symbol, book), order.side, order.price);
    const rest = order.quantity
      .minus(order.filled)
      .times(this.#exchange.faults.fillShare)
      .div(book.lotSize)
      .round(0, Big.roundUp)
      .times(book.lotSize);
    const part = there.lt(rest) ? there : rest;
    if (part.gt(0)) this.#fill(account, order, order.price, part, true);
  }

  /** Books one fill. A reduce-only order ends where the position does. */
  #fill(account: Account, order: Order, price: Big, asked: Big, isMaker: boolean): void {
    const held = account.positionOf(order.symbol).abs();
    const quantity = order.reduceOnly && held.lt(asked) ? held : asked;
    if (quantity.lte(0)) {
      this.#end(account, order, 'reduced');
      return;
    }
    const turnover = quantity.times(price);
    const at = this.#exchange.now();
    order.filled = order.filled.plus(quantity);
    order.turnover = order.turnover.plus(turnover);
    order.state = order.filled.gte(order.quantity) ? 'filled' : 'partly';
    order.updatedAt = at;
    const listing = this.#exchange.listed(order.symbol)!;
    const [fee, feeAsset] = this.#fee(account, order, listing.instrument, quantity, turnover, isMaker);
    const signed = quantity.times(signOf(order.side));
    const isSpot = order.wallet === 'spot';
    const realised = isSpot ? ZERO : account.trade(order.symbol, signed, price, at, listing.ticker.nextFundingAt);
    const fill: Fill = { id: ++this.#records, order, price, quantity, turnover, fee, feeAsset, realised, isMaker, at };
    account.fills.push(fill);
    if (isSpot) this.#settleSpot(account, fill, listing.instrument);
    else this.#settleDerivative(account, fill);
    account.tell({ kind: 'order', order, change: 'trade', fill });
  }

  #fee(
    account: Account,
    { wallet, symbol, side }: Order,
    { base, quote }: Instrument,
    quantity: Big,
    turnover: Big,
    isMaker: boolean,
  ): [Big, string] {
    const terms = this.#exchange.market.terms(symbol)!;
    const rate = isMaker ? terms.makerFee : terms.takerFee;
    const [of, asset] = wallet === 'spot' && side === 'buy' ? [quantity, base] : [turnover, quote];
    const usual = of.times(rate).round(FEE_DIGITS, Big.roundUp);
    const other = account.feeAsset;
    if (other === null) return [usual, asset];
    const price = this.markOf(`${other}USDT`);
    const inOther = turnover.times(rate).times(OTHER_ASSET_SHARE[wallet]).div(price).round(FEE_DIGITS, Big.roundUp);
    const has = wallet === 'spot' ? account.freeOf(other) : account.walletOf(other);
    return has.lt(inOther) ? [usual, asset] : [inOther, other];
  }

  #settleSpot(
    account: Account,
    { order, quantity, turnover, fee, feeAsset, price }: Fill,
    { base, quote }: Instrument,
  ): void {
    // What was kept back for it may be more than it took, where it met a better price.
    const kept = order.side === 'buy' ? quantity.times(order.price ?? price) : quantity;
    const released = order.state === 'filled' || kept.gt(order.locked) ? order.locked : kept;
    order.locked = order.locked.minus(released);
    account.add(account.locked, order.lockedAsset, released.times(-1));
    const spent = order.side === 'buy' ? turnover : quantity;
    account.add(account.free, order.lockedAsset, released.minus(spent));
    account.add(account.free, order.side === 'buy' ? base : quote, order.side === 'buy' ? quantity : turnover);
    account.add(account.free, feeAsset, fee.times(-1));
    account.tell({ kind: 'spot', assets: [...new Set([base, quote, feeAsset])] });
  }

  #settleDerivative(account: Account, { id, order, fee, feeAsset, realised, at }: Fill): void {
    const { symbol } = order;
    this.#earn(account, { kind: 'fee', symbol, asset: feeAsset, amount: fee.times(-1), at, fill: id });
    if (!realised.eq(0)) this.#earn(account, { kind: 'realised', symbol, asset: USDT, amount: realised, at, fill: id });
    const change = ZERO;
    account.tell({
      kind: 'derivatives',
      reason: 'order',
      assets: [...new Set([USDT, feeAsset])],
      symbols: [symbol],
      change,
    });
  }

  #earn(account: Account, income: Omit<Income, 'id'>): void {
    account.income.push({ ...income, id: ++this.#records });
    account.add(account.wallet, income.asset, income.amount);
  }

  #fund(account: Account, symbol: string): void {
    const position = account.positions.get(symbol)!;
    const { market } = this.#exchange;
    if (position.fundedAt === null || this.#exchange.trueNow() < position.fundedAt) return;
    const settled = market.listed(symbol, position.fundedAt)!.ticker;
    const rate = new Big(settled.settledFundingRate!.toFixed(FEE_DIGITS));
    const { quantity } = position;
    const mark = settled.mark!;
    const amount = quantity.times(mark).times(rate).times(-1).round(FEE_DIGITS);
    position.fundedAt = settled.nextFundingAt;
    const at = this.#exchange.now();
    const words = { symbol, asset: USDT, amount, at, fill: null, settled: { mark, quantity } };
    this.#earn(account, { kind: 'funding', ...words });
    account.tell({ kind: 'derivatives', reason: 'funding', assets: [USDT], symbols: [], change: amount });
  }
}
