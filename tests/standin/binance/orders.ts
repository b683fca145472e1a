import Big from 'big.js';
import type { Listing } from '#server/market/exchange';
import type { Account, Fill, Order, TimeInForce } from '../core/account';
import { Refused, type Wanted, type Why } from '../core/trading';
import type { Params } from './params';
import type { Part } from './part';
import { Refusal } from './refusal';
import { FUTURES_BAND, SPOT_BAND } from './symbols';

const MOST_LOTS = 1_000_000;
const CLIENT_ID = /^[.A-Z:/a-z0-9_-]{1,36}$/;
const STATES = {
  new: 'NEW',
  partly: 'PARTIALLY_FILLED',
  filled: 'FILLED',
  cancelled: 'CANCELED',
  expired: 'EXPIRED',
} as const;
export const stateOf = ({ state }: Order): string => STATES[state];
export const walletOf = ({ name }: Part) => (name === 'spot' ? 'spot' : 'derivatives');

/** Of spot orders that may only rest, as of futures with `GTX`. */
export const typeOf = (part: Part, { type, timeInForce }: Order): string =>
  part.name === 'spot' && timeInForce === 'GTX' ? 'LIMIT_MAKER' : type.toUpperCase();
export const forceOf = (part: Part, { timeInForce, type }: Order): string =>
  type === 'market' ? 'GTC' : part.name === 'spot' && timeInForce === 'GTX' ? 'GTC' : timeInForce;

/** What the two parts answer to the same refusal. */
const REFUSALS: Record<Part['name'], Record<Why, [number, string]>> = {
  spot: {
    margin: [-2010, 'Account has insufficient balance for requested action.'],
    reduceOnly: [-2010, 'This action is disabled on this account.'],
    wouldTake: [-2010, 'Order would immediately match and take.'],
    notWhole: [-2010, 'Order would not fill completely.'],
    duplicate: [-2010, 'Duplicate order sent.'],
    nobody: [-1013, 'Market is closed.'],
  },
  futures: {
    margin: [-2019, 'Margin is insufficient.'],
    reduceOnly: [-2022, 'ReduceOnly Order is rejected.'],
    wouldTake: [
      -5022,
      'Due to the order could not be executed as maker, the Post Only order will be rejected. The order will not be recorded in the order history',
    ],
    notWhole: [
      -5021,
      'Due to the order could not be filled immediately, the FOK order has been rejected. The order will not be recorded in the order history',
    ],
    duplicate: [-4116, 'ClientOrderId is duplicated.'],
    nobody: [-4131, "The counterparty's best price does not meet the PERCENT_PRICE filter limit."],
  },
};

const filterFailure = (part: Part, filter: string, code: number, message: string) =>
  part.name === 'spot' ? new Refusal(-1013, `Filter failure: ${filter}`) : new Refusal(code, message);

const isMultiple = (value: Big, step: string) => value.mod(step).eq(0);

function decimal(params: Params, name: string): Big {
  const text = params.needed(name);
  if (!/^\d{1,20}(\.\d{1,20})?$/.test(text))
    throw new Refusal(
      -1100,
      `Illegal characters found in parameter '${name}'; legal range is '^([0-9]{1,20})(\\.[0-9]{1,20})?$'.`,
    );
  return new Big(text);
}

function checkQuantity(part: Part, quantity: Big, lotSize: string): void {
  if (quantity.lte(0)) throw filterFailure(part, 'LOT_SIZE', -4003, 'Quantity less than or equal to zero.');
  if (quantity.gt(new Big(lotSize).times(MOST_LOTS)))
    throw filterFailure(part, 'LOT_SIZE', -4005, 'Quantity greater than max quantity.');
  if (!isMultiple(quantity, lotSize))
    throw filterFailure(part, 'LOT_SIZE', -1111, 'Precision is over the maximum defined for this asset.');
}

function checkPrice(part: Part, side: string, price: Big, { instrument, ticker }: Listing): void {
  if (price.lte(0)) throw filterFailure(part, 'PRICE_FILTER', -4001, 'Price less than 0.');
  if (!isMultiple(price, instrument.tickSize!))
    throw filterFailure(part, 'PRICE_FILTER', -4014, 'Price not increased by tick size.');
  const { up, down } = part.name === 'spot' ? SPOT_BAND : FUTURES_BAND;
  const about = new Big(ticker.mark ?? ticker.price);
  const [highest, lowest] = [about.times(up), about.times(down)];
  const word = (value: Big) => part.price(Number(value), instrument);
  if (price.gt(highest) && (side === 'BUY' || part.name === 'spot'))
    throw filterFailure(part, 'PERCENT_PRICE_BY_SIDE', -4016, `Limit price can't be higher than ${word(highest)}.`);
  if (price.lt(lowest) && (side === 'SELL' || part.name === 'spot'))
    throw filterFailure(part, 'PERCENT_PRICE_BY_SIDE', -4024, `Limit price can't be lower than ${word(lowest)}.`);
}

function checkValue(part: Part, value: Big, { instrument }: Listing, reduceOnly: boolean): void {
  if (reduceOnly || value.gte(instrument.minNotional!)) return;
  throw filterFailure(
    part,
    'NOTIONAL',
    -4164,
    `Order's notional must be no smaller than ${instrument.minNotional} (unless you choose reduce only).`,
  );
}

const FORCES: readonly string[] = ['GTC', 'IOC', 'FOK', 'GTX'];

function forceAsked(part: Part, params: Params, type: string): TimeInForce {
  if (type === 'MARKET') return 'IOC';
  if (type === 'LIMIT_MAKER' && part.name === 'spot') return 'GTX';
  const force = params.needed('timeInForce');
  if (!FORCES.includes(force) || (force === 'GTX' && part.name === 'spot'))
    throw new Refusal(-1115, 'Invalid timeInForce.');
  return force as TimeInForce;
}

/** What is asked for, in the exchange's own words. @throws as binance does */
function wantedOf(part: Part, params: Params, listing: Listing): Wanted {
  const [side, type] = [params.needed('side'), params.needed('type')];
  if (side !== 'BUY' && side !== 'SELL') throw new Refusal(-1117, 'Invalid side.');
  if (!['LIMIT', 'MARKET', 'LIMIT_MAKER'].includes(type)) throw new Refusal(-1116, 'Invalid orderType.');
  const clientId = params.text('newClientOrderId') ?? `web_${Math.random().toString(36).slice(2, 22)}`;
  if (!CLIENT_ID.test(clientId))
    throw part.name === 'spot'
      ? new Refusal(
          -1100,
          "Illegal characters found in parameter 'newClientOrderId'; legal range is '^[a-zA-Z0-9-_]{1,36}$'.",
        )
      : new Refusal(-4015, 'Client order id is not valid.');
  const timeInForce = forceAsked(part, params, type);
  const quantity = decimal(params, 'quantity');
  const price = type === 'MARKET' ? null : decimal(params, 'price');
  const reduceOnly = params.text('reduceOnly') === 'true';
  checkQuantity(part, quantity, listing.instrument.lotSize!);
  if (price) checkPrice(part, side, price, listing);
  checkValue(part, quantity.times(price ?? listing.ticker.mark ?? listing.ticker.price), listing, reduceOnly);
  const { symbol } = listing.instrument;
  return {
    ...{ symbol, wallet: walletOf(part), clientId, side: side === 'BUY' ? 'buy' : 'sell' },
    ...{ type: type === 'MARKET' ? 'market' : 'limit', timeInForce, price, quantity, reduceOnly },
  };
}

/** Places one order. @throws {Refusal} */
export function placeOrder(part: Part, account: Account, params: Params): Order {
  const listing = part.listed(params.needed('symbol'));
  const { symbol } = listing.instrument;
  if (part.exchange.faults.delisted.has(symbol))
    throw part.name === 'spot'
      ? new Refusal(-1013, 'Market is closed.')
      : new Refusal(-4108, 'Symbol is on delivering or delivered or settling or closed or pre-trading.');
  const side = params.text('positionSide') ?? 'BOTH';
  if (part.name === 'futures' && (account.isHedged || side !== 'BOTH'))
    throw new Refusal(-4061, "Order's position side does not match user's setting.");
  const wanted = wantedOf(part, params, listing);
  try {
    return part.exchange.trading.place(account, wanted);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw new Refusal(...REFUSALS[part.name][error.why]);
  }
}

/** The order that is asked for. @throws where there is none */
export function orderAsked(part: Part, account: Account, params: Params, code: number, message: string): Order {
  const { instrument } = part.listed(params.needed('symbol'));
  const [id, clientId] = [params.integer('orderId'), params.text('origClientOrderId')];
  if (id === undefined && clientId === undefined)
    throw new Refusal(-1102, "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!");
  const order = account.find(walletOf(part), instrument.symbol, id, clientId);
  if (!order) throw new Refusal(code, message);
  return order;
}

const averageOf = ({ turnover, filled }: Order): number => (filled.gt(0) ? Number(turnover.div(filled)) : 0);

/** One order as REST answers it. */
export function orderRow(part: Part, order: Order) {
  const { instrument } = part.exchange.listed(order.symbol)!;
  const price = (value: number) => part.price(value, instrument);
  const quantity = (value: Big) => part.quantity(Number(value), instrument);
  const row = {
    symbol: part.idOf(order.symbol),
    orderId: order.id,
    clientOrderId: order.clientId,
    price: price(Number(order.price ?? 0)),
    origQty: quantity(order.quantity),
    executedQty: quantity(order.filled),
    status: stateOf(order),
    timeInForce: forceOf(part, order),
    type: typeOf(part, order),
    side: order.side.toUpperCase(),
    stopPrice: price(0),
    time: order.createdAt,
    updateTime: order.updatedAt,
  };
  if (part.name === 'spot')
    return {
      ...row,
      ...{ orderListId: -1, cummulativeQuoteQty: order.turnover.toFixed(8), icebergQty: '0.00000000', isWorking: true },
      ...{ workingTime: order.createdAt, origQuoteOrderQty: '0.00000000', selfTradePreventionMode: 'EXPIRE_MAKER' },
    };
  return {
    ...row,
    ...{ avgPrice: averageOf(order).toFixed(Math.max(2, price(0).length - 2)), cumQuote: order.turnover.toFixed(5) },
    ...{ reduceOnly: order.reduceOnly, closePosition: false, positionSide: 'BOTH', origType: typeOf(part, order) },
    ...{
      workingType: 'CONTRACT_PRICE',
      priceProtect: false,
      priceMatch: 'NONE',
      selfTradePreventionMode: 'EXPIRE_MAKER',
      goodTillDate: 0,
    },
  };
}

/** One own trade as REST answers it. */
export function fillRow(part: Part, fill: Fill) {
  const { order } = fill;
  const { instrument } = part.exchange.listed(order.symbol)!;
  const row = {
    symbol: part.idOf(order.symbol),
    id: fill.id,
    orderId: order.id,
    price: part.price(Number(fill.price), instrument),
    qty: part.quantity(Number(fill.quantity), instrument),
    quoteQty: fill.turnover.toFixed(8),
    commission: fill.fee.toFixed(8),
    commissionAsset: fill.feeAsset,
    time: fill.at,
  };
  const isBuyer = order.side === 'buy';
  if (part.name === 'spot') return { ...row, orderListId: -1, isBuyer, isMaker: fill.isMaker, isBestMatch: true };
  return {
    ...row,
    ...{ side: order.side.toUpperCase(), positionSide: 'BOTH', buyer: isBuyer, maker: fill.isMaker },
    realizedPnl: fill.realised.toFixed(8),
  };
}
