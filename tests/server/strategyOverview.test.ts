import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { LOSS_GUARD } from '#contract/account';
import { audit } from '#contract/audit';
import { DAY_MS } from '#contract/duration';
import { DEFAULT_CEX_RATE } from '#contract/kinds/cexRate/params';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { notification } from '#contract/notification';
import { strategies } from '#contract/strategies';
import type { StrategyLimits } from '#contract/strategyLimits';
import { strategyOverview as api } from '#contract/strategyOverview';
import { insertAccount } from '#server/base/db/accounts/venueAccount';
import { moveBook, setKillSwitch } from '#server/base/db/books/book';
import { book, notification as notificationTable, strategy as strategyTable, user } from '#server/base/db/schema';
import type { SingleTerms } from '#server/base/db/strategies/singleTerms';
import { changeStrategy, insertStrategy } from '#server/base/db/strategies/strategy';
import { findUser } from '#server/base/db/users/user';
import { Jobs } from '#server/base/jobs/jobs';
import { StrategyBreaker, tripExceeding } from '#server/desk/strategy/strategyBreaker';
import { Notifier } from '#server/people/notification/notifier';
import { createPublicPost } from '#server/people/notification/publicPost';
import { createPublicMail } from '../../server/people/notification/publicMail';
import { fileApp, START } from '../support/app';
import { addBook, addEvents, addHedges, addLedger, addPair, pairsOf } from '../support/bookRows';
import { type HandCoin, handMarket, handMarkets } from '../support/handMarket';
import { waitFor } from '../support/waitFor';

const TODAY = Math.floor(START / DAY_MS) * DAY_MS;
const OPENED = TODAY - 10 * DAY_MS;
const SETTINGS = { ...DEFAULT_SETTINGS, leverage: 10 };
const NO_LIMITS: StrategyLimits = { maxDrawdown: null, dailyLoss: null, maxNotional: null };

let now = START;
/** What AAA is worth today; until midnight it gained 1 USDT a day, from 100. */
let present = 105;
const coin = (price: HandCoin['price']): HandCoin => ({
  start: OPENED,
  closes: { '1d': [1, 1] },
  ...(price && { price }),
});
const market = handMarket(
  'simulated',
  {
    AAAUSDT: coin((at) => (at > TODAY ? present : 100 + (at - OPENED) / DAY_MS)),
    BBBUSDT: coin(() => 50),
  },
  () => now,
);

/** As somebody saved it while its venues listed the coin. */
async function insertedStrategy(given: {
  kind: string;
  name: string;
  mode: string;
  params: object;
  single?: SingleTerms;
}) {
  const userId = (await findUser(server.db, 'master'))!.id;
  const row = { ...given, userId, createdAt: now, updatedBy: 'master' };
  return { id: await insertStrategy(server.db, row) };
}

const woken: string[] = [];
const master = () => server.as('master');
const overview = async () => (await master()(api.list)).body.data;
const ownRow = async () => (await overview()).list.find(({ own }) => own)!;
const pass = () => {
  now += 1000;
  return breaker.pass();
};

/** A user's desk with a hedge of 10 AAA at 100 against 20 BBB at 50, 3 USDT of funding and 1 of fees. */
async function trades(name: string): Promise<string> {
  const userId = (await findUser(server.db, name))!.id;
  await addBook(server.db, userId, { enabled: true }, { settings: SETTINGS });
  const row = { userId, source: 'simulated', long: 'AAAUSDT', short: 'BBBUSDT', createdAt: OPENED };
  const pairId = await addPair(server.db, { ...row, armedAt: OPENED });
  const id = randomUUID();
  await addHedges(server.db, {
    ...{ id, pairId, ...row, settings: SETTINGS, ratio: 1, state: 'open', stateAt: OPENED, openedAt: OPENED },
    ...{ longQuantity: '10', longCost: '1000', longOpened: '10', longNotional: '1000' },
    ...{ shortQuantity: '-20', shortCost: '-1000', shortOpened: '20', shortNotional: '1000', funding: '3', fees: '1' },
  });
  const booked = { userId, dealId: id, source: 'simulated', at: OPENED + 1 };
  await addLedger(
    server.db,
    { ...booked, kind: 'fill', symbol: 'AAAUSDT', amount: '-1000', quantity: '10', reference: 'a' },
    { ...booked, kind: 'fill', symbol: 'BBBUSDT', amount: '1000', quantity: '-20', reference: 'b' },
    { ...booked, kind: 'funding', symbol: 'BBBUSDT', amount: '3.5', quantity: '-20', reference: 'c' },
    { ...booked, kind: 'funding', symbol: 'AAAUSDT', amount: '-0.5', quantity: '10', reference: 'e' },
    { ...booked, kind: 'fee', symbol: 'AAAUSDT', amount: '-1', reference: 'd' },
  );
  await addEvents(
    server.db,
    { dealId: id, at: OPENED + 1, kind: 'opened' },
    { dealId: id, at: START - DAY_MS / 2, kind: 'refused', detail: '余额不足' },
  );
  return id;
}

const markets = handMarkets(market);
const clock = () => now;
const server = await fileApp({ markets, clock });
const breaker = new StrategyBreaker(
  { db: server.db, markets, clock },
  { onTripped: (userId) => void woken.push(userId), onTrouble: (what) => Promise.reject(new Error(what)) },
);
await trades('trader');
await trades('master');

test('the figures of all users’ strategies are those of the ledger', async () => {
  const { list } = await overview();
  const { data: days } = (await master()(api.days)).body;
  const known = list.map(({ user, own, kind, state }) => [user, own, kind, state]);
  expect(known.sort()).toEqual([
    ['master', true, 'hedge', 'running'],
    ['trader', false, 'hedge', 'running'],
  ]);
  const row = list.find(({ own }) => own)!;
  expect(row).toMatchObject({
    ...{ accounts: [{ venue: 'simulated', name: '主账户' }], note: '', noteBy: null, noteAt: null },
    ...{ symbols: ['AAAUSDT', 'BBBUSDT'], running: 1, ended: 0, notional: 2050, exposure: 50, capital: 200 },
    ...{ pricePnl: 50, funding: 3, fees: 1, net: 52, errors24h: 1, winRate: null, sharpe: null, tripped: null },
    // At midnight AAA stood at 110: 102 were made until then, and 50 lost since.
    ...{ today: -50, drawdown: 50, drawdownShare: -0.25, turnover: 0 },
    ...{ limits: NO_LIMITS, used: { maxDrawdown: 50, dailyLoss: 50, maxNotional: 2050 } },
  });
  expect(row.week).toEqual([42, 52, 62, 72, 82, 92, 102, 52]);
  // 52 USDT on 200 in ten and a half days.
  expect(row.roi).toBeCloseTo(52 / 200, 9);
  expect(row.apr).toBeNull();
  expect(days.list.map(({ id }) => id)).toEqual(list.map(({ id }) => id));
  // Ten days and a half are known, of which the first began at the opening.
  expect(days.list[0]!.daily.slice(-8)).toEqual([10, 10, 10, 10, 10, 10, 10, 10]);
  expect(days.correlation).toEqual([
    [null, null],
    [null, null],
  ]);
  const deals = await master()(api.deals, { query: { id: list[0]!.id } });
  expect(deals.body.data.list).toMatchObject([{ state: 'open', pricePnl: 50, realised: 0, net: 52 }]);
});

test('a running strategy names the pause or kill switch that blocks it', async () => {
  const userId = (await findUser(server.db, 'master'))!.id;
  const held = async () => Object.fromEntries((await overview()).list.map(({ user, heldBack }) => [user, heldBack]));
  const own = (pausedAt: number | null) => moveBook(server.db, userId, { pausedAt, pausedBy: 'master' });
  const all = (pausedAt: number | null) => setKillSwitch(server.db, { pausedAt, pausedBy: 'master', reason: '' });
  expect(await held()).toEqual({ master: null, trader: null });
  await own(now);
  expect(await held()).toEqual({ master: 'paused', trader: null });
  await all(now);
  expect(await held()).toEqual({ master: 'pausedForAll', trader: 'pausedForAll' });
  await all(null);
  await own(null);
  expect(await held()).toEqual({ master: null, trader: null });
});

test('one of a single deal says so', async () => {
  const single = { worst: { long: 1, short: 1 }, until: now, refused: null };
  const once = await insertedStrategy({
    kind: 'cexRate',
    name: '一笔',
    mode: 'paper',
    params: DEFAULT_CEX_RATE,
    single,
  });
  const { list } = await overview();
  expect(list.filter((row) => row.single).map(({ id }) => id)).toEqual([once.id]);
});

test('one’s own list says what the overview says holds each back: play money what is on paper, real money what is real', async () => {
  const userId = (await findUser(server.db, 'master'))!.id;
  const paper = await insertedStrategy({ kind: 'cexRate', name: '模拟的', mode: 'paper', params: DEFAULT_CEX_RATE });
  const live = await insertedStrategy({ kind: 'cexRate', name: '实盘的', mode: 'live', params: DEFAULT_CEX_RATE });
  const told = async () => {
    const { list } = (await master()(strategies.list)).body.data;
    const all = (await overview()).list;
    const held = [paper, live].map(({ id }) => list.find((row) => row.id === id)!.heldBack);
    expect(held).toEqual([paper, live].map(({ id }) => all.find((row) => row.id === id)!.heldBack));
    return held;
  };
  const no = { pausedAt: null, unvalued: null, unvaluedLive: null };
  const when = async (what: object) => {
    await server.db
      .update(book)
      .set({ ...no, ...what })
      .where(eq(book.userId, userId));
    return told();
  };
  expect(await when({})).toEqual([null, null]);
  expect(await when({ pausedAt: now, pausedBy: LOSS_GUARD })).toEqual(['lossLimit', null]);
  expect(await when({ unvalued: 'GONEUSDT' })).toEqual(['unvalued', null]);
  expect(await when({ unvaluedLive: 'GONEUSDT' })).toEqual([null, 'unvalued']);
  expect(await when({ pausedAt: now, pausedBy: 'master' })).toEqual(['paused', 'paused']);
  await when({});
  for (const { id } of [paper, live]) await server.db.delete(strategyTable).where(eq(strategyTable.id, id));
});

test('who has an answer is told what changed since; an answer that is not known is told whole', async () => {
  const askedAfter = async (since: number) => (await master()(api.list, { query: { since } })).body.data;
  const first = await overview();
  now += 1000;
  present = 106;
  const second = await askedAfter(first.at);
  expect(second).toMatchObject({ since: first.at, list: [], gone: [] });
  const own = first.list.find((row) => row.own)!;
  expect(second.changed.find(({ id }) => id === own.id)!.fields).toMatchObject({ net: own.net! + 10 });
  expect(second.changed.find(({ id }) => id === own.id)!.fields).not.toHaveProperty('name');
  const added = await insertedStrategy({ kind: 'cexRate', name: '新的', mode: 'paper', params: DEFAULT_CEX_RATE });
  const third = await askedAfter(second.at);
  expect(third).toMatchObject({ since: second.at, list: [{ id: added.id }], changed: [], gone: [] });
  await server.db.delete(strategyTable).where(eq(strategyTable.id, added.id));
  present = 105;
  now += 1000;
  expect(await askedAfter(third.at)).toMatchObject({ since: third.at, list: [], gone: [added.id] });
  const unknown = await askedAfter(first.at - 1);
  expect(unknown).toMatchObject({ since: null, changed: [] });
  expect(unknown.list).toHaveLength(first.list.length);
});

test('nobody limits or starts what is another’s', async () => {
  const theirs = (await overview()).list.find(({ own }) => !own);
  expect((await master()(api.limit, { body: { id: theirs!.id, limits: NO_LIMITS } })).status).toBe(404);
  expect((await master()(api.note, { body: { id: theirs!.id, note: '别人的' } })).status).toBe(404);
  expect((await master()(strategies.start, { body: { id: theirs!.id } })).status).toBe(404);
  expect((await master()(strategies.start, { body: { id: 'nothing' } })).status).toBe(404);
  expect((await master()(api.deals, { query: { id: 'nothing' } })).status).toBe(404);
  const bad = await master()(api.limit, { body: { id: theirs!.id, limits: { ...NO_LIMITS, dailyLoss: 1 } } });
  expect(bad.body.data).toEqual({ fields: [{ field: 'limits.dailyLoss', message: '单日亏损不能小于 10' }] });
});

test('a note is kept with who wrote it and when, and the audit log has both texts', async () => {
  const { id } = await ownRow();
  const write = (note: string) => master()(api.note, { body: { id, note } });
  expect((await write('先看一周')).body.data).toEqual({ id, note: '先看一周', noteBy: 'master', noteAt: now });
  await write('减半');
  expect(await ownRow()).toMatchObject({ note: '减半', noteBy: 'master', noteAt: now });
  expect((await write('长'.repeat(501))).status).toBe(400);
  const changes = async () => {
    const { list } = (await master()(audit.list, { query: { object: id } })).body.data;
    return list.flatMap(({ action, result, changes: made }) =>
      action === 'PUT /api/strategy/note' && result === 'done' ? made : [],
    );
  };
  await waitFor('both are in the log', 60_000, async () => (await changes()).length === 2);
  expect(await changes()).toEqual([
    { field: '备注', before: '先看一周', after: '减半' },
    { field: '备注', before: null, after: '先看一周' },
  ]);
});

test('a strategy names the accounts that its params need, opened or not', async () => {
  const body = {
    kind: 'cexRate',
    name: '两所',
    mode: 'paper',
    params: { ...DEFAULT_CEX_RATE, coins: ['AAA'] },
  } as const;
  const { id } = await insertedStrategy(body);
  const row = (await overview()).list.find((one) => one.id === id)!;
  expect(row.accounts).toEqual([
    { venue: 'simulated', name: '主账户' },
    { venue: 'simulated-okx', name: null },
  ]);
  const userId = (await findUser(server.db, 'master'))!.id;
  const opened = { id: randomUUID(), userId, mode: 'paper', venue: 'simulated-okx', name: '对冲二号' } as const;
  await insertAccount(server.db, opened);
  const after = (await overview()).list.find((one) => one.id === id)!;
  expect(after.accounts[1]).toEqual({ venue: 'simulated-okx', name: '对冲二号' });
  await changeStrategy(server.db, id, { removedAt: now });
});

describe('the breaker', () => {
  const limit = async (limits: Partial<StrategyLimits>) =>
    master()(api.limit, { body: { id: (await ownRow()).id, limits: { ...NO_LIMITS, ...limits } } });

  test.each<[string, number, Partial<StrategyLimits>, RegExp]>([
    ['a drawdown', 105, { maxDrawdown: 49 }, /^回撤 50\.00 USDT 超过限额 49\.00 USDT$/],
    ['a notional', 100, { maxNotional: 1900 }, /^名义 2,000\.00 USDT/],
  ])(
    'of %s ends the entries once it is exceeded, and says so; a reason is needed to go on',
    async (_name, price, limits, text) => {
      // Each time 50 USDT lower: what was lost before was resumed from.
      present = price;
      await limit({ ...limits, ...Object.fromEntries(Object.keys(limits).map((name) => [name, 3000])) });
      expect(await pass()).toBe(0);
      await limit(limits);
      expect(await pass()).toBe(1);
      expect(await pass()).toBe(0);
      const row = await ownRow();
      expect(row).toMatchObject({
        state: 'tripped',
        tripped: expect.stringMatching(text),
        trippedAt: expect.any(Number),
      });
      expect(woken.pop()).toBe(row.userId);

      // Neither its own page nor stopping it first goes round the reason.
      expect((await master()(hedgeConfig.enable)).body.code).toBe(5112);
      await master()(strategies.stop, { body: { id: row.id, flatten: false } });
      expect((await master()(strategies.start, { body: { id: row.id } })).body.code).toBe(5111);
      expect((await master()(strategies.start, { body: { id: row.id, reason: '  ' } })).body.code).toBe(5111);
      await limit({});
      expect((await master()(strategies.start, { body: { id: row.id, reason: '看过了' } })).body.code).toBe(200);
      expect(await ownRow()).toMatchObject({ state: 'running', tripped: null });
    },
  );

  test('after it was resumed losses count from there', async () => {
    await limit({ dailyLoss: 40, maxDrawdown: 40 });
    expect((await ownRow()).used).toMatchObject({ maxDrawdown: 0, dailyLoss: 0 });
    expect(await pass()).toBe(0);
    present = 95;
    expect(await pass()).toBe(1);
    expect((await ownRow()).tripped).toMatch(/^回撤 50\.00 USDT/);
  });

  test('is told of: to its owner, and in the feed with what else happened', async () => {
    const stream = { publish: () => {} } as never;
    const { db, vault } = server;
    const outside = { stream, post: createPublicPost(), mail: createPublicMail() };
    const notified = () => new Notifier({ db, vault, clock: () => now, ...outside, jobs: new Jobs(db) }).pass();
    await notified();
    const told = (await master()(notification.list, { query: { kind: 'risk' } })).body.data.list;
    expect(told[0]).toMatchObject({ title: '策略 对冲 已熔断', level: 'error', link: '/strategy/overview' });
    // Who is no master is led to the screen of the kind.
    const isOwner = eq(user.id, (await ownRow()).userId);
    await db.delete(notificationTable);
    await db.update(user).set({ role: 'user' }).where(isOwner);
    await notified();
    const [ofUser] = (await master()(notification.list, { query: { kind: 'risk' } })).body.data.list;
    expect(ofUser).toMatchObject({ title: '策略 对冲 已熔断', link: '/strategy/hedge' });
    await db.update(user).set({ role: 'master' }).where(isOwner);

    const { id } = await ownRow();
    const feed = async (query: object) => (await master()(api.feed, { query })).body.data.list;
    const own = await feed({ id });
    expect(own[0]).toMatchObject({ kind: 'breaker', severity: 'error', text: expect.stringMatching(/^熔断，回撤/) });
    expect(own.map(({ text }) => text)).toEqual(expect.arrayContaining(['熔断后恢复，看过了，master']));
    expect(new Set(own.map(({ kind }) => kind))).toEqual(new Set(['breaker', 'config', 'trouble', 'entry', 'funding']));
    expect(own.at(-1)).toMatchObject({ kind: 'entry', text: '开仓 AAAUSDT / BBBUSDT' });
    // Of a settlement one line tells, whatever number of positions paid.
    const fundings = await feed({ id, kind: 'funding' });
    expect(fundings).toEqual([expect.objectContaining({ at: OPENED + 1, text: '资金费 2 笔，+3.0000 USDT' })]);
    const errors = await feed({ severity: 'error' });
    expect(new Set(errors.map(({ severity }) => severity))).toEqual(new Set(['error']));
    expect(await feed({ id: 'nothing' })).toEqual([]);
    expect(new Set((await feed({ kind: 'entry' })).map(({ kind }) => kind))).toEqual(new Set(['entry']));
    expect(await feed({ kind: 'entry', severity: 'error' })).toEqual([]);
  });

  test('judges by limits that are not on record, too, and at an instant gone by', async () => {
    const userId = (await findUser(server.db, 'trader'))!.id;
    const judge = (maxNotional: number) =>
      tripExceeding({ db: server.db, markets: handMarkets(market) }, OPENED + 2 * DAY_MS, ({ strategy }) =>
        strategy.userId === userId ? { ...NO_LIMITS, maxNotional } : null,
      );
    // AAA stood at 102 then.
    expect(await judge(2021)).toEqual([]);
    expect(await judge(2019)).toEqual([userId]);
    const row = (await overview()).list.find(({ user }) => user === 'trader');
    expect(row).toMatchObject({
      ...{ state: 'tripped', trippedAt: OPENED + 2 * DAY_MS, limits: NO_LIMITS },
      tripped: '名义 2,020.00 USDT 超过限额 2,019.00 USDT',
    });
  });
});

test('a return is of the days on which something was held: a day of long ago makes no month of eleven days', async () => {
  const userId = (await findUser(server.db, 'trader'))!.id;
  const rowOf = async () => (await overview()).list.find(({ user }) => user === 'trader')!;
  const before = await rowOf();
  expect(before.roi).toBeCloseTo(before.net! / 200, 9);
  const [createdAt, closedAt] = [TODAY - 60 * DAY_MS, TODAY - 59 * DAY_MS];
  const sides = { userId, source: 'simulated', long: 'AAAUSDT', short: 'BBBUSDT', createdAt };
  const pairId = (await pairsOf(server.db, userId))[0]!.id;
  const of = (longNotional: string) => ({
    ...{ id: randomUUID(), pairId, ...sides, settings: SETTINGS, ratio: 1, state: 'closed', stateAt: closedAt },
    ...{ openedAt: createdAt, closedAt, longOpened: '10', longNotional, shortOpened: '20', shortNotional: '1000' },
  });
  // Two at a time are one day.
  await addHedges(server.db, of('1000'), of('1000'));
  const { roi, apr, net } = await rowOf();
  expect(net).toBe(before.net);
  expect(apr).toBeNull();
  const days = (now - OPENED) / DAY_MS;
  expect(roi).toBeCloseTo(net! / ((200 * days + 400) / (days + 1)), 9);
});
