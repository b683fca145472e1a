import { eq } from 'drizzle-orm';
import { HOUR_MS } from '#contract/duration';
import { book, dealEvent, ledger, target, tradeOrder } from '#server/base/db/schema';
import type { EngineNotice } from '#server/engine/desk';
import { Leases } from '#server/engine/lease';
import { SHRUNK } from '#server/engine/words';
import type { VenueOrder } from '#server/market/venue';
import { changeHedges } from '../../support/bookRows';
import { dyingDatabase } from '../../support/dyingDatabase';
import { movingMarket } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { traderOf, tradingDesk } from '../../support/tradingDesk';

const market = () => movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });

/** True for the calls with these numbers, from 1. */
const nth = (...numbers: number[]) => {
  let calls = 0;
  return () => {
    calls += 1;
    return numbers.includes(calls);
  };
};

const db = await fileDatabase();

describe('an engine with a faulty venue', () => {
  test('a refused first order is retried with no leg unhedged meanwhile', async () => {
    const desk = await tradingDesk(db, market(), { venue: { faults: { reject: nth(1) } } });
    await desk.addPair();
    await desk.engine.tick();
    expect(await desk.hedge()).toMatchObject({ state: 'opening', longQuantity: '0', shortQuantity: '0' });
    await desk.run(2);
    expect((await desk.hedge()).state).toBe('open');
    expect((await desk.orders()).map(({ state, reason }) => [state, reason])).toEqual([
      ['refused', 'rejected'],
      ['filled', null],
      ['filled', null],
    ]);
  });

  test('a second leg refused for good unwinds the first', async () => {
    const desk = await tradingDesk(db, market(), {
      venue: { faults: { reject: ({ symbol, reduceOnly }) => symbol === 'BBBUSDT' && !reduceOnly } },
    });
    await desk.addPair();
    await desk.engine.tick();
    const alone = await desk.hedge();
    expect(alone).toMatchObject({ state: 'opening', longQuantity: '20', shortQuantity: '0' });
    expect(alone.oneLegSince).not.toBeNull();
    await desk.run(25);
    const ended = await desk.hedge();
    expect(ended).toMatchObject({ state: 'failed', closeReason: 'oneLeg', longQuantity: '0', shortQuantity: '0' });
    // 2,000 USDT stood alone for about twenty seconds.
    expect(ended.naked).toBeGreaterThan(2000 * 15);
    expect(ended.naked).toBeLessThan(2000 * 30);
    expect(await desk.venue.positions(desk.userId)).toEqual([]);
    expect((await desk.orders()).some(({ purpose }) => purpose === 'complete')).toBe(true);
  });

  test('unhedged exposure is counted between two fills, once across a restart', async () => {
    const moving = market();
    // An order is a tenth of a second on its way.
    const venue = { latency: () => 100, sleep: async (ms: number) => moving.wait(ms) };
    const desk = await tradingDesk(db, moving, { venue });
    await desk.addPair();
    await desk.engine.tick();
    const open = await desk.hedge();
    expect(open.state).toBe('open');
    expect(open.naked).toBeCloseTo(2000 * 0.1, -1);
    await desk.retire();

    const refusing = {
      faults: { reject: ({ symbol, reduceOnly }: VenueOrder) => symbol === 'BBBUSDT' && !reduceOnly },
    };
    const stuck = await tradingDesk(db, moving, { venue: refusing });
    await stuck.addPair();
    await stuck.engine.tick();
    await stuck.run(5);
    await stuck.engine.stop();
    moving.wait(2000);
    const again = await tradingDesk(db, moving, { userId: stuck.userId });
    await again.run(1);
    // Eight seconds alone, three of them with nobody looking.
    expect(await again.hedge()).toMatchObject({ state: 'open', oneLegSince: null });
    expect((await again.hedge()).naked).toBeCloseTo(2000 * 8, -2);
  });

  test('the second leg follows at once, however many hedges are busy', async () => {
    const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 }, CCCUSDT: { price: 10 } });
    const desk = await tradingDesk(db, moving, {
      venue: { latency: () => 100, sleep: async (ms: number) => moving.wait(ms) },
    });
    for (const short of ['BBBUSDT', 'CCCUSDT']) await desk.addPair('AAAUSDT', short);
    await desk.engine.tick();
    expect((await desk.hedges()).map(({ state }) => state)).toEqual(['open', 'open']);
    for (const { id } of await desk.hedges()) await desk.close(id);
    await desk.run(1);
    const closed = await desk.hedges();
    expect(closed.map(({ state }) => state)).toEqual(['closed', 'closed']);
    // A tenth of a second in, and one out: as long as one order is on its way.
    for (const { naked } of closed) expect(naked).toBeCloseTo(2000 * 0.2, -2);
    const legs = (await desk.orders()).map(({ dealId }) => dealId);
    expect(legs.filter((id, i) => i % 2 === 1 && id !== legs[i - 1])).toEqual([]);
  });

  test('a second leg that comes late is completed', async () => {
    const desk = await tradingDesk(db, market(), { venue: { faults: { reject: nth(2, 3, 4, 5) } } });
    await desk.addPair();
    await desk.engine.tick();
    await desk.run(20);
    expect((await desk.hedge()).state).toBe('open');
  });

  /** A venue that fills only a part of every order and ends the rest. */
  const fillingPartly = (venue: Awaited<ReturnType<typeof tradingDesk>>['venue'], partOf: (of: number) => number) => {
    const submit = venue.submit.bind(venue);
    venue.submit = async (order) => {
      const part = partOf(Number(order.quantity));
      const report = await submit({ ...order, quantity: String(part) });
      return part < Number(order.quantity) ? { ...report, state: 'cancelled' } : report;
    };
  };

  test('orders that are filled in part follow each other without a growing pause, in and out', async () => {
    const desk = await tradingDesk(db, market());
    fillingPartly(desk.venue, (of) => (of < 1 ? of : Math.round(of * 40) / 100));
    await desk.addPair();
    await desk.run(20);
    const open = await desk.hedge();
    expect(open).toMatchObject({ state: 'open', frozen: null });
    expect((await desk.orders()).length).toBeGreaterThan(4);
    await desk.close(open.id);
    await desk.run(40);
    expect(await desk.hedge()).toMatchObject({ state: 'closed', longQuantity: '0', shortQuantity: '0' });
  });

  test('an exit that is filled in crumbs waits for the rate of its sends and is not stopped by it', async () => {
    const desk = await tradingDesk(db, market());
    await desk.addPair();
    await desk.run(2);
    const open = await desk.hedge();
    expect(open.state).toBe('open');
    fillingPartly(desk.venue, (of) => Math.min(of, 1));
    await desk.close(open.id);
    await desk.run(180);
    expect(await desk.events(open.id)).not.toContain('governed');
    expect(await desk.hedge()).toMatchObject({ state: 'closed', longQuantity: '0', shortQuantity: '0' });
  });

  test('a shrinking report freezes the hedge until venue and books agree', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving, { settings: { orderType: 'maker' } });
    const { venue } = desk;
    const [cancel, positions] = [venue.cancel.bind(venue), venue.positions.bind(venue)];
    await desk.addPair();
    await desk.engine.tick();
    moving.coins.AAAUSDT.turnover24h = 1e5;
    moving.set('AAAUSDT', 99);
    await desk.engine.tick();
    expect(Number((await desk.hedge()).longQuantity)).toBeGreaterThan(0);
    venue.cancel = async (...given) => ({ ...(await cancel(...given)), filledQuantity: '0' });
    venue.positions = async () => [];
    await desk.run(25);
    expect((await desk.hedge()).frozen).toMatch(/成交量变小/);
    Object.assign(venue, { cancel, positions });
    await desk.run(60);
    expect(await desk.hedge()).toMatchObject({ frozen: null });
    expect(await desk.events((await desk.hedge()).id)).toContain('thawed');
  });

  test('a hedge frozen by a shrinking report can be closed by a person', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving);
    await desk.addPair();
    await desk.engine.tick();
    const { id } = await desk.hedge();
    await desk.engine.stop();
    await changeHedges(db, [id], { frozen: SHRUNK });
    const again = await tradingDesk(db, moving, { userId: desk.userId });
    const positions = again.venue.positions.bind(again.venue);
    again.venue.positions = async () => [];
    await again.run(3);
    expect((await again.hedge()).frozen).toBe(SHRUNK);
    await again.close(id);
    await again.run(3);
    expect(await again.hedge()).toMatchObject({ longQuantity: '0', shortQuantity: '0' });
    again.venue.positions = positions;
    await again.run(40);
    expect((await again.hedge()).state).toBe('closed');
  });

  test('an order without an answer is looked up, not resent', async () => {
    const desk = await tradingDesk(db, market(), { venue: { faults: { timeOutAfterAccept: nth(1) } } });
    await desk.addPair();
    await desk.engine.tick();
    expect((await desk.hedge()).state).toBe('open');
    const orders = await desk.orders();
    expect(orders.map(({ state }) => state)).toEqual(['filled', 'filled']);
    expect(await desk.venue.positions(desk.userId)).toHaveLength(2);
    expect(await desk.events((await desk.hedge()).id)).toEqual(expect.arrayContaining(['inDoubt', 'found']));
  });

  test('while the lookup fails the hedge is frozen', async () => {
    let down = true;
    const desk = await tradingDesk(db, market(), {
      venue: { faults: { timeOutAfterAccept: nth(1), failLookup: () => down } },
    });
    await desk.addPair();
    await desk.run(5);
    expect(await desk.orders()).toHaveLength(1);
    expect((await desk.hedge()).frozen).toMatch('订单结果不明');
    down = false;
    await desk.run(1);
    expect(await desk.hedge()).toMatchObject({ state: 'open', frozen: null });
    expect(await desk.orders()).toHaveLength(2);
  });

  test('no new order goes out before the missing one is certainly lost', async () => {
    const desk = await tradingDesk(db, market(), { venue: { faults: { loseBeforeAccept: nth(1) } } });
    await desk.addPair();
    await desk.run(3);
    expect((await desk.orders()).map(({ state }) => state)).toEqual(['lost', 'filled', 'filled']);
    expect((await desk.hedge()).state).toBe('open');
  });

  test('a duplicate fill event is booked once', async () => {
    const desk = await tradingDesk(db, market(), { venue: { faults: { repeatFills: () => true } } });
    await desk.addPair();
    await desk.engine.tick();
    expect(await desk.hedge()).toMatchObject({ state: 'open', longQuantity: '20' });
  });

  test('a stale price blocks entries and allows exits', async () => {
    const moving = market();
    let frozenAt: number | undefined;
    const ticker = moving.market.tickers.bind(moving.market);
    moving.market.tickers = async (at) =>
      (await ticker(at)).map((row) => (frozenAt === undefined ? row : { ...row, at: frozenAt }));
    const desk = await tradingDesk(db, moving);
    const first = await desk.addPair();
    await desk.engine.tick();
    frozenAt = moving.clock();
    moving.wait(11_000);
    const second = await desk.addPair('BBBUSDT', 'AAAUSDT');
    await db.update(book).set({ revision: 1 }).where(eq(book.userId, desk.userId));
    await desk.engine.tick();
    expect((await desk.pair(second)).block).toBe('stalePrice');
    expect((await desk.pair(first)).block).toBe('open');
    await desk.close((await desk.hedge()).id);
    expect((await desk.hedge()).state).toBe('closed');
  });

  test('a hedge is closed only when the venue confirms flat positions', async () => {
    let failing = false;
    const desk = await tradingDesk(db, market(), { venue: { faults: { failPositions: () => failing } } });
    await desk.addPair();
    await desk.engine.tick();
    failing = true;
    await desk.close((await desk.hedge()).id);
    await desk.run(3);
    expect(await desk.hedge()).toMatchObject({ state: 'closing', longQuantity: '0', shortQuantity: '0' });
    failing = false;
    await desk.run(40);
    expect((await desk.hedge()).state).toBe('closed');
  });

  test('positions that are not flat at the venue are told of once, however many tries went before', async () => {
    let failing = true;
    const desk = await tradingDesk(db, market(), { venue: { faults: { failPositions: () => failing } } });
    await desk.addPair();
    failing = false;
    await desk.engine.tick();
    failing = true;
    const { id } = await desk.hedge();
    await desk.close(id);
    await desk.run(3);
    failing = false;
    const positions = desk.venue.positions.bind(desk.venue);
    const held = { source: 'simulated', symbol: 'AAAUSDT', quantity: '1' };
    desk.venue.positions = async () => [held as never];
    await desk.run(90);
    const lines = async () => {
      const told = await db.select().from(dealEvent).where(eq(dealEvent.dealId, id));
      return told.filter(({ kind }) => kind === 'frozen').map(({ detail }) => detail);
    };
    expect(await lines()).toEqual(['交易所持仓与账面不一致，未确认平仓，继续核对']);
    expect((await desk.hedge()).state).toBe('closing');
    desk.venue.positions = positions;
    await desk.run(90);
    expect((await desk.hedge()).state).toBe('closed');
    expect(await lines()).toHaveLength(1);
  });

  test('a liquidation of one leg closes the other', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving, {
      settings: { legNotional: 500_000, leverage: 20, stopLoss: null, slippageCap: 500, dailyLossLimit: null },
    });
    await desk.addPair();
    await desk.engine.tick();
    expect((await desk.hedge()).state).toBe('open');
    moving.set('AAAUSDT', 81);
    await desk.run(90);
    expect(await desk.hedge()).toMatchObject({
      longQuantity: '0',
      shortQuantity: '0',
      state: 'closed',
      closeReason: 'liquidation',
    });
    // Whoever was liquidated looks first.
    const [held] = await db.select().from(target).where(eq(target.userId, desk.userId));
    expect(held).toMatchObject({ hold: 'confirm', heldBy: '引擎' });
  });

  test('a leg without a book is waited for: the other one is not sold alone', async () => {
    const desk = await tradingDesk(db, market());
    await desk.addPair();
    await desk.run(2);
    const held = await desk.hedge();
    expect(held.state).toBe('open');
    const quote = desk.venue.quote.bind(desk.venue);
    let isEmpty = true;
    desk.venue.quote = async (source, symbol) => (isEmpty && symbol === 'BBBUSDT' ? undefined : quote(source, symbol));
    await desk.close(held.id);
    await desk.run(120);
    const { longQuantity, shortQuantity } = held;
    expect(await desk.hedge()).toMatchObject({ state: 'closing', longQuantity, shortQuantity });
    // As soon as it has one both go.
    isEmpty = false;
    await desk.run(5);
    expect(await desk.hedge()).toMatchObject({ state: 'closed', longQuantity: '0', shortQuantity: '0' });
  });

  test('a leg that is listed no more is not waited for: what stands beside it is closed', async () => {
    const desk = await tradingDesk(db, market());
    await desk.addPair();
    await desk.run(2);
    const held = await desk.hedge();
    expect(held.state).toBe('open');
    const { quote, goneBy } = desk.venue;
    const isGone = (symbol: string) => symbol === 'BBBUSDT';
    // As of coin at a real exchange: what was taken off stays in the account, and nobody settles it.
    desk.venue.quote = async (source, symbol) => (isGone(symbol) ? undefined : quote.call(desk.venue, source, symbol));
    desk.venue.goneBy = async (source, symbol) =>
      isGone(symbol) ? 'delisted' : goneBy.call(desk.venue, source, symbol);
    await desk.close(held.id);
    await desk.run(120);
    const { shortQuantity } = held;
    expect(await desk.hedge()).toMatchObject({ state: 'closing', longQuantity: '0', shortQuantity });
  });

  test('two hedges on opposite sides of one symbol close independently', async () => {
    const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 }, CCCUSDT: { price: 20 } });
    const desk = await tradingDesk(db, moving);
    await desk.addPair('AAAUSDT', 'BBBUSDT');
    await desk.addPair('CCCUSDT', 'AAAUSDT');
    await desk.run(1);
    const [one, two] = await desk.hedges();
    expect([one!.state, two!.state]).toEqual(['open', 'open']);
    await desk.close(one!.id);
    await desk.close(two!.id);
    expect((await desk.hedges()).map(({ state }) => state)).toEqual(['closed', 'closed']);
    expect(await desk.venue.positions(desk.userId)).toEqual([]);
  });

  test('after a crash anywhere the next engine resends nothing and loses no fill', async () => {
    // The process ends at the n-th statement of its writes: every place between two commits is tried.
    for (let last = 1; last <= 12; last += 1) {
      const moving = market();
      const dying = dyingDatabase(db, last);
      let monotonic = 0;
      const first = await tradingDesk(db, moving, { engine: { db: dying.db, monotonic: () => monotonic } });
      await first.addPair();
      await Promise.race([first.engine.tick(), dying.died]);
      // The dead one's lease runs out.
      await db.update(book).set({ leaseUntil: 0 }).where(eq(book.userId, first.userId));
      monotonic += 60_000;
      const second = await tradingDesk(db, moving, { userId: first.userId });
      await second.run(4);
      expect((await second.hedge()).state).toBe('open');
      const filled = (await second.orders()).filter(({ filledQuantity }) => filledQuantity !== '0');
      expect(filled).toHaveLength(2);
      await second.retireClean();
    }
  });

  test('a second engine leaves the books alone until the lease ends', async () => {
    const moving = market();
    const first = await tradingDesk(db, moving);
    await first.addPair();
    await first.engine.tick();
    const second = await tradingDesk(db, moving, { userId: first.userId });
    await second.addPair('BBBUSDT', 'AAAUSDT');
    await second.run(2);
    expect(await second.hedges()).toHaveLength(1);
    await first.engine.stop();
    await second.engine.wake(first.userId);
    expect(await second.hedges()).toHaveLength(2);
  });

  test('a book traded by another process is read again before it is traded', async () => {
    const moving = market();
    let now = 0;
    const engine = { monotonic: () => now };
    const settings = { takeProfit: 0.01, rebalance: null };
    const first = await tradingDesk(db, moving, { settings, engine });
    await first.addPair();
    await first.engine.tick();
    expect((await first.hedge()).state).toBe('open');
    await db.update(book).set({ leaseUntil: 0 }).where(eq(book.userId, first.userId));
    const second = await tradingDesk(db, moving, { settings, userId: first.userId });
    moving.set('AAAUSDT', 103);
    await second.engine.tick();
    expect((await first.hedge()).state).toBe('closed');
    await second.engine.stop();
    const sent = (await first.orders()).length;
    now += 20_000;
    await first.run(2);
    expect(await first.orders()).toHaveLength(sent);
    expect((await first.hedge()).state).toBe('closed');
  });

  test('a book that fails three passes running raises one alarm', async () => {
    const moving = market();
    const alarms: EngineNotice[] = [];
    const notify = (notice: EngineNotice) => void (notice.kind === 'alarm' && alarms.push(notice));
    const first = await tradingDesk(db, moving, { engine: { notify } });
    const other = await traderOf(db);
    await first.venue.open(other, '100000');
    const failing = (desk: typeof first) => {
      const broken = { now: true };
      const { events } = desk.venue;
      desk.venue.events = async (account, after) => {
        if (broken.now && account === first.userId) throw Object.assign(new Error('no'), { code: 'E1' });
        return events.call(desk.venue, account, after);
      };
      return broken;
    };
    const state = async () => {
      const [row] = await db.select().from(book).where(eq(book.userId, first.userId));
      return { since: row!.failingSince, what: row!.failingWhat, until: row!.failingUntil };
    };
    const healthy = { since: null, what: null, until: null };
    const broken = failing(first);
    await first.run(2);
    broken.now = false;
    await first.run(1);
    broken.now = true;
    await first.run(2);
    expect(await state()).toEqual(healthy);
    await first.run(1);
    const told = { since: moving.clock(), what: 'Error E1', until: null };
    expect(await state()).toEqual(told);
    await first.run(5);
    expect(alarms).toEqual([
      { kind: 'alarm', userId: first.userId, level: 'error', text: expect.stringContaining('Error E1') },
    ]);
    // The other user's money is booked all the while.
    expect(await db.select().from(ledger).where(eq(ledger.userId, other))).toHaveLength(1);

    await db.update(book).set({ leaseUntil: 0 });
    const second = await tradingDesk(db, moving, { userId: first.userId, engine: { notify } });
    const still = failing(second);
    await second.run(5);
    expect([await state(), alarms.length]).toEqual([told, 1]);
    still.now = false;
    await second.run(2);
    expect(await state()).toEqual(told);
    await second.run(1);
    expect(await state()).toEqual({ ...told, until: moving.clock() });
    still.now = true;
    await second.run(3);
    expect([await state(), alarms.length]).toEqual([{ ...told, since: moving.clock() }, 2]);
    await second.retire();
  });

  test('a moment without a price closes nothing', async () => {
    const moving = market();
    let broken = false;
    const tickers = moving.market.tickers.bind(moving.market);
    moving.market.tickers = async (at) =>
      (await tickers(at)).map((row) => (broken && row.symbol === 'AAAUSDT' ? { ...row, price: Number.NaN } : row));
    const desk = await tradingDesk(db, moving);
    await desk.addPair();
    await desk.engine.tick();
    broken = true;
    await desk.run(5);
    broken = false;
    await desk.run(1);
    expect((await desk.hedge()).state).toBe('open');
  });

  test('a delisted symbol closes its hedge', async () => {
    const moving = movingMarket({
      AAAUSDT: { price: 100, stoppedAt: Date.UTC(2026, 0, 15, 7) },
      BBBUSDT: { price: 50 },
    });
    const desk = await tradingDesk(db, moving);
    await desk.addPair();
    await desk.engine.tick();
    expect((await desk.hedge()).state).toBe('open');
    moving.wait(40 * 60_000);
    await desk.run(5);
    moving.wait(2 * HOUR_MS);
    await desk.run(5);
    moving.wait(60_000);
    await desk.run(60);
    expect(await desk.hedge()).toMatchObject({
      state: 'closed',
      closeReason: 'delisted',
      longQuantity: '0',
      shortQuantity: '0',
    });
    expect(await desk.events((await desk.hedge()).id)).toContain('delisted');
    expect((await desk.orders()).map(({ symbol, purpose }) => [symbol, purpose])).toEqual([
      ['AAAUSDT', 'entry'],
      ['BBBUSDT', 'entry'],
      // Out of trade for a moment is no end: only when the venue has taken it off does the other leg go.
      ['AAAUSDT', 'delisting'],
      ['BBBUSDT', 'exit'],
    ]);
  });

  test('an order is not sent when the lease ran out while registering it', async () => {
    const moving = market();
    let monotonic = 0;
    const slow = new Proxy(db, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== 'transaction') return typeof value === 'function' ? value.bind(target) : value;
        return async (work: never) => {
          const done = await target.transaction(work);
          const [registered] = await db.select().from(tradeOrder).where(eq(tradeOrder.userId, desk.userId));
          // The process slept after the commit.
          if (registered) monotonic += 60_000;
          return done;
        };
      },
    });
    const desk = await tradingDesk(db, moving, { engine: { db: slow, monotonic: () => monotonic } });
    await desk.addPair();
    await desk.engine.tick();
    expect((await desk.orders()).map(({ state }) => state)).toEqual(['registered']);
    expect(await desk.venue.positions(desk.userId)).toEqual([]);
    expect(desk.troubles).toContain('LeaseLost');
    await desk.retire();
  });

  test('a holder that lost its lease cannot register an order', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving);
    const mine = new Leases(db, { holder: 'mine' });
    await mine.keep();
    await mine.fence(db, desk.userId);
    await db.update(book).set({ leaseHolder: 'other', leaseToken: 99 }).where(eq(book.userId, desk.userId));
    await expect(mine.fence(db, desk.userId)).rejects.toThrow('lease');
  });
});
