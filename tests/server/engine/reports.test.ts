import { eq } from 'drizzle-orm';
import { HOUR_MS } from '#contract/duration';
import { book, tradeOrder } from '#server/base/db/schema';
import { plain } from '#server/base/maths/decimal';
import type { EngineNotice } from '#server/engine/desk';
import { movingMarket } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const market = () => movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });

/** What the engine tells, copied at the moment it does. */
function listener() {
  const told: string[] = [];
  const notify = (notice: EngineNotice) => {
    if (notice.kind === 'order') {
      const { symbol, state, filledQuantity } = notice.order;
      told.push(`order ${symbol} ${state} ${plain(filledQuantity)}`);
    } else if (notice.kind === 'deal') told.push(`hedge ${notice.event}`);
    else if (notice.kind === 'alarm') told.push(`alarm ${notice.level} ${notice.text}`);
  };
  return { told, notify };
}

const db = await fileDatabase();

describe('reports and bookings', () => {
  test('events three seconds after their reports cause no second order', async () => {
    const { told, notify } = listener();
    const desk = await tradingDesk(db, market(), {
      venue: { faults: { eventsLateMs: () => 3000 } },
      engine: { notify },
    });
    await desk.addPair();
    // The money it was opened with is told late too.
    await desk.run(4);
    const [first] = await desk.orders();
    expect(first).toMatchObject({
      state: 'open',
      filledQuantity: '0',
      reportedQuantity: '20',
      reportedState: 'filled',
    });
    await desk.run(20);
    const opened = await desk.hedge();
    expect(opened.state).toBe('open');
    expect(await desk.orders()).toHaveLength(2);
    await desk.close(opened.id);
    await desk.run(60);
    expect((await desk.hedge()).state).toBe('closed');
    expect((await desk.orders()).map(({ purpose, state }) => [purpose, state])).toEqual([
      ['entry', 'filled'],
      ['entry', 'filled'],
      ['exit', 'filled'],
      ['exit', 'filled'],
    ]);
    expect(await desk.venue.positions(desk.userId)).toEqual([]);
    expect(await desk.findings()).toEqual([]);
    // Whoever hears that an order is filled hears how much of it.
    expect(told.filter((line) => line.startsWith('order') && line.includes(' filled '))).toEqual([
      'order AAAUSDT filled 20',
      'order BBBUSDT filled 40.01',
      // The larger leg leaves first.
      'order BBBUSDT filled 40.01',
      'order AAAUSDT filled 20',
    ]);
  });

  test('an engine that starts between report and booking waits for the booking', async () => {
    const moving = market();
    const late = { venue: { faults: { eventsLateMs: () => 3000 } } };
    const first = await tradingDesk(db, moving, late);
    await first.addPair();
    await first.run(1);
    await first.engine.stop();
    const second = await tradingDesk(db, moving, { ...late, userId: first.userId });
    await second.run(20);
    expect(await second.orders()).toHaveLength(2);
    expect((await second.hedge()).state).toBe('open');
  });

  test('a maker fill ends its order and opens the hedge at once', async () => {
    const moving = market();
    const { told, notify } = listener();
    const desk = await tradingDesk(db, moving, {
      settings: { orderType: 'maker', stopLoss: 0.01, dailyLossLimit: null },
      engine: { notify },
    });
    await desk.addPair();
    await desk.run(1);
    moving.set('AAAUSDT', 99.9);
    await desk.engine.tick();
    expect((await desk.orders()).map(({ state, endedAt }) => [state, endedAt !== null])).toEqual([
      ['filled', true],
      ['filled', true],
    ]);
    expect((await desk.hedge()).state).toBe('open');
    expect(told).toEqual(expect.arrayContaining(['order AAAUSDT filled 20', 'hedge filled', 'hedge opened']));
    expect(told.filter((line) => line === 'order AAAUSDT filled 20')).toHaveLength(1);
    moving.set('AAAUSDT', 96);
    await desk.engine.tick();
    expect(await desk.hedge()).toMatchObject({ state: 'closed', closeReason: 'stopLoss' });
  });

  test('an entry that a person cancels stays cancelled', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving, { settings: { orderType: 'maker' } });
    await desk.addPair();
    await desk.run(1);
    const [resting] = await desk.orders();
    await db.update(tradeOrder).set({ cancelAskedAt: moving.clock() }).where(eq(tradeOrder.id, resting!.id));
    await db.update(book).set({ revision: 3 }).where(eq(book.userId, desk.userId));
    await desk.run(30);
    expect((await desk.orders()).map(({ state }) => state)).toEqual(['cancelled']);
    expect(await desk.hedge()).toMatchObject({ state: 'failed', closeReason: 'cancelled' });
  });

  test('an entry cancelled by a person and the engine at once stays cancelled', async () => {
    const moving = market();
    let meanwhile: (() => Promise<unknown>) | undefined;
    const sleep = async () => {
      const act = meanwhile;
      meanwhile = undefined;
      await act?.();
    };
    const desk = await tradingDesk(db, moving, {
      settings: { orderType: 'maker' },
      venue: { latency: () => 50, sleep },
    });
    await desk.addPair();
    await desk.run(1);
    const [resting] = await desk.orders();
    meanwhile = async () => {
      await db.update(tradeOrder).set({ cancelAskedAt: moving.clock() }).where(eq(tradeOrder.id, resting!.id));
      await db.update(book).set({ revision: 3 }).where(eq(book.userId, desk.userId));
    };
    // After twenty seconds the engine places it anew.
    await desk.run(30);
    expect(meanwhile).toBeUndefined();
    expect((await desk.orders()).map(({ state }) => state)).toEqual(['cancelled']);
    expect(await desk.hedge()).toMatchObject({ state: 'failed', closeReason: 'cancelled' });
  });

  test('fills before a cancel are hedged, and nothing more is bought', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving, { settings: { orderType: 'maker' } });
    await desk.addPair();
    await desk.run(1);
    moving.coins.AAAUSDT.turnover24h = 1e6;
    moving.set('AAAUSDT', 99);
    await desk.engine.tick();
    const [resting] = await desk.orders();
    expect(resting!.state).toBe('open');
    await db.update(tradeOrder).set({ cancelAskedAt: moving.clock() }).where(eq(tradeOrder.id, resting!.id));
    await desk.engine.wake(desk.userId);
    await desk.run(40);
    const open = await desk.hedge();
    expect(open.state).toBe('open');
    expect((await desk.orders()).filter(({ leg }) => leg === 'long')).toHaveLength(1);
    expect(Math.abs(Number(open.longCost) + Number(open.shortCost))).toBeLessThan(2);
  });

  test('funding, liquidation and maker fills are notified once each', async () => {
    const moving = movingMarket({
      AAAUSDT: { price: 100, fundingHours: 1, rate: 0.0001 },
      BBBUSDT: { price: 50 },
    });
    const { told, notify } = listener();
    const desk = await tradingDesk(db, moving, {
      settings: { legNotional: 500_000, leverage: 20, stopLoss: null, slippageCap: 500, dailyLossLimit: null },
      engine: { notify },
    });
    await desk.addPair();
    await desk.engine.tick();
    moving.wait(HOUR_MS);
    await desk.engine.tick();
    expect(told.filter((line) => line === 'hedge funding')).toHaveLength(1);
    moving.set('AAAUSDT', 81);
    await desk.run(90);
    expect(told.filter((line) => line === 'hedge liquidated')).toHaveLength(1);
    expect(told.filter((line) => line === 'hedge closed')).toHaveLength(1);
  });
});
