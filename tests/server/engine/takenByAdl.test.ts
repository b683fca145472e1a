import { movingMarket } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const db = await fileDatabase();

test('a deal whose leg was taken by ADL ends for that reason, not as a liquidation', async () => {
  const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
  const desk = await tradingDesk(db, moving, {
    settings: { legNotional: 500_000, leverage: 20, stopLoss: null, slippageCap: 500, dailyLossLimit: null },
  });
  await desk.addPair();
  await desk.engine.tick();
  const events = desk.venue.events.bind(desk.venue);
  desk.venue.events = async (...asked) =>
    (await events(...asked)).map((event) =>
      event.kind === 'fill' && event.forced ? { ...event, forced: 'adl' } : event,
    );
  moving.set('AAAUSDT', 81);
  await desk.run(90);
  const { id, closeReason } = await desk.hedge();
  expect(await desk.events(id)).toContain('deleveraged');
  expect(closeReason).toBe('deleveraged');
});
