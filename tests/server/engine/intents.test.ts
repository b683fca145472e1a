import { eq } from 'drizzle-orm';
import { book, killSwitch, user } from '#server/base/db/schema';
import { flattenBook, pauseBook, switchAllBooks, switchBook } from '#server/desk/strategy/bookIntents';
import { removePair } from '#server/kinds/hedge/configRoutes';
import { changeSettings, pairsOf } from '../../support/bookRows';
import { movingMarket } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const market = () => movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 }, CCCUSDT: { price: 20 } });
type Tx = Parameters<typeof flattenBook>[0];

const db = await fileDatabase();

describe('no entry follows an intent that was answered', () => {
  afterEach(async () => {
    await db.delete(killSwitch);
  });

  /** A hedge closes while a second pair waits to be entered; when the exit is on the wire somebody writes an intent. */
  async function interrupted(intent: (tx: Tx, userId: string, second: string) => Promise<unknown>) {
    let meanwhile: (() => Promise<unknown>) | undefined;
    const moving = market();
    const desk = await tradingDesk(db, moving, {
      venue: {
        latency: () => 50,
        sleep: async () => {
          const act = meanwhile;
          meanwhile = undefined;
          await act?.();
        },
      },
    });
    await desk.addPair('AAAUSDT', 'BBBUSDT');
    await desk.run(1);
    const second = await desk.addPair('CCCUSDT', 'BBBUSDT');
    await db.update(book).set({ revision: 1 }).where(eq(book.userId, desk.userId));
    meanwhile = () => db.transaction((tx) => intent(tx, desk.userId, second));
    // The second one is entered at an instant of its own.
    moving.wait(500);
    await desk.close((await desk.hedge()).id);
    expect(meanwhile).toBeUndefined();
    await desk.run(5);
    return desk;
  }

  const asker = (id: string) => ({ user: { id, name: 'somebody' }, now: Date.UTC(2026, 0, 15, 7) });
  const cases: [string, (tx: Tx, userId: string, second: string) => Promise<unknown>][] = [
    ['disable', (tx, userId) => switchBook(tx, asker(userId), false)],
    ['pause', (tx, userId) => pauseBook(tx, asker(userId), '')],
    ['remove pair', (tx, userId, pairId) => removePair(tx, asker(userId), pairId)],
    ['flatten', (tx, userId) => flattenBook(tx, asker(userId))],
    ['pause for all', (tx, userId) => switchAllBooks(tx, asker(userId), { action: 'pause', reason: 'x' })],
    ['flatten for all', (tx, userId) => switchAllBooks(tx, asker(userId), { action: 'flatten', reason: 'x' })],
    ['block the user', (tx, userId) => tx.update(user).set({ blocked: true }).where(eq(user.id, userId))],
  ];

  test.each(cases)('%s while an order is on the wire', async (_name, intent) => {
    const desk = await interrupted(intent);
    expect((await desk.hedges()).map(({ state }) => state)).toEqual(['closed']);
  });

  test('an unfilled entry stops once entries are disabled', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving, { settings: { orderType: 'maker' } });
    await desk.addPair();
    await desk.run(1);
    expect((await desk.orders()).map(({ state }) => state)).toEqual(['open']);
    await db.transaction((tx) => pauseBook(tx, asker(desk.userId), ''));
    await desk.engine.wake(desk.userId);
    expect(await desk.hedge()).toMatchObject({ state: 'failed', closeReason: 'cancelled' });
    moving.set('AAAUSDT', 90);
    await desk.run(3);
    expect((await desk.orders()).map(({ state }) => state)).toEqual(['cancelled']);
  });

  test('the kill switch stops entries until it is lifted', async () => {
    const desk = await tradingDesk(db, market());
    await desk.addPair();
    await desk.run(1);
    const { userId } = desk;
    await db.transaction((tx) => switchAllBooks(tx, asker(userId), { action: 'flatten', reason: 'x' }));
    // A pair that is armed beside it is looked at by the woken step, not by the next tick.
    await desk.addPair('CCCUSDT', 'BBBUSDT');
    await desk.engine.wake(userId);
    await desk.run(3);
    expect((await desk.hedges()).map(({ state, closeReason }) => [state, closeReason])).toEqual([
      ['closed', 'flatten'],
    ]);
    const blocks = await pairsOf(db, userId);
    expect(blocks.map(({ block }) => block).sort()).toEqual(['closedByHand', 'pausedForAll']);
    await db.transaction((tx) => switchAllBooks(tx, asker(userId), { action: 'resume', reason: 'y' }));
    await desk.engine.wake(userId);
    expect((await desk.hedges()).map(({ state }) => state)).toEqual(['closed', 'open']);
  });

  test('a blocked user enters nothing, and running deals stay guarded', async () => {
    const moving = market();
    const desk = await tradingDesk(db, moving, { settings: { stopLoss: 0.01, dailyLossLimit: null } });
    await desk.addPair();
    await desk.run(1);
    await db.update(user).set({ blocked: true }).where(eq(user.id, desk.userId));
    const second = await desk.addPair('CCCUSDT', 'BBBUSDT');
    await desk.run(3);
    expect(await desk.hedges()).toHaveLength(1);
    await db.update(book).set({ revision: 5 }).where(eq(book.userId, desk.userId));
    await desk.run(1);
    expect((await desk.pair(second)).block).toBe('userBlocked');
    moving.set('AAAUSDT', 97);
    await desk.run(1);
    expect((await desk.hedges()).map(({ state, closeReason }) => [state, closeReason])).toEqual([
      ['closed', 'stopLoss'],
    ]);
  });

  test('settings saved while an order is out apply to the next entry', async () => {
    const desk = await interrupted(async (tx, userId) => {
      await changeSettings(tx, userId, { legNotional: 500 });
      await tx.update(book).set({ revision: 7 }).where(eq(book.userId, userId));
    });
    expect((await desk.hedges()).map(({ longNotional }) => Math.round(Number(longNotional)))).toEqual([2000, 500]);
  });
});
