import { eq } from 'drizzle-orm';
import { target } from '#server/base/db/schema';
import { pauseBook } from '#server/desk/strategy/bookIntents';
import { closeDeal } from '#server/desk/strategy/strategyIntents';
import { armPair } from '#server/kinds/hedge/configRoutes';
import { movingMarket } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const db = await fileDatabase();

/** A hedge that the venue has liquidated and whose end nobody confirms yet. */
async function liquidated() {
  const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
  const box = { failing: false };
  const desk = await tradingDesk(db, moving, {
    settings: { legNotional: 500_000, leverage: 20, stopLoss: null, slippageCap: 500, dailyLossLimit: null },
    venue: { faults: { failPositions: () => box.failing } },
  });
  const pairId = await desk.addPair();
  await desk.engine.tick();
  expect((await desk.hedge()).state).toBe('open');
  box.failing = true;
  moving.set('AAAUSDT', 81);
  await desk.run(60);
  expect(await desk.hedge()).toMatchObject({ state: 'closing', closeReason: 'liquidation' });
  const row = async () => (await db.select().from(target).where(eq(target.userId, desk.userId)))[0]!;
  expect(await row()).toMatchObject({ hold: 'confirm' });
  const asker = { user: { id: desk.userId, name: 'somebody' }, now: moving.clock() };
  return { desk, pairId, row, asker, end: () => (box.failing = false) };
}

test('a pair that a person arms while its liquidated hedge still closes stays armed', async () => {
  const { desk, pairId, row, asker, end } = await liquidated();
  // Nothing is opened meanwhile.
  await db.transaction((tx) => pauseBook(tx, asker, 'later'));
  await db.transaction((tx) => armPair(tx, asker, pairId));
  await desk.engine.wake(desk.userId);
  expect(await row()).toMatchObject({ hold: null });
  end();
  await desk.run(40);
  const [first] = await desk.hedges();
  expect(first!.state).toBe('closed');
  expect(await row()).toMatchObject({ hold: null });
});

test('one that a person closed while it closed is said to be closed by hand', async () => {
  const { desk, row, asker, end } = await liquidated();
  const { id } = await desk.hedge();
  await db.transaction((tx) => closeDeal(tx, asker, id));
  await desk.engine.wake(desk.userId);
  expect(await row()).toMatchObject({ hold: 'closed' });
  end();
  await desk.run(40);
  expect((await desk.hedge()).state).toBe('closed');
  expect(await row()).toMatchObject({ hold: 'closed', block: 'closedByHand' });
});
