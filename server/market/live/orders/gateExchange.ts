import { MINUTE_MS } from '#contract/duration';
import { checkGateKey, gateHoldings, isNotLetIn, tellTime, tellUid } from '../gateKey';
import { symbolOf } from '../gateNames';
import { keepOurs, type Raw } from '../ownClient';
import { GateOrders, TAKEN_WITHIN_MS } from './gateOrders';
import { GateRecords } from './gateRecords';
import type { RealExchange } from './realExchange';
import { type Codes, named, refusalBy, type Words } from './refusalCodes';

/**
 * Labels with which Gate says for certain that it did not take an order. What is not here is no answer to the order:
 * SERVER_ERROR, INTERNAL and TOO_BUSY leave it open, TOO_MANY_REQUESTS refuses who asks, REQUEST_EXPIRED when.
 */
const LABELS: Codes = {
  ...named('notPermitted', ['INVALID_KEY', 'INVALID_CREDENTIALS', 'AUTHENTICATION_FAILED', 'INVALID_SIGNATURE']),
  ...named('notPermitted', ['MISSING_REQUIRED_HEADER', 'IP_FORBIDDEN', 'READ_ONLY', 'FORBIDDEN', 'ACCOUNT_LOCKED']),
  ...named('notPermitted', ['SUB_ACCOUNT_LOCKED', 'USER_NOT_FOUND', 'TRADE_RESTRICTED']),
  ...named('unknownSymbol', ['INVALID_CURRENCY', 'INVALID_CURRENCY_PAIR', 'CONTRACT_NOT_FOUND']),
  ...named('suspended', ['CONTRACT_IN_DELISTING', 'POSITION_IN_LIQUIDATION']),
  ...named('badStep', ['INVALID_PRECISION']),
  ...named('priceBand', ['PRICE_TOO_DEVIATED', 'PRICE_OVER_LIQUIDATION', 'PRICE_OVER_BANKRUPT']),
  ...named('priceBand', ['PRICE_THRESHOLD_EXCEEDED']),
  ...named('belowMinNotional', ['AMOUNT_TOO_LITTLE', 'SIZE_TOO_SMALL']),
  ...named('insufficientMargin', ['INSUFFICIENT_AVAILABLE', 'LIQUIDATE_IMMEDIATELY', 'MARGIN_BALANCE_NOT_ENOUGH']),
  ...named('insufficientMargin', ['FUTURES_BALANCE_NOT_ENOUGH']),
  ...named('insufficientBalance', ['BALANCE_NOT_ENOUGH', 'QUANTITY_NOT_ENOUGH']),
  ...named('nothingToReduce', ['POSITION_EMPTY', 'INCREASE_POSITION', 'REDUCE_EXCEEDED']),
  ...named('tooMuchLeverage', ['RISK_LIMIT_EXCEEDED', 'LEVERAGE_TOO_HIGH', 'LEVERAGE_TOO_LOW']),
  ...named('noLiquidity', ['CONTRACT_NO_COUNTER', 'FOK_NOT_FILL', 'ORDER_FOK']),
  ...named('wouldCross', ['POC_FILL_IMMEDIATELY', 'ORDER_POC_IMMEDIATE']),
  ...named('duplicateClientId', ['REPEATED_CREATION']),
  ...named('tooOften', ['TOO_FAST']),
  ...named('rejected', ['INVALID_ARGUMENT', 'INVALID_REQUEST_BODY', 'INVALID_PROTOCOL', 'MISSING_REQUIRED_PARAM']),
  ...named('rejected', ['BAD_REQUEST', 'TOO_MANY_ORDERS', 'AMOUNT_TOO_MUCH', 'SIZE_TOO_LARGE', 'POSITION_IN_CLOSE']),
  ...named('rejected', ['MIXED_ACCOUNT_TYPE', 'MARGIN_NOT_SUPPORTED', 'TOO_MANY_CURRENCY_PAIRS', 'NO_CHANGE']),
};

/** One label stands for many things: the words tell which. */
const WORDS: Words = {
  INVALID_PARAM_VALUE: [
    [/too small/, 'belowMinNotional'],
    [/\b(size|price|amount|precision)\b/i, 'badStep'],
    [/./, 'rejected'],
  ],
};

const heard = ({ channel, event, result }: Raw): string[] => {
  const house = channel === 'spot.orders' ? 'spot' : 'futures';
  if (event !== 'update' || channel !== `${house}.orders` || !Array.isArray(result)) return [];
  return (result as Raw[]).flatMap((row) => symbolOf(house === 'spot' ? row.currency_pair : row.contract, house) ?? []);
};

/** Perpetuals and spot, which have a wallet each in a classic account. */
export const gateExchange: RealExchange<'gate'> = {
  takenWithinMs: TAKEN_WITHIN_MS,
  // What was filled is kept for longer.
  forgottenAfterMs: 10 * MINUTE_MS,
  countsByCustomer: true,
  isNotLetIn,
  wrongTime: ['REQUEST_EXPIRED'],
  refusalOf: refusalBy(LABELS, WORDS),
  fit: keepOurs,
  tellTime,
  tellUid,
  checkKey: checkGateKey,
  holdings: gateHoldings,
  orders: (line) => new GateOrders(line),
  records: (line) => new GateRecords(line),
  countedTogether: () => '',
  streams: {
    follow: [{ type: 'spot' }, { type: 'swap' }].map(
      (which) => (client) => client.watchOrders(undefined, undefined, undefined, which),
    ),
    heard,
    // It would look for their symbols among those that it lists.
    isForUs: (message) => heard(message).length > 0,
  },
};
