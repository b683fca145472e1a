import { DAY_MS } from '#contract/duration';
import { binanceHoldings, checkBinanceKey, isNotLetIn, tellTime, tellUid } from '../binanceKey';
import type { Raw } from '../ownClient';
import { BinanceOrders, TAKEN_WITHIN_MS } from './binanceOrders';
import { BinanceRecords } from './binanceRecords';
import type { RealExchange } from './realExchange';
import { type Codes, named, refusalBy, type Words } from './refusalCodes';

/**
 * Codes with which binance says for certain that it did not take an order. What is not here is no answer to the order:
 * -1000, -1001, -1006, -1007 and -1008 leave it open, -1003 and -1015 refuse who asks, -1021 and -5028 when.
 */
const CODES: Codes = {
  ...named('notPermitted', [-1002, -1022, -2008, -2014, -2015, -4087, -4088]),
  ...named('unknownSymbol', [-1121]),
  ...named('suspended', [-4108, -4140, -4141]),
  ...named('badStep', [-1100, -1102, -1111, -4001, -4002, -4003, -4004, -4005, -4013, -4014, -4023]),
  ...named('priceBand', [-4016, -4024, -4131]),
  ...named('belowMinNotional', [-4164]),
  ...named('insufficientMargin', [-2018, -2019]),
  ...named('nothingToReduce', [-2022]),
  ...named('tooMuchLeverage', [-2027, -2028, -4028]),
  ...named('twoWay', [-4061]),
  ...named('noLiquidity', [-5021]),
  ...named('wouldCross', [-5022]),
  ...named('duplicateClientId', [-4116]),
  ...named('rejected', [-4015, -1115, -1116, -1117]),
};

/** Two codes of spot stand for many things: the words tell which. */
const FILTERED = -1013;
const NOT_TAKEN = -2010;
const WORDS: Words = {
  [FILTERED]: [
    [/NOTIONAL/, 'belowMinNotional'],
    [/PERCENT_PRICE/, 'priceBand'],
    [/LOT_SIZE|PRICE_FILTER/, 'badStep'],
    [/Market is closed/, 'suspended'],
    [/Filter failure/, 'rejected'],
  ],
  [NOT_TAKEN]: [
    [/insufficient balance/, 'insufficientBalance'],
    [/immediately match/, 'wouldCross'],
    [/Duplicate order/, 'duplicateClientId'],
    [/Market is closed/, 'suspended'],
    [/disabled on this account/, 'notPermitted'],
  ],
};

/** USDT futures and spot, which have a wallet each. */
export const binanceExchange: RealExchange<'binance'> = {
  takenWithinMs: TAKEN_WITHIN_MS,
  // What was filled is kept for longer.
  forgottenAfterMs: 3 * DAY_MS,
  countsByCustomer: false,
  isNotLetIn,
  wrongTime: [-1021, -5028],
  refusalOf: refusalBy(CODES, WORDS),
  tellTime,
  tellUid,
  checkKey: checkBinanceKey,
  holdings: binanceHoldings,
  orders: (line) => new BinanceOrders(line),
  records: (line) => new BinanceRecords(line),
  countedTogether: (symbol) => symbol,
  streams: {
    follow: [{ type: 'spot' }, { type: 'swap', subType: 'linear' }].map(
      (which) => (client) => client.watchOrders(undefined, undefined, undefined, which),
    ),
    heard(message) {
      const event = (message.event ?? message) as Raw;
      if (event.e === 'listenKeyExpired') return 'ended';
      if (event.e === 'ORDER_TRADE_UPDATE') return [String((event.o as Raw).s)];
      return event.e === 'executionReport' ? [`${event.s}_SPOT`] : [];
    },
    forget(client) {
      const future = client.options.future as { lastAuthenticatedTime?: number } | undefined;
      if (future) future.lastAuthenticatedTime = 0;
    },
  },
};
