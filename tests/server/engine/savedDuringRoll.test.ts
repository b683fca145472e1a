import { eq } from 'drizzle-orm';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { strategy } from '#server/base/db/schema';
import { rollDeal, updateStrategy } from '#server/desk/strategy/strategyIntents';
import { simulatedMarket, strategyDesk } from '../../support/kindDesk';
import { fileDatabase } from '../../support/testDatabase';

const START = Date.UTC(2026, 8, 1, 4, 30);
const NEXT = 'BTCUSDT_261225';
const db = await fileDatabase();

test('what a person saves while a deal rolls is not taken back by the roll', async () => {
  const params = { ...DEFAULT_SPREAD, near: 'BTCUSDT_SPOT', far: 'BTCUSDT_260925', exitLevel: null, entryApr: 0 };
  const desk = await strategyDesk(db, simulatedMarket(START), 'spread', params);
  await desk.run(10);
  const [held] = await desk.deals();
  expect(held!.state).toBe('open');

  const saved = async () => (await db.select().from(strategy).where(eq(strategy.id, desk.id)))[0]!;
  const submit = desk.venue.submit.bind(desk.venue);
  let answered: { version: number } | undefined;
  // While the order for the next expiry is on its way.
  desk.venue.submit = async (order) => {
    if (answered === undefined && order.symbol === NEXT) {
      const plan = await desk.planOf({ ...params, stopLoss: 0.01, legNotional: 777 });
      answered = await db.transaction((tx) => updateStrategy(tx, desk.asker(), desk.id, 1, plan as never));
    }
    return submit(order);
  };
  await desk.ask((tx, who) => rollDeal(tx, who, held!.id));
  await desk.run(15);
  expect(answered).toMatchObject({ version: 2 });
  const [, after] = await desk.deals();
  expect(after).toMatchObject({ state: 'open', rolledFrom: held!.id });
  expect((await saved()).params).toMatchObject({ far: NEXT, stopLoss: 0.01, legNotional: 777 });
});
