import { eq } from 'drizzle-orm';
import { target } from '#server/base/db/schema';
import { movingMarket } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const db = await fileDatabase();

test('what is liquidated while it already closes is opened again by nobody but a person', async () => {
  const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
  const box = { refusing: false };
  const desk = await tradingDesk(db, moving, {
    settings: { legNotional: 500_000, leverage: 20, stopLoss: 0.02, slippageCap: 500, dailyLossLimit: null },
    venue: { faults: { reject: () => box.refusing } },
  });
  await desk.addPair();
  await desk.engine.tick();
  expect((await desk.hedge()).state).toBe('open');
  // The stop is met, and the exchange takes no order before the market has gone on.
  box.refusing = true;
  moving.set('AAAUSDT', 92);
  await desk.run(3);
  expect(await desk.hedge()).toMatchObject({ state: 'closing', closeReason: 'stopLoss' });
  moving.set('AAAUSDT', 81);
  await desk.run(20);
  box.refusing = false;
  await desk.run(90);
  const [first, ...later] = await desk.hedges();
  expect(await desk.events(first!.id)).toContain('liquidated');
  expect(first!.state).toBe('closed');
  const [held] = await db.select().from(target).where(eq(target.userId, desk.userId));
  expect({ hold: held!.hold, later: later.length }).toEqual({ hold: 'confirm', later: 0 });
});
