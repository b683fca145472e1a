import { pairsOf } from '../../support/bookRows';
import { movingMarket } from '../../support/paperDesk';
import { fileDatabase } from '../../support/testDatabase';
import { tradingDesk } from '../../support/tradingDesk';

const db = await fileDatabase();

test.each([
  ['adl', 'deleveraged', 'deleveraged', 'confirm'],
  ['delivery', 'delivered', 'delivery', null],
  ['delisting', 'delisted', 'delisted', null],
] as const)(
  'a deal whose leg was taken by %s ends for that reason, not as a liquidation',
  async (forced, event, reason, hold) => {
    const moving = movingMarket({ AAAUSDT: { price: 100 }, BBBUSDT: { price: 50 } });
    const desk = await tradingDesk(db, moving, {
      settings: { legNotional: 500_000, leverage: 20, stopLoss: null, slippageCap: 500, dailyLossLimit: null },
    });
    await desk.addPair();
    await desk.engine.tick();
    const events = desk.venue.events.bind(desk.venue);
    desk.venue.events = async (...asked) =>
      (await events(...asked)).map((event) => (event.kind === 'fill' && event.forced ? { ...event, forced } : event));
    moving.set('AAAUSDT', 81);
    await desk.run(90);
    const { id, closeReason } = await desk.hedge();
    expect(await desk.events(id)).toContain(event);
    expect(closeReason).toBe(reason);
    expect(await pairsOf(db, desk.userId)).toMatchObject([{ hold }]);
  },
);
