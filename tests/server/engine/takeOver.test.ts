import Big from 'big.js';
import { eq, sql } from 'drizzle-orm';
import { HOUR_MS, SECOND_MS } from '#contract/duration';
import { DEFAULT_SETTINGS, type HedgeSettings } from '#contract/kinds/hedge/config';
import { ONCE_SECONDS } from '#contract/lifecycle';
import { legsOf } from '#server/base/db/hedges/pairLegs';
import { book, killSwitch, strategy } from '#server/base/db/schema';
import { takingTerms } from '#server/base/db/strategies/singleTerms';
import { switchAllBooks } from '#server/desk/strategy/bookIntents';
import { closeDeal, openSingle, pauseStrategy } from '#server/desk/strategy/strategyIntents';
import type { PaperFaults } from '#server/market/paper/paperVenue';
import { movingMarket } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const db = await fileDatabase();
afterEach(async () => {
  await db.delete(killSwitch);
});

const PAIR = { long: 'AAAUSDT', short: 'BBBUSDT' };
const HELD = { long: '2', short: '4' };
let byHand = 0;

interface Given {
  faults?: PaperFaults;
  settings?: Partial<HedgeSettings>;
  /** How the first coin differs. */
  coin?: { fundingHours: number };
}

/** A trader whose account holds what somebody bought and sold by hand at its venue. */
async function world({ faults, settings, coin }: Given = {}) {
  const moving = movingMarket({ AAAUSDT: { price: 100, ...coin }, BBBUSDT: { price: 50 } });
  const desk = await tradingDesk(db, moving, faults ? { venue: { faults } } : {});
  const { userId, venue } = desk;
  const asker = { user: { id: userId, name: 'owner' }, now: moving.clock() };
  const hand = (symbol: string, side: 'buy' | 'sell', quantity: string) => {
    byHand += 1;
    const limitPrice = side === 'buy' ? '1000' : '1';
    return venue.submit({
      ...{ clientId: `by-hand-${byHand}`, account: userId, source: 'simulated', symbol, side, type: 'market' },
      ...{ quantity, limitPrice, reduceOnly: false, leverage: 10 },
    });
  };
  await hand(PAIR.long, 'buy', HELD.long);
  await hand(PAIR.short, 'sell', HELD.short);
  await desk.run(1);
  /** @returns the id of the strategy */
  const takesOver = async (quantity = HELD, pair = PAIR) => {
    const params: HedgeSettings = { ...DEFAULT_SETTINGS, rebalance: null, maxHoldingHours: null, ...settings };
    const plan = { name: '接管', params, targets: [legsOf({ source: 'simulated', ...pair })] };
    const terms = takingTerms({ accountId: userId, quantity }, moving.clock() + ONCE_SECONDS * SECOND_MS);
    const { id } = await db.transaction((tx) =>
      openSingle(tx, { ...asker, now: moving.clock() }, 'hedge', plan, terms, '接管'),
    );
    return id;
  };
  return {
    ...{ ...desk, moving, asker, hand, takesOver },
    strategy: async (id: string) => (await db.select().from(strategy).where(eq(strategy.id, id)))[0]!,
    /** Orders that anybody but the hand has sent. */
    sent: async () => (await desk.orders()).filter(({ id }) => !id.startsWith('venue-')),
    held: async () =>
      Object.fromEntries((await venue.positions(userId)).map(({ symbol, quantity }) => [symbol, quantity])),
  };
}
type World = Awaited<ReturnType<typeof world>>;

/** Nothing was taken, nothing was sent, and the strategy says why. */
async function refused(own: World, id: string, why: string) {
  expect(await own.strategy(id)).toMatchObject({ state: 'stopped', single: { refused: why } });
  expect(await own.sent()).toEqual([]);
}

test('what was traded by hand becomes an open hedge of both legs without an order, also while all are paused, and is closed as any other', async () => {
  const own = await world();
  await db.transaction((tx) => switchAllBooks(tx, own.asker, { action: 'pause', reason: 'x' }));
  const id = await own.takesOver();
  await own.engine.wake(own.userId);
  const [held] = await own.hedges();
  expect(held).toMatchObject({ state: 'open', mode: 'paper', longQuantity: '2', shortQuantity: '-4', ratio: 1 });
  expect([held!.longNotional, held!.shortNotional]).toEqual(['200', '200']);
  expect(await own.events(held!.id)).toEqual(['created', 'takenIn', 'takenIn', 'opened']);
  const rows = await own.ledger('inventory');
  expect(rows.map(({ dealId, quantity }) => [dealId !== null, quantity])).toEqual(
    expect.arrayContaining([
      [true, '2'],
      [false, '-2'],
      [true, '-4'],
      [false, '4'],
    ]),
  );
  expect(rows.reduce((sum, { amount }) => sum.plus(amount), new Big(0)).toFixed()).toBe('0');
  await own.run(5);
  expect(await own.sent()).toEqual([]);
  expect(await own.findings()).toEqual([]);
  await db.transaction((tx) => closeDeal(tx, own.asker, held!.id));
  await own.run(5);
  expect(await own.hedge()).toMatchObject({ state: 'closed', closeReason: 'manual' });
  expect((await own.sent()).map(({ purpose }) => purpose)).toEqual(['exit', 'exit']);
  expect(Object.values(await own.held()).every((quantity) => Number(quantity) === 0)).toBe(true);
  expect(await own.strategy(id)).toMatchObject({ state: 'stopped', single: { refused: null } });
  await own.run(ONCE_SECONDS + 5);
  expect(await own.hedges()).toHaveLength(1);
});

test('a part is taken over, its stop closes that part alone, and the rest stays outside', async () => {
  const own = await world({ settings: { stopLoss: 0.05 } });
  await own.takesOver({ long: '1', short: '2' });
  await own.run(2);
  own.moving.coins.AAAUSDT.price = 80;
  await own.run(5);
  expect(await own.hedge()).toMatchObject({ state: 'closed', closeReason: 'stopLoss' });
  expect(await own.held()).toMatchObject({ AAAUSDT: '1', BBBUSDT: '-2' });
  expect((await own.sent()).every(({ purpose }) => purpose === 'exit')).toBe(true);
});

test('what is gone, is less, or is on the other side is not taken, and no order is sent for it', async () => {
  const own = await world();
  const isGone = async (id: string) => {
    await own.run(2);
    await refused(own, id, 'positionGone');
    expect(await own.hedges()).toEqual([]);
  };
  await isGone(await own.takesOver({ long: '2.01', short: '4' }));
  await isGone(await own.takesOver(HELD, { long: PAIR.short, short: PAIR.long }));
  const late = await own.takesOver();
  await own.hand(PAIR.long, 'sell', '2');
  await isGone(late);
  // Whatever its rules and the market say, and however long it waits.
  await own.run(ONCE_SECONDS + 5);
  expect(await own.sent()).toEqual([]);
});

test('what was sold by hand a moment ago, of which the books have not heard, is not handed over', async () => {
  const late = { ms: 0 };
  const own = await world({ faults: { eventsLateMs: () => late.ms } });
  late.ms = 10_000;
  await own.hand(PAIR.short, 'buy', '4');
  const id = await own.takesOver();
  await own.run(5);
  // The venue says otherwise than the books.
  expect(await own.strategy(id)).toMatchObject({ state: 'running', single: { refused: null } });
  expect(await own.hedges()).toEqual([]);
  await own.run(10);
  await refused(own, id, 'positionGone');
});

test('a venue that does not answer is waited for, and a take-over that was paused or is too old takes nothing', async () => {
  const silent = { is: true };
  const own = await world({ faults: { failPositions: () => silent.is } });
  const late = await own.takesOver();
  await own.run(ONCE_SECONDS + 3);
  await refused(own, late, 'out');
  const paused = await own.takesOver();
  await db.transaction((tx) => pauseStrategy(tx, own.asker, paused));
  const soon = await own.takesOver();
  await own.run(2);
  silent.is = false;
  await own.run(2);
  expect(await own.hedges()).toMatchObject([{ state: 'open' }]);
  await own.run(ONCE_SECONDS);
  expect(await own.strategy(soon)).toMatchObject({ state: 'running' });
  expect((await own.strategy(paused)).state).toBe('stopped');
  expect(await own.sent()).toEqual([]);
});

test('the same positions are taken once, whoever asks, in whichever process, and what a database refuses leaves nothing behind', async () => {
  const own = await world();
  await db.execute(sql`create function no_inventory() returns trigger language plpgsql as
    $$ begin if new.kind = 'inventory' and new.quantity < 0 then raise exception 'no'; end if; return new; end $$`);
  await db.execute(
    sql`create trigger no_inventory before insert on ledger for each row execute function no_inventory()`,
  );
  const ids = [await own.takesOver(), await own.takesOver({ long: '1', short: '4' })];
  await own.run(2);
  expect(own.troubles.splice(0).length).toBeGreaterThan(0);
  expect(await own.hedges()).toEqual([]);
  expect(await own.ledger('inventory')).toEqual([]);
  await db.execute(sql`drop trigger no_inventory on ledger`);
  const other = await tradingDesk(db, own.moving, { userId: own.userId, isKept: true });
  await Promise.all([own.engine.tick(), other.engine.tick()]);
  await own.run(2);
  expect(await own.hedges()).toMatchObject([{ state: 'open' }]);
  const states = await Promise.all(ids.map(async (id) => (await own.strategy(id)).single!.refused));
  expect(states).toEqual(expect.arrayContaining([null, 'positionGone']));
  // Who goes on with the book later finds the deal, and takes nothing again.
  await own.engine.stop();
  await other.engine.stop();
  await db.update(book).set({ leaseUntil: 0 }).where(eq(book.userId, own.userId));
  const next = await tradingDesk(db, own.moving, { userId: own.userId });
  await next.run(3);
  expect(await next.hedges()).toHaveLength(1);
  expect(await own.sent()).toEqual([]);
});

test('a settlement that is told after what it was of was taken over stays that of the account', async () => {
  const own = await world({ coin: { fundingHours: 1 } });
  const { moving, venue } = own;
  const told = venue.events.bind(venue);
  venue.events = async (...asked) => (await told(...asked)).filter(({ kind }) => kind !== 'funding');
  await own.run(1, HOUR_MS - (moving.clock() % HOUR_MS) + SECOND_MS);
  await own.takesOver();
  await own.run(2);
  expect(await own.hedge()).toMatchObject({ state: 'open', longQuantity: '2' });
  expect(await own.ledger('funding')).toEqual([]);
  venue.events = told;
  await own.run(1);
  const [first, ...others] = await own.ledger('funding');
  expect([first, ...others]).toHaveLength(1);
  expect(first).toMatchObject({ dealId: null, quantity: '2' });
  // The next one is of the deal.
  await own.run(1, HOUR_MS);
  const { id } = (await own.hedge())!;
  expect((await own.ledger('funding')).map(({ dealId }) => dealId)).toEqual([null, id]);
});
