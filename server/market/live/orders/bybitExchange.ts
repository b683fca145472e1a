import { DAY_MS, HOUR_MS } from '#contract/duration';
import { bybitHoldings, checkBybitKey, isNotLetIn, tellTime, tellUid } from '../bybitKey';
import { symbolOf } from '../bybitNames';
import type { Client } from '../exchangeClass';
import type { Raw } from '../ownClient';
import { BybitOrders, TAKEN_WITHIN_MS } from './bybitOrders';
import { BybitRecords } from './bybitRecords';
import type { RealExchange } from './realExchange';
import { type Codes, named, refusalBy, type Words } from './refusalCodes';

/**
 * Codes with which Bybit says for certain that it did not take an order: 11xxxx of contracts, 17xxxx of spot. What is not
 * here is no answer to the order: 10000, 10014, 10016, 170001, 170007, 170032, 170146, 170149 and 170234 leave it open,
 * 10006 refuses who asks, 10002 when.
 */
const CODES: Codes = {
  ...named('notPermitted', [-2015, 10003, 10004, 10005, 10007, 10008, 10009, 10010, 10024, 10027, 10029, 33004]),
  ...named('notPermitted', [110123, 110124, 110125, 110132, 170209, 170219, 170224, 170241, 170348]),
  ...named('accountMode', [10020, 10028, 110067, 110088, 110097]),
  ...named('isolated', [3200403]),
  ...named('unknownSymbol', [170121, 170221]),
  ...named('suspended', [30228, 110023, 110042, 110063, 110066, 110074, 110103, 170031, 170151, 170157]),
  ...named('badStep', [12137, 170134, 170137, 170148]),
  ...named('priceBand', [30208, 30209, 110003, 110120, 110121, 170132, 170133, 170192, 170193, 170194]),
  ...named('priceBand', [170195, 170196, 170197, 170198, 170371, 170372]),
  ...named('belowMinNotional', [110094, 170136, 170140]),
  ...named('insufficientMargin', [110004, 110006, 110007, 110012, 110014, 110044, 110045, 110051, 110052, 110053]),
  ...named('insufficientMargin', [110131]),
  ...named('insufficientBalance', [170033, 170131]),
  ...named('nothingToReduce', [110017, 110034]),
  ...named('tooMuchLeverage', [30135, 110013, 110086, 110087, 110090]),
  ...named('noLiquidity', [110118]),
  ...named('wouldCross', [170218]),
  ...named('duplicateClientId', [12141, 110072, 170141]),
  ...named('tooOften', [170005, 170222]),
  ...named('rejected', [110005, 110009, 110020, 110021, 110022, 110032, 110040, 110085, 110089, 170105, 170115]),
  ...named(
    'rejected',
    [170116, 170117, 170124, 170130, 170210, 170217, 170228, 170229, 170341, 170381, 170382, 170810],
  ),
};

/** One code stands for many things: the words tell which. */
const PARAMETER = 10001;
const WORDS: Words = {
  [PARAMETER]: [
    [/position idx/i, 'twoWay'],
    [/symbol/i, 'unknownSymbol'],
    [/minimum|lower limit/i, 'belowMinNotional'],
    [/leverage/i, 'tooMuchLeverage'],
    [/qty|quantity|price/i, 'badStep'],
    [/./, 'rejected'],
  ],
};

/** Perpetuals, delivery futures and spot that are settled in USDT, of one wallet. */
export const bybitExchange: RealExchange<'bybit'> = {
  takenWithinMs: TAKEN_WITHIN_MS,
  // What was filled is kept for longer.
  forgottenAfterMs: DAY_MS - HOUR_MS,
  countsByCustomer: true,
  isNotLetIn,
  /** The time of a request is not what it expects. */
  wrongTime: [-1, 10002],
  refusalOf: refusalBy(CODES, WORDS),
  fit(client) {
    // It would ask what the account is, and only unified ones are traded.
    const unified = { enableUnifiedMargin: false, enableUnifiedAccount: true };
    Object.assign(client.options, { ...unified, recvWindow: TAKEN_WITHIN_MS });
    signByGivenTime(client);
    tellOfSubscriptions(client);
  },
  tellTime,
  tellUid,
  checkKey: checkBybitKey,
  holdings: bybitHoldings,
  orders: (line) => new BybitOrders(line),
  records: (line) => new BybitRecords(line),
  countedTogether: () => '',
  streams: {
    follow: [(client) => client.watchOrders()],
    heard: (message) =>
      isOfOrders(message) ? message.data.flatMap(({ category, symbol }) => symbolOf(category, symbol) ?? []) : [],
    // It would look for their symbols among those that it lists.
    isForUs: isOfOrders,
  },
};

function isOfOrders(message: Raw): message is { topic: 'order'; data: Raw[] } {
  return message.topic === 'order' && Array.isArray(message.data);
}

/** The library signs by the time of signing: an order has one from before, and logins of streams go by the exchange's clock. */
function signByGivenTime(client: Client<'bybit'>): void {
  const { sign, authenticate } = client;
  client.sign = (...asked: Parameters<typeof sign>) => {
    const { signedAt, ...headers } = (asked[4] ?? {}) as { signedAt?: string };
    if (signedAt === undefined) return sign.apply(client, asked);
    const { nonce } = client;
    client.nonce = () => Number(signedAt);
    try {
      asked[4] = headers;
      return sign.apply(client, asked);
    } finally {
      client.nonce = nonce;
    }
  };
  client.authenticate = (...asked: Parameters<typeof authenticate>) => {
    const [now, { milliseconds }] = [client.nonce(), client];
    client.milliseconds = () => now;
    try {
      return authenticate.apply(client, asked);
    } finally {
      client.milliseconds = milliseconds;
    }
  };
}

/** The library keeps to itself that a topic is subscribed, or is no more. */
function tellOfSubscriptions(client: Client<'bybit'>): void {
  const tell: typeof client.handleUnSubscribe = (connection, message) =>
    connection.resolve(message, String(message.req_id));
  client.handleSubscriptionStatus = tell;
  client.handleUnSubscribe = tell;
}
