import { randomUUID } from 'node:crypto';
import Big from 'big.js';
import { eq } from 'drizzle-orm';
import { type ApiKeyRow, apiKey as api, type KeyHeld, type KeyReport } from '#contract/apiKey';
import * as REFUSALS from '#contract/codes';
import { MINUTE_MS } from '#contract/duration';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import * as schema from '#server/base/db/schema';
import type { KeyCheck } from '#server/market/keyCheck';
import { createLive } from '#server/market/live/live';
import { liveKeyCheck } from '#server/market/live/liveKeyCheck';
import { KeyWatch } from '#server/people/apiKey/keyWatch';
import type { ApiKey } from '../../standin/core/keys';
import { startStandIn } from '../../standin/standIn';
import { fileApp } from '../../support/app';
import { atEnd } from '../../support/atEnd';
import { clientOf } from '../../support/binanceClient';
import { QUIET_START, steeredClock } from '../../support/clockFrom';
import { fileDatabase } from '../../support/testDatabase';

const { clock, wait, still } = steeredClock(QUIET_START);
const db = await fileDatabase();
const standIn = await startStandIn({ dialects: ['binance'], clock });
atEnd(() => standIn.close());
const exchange = standIn.exchange('binance');
const account = exchange.trading.account('owner');
account.deposit('derivatives', 'USDT', 12_345.5);

const urls = { binance: standIn.url };
const logged: string[] = [];
/** Exchanges that nothing was asked of yet. */
function anew() {
  const { markets } = createLive({
    ...{ db, clock, urls, exchanges: ['binance'] },
    onTrouble: () => undefined,
  });
  return { rest: markets[0]!.feed.rest, keyCheck: liveKeyCheck({ clock, markets, urls }) };
}
let asked = anew();
const keyCheck: KeyCheck = {
  ...asked.keyCheck,
  check: (credentials, now) => asked.keyCheck.check(credentials, now),
  holdings: (credentials, now) => asked.keyCheck.holdings(credentials, now),
};
const app = await fileApp({
  ...{ db, clock, keyCheck, config: { logLevel: 'debug' } },
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
  asked = anew();
  // What an address may ask within a minute is not all used by one test file.
  wait(MINUTE_MS);
  exchange.faults.clear();
  account.isHedged = false;
  account.isMultiAsset = false;
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
  expect(report.findings.slice(0, 2).map(({ name }) => name)).toEqual(['双向持仓', '逐仓']);
  const reader = await tested(known({ canTrade: false }));
  expect(reader.findings.filter(({ level }) => level === 'danger')).toEqual([]);
});

test('whether totals are in USD is told of a key and of what its account holds', async () => {
  const { body } = await trader(api.create, { body: { ...typed(known()), name: '多资产' } });
  const heldNow = async () => (await trader(api.held, { query: { id: body.data.id } })).body.data.multiAsset;
  expect([body.data.report?.multiAsset, await heldNow()]).toEqual([false, false]);
  account.isMultiAsset = true;
  expect([(await tested(known())).multiAsset, await heldNow()]).toEqual([true, true]);
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

const NOT_LET_IN = { code: -2015, msg: 'Invalid API-key, IP, or permissions for action.' };
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
  const held = await trader(api.held, { query: { id: body.data.id } });
  expect(held.body).toMatchObject({ code: REFUSALS.keyRejected.code, data: null });
});

test('one who is not let in after a question that went well keeps the market from nothing', async () => {
  const key = known();
  exchange.faults.next(/accountConfig/, { kind: 'answer', answer: { status: 401, body: NOT_LET_IN } });
  expect(await tested(key)).toMatchObject({ outcome: 'accepted', accountType: 'spot', equity: null });
  expect(asked.rest.isBusy).toBe(false);
});

test('an exchange that was asked too often is asked nothing for as long as it says, by nobody', async () => {
  exchange.faults.next(/accountConfig/, { kind: 'answer', answer: { status: 429, body: limited } });
  expect(await tested(known())).toMatchObject({ outcome: 'unanswered' });
  expect(asked.rest.isBusy).toBe(true);
  // It would answer by now.
  expect(await tested(known())).toMatchObject({ outcome: 'unanswered', reason: expect.stringMatching(/一分钟后/) });
});

describe('what an account holds', () => {
  const stored = async (name: string): Promise<string> => {
    const { body } = await trader(api.create, { body: { ...typed(known()), name } });
    return body.data.id;
  };
  const heldBy = async (id: string): Promise<KeyHeld> => (await trader(api.held, { query: { id } })).body.data;
  const traded = (symbol: string, quantity: string, price: string) =>
    account.trade(symbol, new Big(quantity), new Big(price), clock(), null);

  beforeAll(() => {
    account.deposit('spot', 'BTC', '0.12345678');
    account.deposit('derivatives', 'BNB', '1.5');
    traded('BTCUSDT', '-0.012', '90000');
    traded('ETHUSDT', '0.5', '3000');
  });

  test('balances and positions are told as the exchange has them, to the last digit, and all are foreign', async () => {
    const id = await stored('有持仓');
    // Prices stand still: positions and what they are worth are asked for one after the other.
    const [held, unrealised] = await still(
      async () => [await heldBy(id), exchange.trading.margin(account).unrealised] as const,
    );
    expect(held).toMatchObject({ simulated: false, equity: expect.stringMatching(/^\d/) });
    expect(held.balances).toEqual([
      { wallet: 'usdm', asset: 'USDT', total: '12345.5', free: expect.any(String) },
      { wallet: 'usdm', asset: 'BNB', total: '1.5', free: '1.5' },
      { wallet: 'spot', asset: 'BTC', total: '0.12345678', free: '0.12345678' },
    ]);
    const sum = held.positions.reduce((total, position) => total.plus(position.unrealised!), new Big(0));
    expect(sum.minus(unrealised).abs().lt('0.01')).toBe(true);
    expect(held.positions).toMatchObject([
      { symbol: 'BTCUSDT', side: 'short', quantity: '-0.012', ours: '0', external: '-0.012', entryPrice: '90000' },
      { symbol: 'ETHUSDT', side: 'long', quantity: '0.5', ours: '0', external: '0.5', entryPrice: '3000' },
    ]);
  });

  test('what running deals hold by the key for real is ours; of a paper account nothing is', async () => {
    const id = await stored('有交易单');
    const [user] = await db.select().from(schema.user).where(eq(schema.user.name, 'trader'));
    const userId = user!.id;
    const accountOf = async (mode: string) => {
      const row = { id: randomUUID(), userId, venue: 'binance-live', mode, name: mode, apiKeyId: id };
      await db.insert(schema.account).values(row);
      return row.id;
    };
    const [live, paper] = [await accountOf('live'), await accountOf('paper')];
    const dealOf = await dealsOf(userId);
    await dealOf(live, { BTCUSDT: '-0.01', SOLUSDT: '3' });
    await dealOf(live, { BTCUSDT_SPOT: '0.12', XRPUSDT: '0' });
    await dealOf(paper, { ETHUSDT: '0.5', BTCUSDT: '7' });
    const held = await heldBy(id);
    expect(held.positions).toMatchObject([
      { symbol: 'BTCUSDT', side: 'short', quantity: '-0.012', ours: '-0.01', external: '-0.002' },
      { symbol: 'ETHUSDT', side: 'long', quantity: '0.5', ours: '0', external: '0.5' },
      // Bought spot is a balance of the exchange.
      { symbol: 'BTCUSDT_SPOT', side: 'long', quantity: '0.12345678', ours: '0.12', external: '0.00345678' },
      // It is not there any more: somebody else closed it.
      { symbol: 'SOLUSDT', side: 'long', quantity: '0', ours: '3', external: '-3', entryPrice: null, unrealised: null },
    ]);
  });

  test.each([
    ['is silent', () => exchange.faults.next(/account|positionRisk/, { kind: 'cut' }, 9), REFUSALS.keyUnanswered],
    ['answers with a page', () => exchange.faults.next(/positionRisk/, { kind: 'garbled' }), REFUSALS.keyUnanswered],
  ])('of an exchange that %s no account is taken for empty', async (what, fail, { code }) => {
    const id = await stored(what);
    fail();
    expect((await trader(api.held, { query: { id } })).body).toMatchObject({ code, data: null });
  });

  test('a key that is disabled asks nothing', async () => {
    const id = await stored('停用');
    await trader(api.status, { body: { id, enabled: false } });
    expect((await trader(api.held, { query: { id } })).body.code).toBe(REFUSALS.keyNotAsked.code);
  });
});

test('while half of what an address may ask is used up, keys wait for the next minute, and the market does not', async () => {
  const client = await clientOf(standIn);
  asked.rest.listen(client as never);
  // However long it takes, all of it is within a minute.
  await still(async () => {
    for (let weight = 0; weight < 1_200; weight += 40)
      await asked.rest.ask(client as never, () => client.fapiPublicGetTicker24hr());
    expect(await tested(known())).toMatchObject({ outcome: 'unanswered', reason: expect.stringMatching(/留给行情/) });
    expect(await asked.rest.ask(client as never, () => client.fapiPublicGetTime())).toMatchObject({});
  });
  wait(MINUTE_MS);
  expect(await tested(known())).toMatchObject({ outcome: 'accepted' });
});

test('an exchange that is not followed is asked nothing', async () => {
  const bybit = await tested(known(), { exchange: 'bybit' });
  expect(bybit).toMatchObject({ outcome: 'unavailable', reason: expect.stringMatching(/EXCHANGES.*bybit/) });
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

/** Puts deals into accounts of a user, with what their legs hold by symbol. */
async function dealsOf(userId: string) {
  const at = clock();
  const named = { userId, kind: 'cexRate', name: '跨所甲', mode: 'paper', state: 'running', params: DEFAULT_CEX_RATE };
  const [made] = await db
    .insert(schema.strategy)
    .values({ ...named, createdAt: at, updatedAt: at, updatedBy: 'trader' })
    .returning();
  const strategyId = made!.id;
  return async (accountId: string, held: Record<string, string>) => {
    const legs = Object.entries(held).map(([symbol, quantity], index) => ({
      ...{ leg: index === 0 ? ('long' as const) : ('short' as const), source: 'binance-live', symbol, quantity },
    }));
    const [target] = await db
      .insert(schema.target)
      .values({
        userId,
        strategyId,
        legs: legs.map(({ quantity: _quantity, ...leg }) => leg),
        createdAt: at,
        armedAt: at,
      })
      .returning();
    const id = randomUUID();
    const states = { state: 'open', stateAt: at, createdAt: at, params: {} };
    await db.insert(schema.deal).values({ id, userId, strategyId, targetId: target!.id, ...states });
    const rows = legs.map((leg) => ({ ...leg, dealId: id, userId, accountId, side: leg.leg, weight: 1, cost: '1' }));
    await db.insert(schema.dealLeg).values(rows);
  };
}
