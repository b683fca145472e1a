import { type ApiKeyRow, apiKey as api, type KeyReport } from '#contract/apiKey';
import { REFUSALS } from '#contract/codes';
import { MINUTE_MS } from '#contract/duration';
import { liveKeyCheck } from '#server/market/live/liveKeyCheck';
import { KeyWatch } from '#server/people/apiKey/keyWatch';
import type { ApiKey } from '../../standin/core/keys';
import { startStandIn } from '../../standin/standIn';
import { fileApp } from '../../support/app';
import { atEnd } from '../../support/atEnd';
import { clockFrom, QUIET_START } from '../../support/clockFrom';

const clock = clockFrom(QUIET_START);
const standIn = await startStandIn({ dialects: ['binance'], clock });
atEnd(() => standIn.close());
const exchange = standIn.exchange('binance');
const account = exchange.trading.account('owner');
account.deposit('derivatives', 'USDT', 12_345.5);

const logged: string[] = [];
const keyCheck = liveKeyCheck({ clock, exchanges: ['binance', 'okx'], urls: { binance: standIn.url } });
const app = await fileApp({
  ...{ clock, keyCheck, config: { logLevel: 'debug' } },
  log: { write: (line) => void logged.push(line) },
});
const trader = app.as('trader');

let made = 0;
/** A key that the exchange knows. */
function known(more: Partial<ApiKey> = {}): ApiKey {
  made += 1;
  return exchange.keys.add({ key: `known-key-${made}`, secret: `known-secret-${made}`, account: 'owner', ...more });
}
const typed = ({ key, secret }: Pick<ApiKey, 'key' | 'secret'>, more: object = {}) =>
  ({ exchange: 'binance', key, secret, ...more }) as const;
const tested = async (key: Pick<ApiKey, 'key' | 'secret'>, more: object = {}): Promise<KeyReport> =>
  (await trader(api.test, { body: typed(key, more) })).body.data;
const textsOf = ({ findings }: KeyReport) => findings.map(({ text }) => text).join();

afterEach(() => {
  exchange.faults.clear();
  account.isHedged = false;
  account.isolated.clear();
});

test('what binance says of a key is told: rights, addresses, modes, fees and equity', async () => {
  const report = await tested(known({ addresses: ['127.0.0.1'] }));
  expect(report).toMatchObject({
    ...{ simulated: false, outcome: 'accepted', reason: null, findings: [] },
    ...{ rights: ['read', 'spot', 'derivative', 'transfer'], ipRestricted: true, ipList: null, expiresAt: null },
    ...{ accountType: 'usdm', positionMode: 'oneWay', marginMode: 'cross', feeTier: 'VIP 0', equity: 12_345.5 },
  });
  const { makerFee, takerFee } = exchange.market.terms('BTCUSDT')!;
  expect([report.makerFee, report.takerFee]).toEqual([makerFee, takerFee]);
  expect(report.weightUsed).toBeGreaterThan(0);
  expect(Math.abs(report.skewMs!)).toBeLessThan(MINUTE_MS / 60);
});

test('a key that may only read is told as such, and that anybody may use it from anywhere', async () => {
  const report = await tested(known({ canTrade: false, canTransfer: false }));
  expect(report).toMatchObject({ outcome: 'accepted', rights: ['read'], ipRestricted: false });
  expect(textsOf(report)).toMatch(/没有 IP 白名单/);
});

test('two-way positions and isolated margin are told of who may trade, with where they are changed', async () => {
  account.isHedged = true;
  account.isolated.add('ETHUSDT');
  const report = await tested(known());
  expect(report).toMatchObject({ positionMode: 'twoWay', marginMode: 'isolated' });
  expect(report.findings.filter(({ level }) => level === 'danger').map(({ text }) => text)).toEqual([
    expect.stringMatching(/双向持仓.*持仓模式.*单向持仓/),
    expect.stringMatching(/逐仓.*全仓/),
  ]);
  const reader = await tested(known({ canTrade: false }));
  expect(reader.findings.filter(({ level }) => level === 'danger')).toEqual([]);
});

test('a clock that differs is told, and keeps no key from being tested', async () => {
  for (const ahead of [90_000, -90_000]) {
    exchange.faults.clockAheadMs = ahead;
    const report = await tested(known());
    expect(report.outcome).toBe('accepted');
    expect(Math.abs(report.skewMs! - ahead)).toBeLessThan(2_000);
    expect(textsOf(report)).toMatch(/时间相差 \d+\.\d 秒/);
  }
});

test.each([
  ['nobody knows', () => ({ key: 'unknown-key', secret: 'unknown-secret' }), /不存在.*白名单/],
  ['is signed wrongly', () => ({ ...known(), secret: 'another-secret' }), /签名错误/],
  ['is not for our address', () => known({ addresses: ['203.0.113.7'] }), /白名单/],
])('a key that %s is refused for what it is, and not stored', async (_what, keyOf, reason) => {
  const key = keyOf();
  const report = await tested(key);
  expect(report).toMatchObject({ outcome: 'rejected', reason: expect.stringMatching(reason) });
  const { body } = await trader(api.create, { body: { ...typed(key), name: '不认' } });
  expect(body.code).toBe(REFUSALS.keyRejected.code);
});

test('a key that may withdraw is refused', async () => {
  const { body } = await trader(api.create, { body: { ...typed(known({ canWithdraw: true })), name: '可提' } });
  expect(body.code).toBe(REFUSALS.keyWithdraws.code);
});

const limited = { code: -1003, msg: 'Too many requests.' };
test.each([
  ['is down', () => (exchange.faults.isRestDown = true), /连接不上/],
  [
    'fails',
    () =>
      exchange.faults.next(/./, {
        kind: 'answer',
        answer: { status: 503, body: { code: -1000, msg: 'An unknown error' } },
      }),
    /-1000/,
  ],
  [
    'was asked too often',
    () => exchange.faults.next(/apiRestrictions/, { kind: 'answer', answer: { status: 429, body: limited } }),
    /请求过多/,
  ],
  ['answers with a page', () => exchange.faults.next(/apiRestrictions/, { kind: 'garbled' }), /没有回答/],
])('an exchange that %s says nothing of a key: it is neither accepted nor refused', async (_what, fail, reason) => {
  const key = known();
  fail();
  expect(await tested(key)).toMatchObject({ outcome: 'unanswered', reason: expect.stringMatching(reason) });
});

test('a stored key that is revoked is refused from then on, whatever it was asked before', async () => {
  const key = known();
  const { body } = await trader(api.create, { body: { ...typed(key), name: '将被删除' } });
  expect(body.data).toMatchObject({ state: 'ready', report: { simulated: false } });
  exchange.keys.revoke(key.key);
  const { report, failures } = await watched(body.data.id);
  expect([report?.outcome, failures]).toEqual(['rejected', 1]);
});

test('an exchange that is not followed, or not spoken to yet, is asked nothing', async () => {
  const gate = await tested(known(), { exchange: 'gate' });
  expect(gate).toMatchObject({ outcome: 'unavailable', reason: expect.stringMatching(/EXCHANGES.*gate/) });
  const okx = await tested(known(), { exchange: 'okx', passphrase: 'phrase' });
  expect(okx).toMatchObject({ outcome: 'unavailable', reason: expect.stringMatching(/币安/) });
});

test('nothing that was asked or answered puts a key or a secret into the log', () => {
  const text = logged.join('');
  expect(text.length).toBeGreaterThan(0);
  for (const word of ['known-key-', 'known-secret-', 'unknown-secret', 'another-secret', 'signature'])
    expect(text).not.toContain(word);
});

/** A stored key after its exchange was asked about it. */
async function watched(id: string): Promise<ApiKeyRow> {
  const watch = new KeyWatch({ ...app, clock: () => clock() + 120 * MINUTE_MS, keyCheck }, () => undefined);
  await watch.pass();
  return (await trader(api.list)).body.data.list.find((row: ApiKeyRow) => row.id === id)!;
}
