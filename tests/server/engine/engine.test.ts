import { eq } from 'drizzle-orm';
import { HOUR_MS } from '#contract/duration';
import { book, ledger } from '#server/base/db/schema';
import { flattenBook } from '#server/desk/strategy/bookIntents';
import { changePair, switchTo } from '../../support/bookRows';
import { BY_Z, movingMarket, wavingMarket } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const market = () => movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });

const db = await fileDatabase();

describe('a hedge from entry to exit', () => {
  test('enters both legs within a lot of each other and closes flat', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving, { settings: { takeProfit: null, rebalance: null } });
    await desk.addPair();
    await desk.engine.tick();

    const opened = await desk.hedge();
    expect(opened.state).toBe('open');
    // 2,000 USDT at a mid of 100 is 20 coins; the short leg matches the 2,000 and a little that the long one cost.
    expect(opened.longQuantity).toBe('20');
    expect(Number(opened.shortQuantity)).toBeCloseTo(-Number(opened.longCost) / 50, 2);
    expect(Math.abs(Number(opened.longCost) + Number(opened.shortCost))).toBeLessThan(0.01 * 50 + 2);
    const [first, second] = await desk.orders();
    expect([first!.state, second!.state]).toEqual(['filled', 'filled']);
    expect(first!.id).not.toBe(second!.id);

    moving.set('AAAUSDT', 101);
    await desk.engine.tick();
    await desk.close(opened.id);
    const closed = await desk.hedge();
    expect(closed).toMatchObject({ state: 'closed', closeReason: 'manual', longQuantity: '0', shortQuantity: '0' });
    // About 1 % on 2,000 USDT, less four fees and spreads.
    const price = Number(closed.longRealised) + Number(closed.shortRealised);
    expect(price).toBeGreaterThan(15);
    expect(price).toBeLessThan(20);
    expect(Number(closed.fees)).toBeCloseTo(8060 * 0.0005, 1);
    expect(await desk.venue.positions(desk.userId)).toEqual([]);
    expect(await desk.findings()).toEqual([]);
    expect(await desk.events(opened.id)).toEqual([
      'created',
      'registered',
      'sent',
      'filled',
      'registered',
      'sent',
      'filled',
      'opened',
      'closing',
      'registered',
      'sent',
      'filled',
      'registered',
      'sent',
      'filled',
      'closed',
    ]);
  });

  test('many entries are spread over ticks, so that running deals keep their turns', async () => {
    const shorts = Array.from({ length: 23 }, (_, i) => `S${i}USDT`);
    const coins = Object.fromEntries(['AAAUSDT', ...shorts].map((name) => [name, { price: 100 }]));
    const desk = await tradingDesk(db, movingMarket(coins), { settings: { maxHedges: 30, legNotional: 500 } });
    for (const short of shorts) await desk.addPair('AAAUSDT', short);
    await desk.engine.tick();
    expect((await desk.hedges()).map(({ state }) => state)).toEqual(Array.from({ length: 20 }, () => 'open'));
    await desk.run(1);
    expect((await desk.hedges()).map(({ state }) => state)).toEqual(shorts.map(() => 'open'));
  });

  test('of two pairs that the margin allows once, neither is entered with one leg', async () => {
    const desk = await tradingDesk(
      db,
      movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 }, CCCUSDT: { price: 20 } }),
      {
        settings: { legNotional: 40_000, leverage: 1, stopLoss: null, dailyLossLimit: null, slippageCap: 500 },
      },
    );
    await desk.addPair('AAAUSDT', 'BBBUSDT');
    await desk.addPair('CCCUSDT', 'BBBUSDT');
    await desk.run(3);
    expect((await desk.hedges()).map(({ state }) => state)).toEqual(['open']);
    expect((await desk.orders()).every(({ purpose }) => purpose === 'entry')).toBe(true);
  });

  test('a pair is entered once per arming', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving);
    const pairId = await desk.addPair();
    await desk.engine.tick();
    await desk.close((await desk.hedge()).id);
    await desk.run(3);
    expect(await desk.hedges()).toHaveLength(1);
    expect((await desk.pair(pairId)).block).toBe('used');
  });

  test('each exit rule closes with its own reason', async () => {
    const cases = [
      { settings: { stopLoss: 0.01 }, move: ['AAAUSDT', 97], reason: 'stopLoss' },
      { settings: { takeProfit: 0.01, rebalance: null }, move: ['AAAUSDT', 103], reason: 'takeProfit' },
    ] as const;
    for (const { settings, move, reason } of cases) {
      const moving = market();
      const desk = await tradingDesk(db, moving, { settings });
      await desk.addPair();
      await desk.engine.tick();
      moving.set(move[0], move[1]);
      await desk.engine.tick();
      expect(await desk.hedge()).toMatchObject({ state: 'closed', closeReason: reason });
      await desk.retire();
    }
  });

  test('closes at the maximum holding time', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving, { settings: { maxHoldingHours: 2 } });
    await desk.addPair();
    await desk.engine.tick();
    moving.wait(2 * HOUR_MS);
    await desk.engine.tick();
    expect(await desk.hedge()).toMatchObject({ state: 'closed', closeReason: 'maxHolding' });
  });

  test('enters at the entry z, exits at the exit z and re-enters', async () => {
    const moving = wavingMarket();
    const desk = await tradingDesk(db, moving, { settings: BY_Z });
    const pairId = await desk.addPair();
    await desk.engine.tick();
    expect((await desk.pair(pairId)).block).toBe('waitsForZ');
    moving.set('AAAUSDT', 95);
    await desk.engine.tick();
    const entered = await desk.hedge();
    expect(entered.state).toBe('open');
    expect(entered.zOpen).toBeLessThan(-2);
    moving.set('AAAUSDT', 100);
    await desk.engine.tick();
    expect(await desk.hedge()).toMatchObject({ state: 'closed', closeReason: 'exitZ' });
    moving.set('AAAUSDT', 95);
    await desk.engine.tick();
    expect(await desk.hedges()).toHaveLength(2);
  });

  test('rebalances from the leg that outgrew its weight', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving, { settings: { rebalance: 0.02, takeProfit: null } });
    await desk.addPair();
    await desk.engine.tick();
    await desk.run(61);
    moving.set('AAAUSDT', 110);
    await desk.engine.tick();
    const after = await desk.hedge();
    expect(after.state).toBe('open');
    expect(Number(after.longQuantity) * 110).toBeCloseTo(-Number(after.shortQuantity) * 50, -1);
    expect((await desk.orders()).at(-1)).toMatchObject({ purpose: 'rebalance', leg: 'long', state: 'filled' });
  });

  test('books each funding settlement once, after a pause of the process too', async () => {
    const moving = movingMarket({
      AAAUSDT: { price: 100, fundingHours: 1, rate: 0.0001 },
      BBBUSDT: { price: 50, fundingHours: 8, rate: 0.0003 },
    });
    const desk = await tradingDesk(db, moving, { settings: { maxHoldingHours: null } });
    await desk.addPair();
    await desk.engine.tick();
    moving.wait(10 * HOUR_MS);
    await desk.engine.tick();
    await desk.engine.tick();
    const rows = await desk.ledger('funding');
    const of = (symbol: string) => rows.filter((row) => row.symbol === symbol);
    // From 06:30 on: ten full hours, and the settlements at 08:00 and 16:00.
    expect(of('AAAUSDT')).toHaveLength(10);
    expect(of('BBBUSDT')).toHaveLength(2);
    // F2: the long leg pays 20 x 100 x 0.0001.
    expect(Number(of('AAAUSDT')[0]!.amount)).toBeCloseTo(-0.2, 6);
    expect(Number(of('BBBUSDT')[0]!.amount)).toBeGreaterThan(0.59);
  });

  test('the daily loss limit of the account pauses entries until a resume with a reason', async () => {
    const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 }, CCCUSDT: { price: 20 } });
    const desk = await tradingDesk(db, moving, { settings: { dailyLossLimit: null, stopLoss: null, rebalance: null } });
    await db.update(book).set({ dailyLossLimit: 50 }).where(eq(book.userId, desk.userId));
    await desk.addPair();
    await desk.engine.tick();
    moving.set('AAAUSDT', 96);
    await desk.addPair('AAAUSDT', 'CCCUSDT');
    await db.update(book).set({ revision: 1 }).where(eq(book.userId, desk.userId));
    await desk.engine.tick();
    const [paused] = await db.select().from(book).where(eq(book.userId, desk.userId));
    expect(paused).toMatchObject({ pausedBy: '风控', pauseReason: '账户单日亏损达到上限 50 USDT' });
    expect(await desk.hedges()).toHaveLength(1);
    await db
      .update(book)
      .set({ pausedAt: null, lossLiftedDay: Date.UTC(2026, 0, 15), revision: 9 })
      .where(eq(book.userId, desk.userId));
    await desk.run(1);
    expect(await desk.hedges()).toHaveLength(2);
  });

  test('the daily loss limit acts without any pair waiting to be entered', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving, { settings: { dailyLossLimit: null, stopLoss: null, rebalance: null } });
    await db.update(book).set({ dailyLossLimit: 50 }).where(eq(book.userId, desk.userId));
    const pairId = await desk.addPair();
    await desk.engine.tick();
    await changePair(db, pairId, { removedAt: moving.clock() });
    await db.update(book).set({ revision: 1 }).where(eq(book.userId, desk.userId));
    moving.set('AAAUSDT', 96);
    await desk.engine.tick();
    const [paused] = await db.select().from(book).where(eq(book.userId, desk.userId));
    expect(paused).toMatchObject({ pausedBy: '风控', pauseReason: '账户单日亏损达到上限 50 USDT' });
    expect((await desk.hedge()).state).toBe('open');
  });

  test('flatten closes running hedges; disabling keeps them managed', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving);
    await desk.addPair();
    await desk.engine.tick();
    await switchTo(db, desk.userId, false, 1);
    await desk.run(2);
    expect((await desk.hedge()).state).toBe('open');
    await db.transaction((tx) => flattenBook(tx, { user: { id: desk.userId, name: 'desk' }, now: moving.clock() }));
    await desk.run(1);
    expect(await desk.hedge()).toMatchObject({ state: 'closed', closeReason: 'flatten' });
  });

  test('ledger rows cannot be updated or deleted', async () => {
    await expect(db.update(ledger).set({ amount: '0' })).rejects.toThrow();
    await expect(db.delete(ledger)).rejects.toThrow();
  });
});
