import { randomUUID } from 'node:crypto';
import { and, eq, inArray } from 'drizzle-orm';
import { audit } from '#contract/audit';
import { flatten as api, intervention } from '#contract/flatten';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge as hedgeApi } from '#contract/kinds/hedge/desk';
import { strategies } from '#contract/strategies';
import { strategyOverview } from '#contract/strategyOverview';
import { book, deal, dealLeg, killSwitch, strategy, target, user } from '#server/base/db/schema';
import { audit as ledgerAudit } from '#server/engine/audit';
import { gatherNews } from '#server/people/notification/gatherNews';
import type { Who } from '../support/app';
import { KIND_SAMPLES, kindMarket, type TradedKind } from '../support/kindDesk';
import { tradingApp } from '../support/tradingApp';
import { waitFor } from '../support/waitFor';

const { clock, markets, venues } = kindMarket();
const KINDS: TradedKind[] = ['fundingRate', 'spread', 'grid'];

const ids: Record<string, string> = {};
const now = () => clock.trader;
const wait = (ms = 1000) => {
  clock.trader += ms;
  clock.market = clock.trader;
};
const { db, app, pass } = await tradingApp({ clock: now, markets, wait });
for (const row of await db.select().from(user)) ids[row.name] = row.id;

const key = () => ({ 'idempotency-key': randomUUID() });
const ask = (who: Who, body: Record<string, unknown> = {}) => app.as(who)(api.ask, { body, headers: key() });
const preview = async (who: Who, query: Record<string, unknown> = {}) =>
  (await app.as(who)(api.preview, { query })).body.data;
const running = (userId?: string) =>
  db
    .select({ id: deal.id, state: deal.state, strategyId: deal.strategyId, frozen: deal.frozen })
    .from(deal)
    .where(
      and(
        userId === undefined ? undefined : eq(deal.userId, userId),
        inArray(deal.state, ['waiting', 'opening', 'open', 'closing']),
      ),
    );

/** The range of a grid around the present price. */
function paramsOf(kind: TradedKind): object {
  const { params } = KIND_SAMPLES[kind];
  if (kind !== 'grid') return params;
  const { price } = venues[0]!.listed!('BTCUSDT', clock.market)!.ticker;
  const near = (share: number) => Number((price * share).toPrecision(5));
  return { ...params, lower: near(0.98), upper: near(1.02) };
}

async function addHedges(who: Who, pairs: [string, string][]): Promise<void> {
  const as = app.as(who);
  const settings = { ...DEFAULT_SETTINGS, zBar: '1d', legNotional: 1000, source: 'simulated' };
  if ((await as(hedgeConfig.create, { body: settings })).body.code !== 200) throw new Error('no settings');
  await as(hedgeConfig.enable);
  for (const [long, short] of pairs) await addPair(who, long, short);
}

/** One that waits for a person, because something speaks against it, is confirmed. */
async function addPair(who: Who, long: string, short: string): Promise<void> {
  const { pairId } = (await app.as(who)(hedgeConfig.addPair, { body: { long, short } })).body.data;
  await app.as(who)(hedgeConfig.armPair, { body: { pairId } });
}

/** Strategies of several kinds of a master, which hold something, and hedges of both. */
async function holdAll(): Promise<void> {
  const master = app.as('master');
  for (const kind of KINDS) {
    const body = { kind, name: kind, mode: 'paper', params: paramsOf(kind) };
    const made = await master(strategies.create, { body });
    if (made.body.code !== 200) throw new Error(JSON.stringify(made.body));
    ids[kind] = made.body.data.id;
    await master(strategies.start, { body: { id: made.body.data.id } });
  }
  await addHedges('master', [['ETHUSDT', 'SOLUSDT']]);
  await addHedges('trader', [
    ['XRPUSDT', 'ADAUSDT'],
    ['LTCUSDT', 'LINKUSDT'],
  ]);
  await pass(12);
}

test('closes what its preview names, of every kind, with a kept report', async () => {
  await holdAll();
  const before = await running(ids.master!);
  const kindsHeld = new Set(before.map(({ strategyId }) => strategyId));
  expect(kindsHeld.size).toBe(KINDS.length + 1);
  expect((await app.as('master')(api.held)).body.data).toEqual({ deals: before.length, unguarded: [] });

  const said = await preview('master');
  expect(said).toMatchObject({ scope: 'own', own: true, users: 1, deals: before.length, unpriced: 0, blocked: [] });
  expect(said.kinds.map(({ kind }) => kind).sort()).toEqual([...KINDS, 'hedge'].sort());
  expect(said.kinds.reduce((sum, one) => sum + one.deals, 0)).toBe(said.deals);
  for (const one of said.kinds) {
    expect(one.notional).toBeGreaterThan(100);
    expect(one.cost).toBeGreaterThan(0);
  }
  const [sums] = said.modes;
  expect(said.modes).toEqual([{ ...sums, mode: 'paper', deals: said.deals, unpriced: 0 }]);
  expect(said.kinds.reduce((sum, one) => sum + one.cost!, 0)).toBeCloseTo(sums!.cost!, 6);

  const asked = (await ask('master')).body.data;
  expect(asked).toEqual({ id: expect.any(String), deals: before.length });
  await pass(20);
  expect(await running(ids.master!)).toEqual([]);
  // Nobody else's.
  expect(await running(ids.trader!)).toHaveLength(2);
  const ended = await db
    .select()
    .from(deal)
    .where(
      inArray(
        deal.id,
        before.map(({ id }) => id),
      ),
    );
  expect(ended.map(({ state, closeReason }) => [state, closeReason])).toEqual(before.map(() => ['closed', 'flatten']));

  const report = (await app.as('master')(api.report, { query: { id: asked.id! } })).body.data;
  expect(report).toMatchObject({ by: 'master', scope: 'own', deals: before.length, closed: before.length, left: 0 });
  expect(report.list.map(({ id }) => id).sort()).toEqual(before.map(({ id }) => id).sort());
  expect(report.seconds).toBeGreaterThanOrEqual(0);
  expect(report.expected.cost).toBeCloseTo(sums!.cost!, 0);
  const legs = await db
    .select()
    .from(dealLeg)
    .where(
      inArray(
        dealLeg.dealId,
        before.map(({ id }) => id),
      ),
    );
  for (const row of report.list) {
    expect(row).toMatchObject({ state: 'closed', closeReason: 'flatten', why: null });
    for (const leg of row.legs.filter(({ asked: held }) => Number(held) !== 0)) {
      // All that was held when it was asked was traded since, against the mid of then.
      expect(leg.side).toBe(Number(leg.asked) > 0 ? 'sell' : 'buy');
      expect(leg.quantity + leg.dust).toBeCloseTo(Math.abs(Number(leg.asked)), 8);
      // Less than a lot of spot cannot be sold, and goes to the account.
      expect(leg.dust).toBeLessThan(0.03 * Math.abs(Number(leg.asked)));
      const paid = (leg.side === 'sell' ? leg.mid! - leg.price! : leg.price! - leg.mid!) * leg.quantity;
      expect(leg.slippage).toBeCloseTo(paid, 6);
      expect(Math.abs(leg.price! / leg.mid! - 1)).toBeLessThan(0.02);
      expect(leg.left).toBe('0');
    }
    // The net of the report is what the deal's own rows add up to.
    const own = legs.filter(({ dealId }) => dealId === row.id);
    const net = own.reduce((sum, one) => sum + Number(one.realised) + Number(one.funding) - Number(one.fees), 0);
    expect(row.net).toBeCloseTo(net, 8);
  }
  // Estimate and result differ by what the market moved alone.
  expect(Math.abs(report.net! - sums!.net!)).toBeLessThan(0.01 * sums!.notional!);
  const { list, total } = (await app.as('master')(api.list)).body.data;
  expect([total, list[0]!.id, list[0]!.slippage]).toEqual([1, asked.id, report.slippage]);

  // Nothing of it is opened again, also when entries are let in: a person has to arm it.
  await app.as('master')(hedgeApi.resume, { body: { reason: '恢复' } });
  await pass(5);
  expect(await running(ids.master!)).toEqual([]);
  const targets = await db
    .select()
    .from(target)
    .where(
      inArray(
        target.id,
        ended.map(({ targetId }) => targetId),
      ),
    );
  expect(targets.map(({ hold, heldBy }) => [hold, heldBy])).toEqual(before.map(() => ['closed', 'master']));
  expect((await ledgerAudit(db, app.venue, [ids.master!])).findings).toEqual([]);
});

test('without running deals it pauses and writes no report', async () => {
  expect(await preview('master')).toMatchObject({ deals: 0, kinds: [], modes: [], blocked: [] });
  expect((await ask('master')).body.data).toEqual({ id: null, deals: 0 });
  const [own] = await db.select().from(book).where(eq(book.userId, ids.master!));
  expect(own).toMatchObject({ pausedBy: 'master', pauseReason: '全部平仓' });
  expect((await app.as('master')(api.list)).body.data.total).toBe(1);
});

test('a deal that waits for its venue is named before', async () => {
  const [first] = await running(ids.trader!);
  const words = '订单结果不明，正在向交易所核对，核对前不再下单';
  await db.update(deal).set({ frozen: words }).where(eq(deal.id, first!.id));
  const said = await preview('trader');
  expect(said.blocked).toEqual([
    expect.objectContaining({ id: first!.id, why: 'frozen', detail: words, kind: 'hedge', user: 'trader' }),
  ]);
  expect(said.blockedTotal).toBe(1);
  await db.update(deal).set({ frozen: null }).where(eq(deal.id, first!.id));
});

describe('what is not one’s own', () => {
  test('is closed by masters alone, with a reason, whatever is named', async () => {
    const [desk] = await db
      .select()
      .from(strategy)
      .where(and(eq(strategy.userId, ids.trader!), eq(strategy.kind, 'hedge')));
    ids.desk = desk!.id;
    for (const query of [{ userId: ids.master }, { strategyId: ids.grid }, { userId: 'nobody' }]) {
      expect((await app.as('trader')(api.preview, { query })).status).toBe(404);
      expect((await ask('trader', { ...query, reason: '想平' })).status).toBe(404);
    }
    expect((await app.as('trader')(api.preview, { query: { everybody: true } })).status).toBe(403);
    expect((await ask('trader', { everybody: true, reason: '想平' })).status).toBe(403);
    expect((await app.as('trader')(api.list, { query: { everybody: true } })).status).toBe(403);
    const both = { userId: ids.trader, strategyId: ids.desk, reason: '两个' };
    expect((await ask('master', both)).status).toBe(400);
    for (const body of [{ userId: ids.trader }, { strategyId: ids.desk }, { everybody: true }]) {
      const { status, body: answer } = await ask('master', body);
      expect([status, answer.data]).toEqual([400, { fields: [{ field: 'reason', message: '请输入原因' }] }]);
    }
    expect(await running(ids.trader!)).toHaveLength(2);
  });

  test('by a master, its owner is notified who and why', async () => {
    const said = await preview('master', { strategyId: ids.desk });
    expect(said).toMatchObject({ scope: 'strategy', own: false, deals: 2, users: 1 });
    expect(await preview('master', { userId: ids.trader })).toMatchObject({ scope: 'user', name: 'trader', deals: 2 });
    expect(await preview('master', { everybody: true })).toMatchObject({ scope: 'all', name: null, deals: 2 });
    const asked = (await ask('master', { strategyId: ids.desk, reason: '演练' })).body.data;
    expect(asked.deals).toBe(2);
    await pass(15);
    expect(await running(ids.trader!)).toEqual([]);
    const [desk] = await db.select().from(strategy).where(eq(strategy.id, ids.desk!));
    expect(desk!.state).toBe('stopped');
    // Its owner's other strategies go on.
    expect((await db.select().from(book).where(eq(book.userId, ids.trader!)))[0]!.pausedAt).toBeNull();
    const own = (await app.as('trader')(api.report, { query: { id: asked.id! } })).body.data;
    expect(own).toMatchObject({ by: 'master', reason: '演练', scope: 'strategy', closed: 2, left: 0 });
    expect((await app.as('trader')(api.list)).body.data.total).toBe(1);
    expect((await app.as('editor')(api.report, { query: { id: asked.id! } })).status).toBe(404);
    expect((await app.as('editor')(api.list)).body.data).toEqual({ list: [], total: 0 });
    expect((await app.as('master')(api.list, { query: { everybody: true } })).body.data.total).toBe(2);
    const logged = async () =>
      (await app.as('master')(audit.list, { query: { action: 'POST /api/flatten', result: 'done' } })).body.data;
    await waitFor('the outcome', 60_000, async () => (await logged()).total > 0);
    expect((await logged()).list[0]).toMatchObject({ actor: 'master' });
    const { news } = await gatherNews(db, { eventId: 0, ledgerId: 0 }, clock.trader);
    expect(news.filter(({ key: name, userId }) => name.startsWith('flatten:') && userId === ids.trader)).toEqual([
      expect.objectContaining({ text: '由 master 平掉 2 张：演练', link: `/?view=own&report=${asked.id}` }),
    ]);
    // Nobody is told of what he did himself.
    expect(news.filter(({ key: name, userId }) => name.startsWith('flatten:') && userId === ids.master)).toEqual([]);
  });

  test('only a master pauses or closes for another user', async () => {
    const act = (who: Who, body: Record<string, unknown>) =>
      app.as(who)(intervention.ask, { body: { reason: '看不懂', ...body }, headers: key() });
    expect((await act('trader', { action: 'pause', userId: ids.trader })).status).toBe(403);
    expect((await act('master', { action: 'pause', userId: ids.trader, reason: '' })).status).toBe(400);
    expect((await act('master', { action: 'pause' })).status).toBe(400);
    expect((await act('master', { action: 'pause', strategyId: randomUUID() })).status).toBe(404);
    const stateOf = async (id = ids.desk!) => (await db.select().from(strategy).where(eq(strategy.id, id)))[0]!.state;
    await app.as('trader')(hedgeConfig.enable);
    for (const [long, short] of [
      ['DOGEUSDT', 'DOTUSDT'],
      ['AVAXUSDT', 'LINKUSDT'],
    ] as const) {
      await addPair('trader', long, short);
    }
    await pass(8);
    expect(await running(ids.trader!)).toHaveLength(2);
    expect((await act('master', { action: 'pause', strategyId: ids.desk })).body.data).toEqual({
      strategies: 1,
      deals: 0,
    });
    expect(await stateOf()).toBe('paused');
    expect((await act('master', { action: 'pause', userId: ids.trader })).body.data).toEqual({
      strategies: 0,
      deals: 0,
    });
    const [own] = await db.select().from(book).where(eq(book.userId, ids.trader!));
    expect(own).toMatchObject({ pausedBy: 'master', pauseReason: '看不懂' });
    await pass(3);
    expect(await running(ids.trader!)).toHaveLength(2);
    expect((await act('master', { action: 'closeOnly', userId: ids.trader })).body.data).toEqual({
      strategies: 1,
      deals: 2,
    });
    await pass(12);
    expect([await running(ids.trader!), await stateOf()]).toEqual([[], 'stopped']);
    const { news } = await gatherNews(db, { eventId: 0, ledgerId: 0 }, clock.trader);
    const told = news.filter(({ key: name, userId }) => name.startsWith('switch:') && userId === ids.trader);
    expect(told.map(({ text }) => text)).toEqual([
      '由 master 操作：运行 → 仅平仓：演练',
      '由 master 操作：运行 → 暂停：看不懂',
      '由 master 操作：暂停 → 仅平仓：看不懂',
    ]);
  });

  test('is closed all at once, of everybody', async () => {
    await db.update(book).set({ pausedAt: null });
    await db.update(target).set({ hold: null, heldAt: null, heldBy: null, armedAt: clock.trader });
    const master = app.as('master');
    for (const kind of ['fundingRate', 'spread'] as const) await master(strategies.start, { body: { id: ids[kind] } });
    await app.as('trader')(hedgeConfig.enable);
    await addPair('trader', 'BCHUSDT', 'UNIUSDT');
    await pass(10);
    const all = await running();
    expect((await running(ids.trader!)).length).toBeGreaterThan(0);
    expect((await running(ids.master!)).length).toBeGreaterThan(0);
    const said = await preview('master', { everybody: true });
    expect(said).toMatchObject({ scope: 'all', users: 2, deals: all.length });
    const asked = (await ask('master', { everybody: true, reason: '全停' })).body.data;
    expect(asked.deals).toBe(all.length);
    await pass(20);
    expect(await running()).toEqual([]);
    expect((await db.select().from(killSwitch))[0]).toMatchObject({ pausedBy: 'master', reason: '全停' });
    const report = async (who: Who) => (await app.as(who)(api.report, { query: { id: asked.id! } })).body.data;
    expect((await report('master')).list).toHaveLength(all.length);
    // Everybody reads of their own.
    const own = all.filter(({ strategyId }) => strategyId === ids.desk);
    expect((await report('trader')).list.map(({ id }) => id).sort()).toEqual(own.map(({ id }) => id).sort());
    expect(await report('trader')).toMatchObject({ deals: own.length, scope: 'all', reason: '全停' });
  });
});

test('positions of a stopped strategy are unguarded until somebody acts', async () => {
  const master = app.as('master');
  await db.update(killSwitch).set({ pausedAt: null });
  await db.update(book).set({ pausedAt: null });
  await db.update(target).set({ hold: null, heldAt: null, heldBy: null, armedAt: clock.trader });
  const id = ids.fundingRate!;
  await master(strategies.start, { body: { id } });
  await pass(10);
  const own = async () => (await running(ids.master!)).filter(({ strategyId }) => strategyId === id);
  const [held] = await own();
  expect(held).toMatchObject({ state: 'open' });
  const told = async () => ({
    row: (await master(strategies.list, { query: { kind: 'fundingRate' } })).body.data.list[0]!.unguarded,
    overview: (await master(strategyOverview.list)).body.data.list.find((row) => row.id === id)!.unguarded,
    held: (await master(api.held)).body.data.unguarded,
    deal: (await master(strategies.deals, { query: { id } })).body.data.list[0]!.unguarded,
  });
  const nobody = { row: undefined, overview: undefined, held: [], deal: undefined };
  const left = (selfManaged: unknown) => ({ deals: 1, selfManaged });
  const where = { mode: 'paper', sources: ['simulated'] };
  const by = (one: unknown) => ({
    ...{ row: left(one), overview: left(one), deal: true },
    held: [{ strategyId: id, kind: 'fundingRate', name: 'fundingRate', ...where, ...left(one) }],
  });
  expect(await told()).toEqual(nobody);
  expect((await master(strategies.guard, { body: { id } })).body.code).toBe(5131);
  expect((await master(strategies.selfManage, { body: { id } })).body.code).toBe(5131);
  const stop = () => master(strategies.stop, { body: { id, flatten: false } });
  expect((await stop()).body.data.state).toBe('stopped');
  expect(await told()).toEqual(by(null));
  // What nobody would do is refused.
  const rebalance = () =>
    master(strategies.rebalanceLegs, { body: { id: held!.id, way: 'unwind' }, headers: key() }).then(
      ({ body }) => body.code,
    );
  expect(await rebalance()).toBe(5130);
  expect((await master(strategies.remove, { body: { id } })).body.code).toBe(5104);

  expect((await master(strategies.selfManage, { body: { id } })).body.data).toEqual({ deals: 1 });
  const said = { at: clock.trader, by: 'master' };
  expect(await told()).toEqual(by(said));
  expect((await master(strategies.guard, { body: { id } })).body.data.state).toBe('paused');
  expect(await told()).toEqual(nobody);
  expect(await rebalance()).toBe(200);
  // It was said of the stop before.
  await stop();
  expect(await told()).toEqual(by(null));
  // What is being closed needs nobody.
  await ask('master', { strategyId: id });
  expect(await told()).toEqual(nobody);
  await pass(10);
  expect(await own()).toEqual([]);
});

test('what cannot be closed stays in the report with its reason', async () => {
  const held = await running(ids.trader!);
  const first = held[0]!.id;
  const words = '订单结果不明，正在向交易所核对，核对前不再下单';
  const freeze = (frozen: string | null) => db.update(deal).set({ frozen }).where(eq(deal.id, first));
  const venue = venues[0]!;
  const { isOut } = venue;
  venue.isOut = () => true;
  const asked = (await ask('trader')).body.data;
  const report = async () => (await app.as('trader')(api.report, { query: { id: asked.id! } })).body.data;
  const of = async () => (await report()).list.find(({ id }) => id === first)!;
  expect(await report()).toMatchObject({ closed: 0, left: held.length, doneAt: null, seconds: null, net: null });
  await pass(3);
  expect(await report()).toMatchObject({ closed: 0, left: held.length, doneAt: null });
  expect(await of()).toMatchObject({ why: '交易所没有回应，恢复后继续平', net: null });
  await freeze(words);
  expect(await of()).toMatchObject({ why: words });
  await freeze(null);
  venue.isOut = isOut;
  await pass(10);
  expect(await report()).toMatchObject({ closed: held.length, left: 0, doneAt: expect.any(Number) });
  expect(await of()).toMatchObject({ why: null, state: 'closed', net: expect.any(Number) });
});
