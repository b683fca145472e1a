import Big from 'big.js';
import { and, asc, eq, sql } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/duration';
import { DEFAULT_GRID, type GridParams } from '#contract/kinds/grid/params';
import { moveBook } from '#server/base/db/books/book';
import {
  book,
  dealEvent,
  dealLeg,
  fill,
  ledger,
  paperAccount,
  paperEvent,
  paperOrder,
  strategy,
  target,
  tradeOrder,
} from '#server/base/db/schema';
import { runningCounts } from '#server/base/db/strategies/deal';
import { cellQuantity, levelProfit } from '#server/base/maths/grid';
import type { GridNote } from '#server/base/maths/gridLadder';
import { matchedFills } from '#server/base/maths/gridTrades';
import {
  closeDeal,
  rebalanceLegs,
  repairDeal,
  startStrategy,
  stopStrategy,
} from '#server/desk/strategy/strategyIntents';
import { strategyOverview } from '#server/desk/strategy/strategyOverview';
import { dealRows } from '#server/desk/strategy/strategyRows';
import { addMargin, checkMargin, shiftGrid, shiftPlan } from '#server/kinds/grid/intents';
import { gridLadder, gridRecordOf, gridRows } from '#server/kinds/grid/record';
import type { PaperFaults } from '#server/market/paper/paperVenue';
import type { VenueEvent } from '#server/market/venue';
import { dyingDatabase } from '../../support/dyingDatabase';
import { simulatedMarket, strategyDesk } from '../../support/kindDesk';
import { fileDatabase } from '../../support/testDatabase';

const START = Date.UTC(2026, 8, 1, 4, 30);
const SYMBOL = 'BTCUSDT';
/** Moves so much that its levels, which lie apart by more than two fees of spot, trade within hours. */
const SPOT = 'SOLUSDT_SPOT';

const db = await fileDatabase();

/** The venue tells its newest event of a kind once more, under another number. */
async function toldAgain(account: string, kind: VenueEvent['kind']) {
  const events = await db.select().from(paperEvent).where(eq(paperEvent.account, account));
  const told = events.map(({ event }) => event as VenueEvent).sort((a, b) => a.sequence - b.sequence);
  const sequence = told.at(-1)!.sequence + 1;
  const event = { ...told.findLast((one) => one.kind === kind)!, sequence };
  await db.insert(paperEvent).values({ account, sequence, event });
  await db
    .update(paperAccount)
    .set({ sequence, revision: sql`${paperAccount.revision} + 1` })
    .where(eq(paperAccount.account, account));
}

/** A range of so much around the price of the start. */
async function gridDesk(
  over: Partial<GridParams> = {},
  around = 0.01,
  { faults, ...engine }: { db?: typeof db; faults?: PaperFaults } = {},
) {
  const market = simulatedMarket(START);
  const { price } = market.venues[0]!.listed!(over.symbol ?? SYMBOL, START)!.ticker;
  const near = (share: number) => Number((price * share).toPrecision(5));
  const params: GridParams = {
    ...{ ...DEFAULT_GRID, symbol: SYMBOL, lower: near(1 - around), upper: near(1 + around), cells: 20 },
    ...{ legNotional: 20_000, stopLoss: null, ...over },
  };
  // A machine that is busy loses no lease by it.
  const next = { engine: { monotonic: () => 0 } };
  const options = { engine: { ...next.engine, ...engine }, venue: faults ? { faults } : {} };
  const desk = await strategyDesk(db, market, 'grid', params, { name: 'BTC', begins: false, ...options });
  const { userId, needs, ask, clock } = desk;
  return {
    ...desk,
    /** More than one: before the engine has looked. */
    stop: (...flatten: boolean[]) =>
      ask(async (tx, asker, id) => {
        for (const one of flatten) await stopStrategy(tx, asker, id, one);
      }),
    rebalance: (dealId: string) => ask((tx, asker) => rebalanceLegs(tx, asker, { id: dealId, way: 'complete' })),
    close: (dealId: string) => ask((tx, asker) => closeDeal(tx, asker, dealId)),
    /** What a person takes back, and asks to be placed again. */
    withdraw: (orderId: string) =>
      ask(async (tx) => {
        await tx.update(tradeOrder).set({ cancelAskedAt: clock.now }).where(eq(tradeOrder.id, orderId));
        await moveBook(tx as never, userId);
      }),
    repair: (dealId: string) => ask((tx, asker) => repairDeal(tx, asker, dealId)),
    shift: async (dealId: string, cells: number) => {
      const plan = await shiftPlan(needs, userId, dealId, cells);
      await ask((tx, asker) => shiftGrid(tx as never, asker, { id: dealId, cells }, plan));
    },
    put: async (dealId: string, amount: number) => {
      const body = { id: dealId, amount };
      await checkMargin(needs, userId, body);
      await ask((tx, asker) => addMargin(tx as never, asker, body));
    },
    rows: () => gridRows(needs, userId, clock.now),
    ladder: (dealId: string) => gridLadder(needs, userId, dealId, clock.now),
    record: (dealId: string) => gridRecordOf(needs, userId, dealId, clock.now),
    restart: () => desk.restart(next),
    /** Starts it by another process, whose database may die. */
    dies: async (other: typeof db) => {
      const dying = await desk.again({ engine: { ...next.engine, db: other } });
      await db.update(book).set({ leaseUntil: 0 }).where(eq(book.userId, userId));
      await db.transaction((tx) => startStrategy(tx, desk.asker(), desk.id));
      await dying.run(4);
    },
  };
}

async function filled(dealId: string) {
  const rows = await db
    .select({ fill, slot: tradeOrder.slot, purpose: tradeOrder.purpose })
    .from(fill)
    .innerJoin(tradeOrder, eq(tradeOrder.id, fill.orderId))
    .where(eq(fill.dealId, dealId))
    .orderBy(asc(fill.at));
  return rows.map(({ fill: one, slot, purpose }) => ({
    ...{ slot: slot!, purpose, at: one.at, maker: one.maker, ordered: new Big(one.quantity) },
    // F28: of a purchase of spot the fee is taken from the coin.
    signed: new Big(one.quantity).times(one.side === 'buy' ? 1 : -1).minus(one.feeInBase),
    price: new Big(one.price),
    fee: new Big(one.fee),
  }));
}

const sum = (parts: readonly Big[]) => parts.reduce((total, part) => total.plus(part), new Big(0));

test('the profit of a neutral grid adds up to its ledger', async () => {
  const desk = await gridDesk();
  await desk.start();
  await desk.run(5);
  const [held] = await desk.deals();
  const note = held!.opening as GridNote;
  expect(held!.state).toBe('open');
  const begun = await desk.live();
  expect(begun).toHaveLength(20);
  expect(begun.filter(({ leg }) => leg === 'long')).toHaveLength(note.anchor);
  expect(new Set(begun.map(({ quantity }) => quantity)).size).toBe(1);
  // It runs as every screen counts it, while none of its levels has filled yet.
  for (const purse of [{ mode: 'paper' } as const, { accountId: begun[0]!.accountId }]) {
    expect(await runningCounts(db, [desk.userId], purse)).toEqual(new Map([[desk.userId, 1]]));
  }

  await desk.run(150, MINUTE_MS);
  const traded = await filled(held!.id);
  const pairs = matchedFills(note, traded).filter(({ completes }) => completes);
  expect(pairs.length).toBeGreaterThan(3);
  const { makerFee } = desk.market.terms(SYMBOL, START)!;
  for (const { cell, quantity, entry, exit, profit } of pairs) {
    const [buy, sell] = cell < note.anchor ? [entry, exit] : [exit, entry];
    // Each cell by itself: bought at its lower level or better, sold at its upper one or better.
    expect(profit.toNumber()).toBeGreaterThan(0);
    expect(profit.toNumber()).toBeCloseTo(levelProfit(Number(buy), Number(sell), makerFee) * Number(quantity), 6);
  }
  expect(traded.every(({ maker }) => maker)).toBe(true);
  // A level that rested until the price came to it gained nothing by that.
  expect((await desk.legs()).map(({ slippage }) => Number(slippage))).toEqual([0, 0]);
  // After the last fill of each cell the other order rests for it, and no cell has two.
  const live = await desk.live();
  expect(new Set(live.map(({ slot }) => slot)).size).toBe(live.length);
  expect(live).toHaveLength(20);
  expect(await desk.findings()).toEqual([]);
  // However often the same coin is bought, behind it stands what was put in.
  const { list } = await strategyOverview(desk.needs, desk.userId, desk.clock.now);
  const { legNotional, leverage } = held!.params as GridParams;
  const own = list.find(({ id }) => id === desk.id)!;
  expect(own.roi).toBeCloseTo(own.net! / (legNotional / leverage), 9);
  const [shown] = await dealRows(desk.needs, desk.id, desk.clock.now, 1);
  expect(shown!.roi).toBeCloseTo(shown!.net! / (legNotional / leverage), 9);

  await desk.close(held!.id);
  await desk.run(10);
  const [closed] = await desk.deals();
  expect(closed).toMatchObject({ state: 'closed', closeReason: 'manual' });
  expect(await desk.live()).toEqual([]);
  expect((await desk.legs()).map(({ quantity }) => Number(quantity))).toEqual([0, 0]);
  await desk.netOf(held!.id);
});

test('a settlement with both legs held books funding for each leg', async () => {
  const desk = await gridDesk();
  await desk.start();
  await desk.run(5);
  const [held] = await desk.deals();
  const legs = () => db.select().from(dealLeg).where(eq(dealLeg.dealId, held!.id)).orderBy(asc(dealLeg.side));
  // What is taken back is not sold: a side stays while the other one is entered. Together they are not flat at the venue.
  const holdBoth = async () => {
    const [long, short] = (await legs()).map(({ quantity }) => Number(quantity));
    return long! > 0 && short! < 0 && long !== -short!;
  };
  for (let i = 0; i < 200 && !(await holdBoth()); i += 1) {
    for (const { id, purpose } of await desk.live()) if (purpose === 'exit') await desk.withdraw(id);
    await desk.run(1, MINUTE_MS);
  }
  desk.clock.now = Date.UTC(2026, 8, 1, 8);
  await desk.run(3);
  const settled = () =>
    db
      .select()
      .from(ledger)
      .where(and(eq(ledger.dealId, held!.id), eq(ledger.kind, 'funding')));
  const rows = await settled();
  const paidBy = (leg: string) => rows.find(({ reference }) => reference.endsWith(`:${leg}`))!;
  expect(rows).toHaveLength(2);
  expect(Number(paidBy('long').quantity)).toBeGreaterThan(0);
  expect(Number(paidBy('short').quantity)).toBeLessThan(0);
  for (const { side, funding } of await legs()) expect(funding).toBe(paidBy(side).amount);
  expect(desk.troubles).toEqual([]);
  expect(await desk.findings()).toEqual([]);

  // Booked by an earlier version, which did not name the leg, and told once more: it happened once.
  await db.execute(sql`alter table ledger disable trigger user`);
  const earlier = paidBy('long').reference.replace(/:long$/, '');
  await db
    .update(ledger)
    .set({ reference: earlier })
    .where(eq(ledger.id, paidBy('long').id));
  await db.execute(sql`alter table ledger enable trigger user`);
  await toldAgain(desk.userId, 'funding');
  await desk.restart();
  await desk.run(3);
  expect(await settled()).toHaveLength(2);
});

test('a paused grid places no adding orders until the user resumes', async () => {
  const desk = await gridDesk();
  await desk.start();
  await desk.run(5);
  const [held] = await desk.deals();
  const states = async () => new Set((await desk.ladder(held!.id)).levels.map(({ state }) => state));
  expect(await states()).toEqual(new Set(['resting']));
  const pause = (pausedAt: number | null) =>
    desk.ask((tx) => moveBook(tx as never, desk.userId, { pausedAt, pausedBy: 'desk', pauseReason: '' }));

  await pause(desk.clock.now);
  await desk.run(3);
  const live = await desk.live();
  expect(live.every(({ purpose }) => purpose === 'exit')).toBe(true);
  expect(live.length).toBeLessThan(20);
  expect([...(await states())].filter((state) => state !== 'resting')).toEqual(['paused']);
  expect((await desk.rows())[0]).toMatchObject({ ordersLive: live.length, ordersDue: live.length });

  await pause(null);
  await desk.run(10);
  expect(await states()).not.toContain('paused');
  expect((await desk.rows())[0]!.ordersDue).toBe(20);
});

test('a long grid buys its start and places only the levels nearest to the price', async () => {
  const desk = await gridDesk({ direction: 'long', maxOrders: 6, cells: 30 }, 0.03);
  await desk.start();
  await desk.run(4);
  const [held] = await desk.deals();
  const note = held!.opening as GridNote;
  const { lotSize } = (await desk.venue.terms('simulated', SYMBOL))!;
  expect(Number(note.quantity)).toBe(cellQuantity(desk.params, 20_000, Number(lotSize)));
  const started = (await desk.orders()).filter(({ slot }) => slot === 'start');
  expect(Number(sum(started.map(({ filledQuantity }) => new Big(filledQuantity))))).toBeCloseTo(
    Number(note.quantity) * note.startCells,
    9,
  );
  expect(note.startCells).toBe(30 - note.startFrom);
  const { price } = desk.market.listed!(SYMBOL, desk.clock.now)!.ticker;
  const live = await desk.live();
  expect(live).toHaveLength(6);
  const step = (desk.params.upper - desk.params.lower) / 30;
  for (const { limitPrice } of live) expect(Math.abs(Number(limitPrice) - price)).toBeLessThan(step * 4.5);

  // A person takes one back: it stays away, over a restart too, until it is repaired.
  const gone = live.find(({ side }) => side === 'buy')!;
  const slots = async () => (await desk.live()).map(({ slot }) => slot);
  await desk.withdraw(gone.id);
  await desk.run(3);
  expect(await slots()).not.toContain(gone.slot);
  await desk.restart();
  await desk.run(3);
  expect(await slots()).not.toContain(gone.slot);
  expect(await slots()).toHaveLength(6);
  await desk.repair(held!.id);
  await desk.run(3);
  expect(await slots()).toContain(gone.slot);
  expect(await slots()).toHaveLength(6);

  // Stopped with what it holds, nothing rests for what nobody guards; started again it goes on where it was.
  await desk.stop(false);
  await desk.run(2);
  expect(await slots()).toEqual([]);
  await desk.start();
  await desk.run(3);
  expect(await slots()).toHaveLength(6);
  await desk.stop(true);
  await desk.run(12);
  expect((await desk.deals()).map(({ state, closeReason }) => [state, closeReason])).toEqual([['closed', 'flatten']]);
  // Nothing is left that could be liquidated.
  expect((await desk.rows())[0]).toMatchObject({ held: '0', liquidationLow: null, liquidationHigh: null });
});

test('a crash while placing a hundred levels leaves one order per level', async () => {
  const dying = dyingDatabase(db, 40);
  const desk = await gridDesk({ cells: 100, maxOrders: 100, legNotional: 100_000 }, 0.1, { db: dying.db });
  await Promise.race([desk.start().then(() => desk.run(3)), dying.died]);
  const before = await desk.orders();
  expect(before.length).toBeGreaterThan(5);
  expect(before.length).toBeLessThan(100);

  await desk.restart();
  // So many a minute and side as the risk check allows.
  await desk.run(60, 5000);
  const live = await desk.live();
  expect(new Set(live.map(({ slot }) => slot)).size).toBe(live.length);
  expect(live.length).toBeGreaterThanOrEqual(99);
  const there = await db
    .select()
    .from(paperOrder)
    .where(and(eq(paperOrder.account, live[0]!.accountId), eq(paperOrder.resting, true)));
  expect(there.map(({ clientId }) => clientId).sort()).toEqual(live.map(({ id }) => id).sort());
});

test('starts at its trigger, exits at its stop and is not started again', async () => {
  const desk = await gridDesk({ direction: 'short', cells: 10 }, 0.02);
  const { price } = desk.market.listed!(SYMBOL, START)!.ticker;
  await desk.ask((tx) =>
    tx
      .update(strategy)
      .set({ params: { ...desk.params, triggerAbove: price * 2 } })
      .where(eq(strategy.name, 'BTC')),
  );
  await desk.start();
  await desk.run(3);
  expect(await desk.deals()).toEqual([]);
  await desk.retire();

  const stopped = await gridDesk({ direction: 'short', cells: 10, takeProfit: null, stopLoss: 0.001 }, 0.02);
  await stopped.start();
  // What it sold at once has cost a fee: more than a thousandth of what was put in is lost soon.
  await stopped.run(20, MINUTE_MS);
  expect((await stopped.deals()).map(({ state, closeReason }) => [state, closeReason])).toEqual([
    ['closed', 'stopLoss'],
  ]);
  await stopped.start();
  await stopped.run(2);
  expect(await stopped.deals()).toHaveLength(2);
});

test('orders follow a moved range, and inventory outside it is still sold', async () => {
  const desk = await gridDesk({ direction: 'long', cells: 10, legNotional: 10_000, leverage: 4 }, 0.02);
  await desk.start();
  await desk.run(4);
  const [held] = await desk.deals();
  const note = held!.opening as GridNote;
  const slots = async () => (await desk.live()).map(({ slot }) => Number(slot)).sort((a, b) => a - b);
  expect(await slots()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  await expect(desk.shift(held!.id, -2000)).rejects.toThrow(/下限会低于 0|最小下单额|保证金/);
  await desk.shift(held!.id, -3);
  await desk.run(8);
  const rows = await desk.live();
  expect(await slots()).toEqual([-3, -2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  // Those above the range only sell what they hold.
  const beyond = rows.filter(({ slot }) => Number(slot) > 6);
  expect(beyond.map(({ side, purpose }) => [side, purpose])).toEqual(beyond.map(() => ['sell', 'exit']));
  expect(note.startFrom).toBeLessThan(7);
  await desk.restart();
  await desk.run(3);
  expect((await slots())[0]).toBe(-3);
  await desk.shift(held!.id, 3);
  await desk.run(8);
  expect(await slots()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);

  // More behind it: the leverage falls, and no order of it changes.
  await expect(desk.put(held!.id, 9_000)).rejects.toThrow(/还可追加 7,500.00 USDT/);
  await desk.put(held!.id, 2_500);
  await desk.run(2);
  expect((await desk.deals())[0]!.params).toMatchObject({ leverage: 2, legNotional: 10_000 });
  expect(await slots()).toHaveLength(10);
  const { inRange, mostHeld, away, pairs } = await desk.record(held!.id);
  expect({ inRange, away, pairs }).toEqual({ inRange: 1, away: [], pairs: [] });
  expect(mostHeld).toBeCloseTo(Number(note.quantity) * note.startCells, 9);
  await desk.close(held!.id);
  await desk.run(12);
  expect((await desk.deals())[0]!.state).toBe('closed');
});

test('a compounding grid grows by its realised profit, across a restart too', async () => {
  // A pair makes almost a fiftieth of what was put in: more than a lot of what a cell takes.
  const desk = await gridDesk({ compound: true, cells: 4, legNotional: 60_000, leverage: 20 }, 0.008);
  await desk.start();
  await desk.run(5);
  const [held] = await desk.deals();
  const note = held!.opening as GridNote;
  const { lotSize } = (await desk.venue.terms('simulated', SYMBOL))!;
  const pairs = async () => matchedFills(note, await filled(held!.id));
  const entries = async () => (await desk.orders()).filter(({ purpose }) => purpose === 'entry');
  const mostBy = (at: number, made: Awaited<ReturnType<typeof pairs>>) => {
    const profit = sum(made.filter((pair) => pair.at <= at).map((pair) => pair.profit)).toNumber();
    const capital = at < put.at ? 3_000 : 3_000 + put.amount;
    return Math.floor((Number(note.quantity) * (1 + Math.max(0, profit) / capital)) / Number(lotSize) + 1e-9);
  };
  const put = { at: Number.POSITIVE_INFINITY, amount: 6_000 };
  let passed = 0;
  while ((await pairs()).filter(({ completes }) => completes).length < 1 && passed < 300) {
    await desk.run(10, MINUTE_MS);
    passed += 10;
  }
  await desk.restart();
  await desk.run(10, MINUTE_MS);
  // More is put in: what is placed anew counts with it at once, not from the next fill on.
  const resting = (await desk.live()).find(
    ({ purpose, filledQuantity }) => purpose === 'entry' && filledQuantity === '0',
  );
  await desk.withdraw(resting!.id);
  await desk.run(1);
  put.at = desk.clock.now;
  await desk.put(held!.id, put.amount);
  await desk.repair(held!.id);
  await desk.run(2);
  expect((await entries()).some(({ createdAt, slot }) => createdAt >= put.at && slot === resting!.slot)).toBe(true);
  await desk.run(10, MINUTE_MS);
  const made = await pairs();
  const sizes = (await entries()).map(({ createdAt, quantity }) => [
    Math.round(Number(quantity) / Number(lotSize)),
    mostBy(createdAt, made),
  ]);
  expect(sizes.some(([lots]) => lots! * Number(lotSize) > Number(note.quantity))).toBe(true);
  expect(sizes.map(([lots]) => lots)).toEqual(sizes.map(([, most]) => most));
});

const SPOT_LONG = { market: 'spot', symbol: SPOT, direction: 'long', leverage: 1 } as const;

/** Coin of the whole account by its ledger, and what of it belongs to no deal. */
async function coinsOf(userId: string) {
  const rows = await db.select().from(ledger).where(eq(ledger.userId, userId));
  const of = (own: typeof rows) => sum(own.map(({ quantity }) => new Big(quantity ?? 0)));
  return {
    all: of(rows.filter(({ kind }) => kind === 'fill')),
    free: of(rows.filter(({ dealId }) => dealId === null)),
  };
}

test('a spot grid sells what it received after fees in coin', async () => {
  const desk = await gridDesk({ ...SPOT_LONG, cells: 18 }, 0.035);
  await desk.start();
  await desk.run(5);
  const [held] = await desk.deals();
  const note = held!.opening as GridNote;
  expect(held!.state).toBe('open');
  const { lotSize, takerFee } = (await desk.venue.terms('simulated', SPOT))!;
  const wanted = new Big(note.quantity).times(note.startCells);
  const started = (await filled(held!.id)).filter(({ slot }) => slot === 'start');
  const received = sum(started.map(({ signed }) => signed));
  // So much more is bought as the fee takes: what the cells are to sell is there, and less than a lot beyond it.
  expect(received.gte(wanted)).toBe(true);
  expect(received.minus(wanted).lt(lotSize)).toBe(true);
  for (const { ordered, signed } of started)
    expect(signed.toNumber()).toBeCloseTo(ordered.toNumber() * (1 - takerFee), 12);
  const begun = await desk.live();
  expect(begun).toHaveLength(18);
  expect(begun.every(({ leg, reduceOnly }) => leg === 'long' && !reduceOnly)).toBe(true);

  await desk.run(300, MINUTE_MS);
  const traded = await filled(held!.id);
  const pairs = matchedFills(note, traded).filter(({ completes }) => completes);
  expect(pairs.length).toBeGreaterThan(3);
  // What cells sell again after a purchase is what its fee has left, in whole lots.
  const again = pairs.filter(({ cell }) => traded.some((one) => one.slot === String(cell) && one.signed.gt(0)));
  expect(again.length).toBeGreaterThan(0);
  for (const { quantity } of pairs) {
    expect(quantity.mod(lotSize).toFixed()).toBe('0');
    expect(quantity.lte(note.quantity)).toBe(true);
  }
  // Never more rests to be sold than is there, and every cell has one order.
  const live = await desk.live();
  const coins = await coinsOf(desk.userId);
  const asked = sum(live.filter(({ side }) => side === 'sell').map(({ quantity }) => new Big(quantity)));
  expect(asked.lte(coins.all)).toBe(true);
  expect(new Set(live.map(({ slot }) => slot)).size).toBe(live.length);
  expect(live).toHaveLength(18);

  const [row] = await desk.rows();
  expect(row).toMatchObject({ market: 'spot', funding: null, liquidationLow: null, liquidationHigh: null });
  expect(row!.gridProfit! + row!.floating!).toBeCloseTo(row!.net!, 9);
  const { levels } = await desk.ladder(held!.id);
  expect(sum(levels.map((level) => new Big(level.held))).toFixed()).toBe(coins.all.toFixed());
  expect(levels.every(({ state }) => state === 'resting')).toBe(true);
  expect(await desk.findings()).toEqual([]);

  await desk.stop(true);
  await desk.run(12);
  expect((await desk.deals()).map(({ state, closeReason }) => [state, closeReason])).toEqual([['closed', 'flatten']]);
  // Less than a lot is left of it, which is the account's.
  const left = await coinsOf(desk.userId);
  expect(left.all.lt(lotSize)).toBe(true);
  expect(left.free.toFixed()).toBe(left.all.toFixed());
  const [closed] = await desk.rows();
  expect(closed!.gridProfit! + closed!.floating!).toBeCloseTo((await desk.netOf(held!.id)).toNumber(), 6);
});

test('a spot grid told to keep its coin can still be told to sell it', async () => {
  const desk = await gridDesk({ ...SPOT_LONG, cells: 10, legNotional: 10_000 }, 0.03);
  await desk.start();
  await desk.run(40, MINUTE_MS);
  expect((await coinsOf(desk.userId)).all.gt(0)).toBe(true);
  // Levels have no leg that another one would have to match.
  const [stands] = await desk.deals();
  await expect(desk.rebalance(stands!.id)).rejects.toMatchObject({ status: 404 });
  await desk.stop(false, true);
  await desk.run(12);
  expect((await desk.deals()).map(({ state, closeReason }) => [state, closeReason])).toEqual([['closed', 'flatten']]);
  expect((await coinsOf(desk.userId)).all.lt('0.1')).toBe(true);
});

test('a spot grid stopped with its coin kept hands it to the next grid', async () => {
  const desk = await gridDesk({ ...SPOT_LONG, cells: 10, legNotional: 10_000 }, 0.03);
  await desk.start();
  await desk.run(40, MINUTE_MS);
  const [held] = await desk.deals();
  const before = await coinsOf(desk.userId);
  await desk.stop(false);
  await desk.run(4);
  expect((await desk.deals()).map(({ state, closeReason }) => [state, closeReason])).toEqual([['closed', 'kept']]);
  expect(await desk.live()).toEqual([]);
  const kept = await coinsOf(desk.userId);
  expect(kept.all.toFixed()).toBe(before.all.toFixed());
  expect(kept.free.toFixed()).toBe(kept.all.toFixed());
  expect(kept.all.gt(0)).toBe(true);
  // Nothing was sold for it: what it made is counted at the price of then.
  const [ended] = await desk.rows();
  expect(ended!.gridProfit! + ended!.floating!).toBeCloseTo((await desk.netOf(held!.id)).toNumber(), 6);
  const [run] = await db.select().from(strategy).where(eq(strategy.id, desk.id));
  expect(run!.state).toBe('stopped');
  expect(await desk.findings()).toEqual([]);

  const change = (params: Partial<GridParams>) =>
    desk.ask((tx) =>
      tx
        .update(strategy)
        .set({ params: { ...desk.params, ...params } })
        .where(eq(strategy.id, desk.id)),
    );
  // More than is there: it does not begin, and says why.
  await change({ invest: 'base', legNotional: 60_000 });
  await desk.start();
  await desk.run(3);
  expect(await desk.deals()).toHaveLength(1);
  const [waits] = await db.select().from(target).where(eq(target.strategyId, desk.id));
  expect(waits!.block).toBe('noCoin');

  const orders = (await desk.orders()).length;
  await change({ invest: 'base', legNotional: 5_000 });
  await desk.run(4);
  const next = (await desk.deals())[1]!;
  const note = next.opening as GridNote;
  expect(next.state).toBe('open');
  expect(note.taken!.quantity).toBe(new Big(note.quantity).times(note.startCells).toFixed());
  expect((await desk.orders()).slice(orders).filter(({ slot }) => slot === 'start')).toEqual([]);
  const taken = await coinsOf(desk.userId);
  expect(taken.all.toFixed()).toBe(kept.all.toFixed());
  expect(taken.free.toFixed()).toBe(kept.all.minus(note.taken!.quantity).toFixed());
  expect(await desk.live()).toHaveLength(10);
  // It is the grid's own from then on, over a restart too.
  await desk.restart();
  await desk.run(60, MINUTE_MS);
  expect(await desk.live()).toHaveLength(10);
  const { levels } = await desk.ladder(next.id);
  expect(levels.every(({ state }) => state === 'resting')).toBe(true);
  const record = await desk.record(next.id);
  expect(record.mostHeld).toBeGreaterThanOrEqual(Number(note.taken!.quantity) - 1e-9);
  await desk.close(next.id);
  await desk.run(12);
  expect((await desk.deals()).map(({ state }) => state)).toEqual(['closed', 'closed']);
  const [last] = await desk.rows();
  expect(last!.gridProfit! + last!.floating!).toBeCloseTo((await desk.netOf(next.id)).toNumber(), 6);
});

test('a crash at any commit of its start leaves a spot grid with its coin taken once', async () => {
  for (const commits of [3, 4, 5, 6, 9, 14]) {
    // What the first grid buys is what the second begins with.
    const stock = await gridDesk({ ...SPOT_LONG, cells: 10, legNotional: 10_000 }, 0.03);
    await stock.start();
    await stock.run(4);
    await stock.stop(false);
    await stock.run(4);
    const { all } = await coinsOf(stock.userId);
    await stock.ask((tx) =>
      tx
        .update(strategy)
        .set({ params: { ...stock.params, invest: 'base', legNotional: 8_000 } })
        .where(eq(strategy.id, stock.id)),
    );
    const dying = dyingDatabase(db, commits);
    await Promise.race([stock.dies(dying.db), dying.died]);
    await stock.restart();
    await stock.run(8);
    const begun = (await stock.deals()).filter(({ state }) => state !== 'closed');
    expect(begun.map(({ state }) => state)).toEqual(['open']);
    const note = begun[0]!.opening as GridNote;
    const coins = await coinsOf(stock.userId);
    expect(coins.all.toFixed()).toBe(all.toFixed());
    expect(coins.free.toFixed()).toBe(all.minus(new Big(note.quantity).times(note.startCells)).toFixed());
    const live = await stock.live();
    expect(live).toHaveLength(10);
    expect(new Set(live.map(({ slot }) => slot)).size).toBe(10);
    await stock.retireClean();
  }
});

test('cancelled levels of a spot grid stay away, and venue faults count once', async () => {
  let orders = 0;
  const faults: PaperFaults = {
    ...{ repeatFills: () => true, eventsLateMs: () => 3000 },
    // The second order is refused, the fifth is done and not answered.
    reject: () => {
      orders += 1;
      return orders === 2;
    },
    timeOutAfterAccept: () => orders === 5,
  };
  const desk = await gridDesk({ ...SPOT_LONG, cells: 20 }, 0.035, { faults });
  await desk.start();
  await desk.run(30);
  const [held] = await desk.deals();
  const note = held!.opening as GridNote;
  const told = await db.select().from(dealEvent).where(eq(dealEvent.dealId, held!.id));
  expect(told.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['refused', 'inDoubt', 'found']));
  const slots = async () => (await desk.live()).map(({ slot }) => slot);
  const gone = (await desk.live()).find(({ side }) => side === 'sell')!;
  await desk.withdraw(gone.id);
  await desk.run(8);
  expect(await slots()).not.toContain(gone.slot);
  await desk.restart();
  await desk.run(240, MINUTE_MS);
  expect(await slots()).not.toContain(gone.slot);
  const pairs = matchedFills(note, await filled(held!.id)).filter(({ completes }) => completes);
  expect(pairs.length).toBeGreaterThan(2);
  expect((await desk.ladder(held!.id)).levels.filter(({ state }) => state === 'suspended')).toHaveLength(1);
  await desk.repair(held!.id);
  await desk.run(6);
  expect(await slots()).toContain(gone.slot);
  const { all } = await coinsOf(desk.userId);
  const [long] = await db
    .select()
    .from(dealLeg)
    .where(and(eq(dealLeg.dealId, held!.id), eq(dealLeg.leg, 'long')));
  expect(new Big(long!.quantity).toFixed()).toBe(all.toFixed());
  expect(await desk.findings()).toEqual([]);
  // Spot has no margin to add to.
  await expect(desk.put(held!.id, 100)).rejects.toThrow(/现货没有保证金/);
  await desk.stop(true);
  await desk.run(30);
  expect((await desk.deals()).map(({ state }) => state)).toEqual(['closed']);
  await desk.netOf(held!.id);
});

test('a hundred levels are placed within 30 s inside the order budget of the venue', async () => {
  const desk = await gridDesk({ cells: 100, maxOrders: 100, legNotional: 60_000, dailyLossLimit: null }, 0.2);
  await desk.start();
  await desk.run(3);
  const { price } = desk.market.listed!(SYMBOL, desk.clock.now)!.ticker;
  const away = ({ limitPrice }: { limitPrice: string }) => Math.abs(Number(limitPrice) - price);
  const early = (await desk.live()).map(away);
  expect(early.length).toBeGreaterThanOrEqual(20);
  await desk.run(27);
  const all = await desk.live();
  expect(all.length).toBeGreaterThanOrEqual(99);
  const farthest = all.map(away).sort((a, b) => a - b);
  expect(Math.max(...early)).toBeLessThan(farthest[early.length + 2]!);
  const bySecond = new Map<number, number>();
  for (const { createdAt } of await desk.orders()) bySecond.set(createdAt, (bySecond.get(createdAt) ?? 0) + 1);
  expect(Math.max(...bySecond.values())).toBeLessThanOrEqual(10);
  expect(desk.troubles).toEqual([]);
  expect((await desk.deals())[0]!.frozen).toBeNull();
});
