import Big from 'big.js';
import { MINUTE_MS, SECOND_MS } from '#contract/duration';
import type { Instrument, Listing } from '#server/market/exchange';
import type { Account, Ending, Fill, Order, TimeInForce } from '../core/account';
import type { Exchange } from '../core/exchange';
import { isBeyondLeverage } from '../core/money';
import type { Params } from '../core/params';
import { Refusal } from '../core/publicDialect';
import { Refused, type Wanted, type Why } from '../core/trading';
import { CONTRACTS, contractAt, type House, idOf, pairAt } from './names';
import { wrong } from './params';

export type Part = House | 'spot';

const FORCES: Readonly<Record<string, TimeInForce>> = { gtc: 'GTC', poc: 'GTX', ioc: 'IOC', fok: 'FOK' };
const FORCE_NAMES = { GTC: 'gtc', GTX: 'poc', IOC: 'ioc', FOK: 'fok' } as const satisfies Record<TimeInForce, string>;
/** How far from the market the price of an order may be, as a share of it. */
const BAND = 0.2;
const MOST_CONTRACTS = 1_000_000;
/** How long an order that ended without a fill is still found: by its name, and by its number. */
const NAMED_MS = MINUTE_MS;
const KEPT_MS = 10 * MINUTE_MS;

const ENDINGS: Readonly<Record<Ending, string>> = {
  ...{ customer: 'cancelled', countdown: 'cancelled', reduced: 'reduce_only' },
  ...{ rest: 'ioc', notWhole: 'fok', wouldTake: 'poc' },
};
const REFUSALS: Readonly<Record<'spot' | 'contracts', Partial<Record<Why, [label: string, message: string]>>>> = {
  spot: {
    margin: ['BALANCE_NOT_ENOUGH', 'Not enough balance'],
    wouldTake: ['POC_FILL_IMMEDIATELY', 'Order would match and take immediately so its cancelled'],
    notWhole: ['FOK_NOT_FILL', 'FOK order cannot be filled completely'],
    nobody: ['ORDER_BOOK_NOT_FOUND', 'Insufficient liquidity'],
  },
  contracts: {
    margin: ['INSUFFICIENT_AVAILABLE', 'Insufficient available'],
    wouldTake: ['ORDER_POC_IMMEDIATE', 'order would be matched immediately'],
    notWhole: ['ORDER_FOK', 'killed for FOK'],
    nobody: ['CONTRACT_NO_COUNTER', 'no counter order'],
  },
};

export const walletOf = (part: Part) => (part === 'spot' ? 'spot' : 'derivatives');

export const contractsOf = (quantity: Big, instrument: Instrument): Big => quantity.div(CONTRACTS.size(instrument));
/** Contracts, below zero where they are sold. */
export const sizeOf = (side: Order['side'], quantity: Big, instrument: Instrument): number =>
  Number(contractsOf(quantity, instrument)) * (side === 'buy' ? 1 : -1);

/** What the exchange calls what it does by itself. */
export function textOf({ forced, clientId, id }: Order): string {
  if (forced === 'adl') return 'auto_deleveraging';
  return forced === null ? clientId : `liq-${id}`;
}

function refusalOf(why: Why, part: Part, account: Account, { symbol }: Wanted): Refusal {
  if (why === 'reduceOnly')
    return account.positionOf(symbol).eq(0)
      ? new Refusal('REDUCE_EXCEEDED', 'empty position', 400)
      : new Refusal('INCREASE_POSITION', 'reduce-only order would increase position', 400);
  return new Refusal(...REFUSALS[part === 'spot' ? 'spot' : 'contracts'][why]!, 400);
}

function nameAsked(params: Params, usual: string): string {
  const text = params.text('text');
  if (text !== '' && !/^t-[\w.-]{1,28}$/.test(text)) throw wrong('text', text);
  return text || usual;
}

function pairWanted(exchange: Exchange, account: Account, params: Params): Wanted {
  const { instrument, ticker } = pairAt(exchange, params.needed('currency_pair'));
  const { symbol, tickSize, lotSize, minNotional, base } = instrument;
  if (exchange.faults.delisted.has(symbol)) throw new Refusal('INVALID_CURRENCY_PAIR', 'trade is suspended', 400);
  params.oneOf('account', account.isMultiAsset ? ['spot', 'unified'] : ['spot'], params.text('account') || 'spot');
  const side = params.oneOf('side', ['buy', 'sell']);
  const type = params.oneOf('type', ['limit', 'market'], params.text('type') || 'limit');
  // Of what is bought at the market the other currency is meant; nobody here means it.
  if (type === 'market' && side === 'buy') throw wrong('type', type);
  const force = params.text('time_in_force') || (type === 'market' ? 'ioc' : 'gtc');
  const quantity = params.number('amount');
  if (quantity.lt(lotSize!)) throw new Refusal('AMOUNT_TOO_LITTLE', `${base} amount is too little`, 400);
  const price = type === 'market' ? null : params.number('price');
  if (!quantity.mod(lotSize!).eq(0) || price?.mod(tickSize!).eq(0) === false)
    throw new Refusal('INVALID_PRECISION', 'Invalid precision', 400);
  const value = quantity.times(price ?? ticker.price);
  if (value.lt(minNotional!))
    throw new Refusal(
      'INVALID_PARAM_VALUE',
      `Your order size ${value.toFixed()} USDT is too small. The minimum is ${minNotional} USDT`,
      400,
    );
  if (price && (side === 'buy' ? price.gt(ticker.price * (1 + BAND)) : price.lt(ticker.price * (1 - BAND))))
    throw new Refusal('PRICE_THRESHOLD_EXCEEDED', `: ${ticker.price}`, 400);
  return {
    ...{ symbol, wallet: 'spot', clientId: nameAsked(params, 'apiv4'), side, type, price, quantity, reduceOnly: false },
    timeInForce: FORCES[params.oneOf('time_in_force', Object.keys(FORCES), force)]!,
  };
}

function checkContract(size: number, price: Big | null, { instrument, ticker }: Listing): void {
  if (!Number.isInteger(size) || size === 0) throw wrong('size', String(size));
  if (Math.abs(size) > MOST_CONTRACTS) throw new Refusal('SIZE_TOO_LARGE', 'size too large', 400);
  if (!price) return;
  if (!price.mod(instrument.tickSize!).eq(0)) throw wrong('price', price.toFixed());
  const mark = ticker.mark ?? ticker.price;
  if (
    price
      .minus(mark)
      .abs()
      .gt(mark * BAND)
  )
    throw new Refusal('PRICE_TOO_DEVIATED', `order price ${price.toFixed()} while mark price ${mark}`, 400);
}

function contractWanted(exchange: Exchange, account: Account, house: House, params: Params): Wanted {
  const listing = contractAt(exchange, house, params.needed('contract'));
  const { instrument } = listing;
  const { symbol } = instrument;
  const reduceOnly = params.text('reduce_only') === 'true';
  if (exchange.faults.delisted.has(symbol) && !reduceOnly)
    throw new Refusal('CONTRACT_IN_DELISTING', 'contract is in delisting', 400);
  const [size, tif] = [Number(params.needed('size')), params.text('tif') || 'gtc'];
  const timeInForce = FORCES[params.oneOf('tif', Object.keys(FORCES), tif)]!;
  const asked = params.number('price');
  const isMarket = asked.eq(0);
  if (isMarket && !['ioc', 'fok'].includes(tif)) throw wrong('price', '0');
  const price = isMarket ? null : asked;
  checkContract(size, price, listing);
  const quantity = new Big(Math.abs(size)).times(CONTRACTS.size(instrument));
  const wanted: Wanted = {
    ...{ symbol, wallet: 'derivatives', clientId: nameAsked(params, 'api'), side: size > 0 ? 'buy' : 'sell' },
    ...{ type: isMarket ? 'market' : 'limit', timeInForce, price, quantity, reduceOnly },
  };
  if (!reduceOnly && isBeyondLeverage(exchange, account, wanted, instrument))
    throw new Refusal('RISK_LIMIT_EXCEEDED', 'risk limit exceeded', 400);
  return wanted;
}

/** Places one order. @throws {Refusal} */
export function placeOrder(exchange: Exchange, account: Account, part: Part, params: Params): Order {
  const wanted =
    part === 'spot' ? pairWanted(exchange, account, params) : contractWanted(exchange, account, part, params);
  try {
    return exchange.trading.place(account, wanted);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    throw refusalOf(error.why, part, account, wanted);
  }
}

export const isOpen = ({ state }: Order): boolean => state === 'new' || state === 'partly';

/** What is delivered has no order; what has just come is not told yet. */
export const isTold = (exchange: Exchange, { forced, createdAt }: Order): boolean =>
  forced !== 'delivery' && exchange.now() - createdAt >= exchange.faults.lagMs;

/** Whether an order is still found: of spot by its name while it is open, of contracts for a while after it ended unfilled. */
export function isKept(exchange: Exchange, part: Part, order: Order, isNamed: boolean): boolean {
  if (isOpen(order)) return true;
  if (part === 'spot') return !isNamed;
  return order.filled.gt(0) || exchange.now() - order.updatedAt <= (isNamed ? NAMED_MS : KEPT_MS);
}

/** The order that is asked for by its number or by its name; of delivery by its number alone. @throws where none is found */
export function orderAsked(exchange: Exchange, account: Account, part: Part, params: Params): Order {
  const asked = params.needed('order_id');
  const isNamed = asked.startsWith('t-');
  if (!isNamed && !/^\d+$/.test(asked)) throw wrong('order_id', asked);
  const symbol = part === 'spot' ? pairAt(exchange, params.needed('currency_pair')).instrument.symbol : null;
  const order = account.find(walletOf(part), symbol, isNamed ? undefined : Number(asked), asked);
  const isFound = order && isTold(exchange, order) && isKept(exchange, part, order, isNamed);
  if (!isFound || (isNamed && part === 'delivery')) throw new Refusal('ORDER_NOT_FOUND', 'Order not found', 400);
  return order;
}

/** @throws where it has ended */
export function cancelOrder(exchange: Exchange, account: Account, part: Part, params: Params): Order {
  const order = orderAsked(exchange, account, part, params);
  if (!isOpen(order)) {
    const label = part === 'spot' ? (order.endedBy ? 'ORDER_CANCELLED' : 'ORDER_CLOSED') : 'ORDER_FINISHED';
    throw new Refusal(label, 'Order already finished', 400);
  }
  exchange.trading.cancel(account, order);
  return order;
}

const endingOf = ({ endedBy, forced }: Order): string =>
  endedBy ? ENDINGS[endedBy] : forced === 'adl' ? 'auto_deleveraged' : 'filled';
const sum = (fills: readonly Fill[]): Big => fills.reduce((all, { fee }) => all.plus(fee), new Big(0));
export const averageOf = ({ turnover, filled }: Order): string =>
  filled.gt(0) ? turnover.div(filled).round(12).toFixed() : '0';

/** One order of spot. */
export function pairRow(exchange: Exchange, account: Account, order: Order) {
  const { instrument } = exchange.listed(order.symbol)!;
  const fills = account.fills.filter((fill) => fill.order === order);
  const [usual, other] = [
    fills.filter(({ feeAsset }) => feeAsset !== 'GT'),
    fills.filter(({ feeAsset }) => feeAsset === 'GT'),
  ];
  const finish_as = isOpen(order) ? 'open' : endingOf(order);
  return {
    ...{ id: String(order.id), text: textOf(order), amend_text: '-' },
    ...{ create_time: String(Math.floor(order.createdAt / SECOND_MS)), create_time_ms: order.createdAt },
    ...{ update_time: String(Math.floor(order.updatedAt / SECOND_MS)), update_time_ms: order.updatedAt },
    status: isOpen(order) ? 'open' : order.state === 'filled' ? 'closed' : 'cancelled',
    ...{ currency_pair: idOf(instrument), type: order.type, account: account.isMultiAsset ? 'unified' : 'spot' },
    ...{ side: order.side, amount: order.quantity.toFixed(), price: order.price?.toFixed() ?? '0' },
    ...{
      time_in_force: FORCE_NAMES[order.timeInForce],
      iceberg: '0',
      left: order.quantity.minus(order.filled).toFixed(),
    },
    ...{
      filled_amount: order.filled.toFixed(),
      fill_price: order.turnover.toFixed(),
      filled_total: order.turnover.toFixed(),
    },
    ...{ avg_deal_price: averageOf(order), fee: sum(usual).toFixed() },
    fee_currency: order.side === 'buy' ? instrument.base : instrument.quote,
    ...{ point_fee: '0', gt_fee: sum(other).toFixed(), gt_maker_fee: '0', gt_taker_fee: '0' },
    ...{ gt_discount: account.feeAsset === 'GT', rebated_fee: '0', rebated_fee_currency: instrument.quote },
    ...{ stp_id: 0, stp_act: '-', finish_as },
  };
}

/** One order of contracts. @param uid the exchange's number of the customer */
export function contractRow(exchange: Exchange, order: Order, uid: number) {
  const { instrument } = exchange.listed(order.symbol)!;
  const { makerFee, takerFee } = exchange.market.terms(order.symbol)!;
  const size = (quantity: Big) => sizeOf(order.side, quantity, instrument);
  const ended = { status: 'finished', finish_as: endingOf(order), finish_time: order.updatedAt / SECOND_MS };
  return {
    ...{ id: order.id, user: uid, create_time: order.createdAt / SECOND_MS, update_time: order.updatedAt / SECOND_MS },
    ...(isOpen(order) ? { status: 'open' } : ended),
    ...{ contract: idOf(instrument), size: size(order.quantity), iceberg: 0, price: order.price?.toFixed() ?? '0' },
    ...{ close: false, is_close: false, reduce_only: order.reduceOnly, is_reduce_only: order.reduceOnly },
    ...{
      is_liq: ['liquidation', 'partialLiquidation'].includes(order.forced ?? ''),
      tif: FORCE_NAMES[order.timeInForce],
    },
    ...{ left: size(order.quantity.minus(order.filled)), fill_price: averageOf(order), text: textOf(order) },
    ...{ tkfr: String(takerFee), mkfr: String(makerFee), refu: 0, stp_id: 0, stp_act: '-', amend_text: '-' },
  };
}
