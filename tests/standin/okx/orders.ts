import Big from 'big.js';
import { HOUR_MS } from '#contract/duration';
import type { Listing } from '#server/market/exchange';
import type { Account, Ending, Fill, Order, TimeInForce } from '../core/account';
import type { Exchange } from '../core/exchange';
import { bandOf, cutToHeld, isBeyondLeverage } from '../core/money';
import type { Params } from '../core/params';
import { Refusal } from '../core/publicDialect';
import { Refused, type Wanted, type Why } from '../core/trading';
import { CONTRACTS, idOf, listedAs, sizeOf, TYPES, wide, wrong } from './instruments';

const FORCES: Readonly<Record<string, TimeInForce>> = {
  ...{ limit: 'GTC', post_only: 'GTX', ioc: 'IOC', fok: 'FOK', market: 'IOC' },
};
const TYPE_OF: Readonly<Record<TimeInForce, string>> = { GTC: 'limit', GTX: 'post_only', IOC: 'ioc', FOK: 'fok' };
/** How far from the market the price of an order may be, as a share of it. */
const BAND = 0.05;
const MOST = 100_000_000;
/** How long an order that ended without a fill can still be asked for. */
export const KEPT_MS = 2 * HOUR_MS;

const STATES: Readonly<Record<Order['state'], string>> = {
  ...{ new: 'live', partly: 'partially_filled', filled: 'filled', cancelled: 'canceled', expired: 'canceled' },
};
const ENDINGS: Readonly<Record<Ending, [source: string, reason: string]>> = {
  customer: ['1', 'Order canceled by user'],
  reduced: ['2', 'Pre reduce-only order canceled, due to insufficient margin in user position'],
  notWhole: ['13', 'FOK order was canceled due to incompletely filled'],
  rest: ['14', 'IOC order was partially canceled due to incompletely filled'],
  countdown: ['20', 'Cancel all after triggered'],
  wouldTake: ['31', 'The post-only order will take liquidity in taker orders'],
};
const CATEGORIES: Readonly<Record<NonNullable<Order['forced']>, string>> = {
  liquidation: 'full_liquidation',
  partialLiquidation: 'partial_liquidation',
  adl: 'adl',
  delivery: 'delivery',
};

/** What is said of an order that is not taken; what cannot be as it was asked for is, and ends at once. */
function refusalOf(why: Why, account: Account, { symbol, wallet }: Wanted): Refusal {
  const isHeld = !account.positionOf(symbol).eq(0);
  const refusals: Partial<Record<Why, [code: string, message: string]>> = {
    margin: ['51008', `Order failed. Insufficient USDT ${wallet === 'spot' ? 'balance' : 'margin'} in account`],
    reduceOnly: isHeld
      ? [
          '51170',
          'Failed to place order. A reduce-only order can’t be the same trading direction as your existing positions.',
        ]
      : [
          '51169',
          "Order failed because you don't have any positions in this direction for this contract to reduce or close.",
        ],
    duplicate: ['51016', 'Client order ID already exists.'],
    nobody: ['51109', 'No available offers.'],
  };
  return new Refusal(...refusals[why]!);
}

/** The account must be able to trade it so. */
function checkModes(account: Account, params: Params, isSpot: boolean): void {
  const mode = params.oneOf('tdMode', ['cash', 'cross', 'isolated']);
  if (!isSpot && account.level === 1) throw new Refusal('51010', 'Request unsupported under current account mode');
  // Where all assets are margin, spot is traded on margin too.
  const modes = !isSpot ? ['cross', 'isolated'] : account.level > 2 ? ['cross'] : ['cash'];
  if (!modes.includes(mode)) throw wrong('tdMode');
  const sides = account.isHedged && !isSpot ? ['long', 'short'] : ['net', ''];
  if (!sides.includes(params.text('posSide'))) throw wrong('posSide');
  if (account.isHedged && !isSpot) throw wrong('posSide');
}

function checkSize(size: Big, step: string): void {
  if (size.lt(step)) throw new Refusal('51020', 'Your order should meet or exceed the minimum order amount.');
  if (size.gt(MOST)) throw new Refusal('51005', 'Your order amount exceeds the max order amount.');
  if (!size.mod(step).eq(0)) throw new Refusal('51121', 'Order quantity must be a multiple of the lot size.');
}

function checkPrice(price: Big, side: string, listing: Listing): void {
  const { instrument } = listing;
  if (!price.mod(instrument.tickSize!).eq(0))
    throw new Refusal('51150', 'The precision of the number of trades or the price exceeds the limit.');
  const [highest, lowest] = bandOf(listing, BAND);
  if (side === 'buy' ? price.lte(highest) : price.gte(lowest)) return;
  if (instrument.kind !== 'spot')
    throw new Refusal(
      '51006',
      `Order price is not within the price limit (max buy price: ${highest.toFixed()} , min sell price: ${lowest.toFixed()} )`,
    );
  throw side === 'buy'
    ? new Refusal('51137', `The highest price limit for buy orders is ${highest.toFixed()}.`)
    : new Refusal('51138', `The lowest price limit for sell orders is ${lowest.toFixed()}.`);
}

/** What would be held with it may not be more than the leverage allows. */
function checkTier(exchange: Exchange, account: Account, wanted: Wanted, { instrument }: Listing): void {
  if (!isBeyondLeverage(exchange, account, wanted, instrument)) return;
  const leverage = exchange.trading.leverageOf(account, instrument);
  const message = `Order failed. For cross buy/sell mode of ${idOf(instrument)}, the sum of current order size, position quantity and pending orders can’t be more than the maximum position amount under current leverage. Please lower the leverage (current leverage: ${leverage}×).`;
  throw new Refusal('51004', message);
}

/** What is asked for, in the exchange's own words. @throws as OKX does */
function wantedOf(exchange: Exchange, account: Account, params: Params): Wanted {
  const listing = listedAs(exchange, params.needed('instId'));
  const { instrument } = listing;
  const { symbol } = instrument;
  const isSpot = instrument.kind === 'spot';
  if (exchange.faults.delisted.has(symbol)) throw new Refusal('51022', 'Contract suspended.');
  checkModes(account, params, isSpot);
  const side = params.oneOf('side', ['buy', 'sell']);
  const ordType = params.oneOf('ordType', Object.keys(FORCES));
  const clientId = params.text('clOrdId');
  if (!/^[A-Za-z0-9]{0,32}$/.test(clientId)) throw wrong('clOrdId');
  const isMarket = ordType === 'market';
  // Of what is bought at spot at the market the other currency is meant unless it is said; nobody here means it.
  if (isSpot && isMarket && side === 'buy' && params.text('tgtCcy') !== 'base_ccy') throw wrong('tgtCcy');
  const size = params.number('sz');
  checkSize(size, CONTRACTS.step(instrument));
  const price = isMarket ? null : params.number('px');
  if (price) checkPrice(price, side, listing);
  const reduceOnly = !isSpot && params.text('reduceOnly') === 'true';
  const asked = size.times(CONTRACTS.size(instrument));
  const wanted = cutToHeld(account, {
    ...{ symbol, wallet: isSpot ? 'spot' : 'derivatives', clientId, side, type: isMarket ? 'market' : 'limit' },
    ...{ timeInForce: FORCES[ordType]!, price, quantity: asked, reduceOnly },
  });
  if (!isSpot && !reduceOnly) checkTier(exchange, account, wanted, listing);
  return wanted;
}

/** Places one order. @throws {Refusal} */
export function placeOrder(exchange: Exchange, account: Account, params: Params): Order {
  const wanted = wantedOf(exchange, account, params);
  try {
    const order = exchange.trading.place(account, wanted);
    if (params.text('tdMode') === 'isolated') account.isolated.add(wanted.symbol);
    return order;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw refusalOf(error.why, account, wanted);
  }
}

/** The order that is asked for; undefined where there is none. */
export function orderAsked(exchange: Exchange, account: Account, params: Params): Order | undefined {
  const { symbol, kind } = listedAs(exchange, params.needed('instId')).instrument;
  const [id, clientId] = [params.text('ordId'), params.text('clOrdId')];
  if (id === '' && clientId === '') throw new Refusal('51003', 'Either client order ID or order ID is required.');
  const number = id === '' ? undefined : Number(id.slice(2));
  return account.find(kind === 'spot' ? 'spot' : 'derivatives', symbol, number, clientId);
}

export const posSideOf = (account: Account, quantity: Big): string =>
  account.isHedged ? (quantity.gt(0) ? 'long' : 'short') : 'net';

const modeOf = (account: Account, { wallet, symbol }: Order): string =>
  wallet === 'spot' ? 'cash' : account.isolated.has(symbol) ? 'isolated' : 'cross';

/** What the exchange did by itself is told under negative numbers. */
export const tradeIdOf = ({ id, order: { forced } }: Fill): string =>
  forced === null || forced === 'delivery' ? String(id) : String(-id);

const sum = (fills: Fill[], of: (fill: Fill) => Big): Big =>
  fills.reduce((all, fill) => all.plus(of(fill)), new Big(0));

/** One order as REST answers it. */
export function orderRow(exchange: Exchange, account: Account, order: Order) {
  const { instrument } = exchange.listed(order.symbol)!;
  const isSpot = order.wallet === 'spot';
  const fills = account.fills.filter((fill) => fill.order === order);
  const last = fills.at(-1);
  const feeCcy = isSpot && order.side === 'buy' ? instrument.base : instrument.quote;
  const [cancelSource, cancelSourceReason] = order.endedBy ? ENDINGS[order.endedBy] : ['', ''];
  return {
    ...{ instType: TYPES[instrument.kind], instId: idOf(instrument), tgtCcy: '', ccy: isSpot ? '' : instrument.quote },
    ...{ ordId: wide(order.id), clOrdId: order.forced ? '' : order.clientId, tag: '' },
    ...{ px: order.price?.toFixed() ?? '', sz: sizeOf(order.quantity, instrument) },
    ordType: order.type === 'market' ? 'market' : TYPE_OF[order.timeInForce],
    ...{ side: order.side, posSide: 'net', tdMode: modeOf(account, order) },
    ...{ accFillSz: sizeOf(order.filled, instrument), state: STATES[order.state] },
    avgPx: order.filled.gt(0) ? order.turnover.div(order.filled).round(12).toFixed() : '',
    fillPx: last?.price.toFixed() ?? '',
    fillSz: last ? sizeOf(last.quantity, instrument) : '0',
    ...{ fillTime: last ? String(last.at) : '', tradeId: last ? tradeIdOf(last) : '' },
    pnl: sum(fills, ({ realised }) => realised).toFixed(),
    ...{ fee: sum(fills, ({ fee }) => fee.times(-1)).toFixed(), feeCcy, rebate: '0', rebateCcy: feeCcy },
    lever: isSpot ? '' : String(exchange.trading.leverageOf(account, instrument)),
    ...{
      category: order.forced ? CATEGORIES[order.forced] : 'normal',
      source: '',
      reduceOnly: String(order.reduceOnly),
    },
    ...{ cancelSource, cancelSourceReason, uTime: String(order.updatedAt), cTime: String(order.createdAt) },
  };
}
