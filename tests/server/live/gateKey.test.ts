import Big from 'big.js';
import { MINUTE_MS } from '#contract/duration';
import { gateHoldings } from '#server/market/live/gateKey';
import { reasonAgainst } from '#server/market/live/liveVenue';
import { positionRow, walletRow } from '../../standin/gate/accountRoutes';
import { CONTRACTS } from '../../standin/gate/names';
import { gateClientOf } from '../../support/gateClient';
import { keyWorld } from '../../support/keyWorld';
import { answerOf } from '../../support/liveAccount';
import { fileDatabase } from '../../support/testDatabase';

const { standIn, exchange, customer, known, told, holdings, wait } = await keyWorld(await fileDatabase(), 'gate');
const ONE = new Big(1);

afterEach(() => {
  // What a customer may ask within a while is not all used by one test file.
  wait(MINUTE_MS);
  Object.assign(customer, { isHedged: false, isMultiAsset: false });
  customer.isolated.clear();
  customer.positions.clear();
  exchange.faults.clear();
});

test('what Gate says of a key is told: rights, addresses, modes, fees, equity and whose it is', async () => {
  const answer = await told(known());
  const { makerFee, takerFee } = exchange.market.terms('BTCUSDT')!;
  expect(answer).toMatchObject({
    ...{ outcome: 'accepted', reason: null, uid: String(customer.uid), accountType: 'usdm', positionMode: 'oneWay' },
    ...{ ipRestricted: true, ipList: ['127.0.0.1'], marginMode: 'cross', feeTier: 'VIP 0', makerFee, takerFee },
    ...{ multiAsset: false, equity: 20_000 },
  });
  expect(answer.rights).toEqual(expect.arrayContaining(['read', 'spot', 'derivative']));
  expect(reasonAgainst(answer)).toBeNull();
  expect(reasonAgainst(await told(known({ canTrade: false })))).toBe('notPermitted');
  expect(reasonAgainst(await told(known({ canWithdraw: true })))).toBe('mayWithdraw');
  expect(await told(known({ addresses: [] }))).toMatchObject({ ipRestricted: false, ipList: [] });
});

test('of a key that begins as another does nothing is told, and nothing is traded by it', async () => {
  const [one] = ['one', 'other'].map((end) => known({ key: `the-same-start-${end}` }));
  const answer = await told(one!);
  expect(answer).toMatchObject({ outcome: 'accepted', rights: null, ipRestricted: null });
  expect(reasonAgainst(answer)).not.toBeNull();
});

test('a key of which Gate tells alone is told as well', async () => {
  const perms = ['spot', 'futures'].map((name) => ({ name, read_only: false }));
  const alone = { state: 1, key: { mode: 1 }, perms, ip_whitelist: ['127.0.0.1'] };
  exchange.faults.next(/main_keys/, answerOf(200, alone));
  const answer = await told(known());
  expect(answer).toMatchObject({ rights: ['read', 'spot', 'derivative'], ipList: ['127.0.0.1'] });
  expect(reasonAgainst(answer)).toBeNull();
});

test.each([
  ['multiCurrency', 'accountMode', () => (customer.isMultiAsset = true)],
  ['usdm', 'twoWay', () => (customer.isHedged = true)],
  [
    'usdm',
    'isolated',
    () => {
      customer.isolated.add('BTCUSDT');
      customer.trade('BTCUSDT', ONE, ONE, 0, null);
    },
  ],
])('an account of %s is told, and not traded for: %s', async (accountType, reason, set) => {
  set();
  const answer = await told(known());
  expect(answer).toMatchObject({ outcome: 'accepted', accountType });
  expect(reasonAgainst(answer)).toBe(reason);
});

test.each([
  ['nobody knows', () => ({ ...known(), key: 'nobody-key' }), /不存在/],
  ['is signed wrongly', () => ({ ...known(), secret: 'another-secret' }), /签名错误/],
  ['is not for our address', () => known({ addresses: ['203.0.113.7'] }), /IP 白名单/],
  ['has no wallet of contracts', () => known({ key: 'new-key', account: 'newcomer' }), /还没有合约账户/],
])('a key that %s is refused for what it is', async (_what, keyOf, reason) => {
  expect(await told(keyOf())).toMatchObject({ outcome: 'rejected', reason: expect.stringMatching(reason) });
});

test.each([
  [false, 'oldMargin'],
  [undefined, 'usdm'],
])('an account that says %s of the newer margin is one of %s', async (said, accountType) => {
  const body = { ...walletRow(exchange, customer, customer.uid), enable_evolved_classic: said };
  exchange.faults.next(/futures\/usdt\/accounts/, { kind: 'answer', answer: { status: 200, body } });
  expect(await told(known())).toMatchObject({ accountType });
});

test('a short that cannot be liquidated has no price at which it is', async () => {
  customer.trade('BTCUSDT', new Big('-0.01'), exchange.trading.markOf('BTCUSDT'), 0, null);
  const row = positionRow(exchange, customer, 'BTCUSDT', customer.uid, customer.positions.get('BTCUSDT'));
  const answer = { status: 200, body: [{ ...row, liq_price: '99999999' }] };
  exchange.faults.next(/usdt\/positions/, { kind: 'answer', answer });
  const client = await gateClientOf(standIn, known());
  const ask = <T>(question: () => Promise<T>) => question();
  expect(await gateHoldings(client, ask, () => '0.001')).toMatchObject({
    positions: [{ symbol: 'BTCUSDT', quantity: '-0.01', liquidationPrice: null }],
  });
});

test('a position in what nobody lists any more is told as the others are', async () => {
  customer.trade('BTCUSDT', new Big('-0.01'), exchange.trading.markOf('BTCUSDT'), 0, null);
  customer.trade('ETHUSDT', new Big('0.2'), exchange.trading.markOf('ETHUSDT'), 0, null);
  const client = await gateClientOf(standIn, known());
  const ask = <T>(question: () => Promise<T>) => question();
  const listed = (symbol: string) => CONTRACTS.size(exchange.listed(symbol)!.instrument);
  const answer = await gateHoldings(client, ask, (symbol) => (symbol === 'BTCUSDT' ? null : listed(symbol)));
  expect(answer).toMatchObject({
    ...{ outcome: 'accepted', equity: expect.stringMatching(/^(19|20)\d{3}\b/) },
    positions: [
      { symbol: 'BTCUSDT', quantity: '-0.01' },
      { symbol: 'ETHUSDT', quantity: '0.2' },
    ],
  });
});

test('what the account holds lies in two wallets', async () => {
  customer.deposit('spot', 'BTC', '0.25');
  expect(await holdings(known())).toMatchObject({
    ...{ outcome: 'accepted', multiAsset: false, equity: '20000', available: '20000', initialMargin: '0' },
    balances: [
      { wallet: 'usdm', asset: 'USDT', total: '20000', free: '20000' },
      { wallet: 'spot', asset: 'USDT', total: '20000', free: '20000' },
      { wallet: 'spot', asset: 'BTC', total: '0.25', free: '0.25' },
    ],
    positions: [],
  });
});
