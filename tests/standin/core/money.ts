import Big from 'big.js';
import type { Instrument, Listing } from '#server/market/exchange';
import { type Account, type Fill, type Order, ZERO } from './account';
import { bracketsOf } from './brackets';
import type { Exchange } from './exchange';
import type { Wanted } from './trading';

const USDT = 'USDT';

export const digits = (value: Big): string => value.round(12).toFixed();

/** Of one wallet: what is there of one asset, and what of it backs positions, which USDT alone does. */
export function moneyOf({ trading }: Exchange, account: Account, asset: string) {
  const locked = account.lockedOf(asset);
  const cash = account.freeOf(asset).plus(locked);
  const isMargin = asset === USDT;
  const none = { unrealised: ZERO, initial: ZERO, orders: ZERO, maintenance: ZERO, available: account.freeOf(asset) };
  const margin = isMargin ? trading.margin(account) : none;
  const equity = cash.plus(margin.unrealised);
  const worth = isMargin ? equity : equity.times(trading.markOf(`${asset}${USDT}`));
  return { ...margin, asset, cash, locked, isMargin, equity, worth };
}

/** All assets of which there is something. */
export const moneyHeld = (exchange: Exchange, account: Account) =>
  [...new Set([...account.free.keys(), ...account.locked.keys(), USDT])]
    .map((asset) => moneyOf(exchange, account, asset))
    .filter(({ equity }) => !equity.eq(0));

/** What a fill changes: of a derivative what was realised, of spot both currencies; the fee goes off the one that it is paid in. */
export function changesOf({ order, quantity, turnover, fee, feeAsset, realised }: Fill, { base, quote }: Instrument) {
  const change = (asset: string, amount: Big, size: Big) => {
    const paid = asset === feeAsset ? fee : ZERO;
    return { asset, amount, fee: paid, change: amount.minus(paid), size };
  };
  if (order.wallet === 'derivatives') return [change(quote, realised, quantity)];
  const sign = order.side === 'buy' ? 1 : -1;
  return [change(base, quantity.times(sign), quantity), change(quote, turnover.times(-sign), turnover)];
}

/** Of changes that come newest first: each with what was there of its asset after it. */
export function withBalances<T extends { asset: string; change: Big }>(
  account: Account,
  rows: T[],
): (T & { left: Big })[] {
  const balances = new Map<string, Big>();
  return rows.map((row) => {
    const left = balances.get(row.asset) ?? account.freeOf(row.asset).plus(account.lockedOf(row.asset));
    balances.set(row.asset, left.minus(row.change));
    return { ...row, left };
  });
}

/** The highest and the lowest price of an order, as a share of the market's. */
export function bandOf({ instrument, ticker }: Listing, share: number): [highest: Big, lowest: Big] {
  const about = new Big(ticker.mark ?? ticker.price);
  const limit = (factor: number) => about.times(factor).div(instrument.tickSize!).round().times(instrument.tickSize!);
  return [limit(1 + share), limit(1 - share)];
}

/** Whether more would be held with an order than the leverage allows. */
export function isBeyondLeverage(
  exchange: Exchange,
  account: Account,
  wanted: Wanted,
  instrument: Instrument,
): boolean {
  const { symbol, side, quantity } = wanted;
  const leverage = exchange.trading.leverageOf(account, instrument);
  const most = bracketsOf(instrument.maxLeverage!).findLast(({ maxLeverage }) => maxLeverage >= leverage)!.cap;
  const held = account.positionOf(symbol).times(side === 'buy' ? 1 : -1);
  const resting = account.live('derivatives', symbol).filter((order) => order.side === side);
  const all = resting.reduce((sum, order) => sum.plus(order.quantity).minus(order.filled), held.plus(quantity));
  return all.times(exchange.trading.markOf(symbol)).gt(most);
}

/** One that would reduce more than there is is made as large as that. */
export function cutToHeld(account: Account, wanted: Wanted): Wanted {
  const held = account.positionOf(wanted.symbol);
  const isTooMuch = held.times(wanted.side === 'buy' ? -1 : 1).gt(0) && held.abs().lt(wanted.quantity);
  return wanted.reduceOnly && isTooMuch ? { ...wanted, quantity: held.abs() } : wanted;
}

/** What ended without a fill is forgotten after a while; what has just come is not told yet. */
export function isTold({ endedBy, filled, createdAt, updatedAt }: Order, exchange: Exchange, keptMs: number): boolean {
  const now = exchange.now();
  const isForgotten = endedBy !== null && filled.eq(0) && now - updatedAt > keptMs;
  return !isForgotten && now - createdAt >= exchange.faults.lagMs;
}

/** Sets the leverage of symbols that have the same, unless there is too little for it. @returns whether it is set */
export function setLeverage(
  { trading }: Exchange,
  account: Account,
  instrument: Instrument,
  symbols: readonly string[],
  leverage: number,
): boolean {
  const before = trading.leverageOf(account, instrument);
  const set = (value: number) => symbols.forEach((symbol) => void account.leverage.set(symbol, value));
  set(leverage);
  if (leverage >= before || trading.margin(account).available.gte(0)) return true;
  set(before);
  return false;
}
