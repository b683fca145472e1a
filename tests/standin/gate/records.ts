import type Big from 'big.js';
import { DAY_MS, SECOND_MS } from '#contract/duration';
import type { Account, Fill, Income, Order } from '../core/account';
import type { Exchange } from '../core/exchange';
import { withBalances } from '../core/money';
import type { Params } from '../core/params';
import { accountAt, type House, idOf, seconds, USDT } from './names';
import { contractRow, isKept, isOpen, isTold, type Part, pairRow, sizeOf, textOf, walletOf } from './orders';
import { pageOf, timeOf, wrong } from './params';

const WEEK_MS = 7 * DAY_MS;
const LONGEST_MS = 30 * DAY_MS;

/** Something that was, with when it was told of, UTC ms. */
interface Told {
  at: number;
}

/** Those of a stretch that are told of by now, the newest first. @param longest of stretches, UTC ms; by default as long as one likes */
function within<T extends Told>(exchange: Exchange, params: Params, rows: readonly T[], longest?: number): T[] {
  const now = exchange.now();
  const [from, to] = [timeOf(params, 'from'), timeOf(params, 'to')];
  const end = to ?? (longest === undefined || from === undefined ? now : from + WEEK_MS);
  const begin = from ?? (longest === undefined ? 0 : end - WEEK_MS);
  if (longest !== undefined && end - begin > longest) throw wrong('from', params.text('from'));
  const told = now - exchange.faults.lagMs;
  // A second that is asked for is meant to its end.
  return rows.filter(({ at }) => at >= begin && at < end + SECOND_MS && at <= told).reverse();
}

const isOf = (params: Params, name: string, value: string): boolean => ['', value].includes(params.text(name));

/** What is delivered is no trade. */
const tradesOf = (account: Account, part: Part): Fill[] =>
  account.fills.filter(({ order }) => order.wallet === walletOf(part) && order.forced !== 'delivery');

export function pairTradeRow(exchange: Exchange, fill: Fill) {
  const { order, at, feeAsset, fee } = fill;
  const isOther = feeAsset === 'GT';
  const { instrument } = exchange.listed(order.symbol)!;
  return {
    ...{ id: String(fill.id), create_time: String(seconds(at)), create_time_ms: `${at}.000000` },
    ...{ currency_pair: idOf(instrument), side: order.side, role: fill.isMaker ? 'maker' : 'taker' },
    ...{ amount: fill.quantity.toFixed(), price: fill.price.toFixed(), order_id: String(order.id) },
    ...{ fee: isOther ? '0' : fee.toFixed(), fee_currency: order.side === 'buy' ? instrument.base : instrument.quote },
    ...{ point_fee: '0', gt_fee: isOther ? fee.toFixed() : '0', amend_text: '-', text: textOf(order) },
    sequence_id: String(fill.id),
  };
}

export function contractTradeRow(exchange: Exchange, fill: Fill) {
  const { order } = fill;
  const { instrument } = exchange.listed(order.symbol)!;
  return {
    ...{ create_time: fill.at / SECOND_MS, contract: idOf(instrument), order_id: String(order.id) },
    ...{ size: sizeOf(order.side, fill.quantity, instrument), price: fill.price.toFixed() },
    ...{ role: fill.isMaker ? 'maker' : 'taker', text: textOf(order), fee: fill.fee.toFixed(), point_fee: '0' },
  };
}

export function pairTrades(exchange: Exchange, account: Account, params: Params) {
  const fills = within(exchange, params, tradesOf(account, 'spot'), LONGEST_MS);
  const rows = fills.map((fill) => pairTradeRow(exchange, fill));
  return pageOf(
    params,
    rows.filter((row) => isOf(params, 'currency_pair', row.currency_pair) && isOf(params, 'order_id', row.order_id)),
  );
}

/** @param idName what the number of a trade is called there */
export function contractTrades(
  exchange: Exchange,
  account: Account,
  house: House,
  params: Params,
  idName: 'id' | 'trade_id',
) {
  const fills = within(exchange, params, tradesOf(account, house));
  const rows = fills.map((fill) => ({
    [idName]: idName === 'id' ? fill.id : String(fill.id),
    ...contractTradeRow(exchange, fill),
  }));
  return pageOf(
    params,
    rows.filter((row) => isOf(params, 'contract', row.contract) && isOf(params, 'order', row.order_id)),
  );
}

const BOOKED = { realised: 'pnl', fee: 'fee', funding: 'fund', transfer: 'dnw', insurance: 'bonus_offset' } as const;

/** What a change is said to be of: an order, what was delivered or held, or nothing. */
function commentOf(exchange: Exchange, account: Account, { symbol, fill }: Income) {
  if (symbol === '') return { text: '', contract: '' };
  const contract = idOf(exchange.listed(symbol)!.instrument);
  const order = fill === null ? undefined : account.fills.find(({ id }) => id === fill)!.order;
  return { contract, text: order && order.forced !== 'delivery' ? `${contract}:${order.id}` : contract };
}

/** What changed the money of contracts, ascending, each with what was there after it. */
export function bookRows(exchange: Exchange, account: Account) {
  const income = account.income.filter(({ asset }) => asset === USDT);
  let left = income.reduce((rest, { amount }) => rest.minus(amount), account.walletOf(USDT));
  return income.map((one) => {
    left = left.plus(one.amount);
    return {
      at: one.at,
      row: {
        ...{ time: one.at / SECOND_MS, change: one.amount.toFixed(), balance: left.toFixed(), type: BOOKED[one.kind] },
        ...{ ...commentOf(exchange, account, one), trade_id: one.fill === null ? '' : String(one.fill) },
        id: String(one.id),
      },
    };
  });
}

export function contractBook(exchange: Exchange, account: Account, params: Params) {
  const rows = within(exchange, params, bookRows(exchange, account)).map(({ row }) => row);
  return pageOf(
    params,
    rows.filter((row) => isOf(params, 'contract', row.contract) && isOf(params, 'type', row.type)),
  );
}

interface Change extends Told {
  id: number;
  asset: string;
  change: Big;
  type: string;
  text: string;
}

/** What changed the money of spot: trades with their fees, and what went to and fro between it and the other wallets. */
export function pairBook(exchange: Exchange, account: Account, params: Params) {
  const changes: Change[] = tradesOf(account, 'spot').flatMap((fill) => {
    const { order, quantity, turnover, fee, feeAsset, at, id } = fill;
    const { base, quote } = exchange.listed(order.symbol)!.instrument;
    const sign = order.side === 'buy' ? 1 : -1;
    const of = { at, id, text: String(order.id) };
    return [
      { ...of, type: 'order_fill', asset: base, change: quantity.times(sign) },
      { ...of, type: 'order_fill', asset: quote, change: turnover.times(-sign) },
      { ...of, type: 'order_fee', asset: feeAsset, change: fee.times(-1) },
    ];
  });
  for (const { id, at, asset, amount, to } of account.transfers) {
    const isBack = to === 'spot';
    const type = isBack ? 'perp_out' : 'perp_in';
    changes.push({ at, id, asset, change: isBack ? amount : amount.times(-1), type, text: '' });
  }
  for (const { id, kind, at, asset, amount } of accountAt(exchange, account, 'delivery').income) {
    const type = amount.gt(0) ? 'delivery_in' : 'delivery_out';
    if (kind === 'transfer') changes.push({ at, id, asset, change: amount.times(-1), type, text: '' });
  }
  changes.sort((one, other) => other.id - one.id);
  const rows = withBalances(account, changes).map(({ at, id, asset, change, left, ...words }, i) => {
    const row = { id: `${id}${i % 10}`, time: at, currency: asset, change: change.toFixed(), balance: left.toFixed() };
    return { at, row: { ...row, ...words, code: '' } };
  });
  const asked = within(exchange, params, rows.reverse(), LONGEST_MS).map(({ row }) => row);
  return pageOf(
    params,
    asked.filter((row) => isOf(params, 'currency', row.currency) && isOf(params, 'type', row.type)),
  );
}

/** What was held of futures when they were delivered. */
export function settlements(exchange: Exchange, account: Account, params: Params) {
  const fills = account.fills.filter(({ order }) => order.forced === 'delivery').reverse();
  const rows = fills.map(({ order, at, quantity, price, realised, fee }) => {
    const { instrument } = exchange.listed(order.symbol)!;
    const held = quantity.times(order.side === 'buy' ? -1 : 1);
    const leverage = exchange.trading.leverageOf(account, instrument);
    return {
      ...{ time: seconds(at), contract: idOf(instrument), leverage: String(leverage) },
      ...{ size: sizeOf(held.gt(0) ? 'buy' : 'sell', quantity, instrument), margin: '0' },
      ...{ entry_price: price.minus(realised.div(held)).round(12).toFixed(), settle_price: price.toFixed() },
      ...{ profit: realised.toFixed(), fee: fee.toFixed() },
    };
  });
  return pageOf(
    params,
    rows.filter((row) => isOf(params, 'contract', row.contract)),
  );
}

/** Orders that rest, or that have ended, the newest first. */
export function ordersAsked(exchange: Exchange, account: Account, part: Part, isEnded: boolean): Order[] {
  const all = [...account.orders.values()].filter(
    (order) =>
      order.wallet === walletOf(part) &&
      isOpen(order) !== isEnded &&
      isTold(exchange, order) &&
      isKept(exchange, part, order, false),
  );
  return all.sort((one, other) => other.updatedAt - one.updatedAt || other.id - one.id);
}

/** Orders of one status: of spot those that rest by pair, those that ended by when they did. */
export function orderList(exchange: Exchange, account: Account, part: Part, params: Params, uid: number) {
  const status = params.oneOf('status', ['open', 'finished']);
  if (part === 'spot' && status === 'open') params.needed('currency_pair');
  const orders = ordersAsked(exchange, account, part, status === 'finished');
  return listed(exchange, account, part, params, orders, uid);
}

/** Those of a stretch, by when they last changed. */
export function listed(
  exchange: Exchange,
  account: Account,
  part: Part,
  params: Params,
  orders: readonly Order[],
  uid: number,
) {
  const told = orders.map((order) => ({ at: order.updatedAt, order })).reverse();
  const asked = within(exchange, params, told).map(({ order }) => order);
  if (part !== 'spot') {
    const rows = asked.map((order) => contractRow(exchange, order, uid));
    return pageOf(
      params,
      rows.filter(({ contract }) => isOf(params, 'contract', contract)),
    );
  }
  const rows = asked.map((order) => pairRow(exchange, account, order));
  return pageOf(
    params,
    rows.filter((row) => isOf(params, 'currency_pair', row.currency_pair) && isOf(params, 'side', row.side)),
  );
}
