import Big from 'big.js';
import { MINUTE_MS } from '#contract/duration';
import { reasonAgainst } from '#server/market/live/liveVenue';
import { okxHoldings } from '#server/market/live/okxKey';
import { CONTRACTS } from '../../standin/okx/instruments';
import { keyWorld } from '../../support/keyWorld';
import { okxClientOf } from '../../support/okxClient';
import { fileDatabase } from '../../support/testDatabase';

const { standIn, exchange, customer, known, told, holdings, wait } = await keyWorld(await fileDatabase(), 'okx');
const ONE = new Big(1);

afterEach(() => {
  // What a customer may ask within a second is not all used by one test file.
  wait(MINUTE_MS);
  Object.assign(customer, { isHedged: false, level: 2 });
  customer.isolated.clear();
  customer.positions.clear();
  exchange.faults.clear();
});

test('what OKX says of a key is told: rights, addresses, modes, fees, equity and whose it is', async () => {
  const answer = await told(known());
  const { makerFee, takerFee } = exchange.market.terms('BTCUSDT')!;
  expect(answer).toMatchObject({
    ...{
      outcome: 'accepted',
      reason: null,
      rights: ['read', 'spot', 'derivative', 'transfer'],
      uid: String(customer.uid),
    },
    ...{ ipRestricted: true, ipList: ['127.0.0.1'], accountType: 'futuresMode', positionMode: 'oneWay' },
    ...{ marginMode: 'cross', feeTier: 'Lv1', makerFee, takerFee, multiAsset: false, equity: 40_000 },
  });
  expect(Math.abs(answer.skewMs!)).toBeLessThan(1_000);
  expect(reasonAgainst(answer)).toBeNull();
  expect(await told(known({ canTrade: false, canWithdraw: true, addresses: [] }))).toMatchObject({
    ...{ rights: ['read', 'withdraw'], ipRestricted: false, ipList: [] },
  });
});

test.each([
  ['spotMode', 'accountMode', () => (customer.level = 1)],
  ['multiCurrency', 'accountMode', () => (customer.level = 3)],
  ['portfolio', 'accountMode', () => (customer.level = 4)],
  ['futuresMode', 'twoWay', () => (customer.isHedged = true)],
  [
    'futuresMode',
    'isolated',
    () => {
      customer.isolated.add('BTCUSDT');
      customer.trade('BTCUSDT', ONE, ONE, 0, null);
    },
  ],
])('an account in %s is told, and not traded for: %s', async (accountType, reason, set) => {
  set();
  const answer = await told(known());
  expect(answer).toMatchObject({ outcome: 'accepted', accountType });
  expect(reasonAgainst(answer)).toBe(reason);
});

test.each([
  ['nobody knows', () => ({ ...known(), key: 'nobody-key' }), /不存在/],
  ['is signed wrongly', () => ({ ...known(), secret: 'another-secret' }), /签名错误/],
  ['has other words', () => ({ ...known(), passphrase: 'other words' }), /Passphrase/],
  ['is not for our address', () => known({ addresses: ['203.0.113.7'] }), /IP 白名单/],
])('a key that %s is refused for what it is', async (_what, keyOf, reason) => {
  expect(await told(keyOf())).toMatchObject({ outcome: 'rejected', reason: expect.stringMatching(reason) });
});

test('a clock that differs is told, and keeps no key from being tested', async () => {
  exchange.faults.clockAheadMs = 90_000;
  const { outcome, skewMs } = await told(known());
  expect(outcome).toBe('accepted');
  expect(Math.abs(skewMs! - 90_000)).toBeLessThan(2_000);
});

test.each(['cut', 'garbled'] as const)('an answer that is none (%s) neither accepts nor refuses', async (kind) => {
  exchange.faults.next(/account\/config/, { kind });
  expect(await told(known())).toMatchObject({ outcome: 'unanswered' });
});

test('what the account holds lies in one wallet', async () => {
  customer.deposit('spot', 'BTC', '0.25');
  expect(await holdings(known())).toMatchObject({
    ...{ outcome: 'accepted', multiAsset: false, equity: '40000', available: '40000', initialMargin: '0' },
    balances: [
      { wallet: 'unified', asset: 'USDT', total: '40000', free: '40000' },
      { wallet: 'unified', asset: 'BTC', total: '0.25', free: '0.25' },
    ],
    positions: [],
  });
});

test('a position in what nobody lists any more is told as the others are', async () => {
  customer.trade('BTCUSDT', new Big('-0.01'), exchange.trading.markOf('BTCUSDT'), 0, null);
  customer.trade('ETHUSDT', new Big('0.2'), exchange.trading.markOf('ETHUSDT'), 0, null);
  const client = await okxClientOf(standIn, known());
  const ask = <T>(question: () => Promise<T>) => question();
  const listed = (symbol: string) => CONTRACTS.size(exchange.listed(symbol)!.instrument);
  const answer = await okxHoldings(client, ask, (symbol) => (symbol === 'BTCUSDT' ? null : listed(symbol)));
  expect(answer).toMatchObject({
    outcome: 'accepted',
    positions: expect.arrayContaining([
      expect.objectContaining({ symbol: 'BTCUSDT', quantity: '-0.01' }),
      expect.objectContaining({ symbol: 'ETHUSDT', quantity: '0.2' }),
    ]),
  });
});
