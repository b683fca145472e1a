import { randomUUID } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { LOSS_GUARD } from '#contract/account';
import { DAY_MS, HOUR_MS, SECOND_MS } from '#contract/duration';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { insertAccount } from '#server/base/db/accounts/venueAccount';
import { heldBack } from '#server/base/db/books/book';
import {
  book,
  deal,
  dealLeg,
  equityPoint,
  paperPosition,
  strategy,
  strategyEvent,
  strategyGuard,
  target,
} from '#server/base/db/schema';
import { accountStops } from '#server/desk/account/stops';
import { pauseBook } from '#server/desk/strategy/bookIntents';
import { createStrategy, removeStrategy, startStrategy, stopStrategy } from '#server/desk/strategy/strategyIntents';
import { targetsOf } from '#server/engine/preview';
import { kindDesk, kindMarket } from '../../support/kindDesk';
import { movingMarket } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const DAY_OF_START = Date.UTC(2026, 0, 15);
const RULES = { stopLoss: null, takeProfit: null, rebalance: null, maxHoldingHours: null };

const db = await fileDatabase();

const bookOf = async (userId: string) => (await db.select().from(book).where(eq(book.userId, userId)))[0]!;
const intent = async (userId: string, change: Partial<typeof book.$inferInsert> = {}) =>
  db
    .update(book)
    .set({ ...change, revision: (await bookOf(userId)).revision + 1 })
    .where(eq(book.userId, userId));
const blockOf = async (targetId: string) => (await db.select().from(target).where(eq(target.id, targetId)))[0]!.block;

describe('an unknown equity', () => {
  test('coin at a venue that no strategy names is still valued', async () => {
    const market = kindMarket();
    const desk = await kindDesk(db, market, 'okx', { over: { stockNotional: 2000, hedge: false } });
    await desk.run(10);
    const held = await db.select().from(paperPosition);
    expect(held.some(({ source, quantity }) => source === 'simulated-okx' && Number(quantity) > 0)).toBe(true);
    const asker = () => ({ user: { id: desk.userId, name: 'desk' }, now: market.clock.trader });
    const [own] = await db
      .select()
      .from(strategy)
      .where(and(eq(strategy.userId, desk.userId), eq(strategy.kind, 'okx')));
    await db.transaction((tx) => stopStrategy(tx, asker(), own!.id, false));
    await desk.run(3);
    await db.transaction((tx) => removeStrategy(tx, asker(), own!.id));
    // Over the end of the day, and by an engine that knows of the strategy only what the database says.
    await desk.engine.stop();
    market.clock.trader += 24 * HOUR_MS;
    market.clock.market = market.clock.trader;
    const moving = {
      clock: () => market.clock.trader,
      wait: (ms = SECOND_MS) => {
        market.clock.trader += ms;
        market.clock.market += ms;
      },
      markets: market.markets,
    };
    const again = await tradingDesk(db, moving, { userId: desk.userId });
    const today = Math.floor(market.clock.trader / (24 * HOUR_MS)) * 24 * HOUR_MS;
    await again.run(2);
    expect(await bookOf(desk.userId)).toMatchObject({ day: today, unvalued: null });
    const points = await db.select().from(equityPoint).where(eq(equityPoint.userId, desk.userId));
    expect(points.filter(({ at }) => at >= market.clock.trader - 10 * 60_000).length).toBeGreaterThanOrEqual(2);
  });

  test('blocks entries and names the symbol without a price', async () => {
    const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 }, CCCUSDT: { price: 20 } });
    let isPriced = true;
    const tickers = moving.market.tickers.bind(moving.market);
    moving.market.tickers = async (at) => (await tickers(at)).filter(({ symbol }) => isPriced || symbol !== 'AAAUSDT');
    const desk = await tradingDesk(db, moving, { settings: { ...RULES, dailyLossLimit: null } });
    await desk.addPair();
    await desk.run(2);
    isPriced = false;
    const waiting = await desk.addPair('CCCUSDT', 'BBBUSDT');
    await intent(desk.userId);
    await desk.run(2);
    expect(await blockOf(waiting)).toBe('unvalued');
    expect((await bookOf(desk.userId)).unvalued).toBe('AAAUSDT');
    expect(await desk.hedges()).toHaveLength(1);
    isPriced = true;
    await desk.run(3);
    expect((await bookOf(desk.userId)).unvalued).toBeNull();
    expect(await desk.hedges()).toHaveLength(2);
  });
});

interface Two {
  hedge?: number | null;
  grid?: number | null;
  boundary?: number;
  /** The grid trades a real account beside the paper one of the hedges. */
  isReal?: boolean;
}

/** A hedge desk and a grid that holds coin, in one account or in one each. */
async function twoStrategies(over: Two = {}) {
  const coins = { AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 }, CCCUSDT: { price: 20 }, DDDUSDT: { price: 10 } };
  const moving = movingMarket(coins);
  const hides = new Set<string>();
  // A grid asks for one symbol at a time.
  const [instruments, tickers] = [await moving.market.instruments(), await moving.market.tickers()];
  moving.market.listed = (symbol, at = moving.clock()) => {
    const instrument = instruments.find((one) => one.symbol === symbol && !hides.has(symbol));
    const ticker = tickers.find((one) => one.symbol === symbol);
    if (!instrument || !ticker) return null;
    return { instrument, ticker: { ...ticker, at, price: coins[symbol as 'AAAUSDT'].price } };
  };
  const tickersAt = moving.market.tickers.bind(moving.market);
  moving.market.tickers = async (at) => (await tickersAt(at)).filter(({ symbol }) => !hides.has(symbol));
  moving.market.terms = () => ({
    ...{ makerFee: 0.0002, takerFee: 0.0005, deliveryFee: null, fundingCap: null },
    ...{ collateralRatio: 0, borrowApr: 0, adl: 1 },
  });
  const settings = { ...RULES, dailyLossLimit: over.hedge ?? null };
  const desk = await tradingDesk(db, moving, { settings });
  await db
    .update(book)
    .set({ dayBoundary: over.boundary ?? 0 })
    .where(eq(book.userId, desk.userId));
  const asker = () => ({ user: { id: desk.userId, name: 'desk' }, now: moving.clock() });
  const params = {
    ...{ ...DEFAULT_GRID, symbol: 'DDDUSDT', lower: 8, upper: 12, cells: 8, legNotional: 4000 },
    ...{ stopLoss: null, direction: 'long' as const, dailyLossLimit: over.grid ?? null },
  };
  const { legs } = await targetsOf(moving.markets, 'grid', params);
  const mode = over.isReal ? ('live' as const) : ('paper' as const);
  const realId = randomUUID();
  if (over.isReal) {
    await desk.venue.open(realId, '50000');
    await insertAccount(db, { id: realId, userId: desk.userId, venue: 'simulated', name: '实盘', mode });
  }
  const plan = { name: 'D', params, targets: legs, mode };
  const { id } = await db.transaction((tx) => createStrategy(tx, asker(), 'grid', plan));
  await db.transaction((tx) => startStrategy(tx, asker(), id));
  await desk.addPair();
  await desk.run(8);
  const stateOf = async (strategyId: string) =>
    (await db.select().from(strategy).where(eq(strategy.id, strategyId)))[0]!.state;
  const hedgeId = (
    await db
      .select()
      .from(strategy)
      .where(and(eq(strategy.userId, desk.userId), eq(strategy.kind, 'hedge')))
  )[0]!.id;
  const guardOf = async (strategyId: string) =>
    (await db.select().from(strategyGuard).where(eq(strategyGuard.strategyId, strategyId)))[0];
  /** Another strategy like the grid, started now: whether it has begun, or why not. */
  const second = async () => {
    const own = await db.transaction((tx) => createStrategy(tx, asker(), 'grid', { ...plan, name: randomUUID() }));
    await db.transaction((tx) => startStrategy(tx, asker(), own.id));
    const told = () => db.select().from(target).where(eq(target.strategyId, own.id));
    return { ...own, blockOf: async () => (await told())[0]!.block };
  };
  return { ...desk, moving, hides, asker, gridId: id, hedgeId, realId, stateOf, guardOf, second };
}

describe('paper and real accounts of one user', () => {
  test('what play money loses on a day, or is worth at prices that nobody knows, keeps nothing real from opening', async () => {
    const desk = await twoStrategies({ isReal: true });
    const [held] = await db.select().from(dealLeg).where(eq(dealLeg.accountId, desk.realId));
    expect(Number(held!.quantity)).toBeGreaterThan(0);
    desk.hides.add('AAAUSDT');
    const [waiting, real] = [await desk.addPair('CCCUSDT', 'BBBUSDT'), await desk.second()];
    await desk.run(3);
    expect(await blockOf(waiting)).toBe('unvalued');
    expect(await real.blockOf()).toBe('open');
    expect(await accountStops(db, desk.userId)).toMatchObject({ unvalued: 'AAAUSDT', unvaluedLive: null });
    desk.hides.clear();
    await intent(desk.userId, { dailyLossLimit: 50 });
    desk.moving.set('AAAUSDT', 80);
    await desk.run(2);
    expect(await bookOf(desk.userId)).toMatchObject({ pausedBy: LOSS_GUARD });
    const another = await desk.second();
    await desk.run(3);
    expect(await another.blockOf()).toBe('open');
    expect(await desk.stateOf(desk.gridId)).toBe('running');
    const late = await desk.addPair('DDDUSDT', 'BBBUSDT');
    await intent(desk.userId);
    await desk.run(2);
    expect(await blockOf(late)).toBe('lossLimit');
    expect(await heldBack(db, [desk.userId])).toEqual(new Map([[desk.userId, { paper: 'lossLimit', live: null }]]));

    // A person's pause is for both, also where the limit has paused already.
    await db.transaction((tx) => pauseBook(tx, desk.asker(), '手动'));
    const last = await desk.second();
    await desk.run(2);
    expect(await last.blockOf()).toBe('paused');
    expect(await bookOf(desk.userId)).toMatchObject({ pausedBy: 'desk', pauseReason: '手动' });
    expect(await heldBack(db, [desk.userId])).toEqual(new Map([[desk.userId, { paper: 'paused', live: 'paused' }]]));
  });

  test('what is real and has no price keeps no paper from opening, whoever looks next, and neither does a day that it cannot begin', async () => {
    const desk = await twoStrategies({ isReal: true });
    desk.hides.add('DDDUSDT');
    const [waiting, real] = [await desk.addPair('CCCUSDT', 'BBBUSDT'), await desk.second()];
    await desk.run(3);
    expect(await blockOf(waiting)).toBe('open');
    expect(await real.blockOf()).toBe('unvalued');
    expect(await accountStops(db, desk.userId)).toMatchObject({
      unvalued: null,
      unvaluedLive: 'DDDUSDT',
      unjudged: [],
    });
    await desk.engine.stop();
    desk.moving.wait(DAY_OF_START + DAY_MS + HOUR_MS - desk.moving.clock());
    await intent(desk.userId, { dailyLossLimit: 1000 });
    const again = await tradingDesk(db, desk.moving, { userId: desk.userId });
    const later = await again.addPair('CCCUSDT', 'AAAUSDT');
    await intent(desk.userId);
    await again.run(2);
    expect(await bookOf(desk.userId)).toMatchObject({ day: DAY_OF_START + DAY_MS, dayEquityLive: null });
    expect(await blockOf(later)).toBe('open');
    expect(await real.blockOf()).toBe('unvalued');
    desk.hides.clear();
    await again.run(3);
    expect(Number((await bookOf(desk.userId)).dayEquityLive)).toBeCloseTo(50_000, -3);
    expect(await real.blockOf()).toBe('open');
    // The loss of what is real trips what trades it, and pauses nobody's paper.
    desk.moving.set('DDDUSDT', 7);
    await again.run(2);
    expect(await desk.stateOf(real.id)).toBe('tripped');
    expect(await desk.stateOf(desk.hedgeId)).toBe('running');
    expect(await bookOf(desk.userId)).toMatchObject({ pausedAt: null });
  });
});

describe("a strategy's own daily loss limit", () => {
  test('trips that strategy alone', async () => {
    const desk = await twoStrategies({ grid: 100 });
    const [held] = await db.select().from(deal).where(eq(deal.strategyId, desk.gridId));
    expect(held!.state).toBe('open');
    // Some 200 coins, each of them worth 1 less.
    desk.moving.set('DDDUSDT', 9);
    await desk.addPair('CCCUSDT', 'BBBUSDT');
    await intent(desk.userId);
    await desk.engine.tick();
    // Nothing more was bought for it in the very look that found the loss, and what rested to buy was taken back.
    const bought = (await desk.orders()).filter(({ symbol, side }) => symbol === 'DDDUSDT' && side === 'buy');
    expect(bought.filter(({ createdAt }) => createdAt > held!.createdAt + SECOND_MS)).toEqual([]);
    expect(bought.filter(({ state }) => state === 'open')).toEqual([]);
    await desk.run(3);
    expect(await desk.stateOf(desk.gridId)).toBe('tripped');
    expect(await desk.stateOf(desk.hedgeId)).toBe('running');
    expect((await bookOf(desk.userId)).pausedAt).toBeNull();
    expect(await desk.hedges()).toHaveLength(2);
    expect(await desk.guardOf(desk.gridId)).toMatchObject({
      tripped: expect.stringMatching(/^单日亏损 \d+\.\d\d USDT 达到限额 100\.00 USDT$/),
      trippedBy: 'dailyLoss',
    });
    const told = await db
      .select()
      .from(strategyEvent)
      .where(and(eq(strategyEvent.strategyId, desk.gridId), eq(strategyEvent.kind, 'tripped')));
    expect(told).toHaveLength(1);
  });

  test('counts from the start of the day or from the last resume', async () => {
    // The day begins at 12:00 UTC: what was lost in the morning is of another day.
    const desk = await twoStrategies({ grid: 150, boundary: 720 });
    desk.moving.set('DDDUSDT', 9.5);
    await desk.run(2);
    expect(await desk.stateOf(desk.gridId)).toBe('running');
    await desk.engine.stop();
    desk.moving.wait(6 * HOUR_MS);
    const again = await tradingDesk(db, desk.moving, { userId: desk.userId });
    await again.run(2);
    const noon = DAY_OF_START + 12 * HOUR_MS;
    expect(await bookOf(desk.userId)).toMatchObject({ day: noon });
    const before = await desk.guardOf(desk.gridId);
    expect(before).toMatchObject({ lossFrom: noon, tripped: null });
    desk.moving.set('DDDUSDT', 9.2);
    await again.run(2);
    expect(await desk.stateOf(desk.gridId)).toBe('running');
    desk.moving.set('DDDUSDT', 8.5);
    await again.run(2);
    expect(await desk.stateOf(desk.gridId)).toBe('tripped');
    // Its losses count from where it was resumed.
    await db.transaction((tx) => startStrategy(tx, desk.asker(), desk.gridId, { reason: '接受', net: null }));
    await again.run(3);
    expect(await desk.stateOf(desk.gridId)).toBe('running');
    const resumed = await desk.guardOf(desk.gridId);
    expect(resumed!.lossFrom).toBe(resumed!.resumedAt);
    expect(resumed!.lossBase).toBeLessThan(before!.lossBase!);
    desk.moving.set('DDDUSDT', 7.9);
    await again.run(2);
    expect(await desk.stateOf(desk.gridId)).toBe('tripped');
  });

  test('blocks entries until the starting value of the day is known', async () => {
    const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 }, CCCUSDT: { price: 20 } });
    const midnight = DAY_OF_START + DAY_MS;
    let isKept = false;
    const tickers = moving.market.tickers.bind(moving.market);
    moving.market.tickers = async (at) => (isKept || at !== midnight ? tickers(at) : []);
    const settings = { ...RULES, dailyLossLimit: 500 };
    const desk = await tradingDesk(db, moving, { settings });
    await desk.addPair();
    await desk.run(8);
    const [held] = await db.select().from(deal).where(eq(deal.userId, desk.userId));
    await desk.engine.stop();
    moving.wait(midnight - moving.clock() + HOUR_MS);
    const again = await tradingDesk(db, moving, { userId: desk.userId });
    const waiting = await again.addPair('CCCUSDT', 'BBBUSDT');
    await intent(desk.userId);
    await again.run(3);
    expect(await blockOf(waiting)).toBe('unvalued');
    const own = { id: held!.strategyId, name: '对冲', kind: 'hedge' };
    expect(await accountStops(db, desk.userId)).toMatchObject({ unvalued: null, unjudged: [own] });
    expect(await again.hedges()).toHaveLength(1);
    isKept = true;
    await again.run(3);
    expect(await again.hedges()).toHaveLength(2);
    expect(await accountStops(db, desk.userId)).toMatchObject({ unjudged: [] });
    const [guard] = await db.select().from(strategyGuard).where(eq(strategyGuard.strategyId, held!.strategyId));
    expect(guard).toMatchObject({ lossFrom: midnight });
  });

  test.each([
    { limit: null, most: 1 },
    { limit: 500, most: Number.POSITIVE_INFINITY },
  ])('of $limit reads the starting value of the day only when it needs it', async ({ limit, most }) => {
    const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
    const midnight = DAY_OF_START + DAY_MS;
    let asked = 0;
    const tickers = moving.market.tickers.bind(moving.market);
    moving.market.tickers = async (at) => {
      if (at !== midnight) return tickers(at);
      asked += 1;
      return [];
    };
    const desk = await tradingDesk(db, moving, { settings: { ...RULES, dailyLossLimit: limit } });
    await desk.addPair();
    await desk.run(8);
    await desk.engine.stop();
    moving.wait(midnight - moving.clock() + HOUR_MS);
    // The account asks for its own beginning as well.
    await db.update(book).set({ day: midnight, dayEquity: '100000' }).where(eq(book.userId, desk.userId));
    const again = await tradingDesk(db, moving, { userId: desk.userId });
    await again.run(6);
    expect(asked).toBeGreaterThanOrEqual(Math.min(most, 5));
    expect(asked).toBeLessThanOrEqual(most);
  });
});
