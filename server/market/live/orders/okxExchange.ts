import { HOUR_MS } from '#contract/duration';
import { checkOkxKey, isNotLetIn, okxHoldings, tellTime, tellUid } from '../okxKey';
import { symbolOf } from '../okxNames';
import { keepOurs, type Raw } from '../ownClient';
import { OkxOrders, TAKEN_WITHIN_MS } from './okxOrders';
import { OkxRecords } from './okxRecords';
import type { RealExchange } from './realExchange';
import { type Codes, named, refusalBy, type Words } from './refusalCodes';

/**
 * Codes with which OKX says for certain that it did not take an order. What is not here is no answer to the order: 50001,
 * 50004, 50013 and 50026 leave it open, 50011 refuses who asks, 50036 and 50102 when.
 */
const CODES: Codes = {
  ...named('notPermitted', [50007, 50012, 50027, 50030, 50100, 50101, 50103, 50104, 50105, 50106, 50107, 50110, 50111]),
  ...named('notPermitted', [50113, 50114, 50119, 50120, 51009, 51024, 51155]),
  ...named('accountMode', [51010]),
  ...named('unknownSymbol', [51001, 51015]),
  ...named('suspended', [51021, 51022, 51027, 51028, 51029, 51030, 54072]),
  ...named('badStep', [51121, 51150]),
  ...named('priceBand', [51006, 51031, 51116, 51122, 51135, 51136, 51137, 51138]),
  ...named('belowMinNotional', [51007, 51020, 51100, 51118, 51120]),
  ...named('insufficientMargin', [59103, 59108, 59109]),
  ...named('insufficientBalance', [51119, 51127, 51131]),
  ...named('nothingToReduce', [51112, 51169, 51170, 51205]),
  ...named('tooMuchLeverage', [51004, 59102, 59104]),
  ...named('noLiquidity', [51109]),
  ...named('duplicateClientId', [51016]),
  ...named('tooOften', [50061]),
  ...named('rejected', [50028, 51005, 51025, 51101, 51102, 51103, 51104, 51105, 51106, 51107, 51108, 51129, 51174]),
  ...named('rejected', [51185, 51201, 51202, 51203, 59100, 59101, 59107]),
};

/** Two codes stand for many things: the words tell which. */
const PARAMETER = 51000;
const TOO_LITTLE = 51008;
const WORDS: Words = {
  [PARAMETER]: [
    [/posSide/, 'twoWay'],
    [/tdMode/, 'accountMode'],
    [/\b(sz|px)\b/, 'badStep'],
    [/error/, 'rejected'],
  ],
  [TOO_LITTLE]: [
    [/margin/, 'insufficientMargin'],
    [/balance/, 'insufficientBalance'],
  ],
};

/** Perpetuals, delivery futures and spot that are settled in USDT, of one wallet. */
export const okxExchange: RealExchange<'okx'> = {
  takenWithinMs: TAKEN_WITHIN_MS,
  // What was filled is kept for longer.
  forgottenAfterMs: 2 * HOUR_MS,
  countsByCustomer: true,
  isNotLetIn,
  wrongTime: [50036, 50102, 50112],
  refusalOf: refusalBy(CODES, WORDS),
  fit: keepOurs,
  tellTime,
  tellUid,
  checkKey: checkOkxKey,
  holdings: okxHoldings,
  orders: (line) => new OkxOrders(line),
  records: (line) => new OkxRecords(line),
  countedTogether: () => '',
  streams: {
    follow: [(client) => client.watchOrders()],
    heard({ arg, data }) {
      if ((arg as Raw | undefined)?.channel !== 'orders' || !Array.isArray(data)) return [];
      return (data as Raw[]).flatMap(({ instId }) => symbolOf(String(instId)) ?? []);
    },
    // It would look for their symbols among those that it lists.
    isForUs: ({ arg, data }) => (arg as Raw | undefined)?.channel === 'orders' && Array.isArray(data),
  },
};
