import type Big from 'big.js';
import { DAY_MS } from '#contract/duration';
import type { Account, Fill, Income, Order } from '../core/account';
import type { Exchange } from '../core/exchange';
import { changesOf, withBalances } from '../core/money';
import type { Params } from '../core/params';
import { Refusal } from '../core/publicDialect';
import { idOf, isSpotAsked, narrow, wide, wrong } from './names';
import { orderWords } from './orders';

const KEPT_MS = 730 * DAY_MS;
/** What a question about times may span. */
export const LONGEST_MS = 7 * DAY_MS;
type Forced = NonNullable<Order['forced']>;
const EXEC_TYPES: Readonly<Record<Forced, string>> = {
  ...{ liquidation: 'BustTrade', partialLiquidation: 'Trade', adl: 'AdlTrade', delivery: 'Delivery' },
};
const LOG_TYPES: Readonly<Record<Forced, string>> = {
  ...{ liquidation: 'LIQUIDATION', partialLiquidation: 'LIQUIDATION', adl: 'ADL', delivery: 'DELIVERY' },
};

/** What was closed by a fill: derivatives alone have that. */
const closedBy = ({ realised, quantity }: Fill): string => (realised.eq(0) ? '0' : quantity.toFixed());

/** One own trade as REST answers it. */
export function fillRow(exchange: Exchange, fill: Fill) {
  const { order, price, quantity, turnover, fee, feeAsset, isMaker, at } = fill;
  const { instrument } = exchange.listed(order.symbol)!;
  const isSpot = order.wallet === 'spot';
  return {
    ...orderWords(exchange, order),
    ...{ orderPrice: order.price?.toFixed() ?? price.toFixed(), orderQty: order.quantity.toFixed() },
    ...{ leavesQty: order.quantity.minus(order.filled).toFixed(), execId: wide(fill.id, isSpot) },
    ...{ execPrice: price.toFixed(), execQty: quantity.toFixed(), execValue: turnover.toFixed() },
    ...{ execFee: fee.toFixed(), feeCurrency: isSpot ? feeAsset : '', execTime: String(at), isMaker },
    execType: order.forced ? EXEC_TYPES[order.forced] : 'Trade',
    feeRate: fee
      .div(feeAsset === instrument.base ? quantity : turnover)
      .round(6)
      .toFixed(),
    ...{ markPrice: exchange.trading.markOf(order.symbol).toFixed(), indexPrice: '', underlyingPrice: '' },
    ...{ tradeIv: '', markIv: '', closedSize: isSpot ? '' : closedBy(fill), seq: fill.id, extraFees: '' },
  };
}

/** What a settlement of funding is among own trades, by the side that is held: above zero it is paid. */
export function fundingRow(exchange: Exchange, { id, symbol, amount, at, settled }: Income) {
  const { mark, quantity } = settled!;
  const value = quantity.abs().times(mark);
  return {
    ...{ symbol: idOf(exchange.listed(symbol)!.instrument), orderId: wide(id, false), orderLinkId: '' },
    ...{ side: quantity.gt(0) ? 'Buy' : 'Sell', isLeverage: '', orderType: 'UNKNOWN', stopOrderType: 'UNKNOWN' },
    ...{ blockTradeId: '', createType: '', orderPrice: '0', orderQty: '0', leavesQty: '0' },
    ...{ execId: wide(id, false), execPrice: String(mark), execQty: quantity.abs().toFixed() },
    ...{ execValue: value.toFixed(), execFee: amount.times(-1).toFixed(), feeCurrency: '', execTime: String(at) },
    ...{ isMaker: false, execType: 'Funding', feeRate: amount.times(-1).div(value).round(8).toFixed() },
    ...{ markPrice: String(mark), indexPrice: '', underlyingPrice: '', tradeIv: '', markIv: '', closedSize: '0' },
    ...{ seq: id, extraFees: '' },
  };
}

interface Stretch {
  from: number;
  to: number;
}

/** Which times are asked for. @param usualMs how much it is where not both ends are said */
export function stretchOf(exchange: Exchange, params: Params, usualMs: number): Stretch {
  const [start, end] = [params.text('startTime'), params.text('endTime')];
  const now = exchange.now();
  const to = end === '' ? (start === '' ? now : Number(start) + usualMs) : Number(end);
  const from = start === '' ? to - usualMs : Number(start);
  if (!(to >= from)) throw wrong('startTime');
  if (to - from > LONGEST_MS)
    throw new Refusal('10001', 'The time range between startTime and endTime cannot exceed 7 days.');
  return { from: Math.max(from, now - KEPT_MS), to: Math.min(to, now - exchange.faults.lagMs) };
}

/** A page of rows that come newest first, each with a number of its own. Where the next begins is said of every page that is not empty. */
export function pageOf<T>(params: Params, all: [id: number, row: T][], usual: number, most: number) {
  const limit = Number(params.text('limit') || usual);
  if (!(limit >= 1)) throw wrong('limit');
  const cursor = decodeURIComponent(params.text('cursor'));
  const before = cursor === '' ? Number.POSITIVE_INFINITY : Number(/^page_token=(\d+)&$/.exec(cursor)?.[1]);
  if (Number.isNaN(before)) throw wrong('cursor');
  const rows = all.filter(([id]) => id < before).slice(0, Math.min(limit, most));
  const last = rows.at(-1)?.[0];
  return {
    list: rows.map(([, row]) => row),
    nextPageCursor: last === undefined ? '' : encodeURIComponent(`page_token=${last}&`),
  };
}

/** Own trades, and funding among them. */
export function fillsAsked(exchange: Exchange, account: Account, params: Params) {
  const isSpot = isSpotAsked(params);
  const { from, to } = stretchOf(exchange, params, LONGEST_MS);
  const fills = account.fills
    .filter(({ order }) => (order.wallet === 'spot') === isSpot)
    .map((fill) => [fill.id, fillRow(exchange, fill)] as const);
  const funding = account.income
    .filter(({ kind }) => kind === 'funding' && !isSpot)
    .map((income) => [income.id, fundingRow(exchange, income)] as const);
  const [id, clientId, symbol, type] = ['orderId', 'orderLinkId', 'symbol', 'execType'].map((name) =>
    params.text(name),
  );
  const isMeant = (row: { orderId: string; orderLinkId: string; symbol: string }): boolean => {
    if (id) return narrow(row.orderId) === narrow(id);
    if (clientId) return row.orderLinkId === clientId;
    return !symbol || row.symbol === symbol;
  };
  const rows = [...fills, ...funding]
    .filter(([, row]) => isMeant(row) && (!type || row.execType === type))
    .filter(([, { execTime }]) => Number(execTime) >= from && Number(execTime) <= to)
    .sort(([one], [other]) => other - one);
  return { category: params.text('category'), ...pageOf(params, rows as [number, (typeof rows)[0][1]][], 50, 100) };
}

interface Entry {
  id: number;
  at: number;
  asset: string;
  change: Big;
  row: Record<'symbol' | 'category' | 'side' | 'type' | 'qty' | 'funding' | 'fee' | 'cashFlow', string> &
    Record<string, string>;
}

/** A trade at spot has two entries, one a currency, under the same name. */
const PARTS = 10;
const entryId = (record: number, part = 0): number => record * PARTS + part;

function tradeEntries(exchange: Exchange, fill: Fill): Entry[] {
  const { order, price, at } = fill;
  const { instrument } = exchange.listed(order.symbol)!;
  const isSpot = order.wallet === 'spot';
  const { feeRate, execId, symbol, orderId, orderLinkId, side } = fillRow(exchange, fill);
  return changesOf(fill, instrument).map(({ asset, amount, change, fee, size }, part) => ({
    ...{ id: entryId(fill.id, part), at, asset, change },
    row: {
      ...{ symbol, category: isSpot ? 'spot' : 'linear', side, orderLinkId },
      type: order.forced ? LOG_TYPES[order.forced] : 'TRADE',
      ...{ qty: (isSpot ? amount : size).toFixed(), tradePrice: price.toFixed(), funding: '', fee: fee.toFixed() },
      ...{ cashFlow: amount.toFixed(), feeRate, tradeId: execId, orderId: order.forced === 'delivery' ? '' : orderId },
    },
  }));
}

/** Funding, and what comes from the customer's other accounts or goes there. */
function incomeEntries(exchange: Exchange, income: Income): Entry[] {
  const { id, kind, asset, amount, at } = income;
  const entry = (row: Entry['row']): Entry[] => [{ id: entryId(id), at, asset, change: amount, row }];
  const none = { orderLinkId: '', fee: '0', tradePrice: '0', feeRate: '0', tradeId: '', orderId: '' };
  if (kind === 'transfer') {
    const type = amount.gt(0) ? 'TRANSFER_IN' : 'TRANSFER_OUT';
    const moved = amount.toFixed();
    return entry({ ...none, symbol: '', category: '', side: 'None', type, qty: moved, funding: '', cashFlow: moved });
  }
  if (kind !== 'funding') return [];
  const { symbol, side, execPrice, execQty, execId, orderId, feeRate } = fundingRow(exchange, income);
  return entry({
    ...{ ...none, symbol, category: 'linear', side, type: 'SETTLEMENT', qty: execQty, feeRate },
    ...{ funding: amount.toFixed(), cashFlow: '0', tradePrice: execPrice, tradeId: execId, orderId },
  });
}

/** What changed balances. */
export function logAsked(exchange: Exchange, account: Account, params: Params) {
  const { from, to } = stretchOf(exchange, params, DAY_MS);
  const entries = [
    ...account.fills.flatMap((fill) => tradeEntries(exchange, fill)),
    ...account.income.flatMap((income) => incomeEntries(exchange, income)),
  ].sort((one, other) => other.id - one.id);
  const wanted = ['category', 'type'].map((name) => [name, params.text(name)] as const).filter(([, text]) => text);
  const currency = params.text('currency');
  const rows = withBalances(account, entries)
    .filter(({ at, asset }) => at >= from && at <= to && (!currency || asset === currency))
    .filter(({ row }) => wanted.every(([name, text]) => row[name] === text))
    .map(({ id, at, asset, change, left, row }) => [
      id,
      {
        ...{
          ...row,
          id: `${account.uid}_${row.symbol}_${Math.floor(id / PARTS)}`,
          transSubType: '',
          transactionTime: String(at),
        },
        ...{ currency: asset, change: change.toFixed(), cashBalance: left.toFixed(), bonusChange: '', size: '0' },
        extraFees: '',
      },
    ]);
  return pageOf(params, rows as [number, object][], 20, 50);
}
