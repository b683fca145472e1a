import type Big from 'big.js';
import { DAY_MS } from '#contract/duration';
import type { Instrument } from '#server/market/exchange';
import type { Account, Fill, Income } from '../core/account';
import type { Exchange } from '../core/exchange';
import { changesOf, withBalances } from '../core/money';
import type { Params } from '../core/params';
import { idOf, sizeOf, TYPES, wide, wrong } from './instruments';
import { posSideOf, tradeIdOf } from './orders';

const MOST_ROWS = 100;
/** What a bill of a trade is called, by what it came of: bought and sold. */
const SUB_TYPES = {
  trade: ['1', '2'],
  partialLiquidation: ['102', '103'],
  liquidation: ['106', '107'],
  adl: ['127', '128'],
  delivery: ['113', '112'],
} as const;
const BILL_TYPES = { trade: '2', partialLiquidation: '5', liquidation: '5', adl: '9', delivery: '3' } as const;

/** A trade at spot has two bills, one a currency. */
const billIdOf = (record: number, part = 0): string => wide(record * 10 + part);
const subTypeOf = ({ order: { forced, side } }: Fill): string => SUB_TYPES[forced ?? 'trade'][side === 'buy' ? 0 : 1];
export const execTypeOf = ({ order, isMaker }: Fill): string => (order.forced ? '' : isMaker ? 'M' : 'T');

/** One own trade as REST answers it. */
function fillRow(exchange: Exchange, account: Account, fill: Fill) {
  const { order } = fill;
  const { instrument } = exchange.listed(order.symbol)!;
  return {
    ...{ instType: TYPES[instrument.kind], instId: idOf(instrument), tradeId: tradeIdOf(fill), ordId: wide(order.id) },
    ...{ clOrdId: order.forced ? '' : order.clientId, billId: billIdOf(fill.id), subType: subTypeOf(fill), tag: '' },
    ...{ fillPx: fill.price.toFixed(), fillSz: sizeOf(fill.quantity, instrument), fillPnl: fill.realised.toFixed() },
    ...{ side: order.side, posSide: posSideOf(account, fill.quantity), execType: execTypeOf(fill) },
    ...{ feeCcy: fill.feeAsset, fee: fill.fee.times(-1).toFixed(), ts: String(fill.at), fillTime: String(fill.at) },
    ...(order.wallet === 'spot' && { feeRate: fill.fee.div(feeBase(fill, instrument)).times(-1).round(6).toFixed() }),
  };
}

const feeBase = ({ feeAsset, quantity, turnover }: Fill, { base }: Instrument): Big =>
  feeAsset === base ? quantity : turnover;

interface Bill {
  billId: string;
  ts: string;
  asset: string;
  change: Big;
  row: Readonly<Record<'type' | 'subType' | 'instType' | 'instId' | 'mgnMode', string>> & Record<string, string>;
}

function tradeBills(exchange: Exchange, fill: Fill): Bill[] {
  const { order, price, realised, at } = fill;
  const { instrument } = exchange.listed(order.symbol)!;
  const isSpot = order.wallet === 'spot';
  return changesOf(fill, instrument).map(({ asset, change, fee, size }, part) => ({
    ...{ billId: billIdOf(fill.id, part), ts: String(at), asset, change },
    row: {
      ...{ type: BILL_TYPES[order.forced ?? 'trade'], subType: subTypeOf(fill) },
      ...{ instType: TYPES[instrument.kind]!, instId: idOf(instrument), px: price.toFixed() },
      sz: isSpot ? size.toFixed() : sizeOf(size, instrument),
      ...{ pnl: realised.toFixed(), fee: fee.times(-1).toFixed(), execType: execTypeOf(fill) },
      // What is delivered has no order.
      ...{ ordId: order.forced === 'delivery' ? '' : wide(order.id), tradeId: tradeIdOf(fill) },
      mgnMode: isSpot ? 'cash' : 'cross',
      ...{ clOrdId: order.forced ? '' : order.clientId, fillTime: String(at), from: '', to: '' },
    },
  }));
}

/** Funding, and what comes from the customer's other accounts or goes there. */
function incomeBills(exchange: Exchange, { id, kind, symbol, asset, amount, at, settled }: Income): Bill[] {
  const isIn = amount.gt(0);
  const none = { fee: '0', execType: '', ordId: '', tradeId: '', clOrdId: '', fillTime: '' };
  const bill = (row: Bill['row']): Bill[] => [
    { billId: billIdOf(id), ts: String(at), asset, change: amount, row: { ...none, ...row } },
  ];
  if (kind === 'transfer') {
    const [from, to] = isIn ? ['6', '18'] : ['18', '6'];
    const of = { instType: '', instId: '', mgnMode: '', sz: amount.abs().toFixed(), px: '', pnl: '0' };
    return bill({ type: '1', subType: isIn ? '11' : '12', ...of, from, to });
  }
  if (kind !== 'funding') return [];
  const { instrument } = exchange.listed(symbol)!;
  const of = { instType: TYPES[instrument.kind]!, instId: idOf(instrument), mgnMode: 'cross', from: '', to: '' };
  const { mark, quantity } = settled!;
  const sz = sizeOf(quantity.abs(), instrument);
  return bill({ type: '8', subType: isIn ? '174' : '173', ...of, sz, px: String(mark), pnl: amount.toFixed() });
}

/** Newest first, each with what was there after it. */
function billRows(exchange: Exchange, account: Account) {
  const bills = [
    ...account.fills.flatMap((fill) => tradeBills(exchange, fill)),
    ...account.income.flatMap((income) => incomeBills(exchange, income)),
  ].sort((one, other) => (one.billId < other.billId ? 1 : -1));
  return withBalances(account, bills).map(({ row, asset, change, left, ...bill }) => ({
    ...{ ...bill, ...row, ccy: asset, balChg: change.toFixed(), bal: left.toFixed() },
    ...{ interest: '0', notes: '', tag: '' },
  }));
}

interface Recorded {
  billId: string;
  ts: string;
}

/** Those that are asked for of rows that come newest first: by what they are, by times, and between two bills that are not among them. @param days how far back they are told */
function asked<T extends Recorded>(
  exchange: Exchange,
  params: Params,
  days: number,
  rows: T[],
  names: readonly (keyof T & string)[],
): T[] {
  const limit = Math.min(Number(params.text('limit') || MOST_ROWS), MOST_ROWS);
  if (!(limit > 0)) throw wrong('limit');
  const now = exchange.now();
  const begin = Math.max(Number(params.text('begin') || 0), now - days * DAY_MS);
  const end = Math.min(Number(params.text('end') || now), now - exchange.faults.lagMs);
  const [after, before] = [params.text('after'), params.text('before')];
  const isAsked = (row: T): boolean => names.every((name) => ['', row[name]].includes(params.text(name)));
  return rows
    .filter((row) => isAsked(row) && Number(row.ts) >= begin && Number(row.ts) <= end)
    .filter(({ billId }) => (after === '' || billId < after) && (before === '' || billId > before))
    .slice(0, limit);
}

/** Own trades, newest first. */
export function fillsAsked(exchange: Exchange, account: Account, params: Params, days: number) {
  const rows = account.fills.map((fill) => fillRow(exchange, account, fill)).reverse();
  return asked(exchange, params, days, rows, ['instType', 'instId', 'ordId', 'subType']);
}

/** What changed balances, newest first. */
export function billsAsked(exchange: Exchange, account: Account, params: Params, days: number) {
  const rows = billRows(exchange, account);
  return asked(exchange, params, days, rows, ['instType', 'instId', 'ccy', 'type', 'subType', 'mgnMode']);
}
