import Big from 'big.js';
import { MINUTE_MS } from '#contract/duration';
import { reasonAgainst } from '#server/market/live/liveVenue';
import { toldReport } from '#server/people/apiKey/keyReport';
import { keyWorld } from '../../support/keyWorld';
import { fileDatabase } from '../../support/testDatabase';

const { exchange, customer, known, told, holdings, wait } = await keyWorld(await fileDatabase(), 'bybit');
/** What the stand-in calls the ways in which all of an account is margin. */
const [CLASSIC, ISOLATED, CROSS, PORTFOLIO] = [0, 1, 2, 3];

afterEach(() => {
  // What a customer may ask within a second is not all used by one test file.
  wait(MINUTE_MS);
  Object.assign(customer, { isHedged: false, level: CROSS });
  customer.positions.clear();
  customer.dcp.clear();
  exchange.faults.clear();
});

test('what Bybit says of a key is told: rights, addresses, modes, fees, equity and whose it is', async () => {
  const answer = await told(known());
  const { makerFee, takerFee } = exchange.market.terms('BTCUSDT')!;
  expect(answer).toMatchObject({
    ...{ outcome: 'accepted', reason: null, rights: ['read', 'spot', 'derivative', 'transfer'] },
    ...{ uid: String(customer.uid), ipRestricted: true, ipList: ['127.0.0.1'], accountType: 'unified' },
    ...{
      positionMode: 'oneWay',
      marginMode: 'cross',
      feeTier: 'No VIP',
      cancelsForGone: false,
      makerFee,
      takerFee,
      equity: 40_000,
    },
  });
  expect(reasonAgainst(answer)).toBeNull();
  const { findings } = toldReport({ ...answer, at: 0, simulated: false }, null, 0);
  expect(findings).toMatchObject([{ level: 'warning', name: '没有断连撤单' }]);
  expect(await told(known({ canTrade: false, canTransfer: false }))).toMatchObject({ rights: ['read'] });
  customer.dcp.set('derivatives', 10);
  expect(await told(known())).toMatchObject({ cancelsForGone: true });
  // One that is bound to no address ends by itself.
  const open = await told(known({ canWithdraw: true, addresses: [] }));
  expect(open).toMatchObject({ ipRestricted: false, ipList: [], expiresAt: expect.any(Number) });
  expect(open.rights).toContain('withdraw');
});

test.each([
  ['classic', 'accountMode', CLASSIC],
  ['portfolio', 'accountMode', PORTFOLIO],
  ['unified', 'isolated', ISOLATED],
])('an account that is %s is told, and not traded for: %s', async (accountType, reason, level) => {
  customer.level = level;
  const answer = await told(known());
  expect(answer).toMatchObject({ outcome: 'accepted', accountType });
  expect(reasonAgainst(answer)).toBe(reason);
});

test('an account whose positions have two sides is told, before it has any and after', async () => {
  customer.isHedged = true;
  const [before] = [await told(known()), customer.trade('ETHUSDT', new Big(1), new Big(1), 0, null)];
  for (const answer of [before, await told(known())]) expect(reasonAgainst(answer)).toBe('twoWay');
});

test.each([
  ['nobody knows', () => ({ ...known(), key: 'nobody-key' }), /不存在/],
  ['is signed wrongly', () => ({ ...known(), secret: 'another-secret' }), /签名错误/],
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
  exchange.faults.next(/account\/info/, { kind });
  expect(await told(known())).toMatchObject({ outcome: 'unanswered' });
});

test('what the account holds lies in one wallet; what backs positions is not free', async () => {
  customer.deposit('spot', 'BTC', '0.25');
  customer.trade('ETHUSDT', new Big(-2), new Big(exchange.listed('ETHUSDT')!.ticker.price), 0, null);
  const held = await holdings(known());
  expect(held).toMatchObject({
    ...{ outcome: 'accepted', multiAsset: false },
    balances: [
      { wallet: 'unified', asset: 'USDT', total: '40000' },
      { wallet: 'unified', asset: 'BTC', total: '0.25', free: '0.25' },
    ],
    positions: [{ symbol: 'ETHUSDT', quantity: '-2' }],
  });
  if (held.outcome !== 'accepted') throw new Error(held.reason);
  const { equity, available, initialMargin, balances, positions } = held;
  expect(Number(initialMargin)).toBeGreaterThan(0);
  expect(new Big(equity).minus(positions[0]!.unrealised).toFixed()).toBe('40000');
  expect(available).toBe(new Big(equity).minus(initialMargin).toFixed());
  expect(Number(balances[0]!.free)).toBeLessThanOrEqual(Number(available));
});
