import { randomUUID } from 'node:crypto';
import { and, eq, inArray, like, or, sql } from 'drizzle-orm';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import { job } from '#contract/job';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { order as api, type FillRow, type OrderRow } from '#contract/order';
import { account, book, fill, ledgerTotal, tradeOrder, user } from '#server/base/db/schema';
import { Jobs } from '#server/base/jobs/jobs';
import { DailyReconcile } from '#server/desk/order/dailyReconcile';
import { fillListing, orderListing } from '#server/desk/order/orderListing';
import type { VenueOrder } from '#server/market/venue';
import { gatherNews } from '#server/people/notification/gatherNews';
import { fileApp, testApp } from '../support/app';
import {
  addBook,
  addFills,
  addHedges,
  addLedger,
  addOrders,
  addPair,
  type FillRows,
  type OrderRows,
} from '../support/bookRows';
import { jobsLater } from '../support/jobsLater';
import { movingMarket, START } from '../support/paperDesk';
import { tradingDesk } from '../support/tradingDesk';

const NOW = START;

const market = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
const woken: string[] = [];
/** What the paper venue is made to do. */
const faults = { positions: false, lookup: false };
const ids: Record<string, string> = {};
const hedges: Record<string, string> = {};

const app = await fileApp({
  markets: market.markets,
  clock: market.clock,
  desk: { wake: async (userId) => void woken.push(userId) },
});
for (const name of ['trader', 'editor']) {
  const [row] = await app.db.select().from(user).where(eq(user.name, name));
  const userId = row!.id;
  ids[name] = userId;
  await addBook(app.db, userId);
  const pair = { userId, long: 'AAAUSDT', short: 'BBBUSDT', createdAt: 1, armedAt: 1 };
  const pairId = await addPair(app.db, pair);
  hedges[name] = randomUUID();
  await addHedges(app.db, {
    id: hedges[name],
    userId,
    pairId,
    source: 'simulated',
    long: 'AAAUSDT',
    short: 'BBBUSDT',
    state: 'open',
    stateAt: NOW,
    createdAt: name === 'trader' ? NOW - 3 * HOUR_MS : NOW - HOUR_MS,
    settings: DEFAULT_SETTINGS,
    ratio: 1,
  });
}

let made = 0;

/** A long leg's entry: 10 AAA bought at 100.5 against a mid of 100, half an hour ago. */
const orderOf = (over: Partial<OrderRows> = {}): OrderRows => {
  made += 1;
  return {
    id: `order-${String(made).padStart(4, '0')}`,
    userId: ids.trader!,
    dealId: hedges.trader!,
    source: 'simulated',
    symbol: 'AAAUSDT',
    leg: 'long',
    side: 'buy',
    type: 'market',
    purpose: 'entry',
    reduceOnly: false,
    quantity: '10',
    limitPrice: '101',
    decisionMid: 100,
    state: 'filled',
    filledQuantity: '10',
    filledNotional: '1005',
    fee: '0.5',
    exchangeId: `x-${made}`,
    createdAt: NOW - 30 * MINUTE_MS + made,
    sentAt: NOW - 30 * MINUTE_MS,
    answeredAt: NOW - 30 * MINUTE_MS + 42,
    endedAt: NOW - 30 * MINUTE_MS + 42,
    ...over,
  };
};

/** The short leg's: 20 BBB rested and sold at 50.1 against a mid of 50. */
const shortOf = (over: Partial<OrderRows> = {}): OrderRows =>
  orderOf({
    symbol: 'BBBUSDT',
    leg: 'short',
    side: 'sell',
    type: 'maker',
    quantity: '20',
    limitPrice: '50.1',
    decisionMid: 50,
    filledQuantity: '20',
    filledNotional: '1002',
    fee: '0.2',
    ...over,
  });

const restingOf = (over: Partial<OrderRows> = {}): OrderRows =>
  shortOf({ state: 'open', filledQuantity: '0', filledNotional: '0', fee: '0', endedAt: null, ...over });

const refusedOf = (over: Partial<OrderRows> = {}): OrderRows =>
  orderOf({
    state: 'refused',
    reason: 'insufficientMargin',
    filledQuantity: '0',
    filledNotional: '0',
    fee: '0',
    exchangeId: null,
    ...over,
  });

const put = async (...rows: OrderRows[]) => {
  await addOrders(app.db, ...rows);
  return rows.map(({ id }) => id);
};
const fillOf = (order: OrderRows, over: Partial<FillRows> = {}): FillRows => ({
  id: `fill-${order.id}`,
  userId: order.userId,
  orderId: order.id,
  dealId: order.dealId ?? null,
  source: order.source,
  symbol: order.symbol,
  side: order.side,
  quantity: order.filledQuantity!,
  price: String(Number(order.filledNotional) / Number(order.filledQuantity)),
  fee: order.fee!,
  maker: order.type === 'maker',
  realised: '0',
  at: order.createdAt + 10,
  ...over,
});

const clear = async () => {
  // What was traded is for ever: only without its triggers can a test begin anew.
  await app.db.execute(sql`set session_replication_role = replica`);
  await app.db.delete(fill).where(inArray(fill.userId, Object.values(ids)));
  await app.db
    .delete(tradeOrder)
    .where(or(inArray(tradeOrder.userId, Object.values(ids)), like(tradeOrder.id, 'order-%')));
  await app.db.execute(sql`set session_replication_role = default`);
  // What was added up of the past is forgotten a while later.
  market.wait(11 * MINUTE_MS);
  woken.length = 0;
};
afterEach(clear);

const list = async (query: Record<string, unknown> = {}) => (await app.as('master')(api.list, { query })).body.data;
const fills = async (query: Record<string, unknown> = {}) => (await app.as('master')(api.fills, { query })).body.data;
const key = (name: string = randomUUID()) => ({ 'idempotency-key': name });
const cancel = (body: Record<string, unknown>, headers = key()) => app.as('master')(api.cancel, { body, headers });
const cancelAskedAt = async (id: string) =>
  (await app.db.select().from(tradeOrder).where(eq(tradeOrder.id, id)))[0]!.cancelAskedAt;
const revision = async (who: string) =>
  (await app.db.select().from(book).where(eq(book.userId, ids[who]!)))[0]!.revision;

describe('GET /api/order', () => {
  test("shows everybody's orders, the newest first, with what they cost", async () => {
    const bought = orderOf();
    const refused = refusedOf({ userId: ids.editor!, dealId: hedges.editor! });
    await put(bought, refused);
    const { list: rows, total, at } = await list();
    expect([total, at]).toEqual([2, market.clock()]);
    expect(rows.map(({ user: name }) => name)).toEqual(['editor', 'trader']);
    expect(rows[1]).toMatchObject({
      id: bought.id,
      exchangeId: bought.exchangeId,
      hedgeId: hedges.trader,
      opens: true,
      averagePrice: '100.5',
      filled: 1,
      maker: false,
      reason: null,
      latencyMs: 42,
      tickSize: '0.01',
      lotSize: '0.01',
    });
    expect(rows[1]!.slippageBps).toBeCloseTo(50, 9);
    expect(rows[0]).toMatchObject({
      reason: '保证金不足',
      averagePrice: null,
      maker: null,
      slippageBps: null,
      filled: 0,
    });
  });

  test('a sale above the mid has slipped in our favour; closing is told from opening', async () => {
    await put(shortOf(), orderOf({ side: 'sell', purpose: 'exit', reduceOnly: true }));
    const { list: rows } = await list({ sort: 'createdAt' });
    expect(rows[0]!.slippageBps).toBeCloseTo(-20, 9);
    expect(rows.map(({ opens }) => opens)).toEqual([true, false]);
  });

  test('adds up all that the filter lets through', async () => {
    await put(orderOf(), shortOf(), refusedOf(), restingOf());
    const { totals, list: rows } = await list({ pageSize: 1 });
    expect(rows).toHaveLength(1);
    expect(totals).toMatchObject({ orders: 4, resting: 1, notional: 2007, rejectRate: 0.25 });
    expect(totals.fees).toBeCloseTo(0.7, 12);
    // Asked: 1000 three times 20 x 50 and 10 x 100 at their mids; filled: two of the four.
    expect(totals.fillRate).toBeCloseTo(2000 / 4000, 12);
    expect(totals.makerShare).toBeCloseTo(1002 / 2007, 12);
    // 5 paid on the long leg, 2 gained on the short one, over 2000 at the mids.
    expect(totals.slippageBps).toBeCloseTo((3 / 2000) * 10_000, 9);
    const none = await list({ symbol: 'CCCUSDT' });
    expect(none.totals).toEqual({
      orders: 0,
      resting: 0,
      fillRate: null,
      notional: 0,
      fees: 0,
      slippageBps: null,
      makerShare: null,
      rejectRate: null,
    });
  });

  test('knows no steps of what nobody lists any more', async () => {
    await put(orderOf({ symbol: 'GONEUSDT' }));
    expect((await list()).list[0]).toMatchObject({ symbol: 'GONEUSDT', tickSize: null, lotSize: null });
  });

  test('names account, venue and strategy, and is narrowed down by them', async () => {
    const [own, other] = await put(orderOf(), orderOf({ userId: ids.editor!, dealId: hedges.editor! }));
    const loose = orderOf({ dealId: null });
    await put(loose);
    const { list: users } = (await app.as('master')(api.accounts)).body.data;
    const trader = users.find(({ userId }) => userId === ids.trader)!;
    const [desk] = trader.strategies;
    const idsOf = async (query: Record<string, unknown>) => (await list(query)).list.map(({ id }) => id).sort();
    expect(await idsOf({ accountId: trader.accounts[0]!.id })).toEqual([own, loose.id].sort());
    expect(await idsOf({ strategyId: desk!.id })).toEqual([own]);
    expect(await idsOf({ strategyId: 'none' })).toEqual([]);
    expect(await idsOf({ source: 'simulated' })).toEqual([own, other, loose.id].sort());
    const [row] = (await list({ strategyId: desk!.id })).list;
    expect(row).toMatchObject({ account: '主账户', source: 'simulated', strategy: desk!.name, kind: 'hedge' });
    expect((await list({ accountId: trader.accounts[0]!.id, sort: '-strategy' })).list.at(-1)).toMatchObject({
      ...{ id: loose.id, strategy: null, kind: null },
    });
  });

  test('filters by everything, totals with it', async () => {
    const old = orderOf({ createdAt: NOW - 48 * HOUR_MS });
    const long = orderOf();
    const short = shortOf();
    const refused = refusedOf({ userId: ids.editor!, dealId: hedges.editor!, source: 'binance' });
    const resting = restingOf();
    const exit = orderOf({ side: 'sell', purpose: 'exit', reduceOnly: true, state: 'expired', filledQuantity: '4' });
    const loose = orderOf({ dealId: null, purpose: 'liquidation', type: 'market', side: 'sell', reduceOnly: true });
    const rows = { old, long, short, refused, resting, exit, loose };
    await put(...Object.values(rows));
    const of = async (query: Record<string, unknown>) => {
      const { list: found, total, totals } = await list({ ...query, sort: 'createdAt' });
      expect(total).toBe(found.length);
      expect(totals.orders).toBe(found.length);
      return found.map(({ id }) => Object.entries(rows).find(([, row]) => row.id === id)![0]);
    };
    expect(await of({ view: 'live' })).toEqual(['resting']);
    expect(await of({ view: 'ended' })).toEqual(['old', 'long', 'short', 'refused', 'exit', 'loose']);
    expect(await of({ start: NOW - HOUR_MS })).not.toContain('old');
    expect(await of({ end: NOW - HOUR_MS })).toEqual(['old']);
    expect(await of({ userId: ids.editor })).toEqual(['refused']);
    expect(await of({ userId: 'nobody' })).toEqual([]);
    expect(await of({ source: 'binance' })).toEqual(['refused']);
    expect(await of({ symbol: 'BBBUSDT' })).toEqual(['short', 'resting']);
    expect(await of({ symbol: 'BBBUSDT,AAAUSDT', view: 'live' })).toEqual(['resting']);
    expect(await of({ side: 'sell' })).toEqual(['short', 'resting', 'exit', 'loose']);
    expect(await of({ type: 'maker' })).toEqual(['short', 'resting']);
    expect(await of({ maker: true })).toEqual(['short']);
    expect(await of({ maker: false })).toEqual(['old', 'long', 'exit', 'loose']);
    expect(await of({ purpose: 'exit' })).toEqual(['exit']);
    expect(await of({ reduceOnly: true })).toEqual(['exit', 'loose']);
    expect(await of({ state: 'expired' })).toEqual(['exit']);
    expect(await of({ refused: true })).toEqual(['refused']);
    expect(await of({ search: long.id })).toEqual(['long']);
    expect(await of({ search: ` ${short.exchangeId} ` })).toEqual(['short']);
    expect(await of({ search: hedges.editor })).toEqual(['refused']);
    expect(await of({ search: "x' or true" })).toEqual([]);
  });

  test('totals see what comes after they were added up', async () => {
    const resting = restingOf({ createdAt: NOW - 2 * HOUR_MS });
    await put(orderOf({ createdAt: NOW - 3 * HOUR_MS }), resting);
    expect((await list({ side: 'buy' })).totals).toMatchObject({ orders: 1 });
    expect((await list()).totals).toMatchObject({ orders: 2, resting: 1, notional: 1005 });
    await app.db
      .update(tradeOrder)
      .set({ state: 'filled', filledQuantity: '20', filledNotional: '1002' })
      .where(eq(tradeOrder.id, resting.id));
    await put(orderOf());
    expect((await list()).totals).toMatchObject({ orders: 3, resting: 0, notional: 3012 });
    // Booked now for long ago, as after an outage: the ledger tells.
    await put(orderOf({ createdAt: NOW - 5 * HOUR_MS }));
    await addLedger(app.db, {
      userId: ids.trader!,
      kind: 'fill',
      amount: '-1005',
      quantity: '10',
      price: '100.5',
      reference: `fill:${randomUUID()}`,
      at: NOW - 5 * HOUR_MS,
    });
    expect((await list()).totals).toMatchObject({ orders: 4, notional: 4017 });
  });

  test('sorts by every column and pages without gaps', async () => {
    await put(
      ...Array.from({ length: 14 }, (_, i) => {
        const at = { createdAt: NOW - ((i * 5) % 14) * MINUTE_MS, answeredAt: i % 4 === 0 ? null : NOW + i };
        return [orderOf, shortOf, refusedOf, restingOf][i % 4]!({ ...at, fee: String((i * 3) % 7) });
      }),
    );
    const fields = Object.keys((await list()).list[0]!).filter(
      (name) => !['userId', 'leg', 'cancelAskedAt', 'answeredAt', 'tickSize', 'lotSize'].includes(name),
    );
    expect(fields.length).toBeGreaterThan(24);
    const decimals = ['quantity', 'limitPrice', 'averagePrice', 'filledQuantity', 'filledNotional', 'fee'];
    for (const field of fields) {
      for (const sort of [field, `-${field}`]) {
        const whole = (await list({ sort, pageSize: 200 })).list;
        const paged: OrderRow[] = [];
        for (let current = 1; current <= 3; current += 1)
          paged.push(...(await list({ sort, current, pageSize: 5 })).list);
        expect(paged.map(({ id }) => id)).toEqual(whole.map(({ id }) => id));
        const keys = whole.map((row) => row[field as keyof OrderRow]);
        // The venue's reasons are sorted by its own words.
        const known = keys
          .filter((value) => value !== null)
          .map((value) => (decimals.includes(field) ? Number(value) : value));
        expect(keys.slice(known.length).every((value) => value === null)).toBe(true);
        const isOrdered = known.every(
          (value, i) => i === 0 || (sort === field ? value! >= known[i - 1]! : value! <= known[i - 1]!),
        );
        expect([sort, isOrdered]).toEqual([sort, true]);
      }
    }
    expect((await app.as('master')(api.list, { query: { sort: 'password' } })).status).toBe(400);
  });

  test('puts both legs of a hedge side by side, the newest hedge first, what has none last', async () => {
    const editor = { userId: ids.editor!, dealId: hedges.editor! };
    const rows = [orderOf(), orderOf(editor), shortOf(), shortOf(editor), orderOf({ dealId: null }), refusedOf()];
    await put(...rows);
    const wanted = [1, 3, 0, 2, 5, 4].map((i) => rows[i]!.id);
    expect((await list({ grouped: true })).list.map(({ id }) => id)).toEqual(wanted);
    const pages = [];
    for (let current = 1; current <= 3; current += 1) {
      pages.push(...(await list({ grouped: true, current, pageSize: 2 })).list);
    }
    expect(pages.map(({ id }) => id)).toEqual(wanted);
    expect((await list({ grouped: true, current: 9 })).list).toEqual([]);
  });
});

describe('of more rows than are listed', () => {
  test('the newest are listed, sorted and added up, and of all there is an estimate', async () => {
    const orders = Array.from({ length: 12 }, (_, i) => {
      const at = { createdAt: NOW - (i + 1) * HOUR_MS, filledNotional: String(2000 + i) };
      return i % 2 === 0 ? orderOf(at) : shortOf(at);
    });
    await put(...orders);
    await addFills(app.db, ...orders.map((one) => fillOf(one)));
    await app.db.execute(sql`analyze`);
    const page = { current: 1, pageSize: 50, view: 'all', grouped: false } as const;
    // The row behind the newest five is the oldest that is listed.
    const newest = orders.slice(0, 6).map(({ id }) => id);
    const some = await orderListing(app.db, page, NOW, 5);
    expect(some).toMatchObject({ total: 6, about: 12, totals: { orders: 6, notional: 2000 * 6 + 15 } });
    expect(some.list.map(({ id }) => id)).toEqual(newest);
    const sorted = await orderListing(app.db, { ...page, sort: '-filledNotional', pageSize: 2 }, NOW, 5);
    expect(sorted.list.map(({ filledNotional }) => Number(filledNotional))).toEqual([2005, 2004]);
    const filled = await fillListing(app.db, { ...page, sort: 'user' }, NOW, 5);
    expect(filled).toMatchObject({ total: 6, about: 12, totals: { fills: 6 } });
    expect(filled.list.map(({ orderId }) => orderId).sort()).toEqual([...newest].sort());

    const few = await orderListing(app.db, { ...page, symbol: 'BBBUSDT' }, NOW, 8);
    expect([few.total, few.about]).toEqual([6, undefined]);
    expect((await list()).about).toBeUndefined();
  });
});

describe('GET /api/order/fill', () => {
  test('lists fills with their order and adds them up', async () => {
    const long = orderOf();
    const short = shortOf();
    const exit = orderOf({ side: 'sell', purpose: 'exit', reduceOnly: true, filledNotional: '990' });
    await put(long, short, exit);
    await addFills(app.db, fillOf(long), fillOf(short), fillOf(exit, { realised: '-15' }));
    const { list: rows, total, totals } = await fills();
    expect(total).toBe(3);
    expect(rows.map(({ id }) => id)).toEqual([exit, short, long].map(({ id }) => `fill-${id}`));
    expect(rows[0]).toMatchObject({
      user: 'trader',
      orderId: exit.id,
      purpose: 'exit',
      opens: false,
      price: '99',
      notional: '990',
      realised: '-15',
      reduceOnly: true,
    });
    expect(rows[0]!.slippageBps).toBeCloseTo(100, 9);
    expect(totals).toMatchObject({ fills: 3, notional: 2997, realised: -15 });
    expect(totals.fees).toBeCloseTo(1.2, 12);
    expect(totals.makerShare).toBeCloseTo(1002 / 2997, 12);
    expect(totals.slippageBps).toBeCloseTo(((5 - 2 + 10) / 3000) * 10_000, 9);
    const of = async (query: Record<string, unknown>) => (await fills(query)).totals.fills;
    expect(await of({ maker: true })).toBe(1);
    expect(await of({ purpose: 'exit' })).toBe(1);
    expect(await of({ symbol: 'AAAUSDT', side: 'buy' })).toBe(1);
    expect(await of({ search: short.exchangeId })).toBe(1);
    expect(await of({ search: hedges.trader })).toBe(3);
    expect(await of({ end: NOW - 24 * HOUR_MS })).toBe(0);
    expect((await fills({ grouped: true })).list.map(({ id }) => id)).toEqual(
      [long, short, exit].map(({ id }) => `fill-${id}`),
    );
    const fields = Object.keys(rows[0]!).filter((name) => !['userId', 'leg', 'tickSize', 'lotSize'].includes(name));
    for (const field of fields) {
      for (const sort of [field, `-${field}`]) expect([sort, (await fills({ sort })).list.length]).toEqual([sort, 3]);
    }
    const prices = (await fills({ sort: 'price' })).list.map(({ price }: FillRow) => Number(price));
    expect(prices).toEqual([50.1, 99, 100.5]);
  });
});

describe('POST /api/order/cancel', () => {
  test('asks for those that rest, tells of the others why not, and wakes their engines', async () => {
    const resting = restingOf();
    const others = restingOf({ userId: ids.editor!, dealId: hedges.editor! });
    const asked = restingOf({ cancelAskedAt: 5 });
    const rows = [
      resting,
      others,
      asked,
      orderOf(),
      restingOf({ state: 'inDoubt' }),
      restingOf({ state: 'registered' }),
    ];
    const names = await put(...rows);
    const before = [await revision('trader'), await revision('editor')];
    const { body } = await cancel({ ids: [...names, 'nothing'] });
    expect(body.data.asked).toBe(2);
    expect(body.data.skipped).toEqual([
      { id: asked.id, reason: '已在撤销中' },
      { id: names[3], reason: '已全部成交' },
      { id: names[4], reason: '结果不明，正在向交易所核对' },
      { id: names[5], reason: '正在发出，还没有挂出' },
      { id: 'nothing', reason: '没有这笔委托' },
    ]);
    expect(await cancelAskedAt(resting.id)).toBe(market.clock());
    expect(await cancelAskedAt(asked.id)).toBe(5);
    expect(await cancelAskedAt(names[4]!)).toBeNull();
    expect([await revision('trader'), await revision('editor')]).toEqual(before.map((number) => number + 1));
    expect([...woken].sort()).toEqual([ids.trader, ids.editor].sort());
  });

  test('cancels all that rest of a filter, and nothing beside it', async () => {
    const hit = restingOf();
    const other = restingOf({ symbol: 'AAAUSDT' });
    await put(hit, other, shortOf());
    expect((await list({ symbol: 'BBBUSDT' })).totals.resting).toBe(1);
    const { body } = await cancel({ filter: { symbol: 'BBBUSDT', view: 'all' }, expected: 1 });
    expect(body.data).toEqual({ asked: 1, skipped: [] });
    expect(await cancelAskedAt(hit.id)).toBe(market.clock());
    expect(await cancelAskedAt(other.id)).toBeNull();
    expect((await list({ symbol: 'BBBUSDT' })).totals.resting).toBe(0);
    // Of what has ended nothing rests.
    expect((await cancel({ filter: { view: 'ended' }, expected: 9 })).body.data.asked).toBe(0);
    expect(await cancelAskedAt(other.id)).toBeNull();
  });

  test('cancels nothing when the filter reaches more than the caller saw', async () => {
    const [one, two] = await put(restingOf(), restingOf());
    const { status, body } = await cancel({ filter: { symbl: 'typo' }, expected: 1 });
    expect([status, body.message]).toEqual([409, expect.stringContaining('已变为 2 笔')]);
    expect([await cancelAskedAt(one!), await cancelAskedAt(two!)]).toEqual([null, null]);
  });

  test('does it once a key, and not without', async () => {
    const resting = restingOf();
    await put(resting);
    expect((await app.as('master')(api.cancel, { body: { ids: [resting.id] } })).status).toBe(400);
    const name = randomUUID();
    const first = await cancel({ ids: [resting.id] }, key(name));
    expect(first.body.data.asked).toBe(1);
    expect((await cancel({ ids: [resting.id] }, key(name))).body).toEqual(first.body);
    expect((await cancel({ ids: [resting.id] })).body.data.skipped).toEqual([{ id: resting.id, reason: '已在撤销中' }]);
  });

  test('takes ids or a filter, not both and not neither', async () => {
    expect((await cancel({})).status).toBe(400);
    expect((await cancel({ ids: ['a'], filter: {} })).status).toBe(400);
    expect((await cancel({ ids: [] })).status).toBe(400);
    expect((await cancel({ filter: {} })).status).toBe(400);
  });
});

describe('GET /api/order/reconcile', () => {
  const traded = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
  let desk: Awaited<ReturnType<typeof tradingDesk>>;
  let other: Awaited<ReturnType<typeof testApp>>;
  const reconcile = async () =>
    (await other.as('master')(api.reconcile, { query: { userId: desk.userId } })).body.data.accounts[0]!;

  beforeAll(async () => {
    desk = await tradingDesk(app.db, traded, {
      venue: { faults: { failPositions: () => faults.positions, failLookup: () => faults.lookup } },
      settings: { orderType: 'market' },
    });
    other = await testApp({ db: app.db, clock: traded.clock, markets: traded.markets, venue: desk.venue });
    await desk.addPair();
    await desk.run(5);
    expect((await desk.hedge()).state).toBe('open');
    await desk.retire();
  });
  afterAll(() => other.close());

  test('finds everything in its place, and reads what happened once', async () => {
    const [events, held] = [jest.spyOn(desk.venue, 'events'), jest.spyOn(desk.venue, 'positions')];
    const account = await reconcile();
    const asked = events.mock.calls.map(([, after]) => after);
    const [all, newer] = [asked[0], asked.at(-1)!];
    // All of it, and whether there is more by now.
    expect([all, asked.length]).toEqual([0, 2]);
    expect(newer).toBeGreaterThan(0);
    expect(held).toHaveBeenCalledTimes(1);
    jest.restoreAllMocks();
    expect(account).toMatchObject({ verdict: 'agrees', unknown: [], pending: 0, orders: [], findings: [] });
    const of = (what: string) => [...account.positions, ...account.money].filter((row) => row.what === what);
    expect(of('position').map(({ symbol }) => symbol)).toEqual(['AAAUSDT', 'BBBUSDT']);
    for (const { ledger: ours, venue, agrees } of [...account.positions, ...account.money])
      expect([ours, agrees]).toEqual([venue, true]);
    const [wallet, fee, funding] = [of('wallet'), of('fee'), of('funding')].map(([row]) => Number(row?.venue));
    expect(fee).toBeGreaterThan(0);
    expect(wallet).toBeCloseTo(100_000 - fee!, 6);
    expect(funding).toBe(0);
  });

  test('real accounts are checked once a day, and their owner hears of what differs', async () => {
    const mode = (value: string) => app.db.update(account).set({ mode: value }).where(eq(account.id, desk.userId));
    const jobs = new Jobs(app.db);
    let now = traded.clock();
    const daily = new DailyReconcile({ db: app.db, venue: desk.venue, clock: () => now, jobs, againMs: 1 });
    const dayLater = async () => {
      await jobsLater(app.db, DAY_MS + HOUR_MS);
      now += DAY_MS;
      await jobs.runDue();
      return (await reconcile()).daily;
    };
    const feeOff = (by: number) =>
      app.db
        .update(ledgerTotal)
        .set({ amount: sql`${ledgerTotal.amount} + ${by}` })
        .where(
          and(eq(ledgerTotal.accountId, desk.userId), eq(ledgerTotal.kind, 'fee'), eq(ledgerTotal.symbol, 'AAAUSDT')),
        );
    expect((await reconcile()).daily).toBeNull();
    await mode('live');
    await daily.start();
    expect(await dayLater()).toEqual({ at: now, verdict: 'agrees' });
    // A moment after a fill the exchange has what is not read yet.
    const funds = await desk.venue.funds(desk.userId);
    const asked = jest.spyOn(desk.venue, 'funds').mockResolvedValueOnce({ ...funds, wallet: '1' });
    expect(await dayLater()).toEqual({ at: now, verdict: 'agrees' });
    expect(asked.mock.calls.length).toBeGreaterThan(1);
    asked.mockRestore();
    await feeOff(1);
    expect(await dayLater()).toEqual({ at: now, verdict: 'differs' });
    const told = (await gatherNews(app.db, { eventId: 1e9, ledgerId: 1e9 }, now)).news;
    const own = told.find(({ userId, title }) => userId === desk.userId && title === '实盘 · 每日对账有差异');
    expect(own?.text).toMatch(/主账户 余额 USDT 账本 [\d.]+ 交易所 [\d.]+，差 −1；主账户 手续费 USDT .+，差 \+1/);
    // Each is led to where it is seen.
    const links = new Set(told.filter(({ title }) => title === own?.title).map(({ link }) => link));
    expect(links).toEqual(new Set(['/?view=own&reconcile=1', `/strategy/order?reconcile=${desk.userId}`]));
    await feeOff(-1);
    // An exchange that cannot be asked is asked again, and the check of the next day waits meanwhile.
    faults.positions = true;
    expect(await dayLater()).toMatchObject({ verdict: 'unknown' });
    faults.positions = false;
    const { body } = await other.as('master')(job.list);
    expect(body.data.queues.find(({ queue }) => queue === 'reconcile')).toMatchObject({ retrying: 1, waiting: 1 });
    expect(await dayLater()).toMatchObject({ verdict: 'agrees' });
    await mode('paper');
  });

  test('never takes a venue that cannot be asked for fine', async () => {
    faults.positions = true;
    expect(await reconcile()).toMatchObject({
      verdict: 'unknown',
      unknown: ['持仓与余额：交易所没有回答'],
      pending: null,
    });
    faults.positions = false;
    faults.lookup = true;
    await put(restingOf({ userId: desk.userId, dealId: (await desk.hedge()).id }));
    const account = await reconcile();
    expect(account.orders).toEqual([expect.objectContaining({ what: 'unknown', text: '交易所没有回答' })]);
    expect(account.unknown).toContain('委托：交易所没有回答，未能全部查询');
    expect(account.verdict).toBe('unknown');
    faults.lookup = false;
  });

  test('shows orders that only one side has', async () => {
    const [phantom] = await put(restingOf({ userId: desk.userId, dealId: (await desk.hedge()).id }));
    const stranger: VenueOrder = {
      clientId: 'stranger',
      account: desk.userId,
      source: 'simulated',
      symbol: 'AAAUSDT',
      side: 'buy',
      type: 'market',
      quantity: '1',
      limitPrice: '200',
      reduceOnly: false,
      leverage: 5,
    };
    await desk.venue.submit(stranger);
    const account = await reconcile();
    expect(account.verdict).toBe('differs');
    expect(account.pending).toBe(1);
    expect(account.orders).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: phantom, what: 'missingThere' }),
        expect.objectContaining({ id: 'stranger', what: 'missingHere', symbol: 'AAAUSDT' }),
      ]),
    );
  });

  test('shows whoever is no master his own accounts alone', async () => {
    const { accounts, left } = (await other.as('trader')(api.reconcileOwn)).body.data;
    expect([accounts.map(({ user: name }) => name), left]).toEqual([['trader'], 0]);
    expect((await other.as('trader')(api.reconcile)).status).toBe(403);
  });

  test('knows whom it was not asked about, and who has no account', async () => {
    const { body } = await other.as('master')(api.reconcile);
    // Two books without money at the venue, one that trades, and the master's own since the sign-in.
    expect(body.data.accounts.length + body.data.left).toBe(4);
    const trader = body.data.accounts.find(({ user: name }) => name === 'trader')!;
    expect(trader.verdict).toBe('unknown');
    expect((await other.as('master')(api.reconcile, { query: { userId: randomUUID() } })).status).toBe(404);
    const accounts = (await other.as('master')(api.accounts)).body.data.list;
    expect(accounts.map(({ user: name }) => name)).toEqual(expect.arrayContaining(['trader', 'editor']));
  });
});
