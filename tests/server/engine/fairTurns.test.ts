import { randomUUID } from 'node:crypto';
import { and, asc, eq } from 'drizzle-orm';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import type { ParamsOf, StrategyKind } from '#contract/strategy';
import { askClose } from '#server/base/db/hedges/hedge';
import { legsOf } from '#server/base/db/hedges/pairLegs';
import { deal, dealLeg, strategy, target, tradeOrder } from '#server/base/db/schema';
import { pauseBook } from '#server/desk/strategy/bookIntents';
import { createStrategy, startStrategy, stopStrategy } from '#server/desk/strategy/strategyIntents';
import { targetsOf } from '#server/engine/preview';
import { addOrders, changeHedges } from '../../support/bookRows';
import { KIND_SAMPLES, kindMarket, type TradedKind } from '../../support/kindDesk';
import { openAt } from '../../support/openAt';
import { movingMarket } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const TURN_MS = 20;
const HEDGES = 300;
const START = KIND_SAMPLES.okx.start;
const SETTINGS = { ...DEFAULT_SETTINGS, legNotional: 500, maxHedges: 50, leverage: 10, stopLoss: null };

const db = await fileDatabase();

/** A clock on which each look at it, and each order on its way, takes its time: a turn is over after a few deals. */
function sparseClock(lookMs = 0.2) {
  let now = 0;
  return {
    monotonic: () => {
      now += lookMs;
      return now;
    },
    sleep: async (ms: number) => {
      now += ms;
    },
    pass: (ms: number) => {
      now += ms;
    },
  };
}

type Asked = [long: string, short: string];

/** Hedges that have yet to be brought in, each with a pair of its own: whenever one is looked at, something is to be done. */
async function addWaiting(userId: string, pairs: readonly Asked[], at: number) {
  const [own] = await db
    .select()
    .from(strategy)
    .where(and(eq(strategy.userId, userId), eq(strategy.kind, 'hedge')));
  // Read before any that was begun by the engine.
  const idOf = (i: number) => `00000000-0000-4000-8000-${String(i).padStart(12, '0')}`;
  const rows = pairs.map(([long, short], i) => ({ id: idOf(i), targetId: randomUUID(), long, short }));
  const strategyId = own!.id;
  const shared = { userId, strategyId, createdAt: at };
  await db.insert(target).values(
    rows.map(({ targetId, long, short }) => ({
      ...{ ...shared, id: targetId, legs: legsOf({ source: 'simulated', long, short }), armedAt: at, usedArmAt: at },
      block: 'open',
    })),
  );
  await db
    .insert(deal)
    .values(
      rows.map(({ id, targetId }) => ({ ...shared, id, targetId, state: 'waiting', stateAt: at, params: SETTINGS })),
    );
  const legRow = ({ id, ...row }: (typeof rows)[number], leg: 'long' | 'short') => ({
    ...{ dealId: id, leg, side: leg, userId, accountId: userId, source: 'simulated', symbol: row[leg], weight: 1 },
  });
  await db.insert(dealLeg).values(rows.flatMap((row) => [legRow(row, 'long'), legRow(row, 'short')]));
  return rows;
}

/** What a strategy waits for: its deal, and the first order of that. */
async function reached(strategyId: string) {
  const deals = await db.select().from(deal).where(eq(deal.strategyId, strategyId)).orderBy(asc(deal.createdAt));
  const first = deals[0];
  if (first === undefined) return { entered: false, sent: false };
  const orders = await db.select().from(tradeOrder).where(eq(tradeOrder.dealId, first.id));
  return { entered: true, sent: orders.length > 0 };
}

async function isFlat(strategyId: string): Promise<boolean> {
  const deals = await db.select().from(deal).where(eq(deal.strategyId, strategyId));
  return deals.length > 0 && deals.every(({ state }) => state === 'closed');
}

/** How many turns it takes, of seven at most. */
async function turnsUntil(desk: { run: (turns: number) => Promise<void> }, isReached: () => Promise<boolean>) {
  for (let turns = 0; turns < 7; turns += 1) {
    if (await isReached()) return turns;
    await desk.run(1);
  }
  return Number.POSITIVE_INFINITY;
}

test('among 300 churning hedges a close, flatten or pause acts within three turns', async () => {
  const { clock, venues, markets } = kindMarket();
  Object.assign(clock, { market: START, trader: START });
  const time = sparseClock();
  const moving = {
    clock: () => clock.trader,
    markets,
    wait: (ms = 1000) => {
      clock.trader += ms;
      clock.market = clock.trader;
      time.pass(ms);
    },
  };
  const options = {
    venue: { latency: () => 2, sleep: time.sleep },
    engine: { monotonic: time.monotonic, turnMs: TURN_MS },
    settings: SETTINGS,
  };
  const before = await tradingDesk(db, moving, options);
  const { userId } = before;
  await openAt(db, before.venue, { userId, at: 'simulated-okx' });
  for (const short of ['ETHUSDT', 'SOLUSDT', 'XRPUSDT']) await before.addPair('BTCUSDT', short);
  await before.run(5);
  const held = await before.hedges();
  expect(held.map(({ state }) => state)).toEqual(['open', 'open', 'open']);
  await before.engine.stop();

  const symbols = (await venues[0]!.instruments()).map(({ symbol }) => symbol);
  const many = symbols.flatMap((long, i) => symbols.slice(i + 1).map((short): Asked => [long, short]));
  const waiting = await addWaiting(userId, many.slice(100, HEDGES + 100), clock.trader);
  // Rows that were written last are read last: what is closed by hand stands behind all the others in its book.
  const ids = held.map(({ id }) => id);
  await changeHedges(db, ids, { mae: 0, longRealised: '0', shortRealised: '0' });
  // An order that was committed, and of which the engine before did not come to know what became of it.
  const lost = waiting.at(-1)!;
  await changeHedges(db, [lost.id], { state: 'opening' });
  const order = { symbol: lost.long, leg: 'long', slot: 'long', side: 'buy', type: 'market', purpose: 'entry' };
  const figures = { quantity: '1', limitPrice: '100', decisionMid: 100, createdAt: clock.trader };
  const registered = { id: randomUUID(), dealId: lost.id, userId, source: 'simulated', reduceOnly: false };
  await addOrders(db, { ...registered, ...order, ...figures, state: 'registered' });
  const desk = await tradingDesk(db, moving, { ...options, userId });
  await desk.run(1);
  const [found] = await db.select().from(tradeOrder).where(eq(tradeOrder.id, registered.id));
  expect(found!.state).toBe('lost');

  const asker = { user: { id: userId, name: 'desk' }, now: clock.trader };
  const strategies = new Map<StrategyKind, string>();
  for (const kind of Object.keys(KIND_SAMPLES) as TradedKind[]) {
    const { price } = venues[0]!.listed!('BTCUSDT', clock.trader)!.ticker;
    const range = { lower: Math.round(price * 0.98), upper: Math.round(price * 1.02) };
    // Two targets at most: a hedge of stock follows what is bought anyway.
    const own: Partial<Record<TradedKind, object>> = { grid: range, okx: { hedge: false } };
    const params = { ...KIND_SAMPLES[kind].params, ...own[kind] } as ParamsOf<typeof kind>;
    const { legs } = await targetsOf(markets, kind, params);
    await db.transaction(async (tx) => {
      const { id } = await createStrategy(tx, asker, kind, { name: kind, params, targets: legs } as never);
      await startStrategy(tx, asker, id);
      strategies.set(kind, id);
    });
  }
  for (const id of ids) await askClose(db, id, { at: clock.trader, by: 'desk' });

  const enteredIn = new Map<StrategyKind, number>();
  const sentIn = new Map<StrategyKind, number>();
  let closedIn: number | null = null;
  for (let turn = 1; turn <= 7; turn += 1) {
    await desk.run(1);
    for (const [kind, id] of strategies) {
      const { entered, sent } = await reached(id);
      if (entered && !enteredIn.has(kind)) enteredIn.set(kind, turn);
      if (sent && !sentIn.has(kind)) sentIn.set(kind, turn);
    }
    const closed = (await desk.hedges()).filter(({ state }) => state === 'closed');
    if (closed.length === held.length) closedIn ??= turn;
  }
  const states = (await desk.hedges()).map(({ state }) => state);
  expect(desk.troubles).toEqual([]);
  expect(closedIn).toBeLessThanOrEqual(3);
  for (const kind of strategies.keys()) {
    expect([kind, enteredIn.get(kind)! <= 3]).toEqual([kind, true]);
    expect([kind, sentIn.get(kind)! - enteredIn.get(kind)! <= 3]).toEqual([kind, true]);
  }
  // And the hedges go on beside them, with some of them left to do.
  expect(states.filter((state) => state === 'waiting').length).toBeGreaterThan(HEDGES / 2);
  expect(states.filter((state) => state === 'open').length).toBeGreaterThan(5);

  // A strategy that is closed, and entries that are paused, do not wait for the hedges either.
  const taken = strategies.get('fundingRate')!;
  await db.transaction((tx) => stopStrategy(tx, { ...asker, now: clock.trader }, taken, true));
  expect(await turnsUntil(desk, () => isFlat(taken))).toBeLessThanOrEqual(3);
  await db.transaction((tx) => pauseBook(tx, { ...asker, now: clock.trader }, ''));
  await desk.run(1);
  const isEntry = and(eq(tradeOrder.userId, userId), eq(tradeOrder.purpose, 'entry'));
  const sent = await db.$count(tradeOrder, isEntry);
  await desk.run(3);
  expect(await db.$count(tradeOrder, isEntry)).toBe(sent);
});

test('entries are shared by user, and each turn resumes where the last one ended', async () => {
  const shorts = Array.from({ length: 40 }, (_, i) => `S${i}USDT`);
  const moving = movingMarket(Object.fromEntries(['AAAUSDT', ...shorts].map((name) => [name, { price: 100 }])));
  const settings = { ...SETTINGS, legNotional: 100, stopLoss: 0.1, rebalance: null, dailyLossLimit: null };
  const one = await tradingDesk(db, moving, { settings });
  const other = await tradingDesk(db, moving, { settings });
  for (const short of shorts) {
    await one.addPair('AAAUSDT', short);
    await other.addPair('AAAUSDT', short);
  }
  await one.run(2);
  for (const desk of [one, other]) expect((await desk.hedges()).length).toBeGreaterThanOrEqual(10);
  await one.engine.stop();

  const time = sparseClock(0.5);
  const engine = { monotonic: time.monotonic, turnMs: TURN_MS };
  const { userId } = (await one.hedges()).length > (await other.hedges()).length ? one : other;
  const desk = await tradingDesk(db, moving, { engine, settings, userId });
  const held = await desk.hedges();
  const falling = [held[0]!, held[15]!, held.at(-1)!];
  for (const { short } of falling) moving.coins[short]!.price = 130;
  for (let turn = 0; turn < 4; turn += 1) {
    time.pass(1000);
    await desk.run(1);
  }
  const closed = (await desk.hedges()).filter(({ closeReason }) => closeReason === 'stopLoss');
  expect(closed.map(({ id }) => id).sort()).toEqual(falling.map(({ id }) => id).sort());
});
