import Big from 'big.js';
import { DAY_MS } from '#contract/duration';
import type { Listing } from '#server/market/exchange';
import type { Account, Ending, Fill, Order, TimeInForce } from '../core/account';
import type { Exchange } from '../core/exchange';
import { bandOf, cutToHeld, isBeyondLeverage, isTold } from '../core/money';
import type { Params } from '../core/params';
import { Refusal } from '../core/publicDialect';
import { Refused, type Wanted, type Why } from '../core/trading';
import { categoryOf, idOf, isSpotAsked, listedAs, narrow, wide, wrong } from './names';

const FORCES: Readonly<Record<string, TimeInForce>> = { GTC: 'GTC', IOC: 'IOC', FOK: 'FOK', PostOnly: 'GTX' };
export const FORCE_NAMES = Object.fromEntries(Object.entries(FORCES).map(([name, force]) => [force, name]));
/** How far from the market the price of an order may be, as a share of it. */
const BAND = 0.05;
const MOST = 1_190_000;
/** How long an order that ended without a fill can still be asked for. */
const KEPT_MS = DAY_MS;

const STATES: Readonly<Record<Order['state'], string>> = {
  ...{ new: 'New', partly: 'PartiallyFilled', filled: 'Filled', cancelled: 'Cancelled', expired: 'Cancelled' },
};
const ENDINGS: Readonly<Record<Ending, [cancelType: string, reason: string]>> = {
  customer: ['CancelByUser', 'EC_PerCancelRequest'],
  countdown: ['CancelByDCP', 'EC_PerCancelRequest'],
  reduced: ['CancelByReduceOnly', 'EC_PerCancelRequest'],
  notWhole: ['UNKNOWN', 'EC_NoEnoughQtyToFill'],
  rest: ['UNKNOWN', 'EC_NoImmediateQtyToFill'],
  wouldTake: ['UNKNOWN', 'EC_PostOnlyWillTakeLiquidity'],
};
const CREATED_BY: Readonly<Record<NonNullable<Order['forced']>, string>> = {
  liquidation: 'CreateByTakeOver_PassThrough',
  partialLiquidation: 'CreateByLiq',
  adl: 'CreateByAdl_PassThrough',
  delivery: 'CreateBySettle',
};

/** What is said of an order that is not taken; what cannot be as it was asked for is, and ends at once. */
function refusalOf(why: Why, { wallet }: Wanted): Refusal {
  const refusals: Partial<Record<Why, [code: string, message: string]>> =
    wallet === 'spot'
      ? {
          margin: ['170131', 'Insufficient balance.'],
          duplicate: ['170141', 'Duplicate clientOrderId.'],
          nobody: ['170210', 'New order rejected.'],
        }
      : {
          margin: ['110007', 'ab not enough for new order'],
          reduceOnly: ['110017', 'current position is zero, cannot fix reduce-only order qty'],
          duplicate: ['110072', 'OrderLinkedID is duplicate'],
          nobody: ['110118', 'Unable to retrieve a price of the market order due to low liquidity'],
        };
  return new Refusal(...refusals[why]!);
}

function checkSize(size: Big, { instrument: { lotSize, kind } }: Listing): void {
  const isSpot = kind === 'spot';
  const refused = (spotCode: string, message: string) => new Refusal(isSpot ? spotCode : '10001', message);
  if (size.lt(lotSize!)) throw refused('170136', 'The number of contracts exceeds minimum limit allowed');
  if (size.gt(MOST)) throw refused('170124', 'The number of contracts exceeds maximum limit allowed');
  if (!size.mod(lotSize!).eq(0))
    throw refused('170137', isSpot ? 'Order quantity has too many decimals.' : 'Qty invalid');
}

function checkWorth(worth: Big, { instrument: { minNotional, kind } }: Listing): void {
  if (worth.gte(minNotional ?? 0)) return;
  throw kind === 'spot'
    ? new Refusal('170140', 'Order value exceeded lower limit.')
    : new Refusal('110094', `Order does not meet minimum order value ${minNotional}USDT`);
}

/** Beyond what is allowed an order of spot is refused; another is moved there. */
function priceWithin(price: Big, side: string, listing: Listing): Big {
  const isSpot = listing.instrument.kind === 'spot';
  if (!price.mod(listing.instrument.tickSize!).eq(0))
    throw isSpot ? new Refusal('170134', 'Order price has too many decimals.') : wrong('price');
  const [highest, lowest] = bandOf(listing, BAND);
  const limit = side === 'Buy' ? highest : lowest;
  if (side === 'Buy' ? price.lte(limit) : price.gte(limit)) return price;
  if (!isSpot) return limit;
  throw side === 'Buy'
    ? new Refusal('170193', `Buy order price cannot be higher than ${limit.toFixed()}USDT.`)
    : new Refusal('170194', `Sell order price cannot be lower than ${limit.toFixed()}USDT.`);
}

/** The account must be able to trade it so. */
function checkModes({ isHedged }: Account, params: Params, isSpot: boolean): void {
  if (isSpot && params.text('isLeverage') === '1')
    throw new Refusal('170036', "You haven't enabled Cross Margin Trading yet.");
  if (!isSpot && (isHedged || !['', '0'].includes(params.text('positionIdx'))))
    throw new Refusal('10001', 'position idx not match position mode');
}

/** What is asked for, in the exchange's own words. @throws as Bybit does */
function wantedOf(exchange: Exchange, account: Account, params: Params): Wanted {
  const isSpot = isSpotAsked(params);
  const listing = listedAs(exchange, params.needed('symbol'), isSpot);
  const { symbol } = listing.instrument;
  if (exchange.faults.delisted.has(symbol))
    throw isSpot ? new Refusal('170121', 'Invalid symbol.') : new Refusal('110074', 'This contract is not live');
  checkModes(account, params, isSpot);
  const side = params.oneOf('side', ['Buy', 'Sell']);
  const isMarket = params.oneOf('orderType', ['Limit', 'Market']) === 'Market';
  const clientId = params.text('orderLinkId');
  if (!/^[\w-]{0,36}$/.test(clientId)) throw wrong('orderLinkId');
  // Of what is bought at spot at the market the other currency is meant unless it is said; nobody here means it.
  if (isSpot && isMarket && params.text('marketUnit') !== 'baseCoin') throw wrong('marketUnit');
  const quantity = params.number('qty');
  checkSize(quantity, listing);
  const price = isMarket ? null : priceWithin(params.number('price'), side, listing);
  const reduceOnly = !isSpot && params.text('reduceOnly') === 'true';
  if (!reduceOnly) checkWorth(quantity.times(price ?? exchange.trading.markOf(symbol)), listing);
  const force = params.text('timeInForce') || 'GTC';
  if (!FORCES[force]) throw wrong('timeInForce');
  const wanted = cutToHeld(account, {
    ...{ symbol, wallet: isSpot ? 'spot' : 'derivatives', clientId, side: side === 'Buy' ? 'buy' : 'sell' },
    ...{ type: isMarket ? 'market' : 'limit', timeInForce: isMarket ? 'IOC' : FORCES[force] },
    ...{ price, quantity, reduceOnly },
  });
  if (!isSpot && !reduceOnly && isBeyondLeverage(exchange, account, wanted, listing.instrument))
    throw new Refusal(
      '110090',
      'Order placement failed as your position may exceed the max limit. Please adjust your leverage.',
    );
  return wanted;
}

/** Places one order. @throws {Refusal} */
export function placeOrder(exchange: Exchange, account: Account, params: Params): Order {
  const wanted = wantedOf(exchange, account, params);
  try {
    return exchange.trading.place(account, wanted);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw refusalOf(error.why, wanted);
  }
}

/** The order that is to be cancelled. @throws where there is none that can be */
export function orderToCancel(exchange: Exchange, account: Account, params: Params): Order {
  const isSpot = isSpotAsked(params);
  const { symbol } = listedAs(exchange, params.needed('symbol'), isSpot).instrument;
  const [id, clientId] = [params.text('orderId'), params.text('orderLinkId')];
  if (id === '' && clientId === '') throw wrong('orderId or orderLinkId');
  const order = account.find(isSpot ? 'spot' : 'derivatives', symbol, id === '' ? undefined : narrow(id), clientId);
  if (order && order.state !== 'filled' && !order.endedBy) return order;
  throw isSpot
    ? new Refusal('170213', 'Order does not exist.')
    : new Refusal('110001', 'order not exists or too late to cancel');
}

/** Newest first, those that can be told of; what is delivered has no order. */
export function ordersAsked(exchange: Exchange, account: Account, params: Params): Order[] {
  const isSpot = isSpotAsked(params);
  const wallet = isSpot ? 'spot' : 'derivatives';
  const [id, clientId, listed] = ['orderId', 'orderLinkId', 'symbol'].map((name) => params.text(name));
  const symbol = listed && listedAs(exchange, listed, isSpot).instrument.symbol;
  const isMeant = (order: Order): boolean => {
    if (id) return order.id === narrow(id);
    if (clientId) return order.clientId === clientId && !order.forced;
    return !symbol || order.symbol === symbol;
  };
  return [...account.orders.values()]
    .filter((order) => order.wallet === wallet && order.forced !== 'delivery' && isMeant(order))
    .filter((order) => isTold(order, exchange, KEPT_MS))
    .reverse();
}

export const linkIdOf = ({ forced, clientId }: Order): string => (forced ? '' : clientId);

/** Of spot it is not told. */
export const createdBy = ({ forced, wallet }: Order) =>
  wallet === 'spot' ? {} : { createType: forced ? CREATED_BY[forced] : 'CreateByUser' };

const sideOf = (side: Order['side']): string => (side === 'buy' ? 'Buy' : 'Sell');

/** What an order is, for itself and for each of its fills. */
export function orderWords(exchange: Exchange, order: Order) {
  const isSpot = order.wallet === 'spot';
  return {
    ...{ symbol: idOf(exchange.listed(order.symbol)!.instrument), orderId: wide(order.id, isSpot) },
    ...{ orderLinkId: linkIdOf(order), side: sideOf(order.side), isLeverage: isSpot ? '0' : '' },
    ...{ orderType: order.type === 'market' ? 'Market' : 'Limit', stopOrderType: 'UNKNOWN', blockTradeId: '' },
    ...createdBy(order),
  };
}

function stateOf({ state, wallet, filled }: Order): string {
  const isPart = (state === 'cancelled' || state === 'expired') && filled.gt(0);
  return wallet === 'spot' && isPart ? 'PartiallyFilledCanceled' : STATES[state];
}

/** What its fills cost, by what was paid with. */
function feesOf(fills: readonly Fill[]): Record<string, string> {
  const fees = new Map<string, Big>();
  for (const { fee, feeAsset } of fills) fees.set(feeAsset, (fees.get(feeAsset) ?? new Big(0)).plus(fee));
  return Object.fromEntries([...fees].map(([asset, fee]) => [asset, fee.toFixed()]));
}

/** One order as REST answers it. */
export function orderRow(exchange: Exchange, account: Account, order: Order) {
  const { price, quantity, filled, turnover, endedBy } = order;
  const fills = account.fills.filter((fill) => fill.order === order);
  const left = endedBy ? new Big(0) : quantity.minus(filled);
  const [cancelType, rejectReason] = endedBy ? ENDINGS[endedBy] : ['UNKNOWN', 'EC_NoError'];
  return {
    ...orderWords(exchange, order),
    ...{ price: price?.toFixed() ?? '0', qty: quantity.toFixed(), positionIdx: 0 },
    ...{ orderStatus: stateOf(order), cancelType, rejectReason },
    avgPrice: filled.gt(0) ? turnover.div(filled).round(12).toFixed() : '',
    ...{ leavesQty: left.toFixed(), leavesValue: left.times(price ?? 0).toFixed() },
    ...{ cumExecQty: filled.toFixed(), cumExecValue: turnover.toFixed() },
    cumExecFee: fills.reduce((sum, { fee }) => sum.plus(fee), new Big(0)).toFixed(),
    ...{ cumFeeDetail: feesOf(fills), timeInForce: FORCE_NAMES[order.timeInForce]!, orderIv: '' },
    marketUnit: order.wallet === 'spot' && order.type === 'market' ? 'baseCoin' : '',
    ...{ triggerPrice: '', takeProfit: '', stopLoss: '', tpslMode: '', triggerDirection: 0, triggerBy: '' },
    ...{ reduceOnly: order.reduceOnly, closeOnTrigger: false, placeType: '', smpType: 'None', smpGroup: 0 },
    ...{ smpOrderId: '', createdTime: String(order.createdAt), updatedTime: String(order.updatedAt) },
  };
}

export const categoryOfOrder = ({ wallet }: Order): string => categoryOf(wallet === 'spot');
