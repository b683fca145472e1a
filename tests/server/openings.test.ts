import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { account, LOSS_GUARD } from '#contract/account';
import { flatten } from '#contract/flatten';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { okxDesk } from '#contract/kinds/okx/desk';
import { opening as api } from '#contract/opening';
import { order as orderApi } from '#contract/order';
import { PAIR_WARNINGS, type PairWarning } from '#contract/pair';
import { strategies } from '#contract/strategies';
import { strategyOverview as overviewApi } from '#contract/strategyOverview';
import { user as userApi } from '#contract/user';
import { userAdmin } from '#contract/userAdmin';
import { venueAccount } from '#contract/venueAccount';
import { accountsOf } from '#server/base/db/accounts/venueAccount';
import { moveBook } from '#server/base/db/books/book';
import type { Queries } from '#server/base/db/client';
import { deal, dealLeg, strategy, target, user as userRow } from '#server/base/db/schema';
import { changeGuard } from '#server/base/db/strategies/strategyGuard';
import { armTargets, createStrategy, startStrategy } from '#server/desk/strategy/strategyIntents';
import { actAsChosen, choiceOf, openingsAfter } from '#server/desk/strategy/wouldOpen';
import { PairModels } from '#server/engine/pairModel';
import { targetsOf } from '#server/engine/preview';
import { ORIGIN, testApp, type Who } from '../support/app';
import { pairsOf } from '../support/bookRows';
import { KIND_SAMPLES, kindDesk, kindMarket, type TradedKind } from '../support/kindDesk';
import { BY_Z, movingMarket } from '../support/paperDesk';
import { sessionOf } from '../support/signedInUser';
import { tradingApp } from '../support/tradingApp';

const COINS = ['AAA', 'BBB', 'CCC', 'DDD', 'EEE', 'FFF', 'GGG', 'HHH', 'III', 'JJJ', 'KKK'] as const;
const market = movingMarket(Object.fromEntries(COINS.map((coin) => [`${coin}USDT`, { price: 100 }])));
// AAA, BBB and III move, each at its own pace: nothing says that they belong together. JJJ and KKK do. Of the others
// nobody knows anything.
const candles = market.market.candles.bind(market.market);
market.market.candles = async (symbol, bar, range) => {
  const all = await candles(symbol, bar, range);
  const pace = { AAAUSDT: 1, BBBUSDT: 0.7, IIIUSDT: 1.3, JJJUSDT: 1 }[symbol];
  if (all && symbol === 'KKKUSDT') {
    return { ...all, close: all.close.map((value, i) => value * (1 + 0.02 * Math.sin(i) + 0.003 * Math.sin(i * 2.1))) };
  }
  return all && pace !== undefined
    ? { ...all, close: all.close.map((value, i) => value * (1 + 0.02 * Math.sin(i * pace))) }
    : all;
};
const FLAGGED = { long: 'AAAUSDT', short: 'BBBUSDT' };
const SOUND = [
  { long: 'CCCUSDT', short: 'DDDUSDT' },
  { long: 'EEEUSDT', short: 'FFFUSDT' },
  { long: 'GGGUSDT', short: 'HHHUSDT' },
  { long: 'CCCUSDT', short: 'FFFUSDT' },
];
const SETTINGS = { ...DEFAULT_SETTINGS, zBar: '1d', zWindow: 30, legNotional: 1000, maxHedges: 5 } as const;

/** Symbols of which the venue takes no orders. */
const refused = new Set<string>();

const { db, app, pass } = await tradingApp(market, { reject: ({ symbol }) => refused.has(symbol) });

/** Short words for what one user does at the desk. */
function deskOf(who: Who) {
  const as = app.as(who);
  const pairs = async () => (await as(hedgeConfig.desk)).body.data.pairs;
  return {
    as,
    add: async (sides: { long: string; short: string }, accepts: readonly PairWarning[] = PAIR_WARNINGS) => {
      market.wait(1);
      return (await as(hedgeConfig.addPair, { body: { ...sides, accepts: [...accepts] } })).body.data.pairId;
    },
    preview: async (act: string, input: object = {}) => (await as(api.preview, { body: { act, input } })).body.data,
    queue: async () => (await as(api.queue)).body.data,
    held: async () =>
      (await pairs())
        .filter(({ hedgeId }) => hedgeId !== null)
        .map(({ pairId }) => pairId)
        .sort(),
    blocks: async () => Object.fromEntries((await pairs()).map(({ pairId, block }) => [pairId, block])),
  };
}

test('a resume enters only the pairs that were named', async () => {
  const desk = deskOf('trader');
  await desk.as(hedgeConfig.create, { body: SETTINGS });
  await desk.as(hedgeConfig.enable);
  await desk.as(hedge.pause, { body: {} });
  const flagged = await desk.add(FLAGGED);
  const sound = [];
  for (const sides of SOUND) sound.push(await desk.add(sides));
  await pass(2);

  const foreseen = await desk.preview('resume', { reason: '看过了' });
  expect(foreseen.due.map(({ targetId, opens }) => [targetId, opens])).toEqual([
    [flagged, false],
    ...sound.map((id) => [id, true]),
  ]);
  expect(foreseen.due[0]).toMatchObject({ kind: 'hedge', ...FLAGGED, warnings: expect.arrayContaining(['fit']) });
  expect(foreseen.due[1]).toMatchObject({ warnings: [], notional: 2000, unconfirmed: false, user: null });
  // Two taker fees, and a third of the notional as margin beside what it costs to get in and out.
  expect(foreseen.due[1]!.fees).toBeCloseTo(2000 * 0.0005, 1);
  expect(foreseen.due[1]!.capital).toBeCloseTo(2000 * (1 / 3 + 2 * 0.0005), 6);
  // Prices that never moved jump over no stop; those of the flagged pair did, a day at a time (F32). A leg alone is unwound after 20 s.
  expect(foreseen.due[1]!.worst).toBeCloseTo(2000 * 0.05, 6);
  const change = (pace: number, i: number) =>
    (1 + 0.02 * Math.sin((i + 1) * pace)) / (1 + 0.02 * Math.sin(i * pace)) - 1;
  const days = Array.from({ length: 29 }, (_, i) => [change(1, i), change(0.7, i)] as const);
  const gap = Math.max(...days.map(([long, short]) => short - long)) / Math.sqrt(24);
  const alone = Math.max(...days.map(([long, short]) => Math.max(short, -long))) * Math.sqrt(20 / 86_400);
  const { worst, notional } = foreseen.due[0]!;
  expect(worst! - notional * 0.05).toBeCloseTo(1000 * (gap + alone), 4);
  // It was only asked what would be.
  await pass(3);
  expect((await desk.as(hedgeConfig.desk)).body.data).toMatchObject({ paused: { by: 'trader' }, running: 0 });

  // What was shown is not what stands any more.
  const body = { reason: '看过了', open: sound.slice(0, 2), openSeen: foreseen.revision };
  await desk.as(hedgeConfig.removePair, { body: { pairId: sound[3] } });
  expect((await desk.as(hedge.resume, { body })).status).toBe(409);
  const { revision } = await desk.preview('resume', { reason: '看过了' });
  expect((await desk.as(hedge.resume, { body: { ...body, openSeen: revision } })).body.code).toBe(200);
  await pass(6);
  expect(await desk.held()).toEqual(sound.slice(0, 2).sort());
  expect(await desk.blocks()).toMatchObject({ [flagged]: 'unconfirmed', [sound[2]!]: 'unconfirmed' });

  // The limit has no room for a third one, and then it has.
  const saved = { ...SETTINGS, version: 1 };
  expect((await desk.as(hedgeConfig.update, { body: { ...saved, maxHedges: 2 } })).body.code).toBe(200);
  const raised = { ...SETTINGS, maxHedges: 3, version: 2 };
  const more = await desk.preview('save', raised);
  expect(more.due.map(({ targetId, opens, unconfirmed }) => [targetId, opens, unconfirmed])).toEqual([
    [flagged, false, true],
    [sound[2], false, true],
  ]);
  // Saved by whoever names nothing, it opens nothing.
  await desk.as(hedgeConfig.update, { body: raised });
  await pass(5);
  expect((await desk.held()).length).toBe(2);
  await desk.as(hedgeConfig.update, { body: { ...raised, version: 3, maxHedges: 4, open: [sound[2]] } });
  await pass(5);
  expect(await desk.held()).toEqual(sound.slice(0, 3).sort());
  expect(await desk.blocks()).toMatchObject({ [flagged]: 'unconfirmed' });

  // Confirmed by name.
  const { due } = await desk.queue();
  expect(due.map(({ targetId, unconfirmed }) => [targetId, unconfirmed])).toEqual([[flagged, true]]);
  await desk.as(hedgeConfig.armPair, { body: { pairId: flagged } });
  await pass(5);
  expect((await desk.held()).length).toBe(4);
});

test('an edited threshold states what it enters and how near the others are', async () => {
  const desk = deskOf('editor');
  const far = { ...SETTINGS, entry: 'z', entryZ: 9, maxHedges: 1 } as const;
  await desk.as(hedgeConfig.create, { body: far });
  expect((await desk.preview('enable')).due).toEqual([]);
  const flagged = await desk.add(FLAGGED);
  await desk.as(hedgeConfig.enable);
  market.set('AAAUSDT', 90);
  await pass(2);
  const [waiting] = (await desk.queue()).waiting;
  expect(waiting).toMatchObject({ targetId: flagged, block: 'waitsForZ', gauge: { is: 'z', wanted: -9 } });
  expect(waiting!.gauge!.now).toBeLessThan(-1);

  const edited = { ...far, entryZ: 1, version: 1 };
  expect((await desk.preview('save', edited)).due).toMatchObject([{ targetId: flagged, opens: false }]);
  await desk.as(hedgeConfig.update, { body: edited });
  await pass(5);
  expect(await desk.held()).toEqual([]);
  expect(await desk.blocks()).toEqual({ [flagged]: 'unconfirmed' });
  market.set('AAAUSDT', 100);
});

test('a slot freed by a person is not filled unasked', async () => {
  const desk = deskOf('master');
  await desk.as(hedgeConfig.create, { body: { ...SETTINGS, ...BY_Z, entryZ: 1, exitZ: 0, maxHedges: 1 } });
  await desk.as(hedgeConfig.enable);
  market.set('AAAUSDT', 95);
  const first = await desk.add(FLAGGED);
  await pass(4);
  expect(await desk.held()).toEqual([first]);
  // By its rules it would be next as soon as there is room.
  const second = await desk.add({ long: 'AAAUSDT', short: 'IIIUSDT' });
  const sound = await desk.add({ long: 'JJJUSDT', short: 'KKKUSDT' });
  market.set('JJJUSDT', 97);
  await pass(2);
  expect((await desk.queue()).waiting).toMatchObject([
    { targetId: second, block: 'slots' },
    { targetId: sound, block: 'slots', warnings: [] },
  ]);
  const running = async () => (await desk.as(hedge.list, { query: { state: 'running' } })).body.data.list[0]!.id;
  // Before it is closed it is told what comes next, and whether it then opens: what is flagged does not.
  const next = async (keepArmed: boolean) =>
    (await desk.preview('closeHedge', { id: await running(), keepArmed })).due.map((row) => [row.targetId, row.opens]);
  const close = async (keepArmed: boolean) =>
    (await desk.as(hedge.close, { query: { id: await running(), keepArmed } })).body.code;
  expect(await next(false)).toEqual([
    [second, false],
    [sound, false],
  ]);
  expect(await next(true)).toEqual([
    [second, false],
    [sound, true],
  ]);
  // Of what waits every reason is told.
  await desk.as(hedge.pause, { body: {} });
  expect((await desk.queue()).waiting).toMatchObject([
    { targetId: second, blocks: ['paused', 'slots'] },
    { targetId: sound, blocks: ['paused', 'slots'] },
  ]);
  expect((await desk.as(hedge.resume, { body: { reason: '看过了', open: [] } })).body.code).toBe(200);
  expect(await close(false)).toBe(200);
  await pass(6);
  expect(await desk.held()).toEqual([]);
  expect(await desk.blocks()).toEqual({ [first]: 'closedByHand', [second]: 'unconfirmed', [sound]: 'unconfirmed' });
  expect((await desk.queue()).closed).toBe(1);
  // Closed so that all goes on: what is flagged takes the room only once somebody confirms it, and what was closed is
  // opened again once its spread has come back.
  await desk.as(hedgeConfig.armPair, { body: { pairId: sound } });
  await pass(4);
  for (const pairId of [first, second]) await desk.as(hedgeConfig.armPair, { body: { pairId } });
  await pass(1);
  expect(await desk.blocks()).toMatchObject({ [first]: 'slots', [second]: 'slots' });
  expect(await close(true)).toBe(200);
  await pass(6);
  expect(await desk.blocks()).toEqual({ [first]: 'unconfirmed', [second]: 'unconfirmed', [sound]: 'used' });
  expect(await desk.held()).toEqual([]);
  market.set('AAAUSDT', 100);
  market.set('JJJUSDT', 100);
});

test.each(['cancel', 'unwind'] as const)(
  'a slot freed by a cancelled entry (%s) is not filled unasked',
  async (way) => {
    const desk = deskOf('master');
    await emptied(desk);
    const { version } = (await desk.as(hedgeConfig.desk)).body.data;
    const orderType = way === 'cancel' ? 'maker' : 'market';
    const rules = { ...SETTINGS, ...BY_Z, entryZ: 1, exitZ: 0, maxHedges: 1, orderType, version } as const;
    expect((await desk.as(hedgeConfig.update, { body: rules })).body.code).toBe(200);
    market.set('AAAUSDT', 95);
    // What has come in of one leg stays alone.
    if (way === 'unwind') refused.add('BBBUSDT');
    const first = await desk.add(FLAGGED);
    await pass(2);
    const next = await desk.add({ long: 'JJJUSDT', short: 'KKKUSDT' });
    market.set('JJJUSDT', 97);
    await pass(1);
    expect(await desk.blocks()).toEqual({ [first]: 'open', [next]: 'slots' });
    const [dealId] = (await desk.as(hedge.list, { query: { state: 'running' } })).body.data.list.map(({ id }) => id);
    const orders = (await desk.as(orderApi.list, { query: { view: 'live' } })).body.data.list;
    const headers = { 'idempotency-key': randomUUID() };
    const taken =
      way === 'cancel'
        ? await desk.as(orderApi.cancel, { body: { ids: orders.map(({ id }) => id) }, headers })
        : await desk.as(strategies.rebalanceLegs, { body: { id: dealId!, way }, headers });
    expect(taken.body.code).toBe(200);
    await pass(6);
    expect(await desk.held()).toEqual([]);
    expect(await desk.blocks()).toEqual({ [first]: 'closedByHand', [next]: 'unconfirmed' });
    refused.clear();
    market.set('AAAUSDT', 100);
    market.set('JJJUSDT', 100);
  },
);

test('what is taken off the blacklist of an arbitrage waits until somebody arms it', async () => {
  const desk = await kindDesk(db, kindMarket(), 'okx', { over: { stockNotional: 2_000, banned: ['GRASS'] } });
  await desk.run(3);
  expect(await desk.deals()).toEqual([]);
  const [standing] = await desk.targets();
  const { markets, clock } = desk.moving;
  await db.update(userRow).set({ role: 'master' }).where(eq(userRow.id, desk.userId));
  const cookie = await sessionOf(db, desk.userId, clock());
  const server = await testApp({ db, clock, markets, venue: desk.venue });
  const { code } = (
    await server.app.inject({
      method: 'POST',
      url: okxDesk.ban.path,
      headers: { host: 'localhost:8000', origin: ORIGIN, cookie, 'idempotency-key': 'allow' },
      payload: { id: standing!.strategyId, word: 'GRASS', banned: false },
    })
  ).json();
  expect(code).toBe(200);
  await server.close();
  await desk.run(5);
  expect(await desk.deals()).toEqual([]);
  const held = (await desk.targets()).filter(({ hold }) => hold === 'confirm').map(({ id }) => id);
  expect(held.length).toBeGreaterThan(0);
  await desk.ask((tx, asker) => armTargets(tx, asker, held));
  await desk.run(3);
  expect((await desk.deals()).length).toBeGreaterThan(0);
});

test.each([
  { what: 'an account', second: null, block: 'noAccount' },
  { what: 'money', second: 10, block: 'margin' },
])('a target waiting for $what has to be confirmed once it is there', async (waits) => {
  const desk = await kindDesk(db, kindMarket(), 'cexRate', { second: waits.second });
  await desk.run(3);
  const standing = async () => (await desk.targets())[0]!;
  expect(await standing()).toMatchObject({ block: waits.block, hold: null });
  const { markets, clock } = desk.moving;
  await db.update(userRow).set({ role: 'master' }).where(eq(userRow.id, desk.userId));
  const cookie = await sessionOf(db, desk.userId, clock());
  const server = await testApp({ db, clock, markets, venue: desk.venue });
  const accounts = await accountsOf(db, [desk.userId]);
  const to = accounts.find(({ venue }) => venue === 'simulated-okx')?.id;
  const { code } = (
    await server.app.inject({
      method: 'POST',
      headers: { host: 'localhost:8000', origin: ORIGIN, cookie, 'idempotency-key': randomUUID() },
      ...(to === undefined
        ? { url: venueAccount.open.path, payload: { name: 'OKX', venue: 'simulated-okx', amount: 50_000 } }
        : { url: venueAccount.transfer.path, payload: { from: desk.userId, to, amount: 50_000 } }),
    })
  ).json();
  expect(code).toBe(200);
  await server.close();
  await desk.run(5);
  expect(await desk.deals()).toEqual([]);
  expect(await standing()).toMatchObject({ hold: 'confirm', block: 'unconfirmed' });
  if (to === undefined) {
    await desk.ask(async (tx, asker) => armTargets(tx, asker, [(await standing()).id]));
    await desk.run(3);
    expect(await desk.deals()).toHaveLength(1);
  }
});

const KINDS = Object.keys(KIND_SAMPLES) as TradedKind[];
/** What keeps a kind from opening until it is edited. */
const KEPT: Record<TradedKind, object> = {
  fundingRate: { entryApr: 10 },
  spread: { entryApr: 10 },
  cexRate: { entryApr: 10 },
  okx: { stockNotional: null, hedge: false },
  grid: { triggerAbove: 9_000_000 },
};
/** An arbitrage buys at once what it is to hold; coin that it holds stays when it is flattened. A hedge would follow it. */
const STOCK = { stockNotional: 2_000, hedge: false };
async function stockUp(userId: string): Promise<void> {
  const isOwn = and(eq(strategy.userId, userId), eq(strategy.kind, 'okx'));
  const [row] = await db.select().from(strategy).where(isOwn);
  await db
    .update(strategy)
    .set({ params: { ...(row!.params as object), ...STOCK } })
    .where(isOwn);
}

test.each(KINDS)('a start of kind %s enters only the targets that were named', async (kind) => {
  const desk = await kindDesk(db, kindMarket(), kind, { over: kind === 'okx' ? KEPT.okx : {} });
  for (let left = 6; left > 0 && (await desk.deals()).length === 0; left -= 1) await desk.run(1);
  await desk.flatten();
  await desk.run(10);
  if (kind === 'okx') await stockUp(desk.userId);
  const begun = (await desk.deals()).length;
  const [standing] = await desk.targets();
  const { markets, clock } = desk.moving;
  const needs = { db, clock, markets, venue: desk.venue, pairModels: new PairModels() };
  const asker = { user: { id: desk.userId, name: 'desk' }, now: clock() };
  const act = {
    users: [desk.userId],
    about: () => true,
    write: (tx: Queries) => startStrategy(tx, asker, standing!.strategyId),
  };
  const { due } = await openingsAfter(needs, asker.user, act);
  const places = { long: expect.any(String), longSource: expect.any(String), shortSource: expect.any(String) };
  const told = { kind, opens: true, fees: expect.any(Number), slippage: expect.any(Number), ...places };
  expect(due.length).toBeGreaterThan(0);
  for (const row of due)
    expect([row.notional > 0, row.capital > 0, row]).toEqual([true, true, expect.objectContaining(told)]);
  const choice = await choiceOf(needs, act, { open: [], isChosen: true, seen: undefined });
  await db.transaction((tx) =>
    actAsChosen(tx as unknown as Queries, { name: 'desk', now: clock() }, choice, () => act.write(tx as never)),
  );
  await desk.run(5);
  expect(await desk.deals()).toHaveLength(begun);
  const ids = due.map(({ targetId }) => targetId);
  const held = (await desk.targets()).filter(({ id }) => ids.includes(id));
  for (const one of held) expect(one).toMatchObject({ hold: 'confirm', block: 'unconfirmed' });
  await desk.ask((tx, by) => armTargets(tx, by, ids));
  await desk.run(3);
  expect((await desk.deals()).length).toBeGreaterThan(begun);
});

test.each(KINDS)('an edit of kind %s enters only the targets that were named', async (kind) => {
  const desk = await kindDesk(db, kindMarket(), kind, { over: KEPT[kind] });
  await desk.run(3);
  expect(await desk.deals()).toEqual([]);
  const { markets, clock } = desk.moving;
  await db.update(userRow).set({ role: 'master' }).where(eq(userRow.id, desk.userId));
  const cookie = await sessionOf(db, desk.userId, clock());
  const server = await testApp({ db, clock, markets, venue: desk.venue });
  const ask = async (method: 'POST' | 'PUT', url: string, payload: object) =>
    (
      await server.app.inject({
        ...{ method, url, payload },
        headers: { host: 'localhost:8000', origin: ORIGIN, cookie, 'idempotency-key': randomUUID() },
      })
    ).json();
  const [row] = await db
    .select()
    .from(strategy)
    .where(and(eq(strategy.userId, desk.userId), eq(strategy.kind, kind)));
  const sample: object = { ...KIND_SAMPLES[kind].params, ...(kind === 'okx' && STOCK) };
  const wanted = Object.fromEntries(Object.entries(sample).filter(([name]) => name in KEPT[kind]));
  const edit = {
    id: row!.id,
    version: row!.version,
    name: 'edited',
    params: { ...(row!.params as object), ...wanted },
  };
  const { data: foreseen } = await ask('POST', api.preview.path, { act: 'update', input: edit });
  const ids = foreseen.due.map(({ targetId }: { targetId: string }) => targetId);
  expect(ids.length).toBeGreaterThan(0);
  expect(await ask('PUT', strategies.update.path, { ...edit, open: [], openSeen: foreseen.revision })).toMatchObject({
    code: 200,
  });
  await desk.run(5);
  expect(await desk.deals()).toEqual([]);
  const held = (await desk.targets()).filter(({ id }) => ids.includes(id));
  for (const one of held) expect(one).toMatchObject({ hold: 'confirm', block: 'unconfirmed' });
  const again = { ...edit, version: edit.version + 1, name: 'edited again', open: ids.slice(0, 1) };
  expect(await ask('PUT', strategies.update.path, again)).toMatchObject({ code: 200 });
  await server.close();
  await desk.run(4);
  const opened = new Set((await desk.deals()).map(({ targetId }) => targetId));
  expect([...opened]).toEqual(ids.slice(0, 1));
});

test.each(['stop', 'closeOnly', 'flatten', 'closeDeal'] as const)(
  'a target that needs margin freed by a %s has to be confirmed',
  async (how) => {
    const desk = await kindDesk(db, kindMarket(), 'grid', { over: { legNotional: 60_000 } });
    await desk.run(4);
    const [standing] = await desk.targets();
    expect(await desk.deals()).toHaveLength(1);
    const { markets, clock } = desk.moving;
    const params = { ...KIND_SAMPLES.fundingRate.params, legNotional: 60_000, coinCap: null };
    const { legs } = await targetsOf(markets, 'fundingRate', params);
    let id = '';
    await desk.ask(async (tx, asker) => {
      ({ id } = await createStrategy(tx, asker, 'fundingRate', { name: 'after', params, targets: legs }));
      await startStrategy(tx, asker, id);
    });
    await desk.run(3);
    const next = async () => (await db.select().from(target).where(eq(target.strategyId, id)))[0]!;
    expect(await next()).toMatchObject({ block: 'margin', hold: null });
    await db.update(userRow).set({ role: 'master' }).where(eq(userRow.id, desk.userId));
    const cookie = await sessionOf(db, desk.userId, clock());
    const server = await testApp({ db, clock, markets, venue: desk.venue });
    const [held] = await desk.deals();
    const own = { id: standing!.strategyId };
    const asked = {
      stop: { url: strategies.stop.path, payload: { ...own, flatten: true } },
      closeOnly: { url: strategies.closeOnly.path, payload: own },
      flatten: { url: flatten.ask.path, payload: { strategyId: own.id } },
      closeDeal: { url: strategies.closeDeal.path, payload: { id: held!.id } },
    };
    const { statusCode } = await server.app.inject({
      method: 'POST',
      ...asked[how],
      headers: { host: 'localhost:8000', origin: ORIGIN, cookie, 'idempotency-key': how },
    });
    expect(statusCode).toBe(200);
    await server.close();
    await desk.run(12);
    const deals = await db.select().from(deal).where(eq(deal.userId, desk.userId));
    expect(deals.map(({ strategyId, state }) => [strategyId, state])).toEqual([[own.id, 'closed']]);
    expect(await next()).toMatchObject({ hold: 'confirm', block: 'unconfirmed' });
  },
);

test.each([
  { direction: 'neutral', invest: 'quote', takes: false },
  { direction: 'long', invest: 'quote', takes: true },
  { direction: 'short', invest: 'quote', takes: true },
] as const)('a $direction grid states the costs of its start', async ({ takes, ...over }) => {
  const desk = await kindDesk(db, kindMarket(), 'grid', { over });
  await desk.run(3);
  const [deal] = await desk.deals();
  expect(deal!.state).toBe('open');
  const legs = await db.select().from(dealLeg).where(eq(dealLeg.dealId, deal!.id));
  const paid = legs.reduce((sum, { fees }) => sum + Number(fees), 0);
  expect(paid > 0).toBe(takes);
  await desk.flatten();
  await desk.run(10);
  const [standing] = await desk.targets();
  const { markets, clock } = desk.moving;
  const needs = { db, clock, markets, venue: desk.venue, pairModels: new PairModels() };
  const asker = { user: { id: desk.userId, name: 'desk' }, now: clock() };
  const write = (tx: Queries) => startStrategy(tx, asker, standing!.strategyId);
  const { due } = await openingsAfter(needs, asker.user, { users: [desk.userId], about: () => true, write });
  // The price has moved on a little.
  expect(Math.abs(due[0]!.fees! - paid)).toBeLessThanOrEqual(paid * 0.05);
  expect(due[0]!.slippage! > 0).toBe(takes);
});

test('enabling without naming pairs enters those without warnings only', async () => {
  const desk = deskOf('editor');
  // There already where the tests before ran.
  await desk.as(hedgeConfig.create, { body: SETTINGS });
  await desk.as(hedgeConfig.disable);
  const { version, pairs } = (await desk.as(hedgeConfig.desk)).body.data;
  for (const { pairId } of pairs) await desk.as(hedgeConfig.removePair, { body: { pairId } });
  await desk.as(hedgeConfig.update, { body: { ...SETTINGS, version } });
  const flagged = await desk.add(FLAGGED);
  const sound = await desk.add(SOUND[3]!);
  await pass(2);
  expect((await desk.as(hedgeConfig.enable)).body.code).toBe(200);
  await pass(5);
  expect(await desk.held()).toEqual([sound]);
  expect(await desk.blocks()).toMatchObject({ [flagged]: 'unconfirmed' });
  const [running] = (await desk.as(hedge.list, { query: { state: 'running' } })).body.data.list;
  await desk.as(hedge.close, { query: { id: running!.id } });
  await pass(5);
  for (const pairId of [flagged, sound]) await desk.as(hedgeConfig.removePair, { body: { pairId } });
});

test('a dry run needs the right of its act and shows own targets only', async () => {
  const editor = app.as('editor');
  const resumed = await editor(api.preview, { body: { act: 'resumeAll', input: { action: 'resume', reason: 'x' } } });
  expect(resumed.status).toBe(403);
  const bad = await editor(api.preview, { body: { act: 'save', input: { ...SETTINGS, version: 'x' } } });
  expect(bad.body).toMatchObject({ code: 400, data: { fields: [{ field: 'input.version' }] } });
});

/** A desk as somebody has it who has just set it up: without pairs, and enabled. */
async function emptied(desk: ReturnType<typeof deskOf>): Promise<void> {
  await desk.as(hedgeConfig.create, { body: SETTINGS });
  await desk.as(hedgeConfig.disable);
  const { version, pairs } = (await desk.as(hedgeConfig.desk)).body.data;
  for (const { pairId } of pairs) await desk.as(hedgeConfig.removePair, { body: { pairId } });
  await desk.as(hedgeConfig.update, { body: { ...SETTINGS, version } });
  await desk.as(hedgeConfig.enable);
}

test('lifting the kill switch enters only the targets that were named', async () => {
  const master = deskOf('master');
  const desk = deskOf('editor');
  for (const one of [master, desk]) await emptied(one);
  const all = (action: 'pause' | 'resume', chosen: object = {}) =>
    master.as(hedge.switchAll, {
      body: { action, reason: '演练', ...chosen },
      headers: { 'idempotency-key': randomUUID() },
    });
  expect((await all('pause')).body.code).toBe(200);
  const own = await master.add(SOUND[0]!);
  const others = [await desk.add(SOUND[1]!), await desk.add(SOUND[2]!)].sort();
  await pass(2);
  const { due, revision } = await master.preview('resumeAll', { action: 'resume', reason: '演练' });
  const of = (ids: string[]) =>
    due.filter(({ targetId }) => ids.includes(targetId)).sort((a, b) => (a.targetId < b.targetId ? -1 : 1));
  expect(of([own])).toMatchObject([{ user: null, opens: true }]);
  expect(of(others)).toMatchObject(others.map((targetId) => ({ targetId, user: 'editor', opens: true })));
  const open = [others[0]!];
  expect((await all('resume', { open, openSeen: revision - 1 })).status).toBe(409);
  expect((await all('resume', { open, openSeen: revision })).body.code).toBe(200);
  await pass(5);
  expect([await master.held(), await desk.held()]).toEqual([[], open]);
  expect([await master.blocks(), await desk.blocks()]).toMatchObject([
    { [own]: 'unconfirmed' },
    { [others[1]!]: 'unconfirmed' },
  ]);
  const [running] = (await desk.as(hedge.list, { query: { state: 'running' } })).body.data.list;
  await desk.as(hedge.close, { query: { id: running!.id } });
  await pass(5);
  for (const pairId of others) await desk.as(hedgeConfig.removePair, { body: { pairId } });
});

test.each(['limitAccount', 'limit'] as const)(
  'a raised and resumed limit (%s) enters only what was named',
  async (act) => {
    const desk = deskOf('master');
    await emptied(desk);
    const { id: userId } = (await desk.as(userApi.current)).body.data;
    const [own] = await db
      .select()
      .from(strategy)
      .where(and(eq(strategy.userId, userId), eq(strategy.kind, 'hedge')));
    const at = market.clock();
    if (act === 'limitAccount') {
      await moveBook(db, userId, { dailyLossLimit: 1, pausedAt: at, pausedBy: LOSS_GUARD, pauseReason: '达到上限' });
    } else {
      await db.update(strategy).set({ state: 'tripped' }).where(eq(strategy.id, own!.id));
      await changeGuard(db, own!.id, { tripped: '单日亏损', trippedBy: 'dailyLoss', trippedAt: at, dailyLoss: 10 });
      await moveBook(db, userId);
    }
    const [first, second] = [await desk.add(SOUND[1]!), await desk.add(SOUND[2]!)].sort();
    await pass(2);
    expect(await desk.held()).toEqual([]);
    const limits = { maxDrawdown: null, dailyLoss: 50_000, maxNotional: null };
    const input = {
      resume: true,
      ...(act === 'limit' ? { id: own!.id, limits } : { dailyLossLimit: 50_000 }),
    } as const;
    const { due, revision } = await desk.preview(act, input);
    expect(due.map(({ targetId, opens }) => [targetId, opens]).sort()).toEqual([
      [first, true],
      [second, true],
    ]);
    const raise = (openSeen: number) => {
      const chosen = { resume: true as const, open: [second!], openSeen };
      return act === 'limit'
        ? desk.as(overviewApi.limit, { body: { id: own!.id, limits, ...chosen } })
        : desk.as(account.lossLimit, { body: { dailyLossLimit: 50_000, ...chosen } });
    };
    expect((await raise(revision - 1)).status).toBe(409);
    expect((await raise(revision)).body).toMatchObject({ code: 200, data: { resumed: true } });
    await pass(5);
    expect(await desk.held()).toEqual([second]);
    expect(await desk.blocks()).toMatchObject({ [first!]: 'unconfirmed' });
    const [running] = (await desk.as(hedge.list, { query: { state: 'running' } })).body.data.list;
    await desk.as(hedge.close, { query: { id: running!.id } });
    await pass(5);
  },
);

test('a resume by a master enters nothing before the owner confirms', async () => {
  const desk = deskOf('editor');
  const master = app.as('master');
  const userId = (await desk.as(userApi.current)).body.data.id;
  // There already where the tests before ran.
  await desk.as(hedgeConfig.create, { body: SETTINGS });
  await desk.as(hedgeConfig.disable);
  const { version } = (await desk.as(hedgeConfig.desk)).body.data;
  const atOnce = { ...SETTINGS, version };
  expect((await desk.as(hedgeConfig.update, { body: atOnce })).body.code).toBe(200);
  const first = await desk.add(SOUND[0]!);
  await master(userAdmin.hedging, { body: { userId, enabled: true } });
  await pass(4);
  expect(await desk.held()).toEqual([]);
  expect(await desk.blocks()).toMatchObject({ [first]: 'unconfirmed' });

  await desk.as(hedgeConfig.disable);
  const second = await desk.add(SOUND[1]!);
  await master(userAdmin.status, { body: { userId, blocked: true } });
  await master(userAdmin.hedging, { body: { userId, enabled: true } });
  await pass(2);
  expect((await pairsOf(db, userId)).find(({ id }) => id === second)).toMatchObject({ hold: null });
  await master(userAdmin.status, { body: { userId, blocked: false } });
  await pass(4);
  const standing = await pairsOf(db, userId);
  expect(standing.find(({ id }) => id === second)).toMatchObject({ hold: 'confirm', heldBy: 'master' });
  expect(standing.filter(({ block }) => block === 'open')).toEqual([]);
  expect((await master(userAdmin.status, { body: { userId: 'nobody', blocked: false } })).status).toBe(404);
});

test('a pair with warnings that were not accepted has to be confirmed', async () => {
  const desk = deskOf('master');
  await emptied(desk);
  const { version } = (await desk.as(hedgeConfig.desk)).body.data;
  const rules = { ...SETTINGS, ...BY_Z, entryZ: 1, exitZ: 0, maxHedges: 5, version } as const;
  expect((await desk.as(hedgeConfig.update, { body: rules })).body.code).toBe(200);
  market.set('AAAUSDT', 100);
  const quoted = (await desk.as(hedgeConfig.entryQuote, { query: FLAGGED })).body.data;
  expect(quoted).toMatchObject({ block: 'waitsForZ', warnings: expect.arrayContaining(['fit']) });
  const unseen = await desk.add(FLAGGED, []);
  const partly = await desk.add({ long: 'AAAUSDT', short: 'IIIUSDT' }, ['againstZ']);
  const accepted = await desk.add({ long: 'BBBUSDT', short: 'IIIUSDT' }, ['hedgeRatio', 'fit']);
  await pass(1);
  expect(await desk.blocks()).toMatchObject({ [unseen]: 'waitsForZ', [partly]: 'waitsForZ', [accepted]: 'waitsForZ' });
  expect((await desk.queue()).waiting.map(({ targetId, asks }) => [targetId, asks])).toEqual([
    [unseen, true],
    [partly, true],
    [accepted, false],
  ]);
  market.set('AAAUSDT', 95);
  market.set('BBBUSDT', 97);
  expect((await desk.queue()).due.map(({ targetId, opens }) => [targetId, opens])).toEqual([
    [unseen, false],
    [partly, false],
    [accepted, true],
  ]);
  await pass(6);
  expect(await desk.held()).toEqual([accepted]);
  expect(await desk.blocks()).toMatchObject({ [unseen]: 'unconfirmed', [partly]: 'unconfirmed' });

  // Confirmed by name, it is opened at once; what was accepted with that stays so when its turn comes again.
  await desk.as(hedgeConfig.armPair, { body: { pairId: partly } });
  await pass(3);
  expect(await desk.held()).toEqual([accepted, partly].sort());
  market.set('AAAUSDT', 105);
  await pass(6);
  expect(await desk.held()).toEqual([accepted]);
  market.set('AAAUSDT', 95);
  await pass(4);
  expect(await desk.held()).toEqual([accepted, partly].sort());
  expect(await desk.blocks()).toMatchObject({ [unseen]: 'unconfirmed' });

  // At once or not at all: what would open while it is added is held as well.
  market.set('AAAUSDT', 110);
  market.set('BBBUSDT', 110);
  await pass(6);
  await emptied(desk);
  const answer = await desk.as(hedgeConfig.addPair, { body: { long: 'AAAUSDT', short: 'IIIUSDT' } });
  expect(answer.body.data).toMatchObject({ block: 'unconfirmed' });
  await pass(4);
  expect(await desk.held()).toEqual([]);
  market.set('AAAUSDT', 100);
  market.set('BBBUSDT', 100);
});
