import { and, eq } from 'drizzle-orm';
import { account } from '#contract/account';
import { HOUR_MS, MINUTE_MS } from '#contract/duration';
import { hedgeConfig } from '#contract/kinds/hedge/config';
import { book, equityPoint, paperAccount, paperEvent, user } from '#server/base/db/schema';
import { PairModels } from '#server/engine/pairModel';
import { RISK_GUARD } from '#server/engine/words';
import { testApp } from '../../support/app';
import { movingMarket } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const MIDNIGHT = Date.UTC(2026, 0, 16);

const db = await fileDatabase();

describe('the result of the day', () => {
  const bookOf = async (userId: string) => (await db.select().from(book).where(eq(book.userId, userId)))[0]!;

  test('a deposit during the day is no profit, across a restart too', async () => {
    const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
    // Opened with 100,000 after the engine had begun the day with nothing.
    const desk = await tradingDesk(db, moving, { venue: { faults: { eventsLateMs: () => 3000 } } });
    await desk.run(1);
    expect((await bookOf(desk.userId)).dayEquity).toBe('0');
    await desk.run(4);
    expect(await bookOf(desk.userId)).toMatchObject({ day: Date.UTC(2026, 0, 15), dayEquity: '100000' });
    await desk.engine.stop();
    const again = await tradingDesk(db, moving, { userId: desk.userId });
    await again.run(2);
    expect((await bookOf(desk.userId)).dayEquity).toBe('100000');
  });

  test('an engine that was down at midnight starts the day from the equity of that instant', async () => {
    // The price of the first coin goes up by one an hour.
    const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
    const start = moving.clock();
    const tickers = moving.market.tickers.bind(moving.market);
    moving.market.tickers = async (at = moving.clock()) =>
      (await tickers(at)).map((row) =>
        row.symbol === 'AAAUSDT' ? { ...row, price: 100 + Math.floor((at - start) / HOUR_MS) } : row,
      );
    const settings = { takeProfit: null, rebalance: null, maxHoldingHours: null, dailyLossLimit: 5 };
    const desk = await tradingDesk(db, moving, { settings });
    await desk.addPair();
    await desk.run(2);
    const { cash } = await cashAndHeld(desk);
    await desk.engine.stop();
    // 06:30 to 03:30: seventeen full hours before midnight, four after it.
    moving.wait(21 * HOUR_MS);
    const again = await tradingDesk(db, moving, { userId: desk.userId });
    await again.run(1);
    const held = await again.hedge();
    const worth = cash + Number(held.longQuantity) * 117 + Number(held.shortQuantity) * 50;
    const opened = await bookOf(desk.userId);
    expect(opened.day).toBe(MIDNIGHT);
    expect(Number(opened.dayEquity)).toBeCloseTo(worth, 6);
    const [point] = await db
      .select()
      .from(equityPoint)
      .where(and(eq(equityPoint.userId, desk.userId), eq(equityPoint.at, MIDNIGHT)));
    expect(point!.equity).toBeCloseTo(worth, 6);
    expect(point!.equity).toBeCloseTo(
      point!.transfers + point!.longPnl + point!.shortPnl + point!.funding - point!.fees,
      6,
    );

    // Desk and overview say the same as the loss limit goes by.
    const { app, read } = await consoleOf(again, moving);
    const seen = await read(hedgeConfig.desk.path);
    const overview = await read(`${account.state.path}`);
    const four = Number(held.longQuantity) * 4;
    expect(seen.dayPnl).toBeCloseTo(four, 6);
    expect(overview.account.today.pnl).toBeCloseTo(four, 6);
    expect(overview.account.today.since).toBe(MIDNIGHT);
    await app.close();
  });

  test('moving the day boundary keeps the pause and the loss of the running day', async () => {
    const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
    let price = 100;
    const tickers = moving.market.tickers.bind(moving.market);
    moving.market.tickers = async (at = moving.clock()) =>
      (await tickers(at)).map((row) => (row.symbol === 'AAAUSDT' ? { ...row, price } : row));
    const rules = { stopLoss: null, takeProfit: null, rebalance: null, maxHoldingHours: null };
    const desk = await tradingDesk(db, moving, { settings: { ...rules, dailyLossLimit: null } });
    await db.update(book).set({ dailyLossLimit: 15 }).where(eq(book.userId, desk.userId));
    await desk.addPair();
    await desk.run(2);
    // Some 20 coins, each of them worth 1 less.
    price = 99;
    await desk.run(1);
    const before = await bookOf(desk.userId);
    expect(before).toMatchObject({ day: Date.UTC(2026, 0, 15), pausedBy: RISK_GUARD, lossLiftedDay: null });
    await db
      .update(book)
      .set({ dayBoundary: 960, revision: before.revision + 1 })
      .where(eq(book.userId, desk.userId));
    await desk.run(1);
    // From 06:30 to 00:30: the day of the old boundary is over, the first new one is not here.
    moving.wait(18 * HOUR_MS);
    await desk.run(1);
    const { day, dayEquity, pausedAt, pausedBy } = before;
    expect(await bookOf(desk.userId)).toMatchObject({ day, dayEquity, pausedAt, pausedBy });
    // The record has the midnight all the same: the statistics go by it.
    const midnights = await db
      .select()
      .from(equityPoint)
      .where(and(eq(equityPoint.userId, desk.userId), eq(equityPoint.at, MIDNIGHT)));
    expect(midnights).toHaveLength(1);
    moving.wait(16 * HOUR_MS);
    await desk.run(1);
    const after = await bookOf(desk.userId);
    expect(after).toMatchObject({ day: MIDNIGHT + 16 * HOUR_MS, pausedAt, pausedBy });
    expect(Number(after.dayEquity)).toBeLessThan(Number(dayEquity));
  });

  test('a bailout by the venue is no deposit', async () => {
    const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
    const desk = await tradingDesk(db, moving);
    await desk.run(2);
    const sale = {
      clientId: 'sale',
      account: desk.userId,
      source: 'simulated',
      symbol: 'AAAUSDT',
      side: 'sell',
    } as const;
    const rest = { type: 'market', quantity: '9000', limitPrice: '1', reduceOnly: false, leverage: 20 } as const;
    await desk.venue.submit({ ...sale, ...rest });
    await desk.run(2);
    moving.set('AAAUSDT', 150);
    await desk.run(301);
    expect(await desk.ledger('transfer')).toMatchObject([{ amount: '100000' }]);
    const paid = await desk.ledger('bailout');
    expect(paid).toHaveLength(1);
    expect(Number(paid[0]!.amount)).toBeGreaterThan(300_000);
    expect(await desk.findings()).toEqual([]);
    const points = await db.select().from(equityPoint).where(eq(equityPoint.userId, desk.userId));
    const last = points.sort((a, b) => a.at - b.at).at(-1)!;
    expect(last).toMatchObject({ equity: 0, transfers: 100_000 });
    expect(last.transfers + last.longPnl + last.shortPnl + last.funding - last.fees).toBeCloseTo(0, 6);

    // All that was put in is lost, and no more.
    const { app, read } = await consoleOf(desk, moving);
    const { account: state } = await read(account.state.path);
    expect(state).toMatchObject({ equity: '0', net: '-100000', today: { pnl: -100_000, return: -1 } });
    const { marks, index } = await read(`${account.equity.path}?range=1d`);
    expect(marks.map(({ kind }: { kind: string }) => kind)).toEqual(['transfer', 'bailout']);
    expect(index.at(-1)).toBe(0);
    await app.close();
  });

  describe('of an owner who withdrew as much as was deposited', () => {
    /** Money that leaves an account, as its venue tells it. */
    async function moveOut(account: string, amount: number, at: number): Promise<void> {
      const [held] = await db.select().from(paperAccount).where(eq(paperAccount.account, account));
      const sequence = held!.sequence + 1;
      const event = { kind: 'transfer', account, source: '', symbol: '', sequence, at, amount: String(-amount) };
      await db.insert(paperEvent).values({ account, sequence, event });
      const change = { sequence, cash: String(Number(held!.cash) - amount), revision: held!.revision + 1 };
      await db.update(paperAccount).set(change).where(eq(paperAccount.account, account));
    }

    test('is recorded, and guarded by the loss limit', async () => {
      const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
      const rules = { stopLoss: null, takeProfit: null, rebalance: null, maxHoldingHours: null, dailyLossLimit: null };
      const desk = await tradingDesk(db, moving, { settings: rules });
      await db.update(book).set({ dailyLossLimit: 15 }).where(eq(book.userId, desk.userId));
      await desk.addPair();
      await desk.run(2);
      // What is left is what some 20 coins have gained.
      moving.set('AAAUSDT', 600);
      await moveOut(desk.userId, 100_000, moving.clock());
      await desk.engine.stop();
      // Its books are read anew: of money that was there nothing is left but that it was.
      const again = await tradingDesk(db, moving, { userId: desk.userId, settings: rules });
      await again.run(2);
      const pointsSince = async (at: number) =>
        (await db.select().from(equityPoint).where(eq(equityPoint.userId, desk.userId))).filter((one) => one.at >= at);
      const left = moving.clock();
      moving.wait(5 * MINUTE_MS);
      await again.run(1);
      expect(await pointsSince(left)).toMatchObject([{ transfers: 0 }]);
      moving.wait(18 * HOUR_MS);
      await again.run(1);
      expect((await pointsSince(MIDNIGHT)).map(({ at, transfers }) => [at, transfers])).toContainEqual([MIDNIGHT, 0]);

      await moveOut(desk.userId, 5000, moving.clock());
      await again.run(2);
      expect(await bookOf(desk.userId)).toMatchObject({ day: MIDNIGHT, pausedAt: null, unvalued: null });
      moving.set('AAAUSDT', 599);
      await again.run(2);
      expect(await bookOf(desk.userId)).toMatchObject({ pausedBy: RISK_GUARD });
    });
  });

  /** The API on the desk's database and venue, read as its user. */
  async function consoleOf(desk: Awaited<ReturnType<typeof tradingDesk>>, moving: ReturnType<typeof movingMarket>) {
    const given = { db, clock: moving.clock, markets: moving.markets, venue: desk.venue, pairModels: new PairModels() };
    const app = await testApp(given);
    const [demo] = await db.select().from(user).where(eq(user.name, 'trader'));
    if (demo!.id !== desk.userId) {
      await db
        .update(user)
        .set({ name: `aside-${demo!.id}` })
        .where(eq(user.id, demo!.id));
      const as = { name: 'trader', passwordHash: demo!.passwordHash };
      await db.update(user).set(as).where(eq(user.id, desk.userId));
    }
    const cookie = await app.signIn('trader', 'demo-trader');
    const read = async (path: string) => {
      const answer = await app.app.inject({ url: path, headers: { host: 'localhost:8000', cookie } });
      return answer.json().data;
    };
    return { app, read };
  }

  async function cashAndHeld(desk: Awaited<ReturnType<typeof tradingDesk>>) {
    const rows = [...(await desk.ledger('fill')), ...(await desk.ledger('fee')), ...(await desk.ledger('transfer'))];
    return { cash: rows.reduce((sum, { amount }) => sum + Number(amount), 0) };
  }
});
