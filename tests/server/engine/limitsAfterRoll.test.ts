import { eq } from 'drizzle-orm';
import { DEFAULT_SPREAD } from '#contract/kinds/spread/params';
import { deal, dealEvent } from '#server/base/db/schema';
import { rollDeal } from '#server/desk/strategy/strategyIntents';
import { setLimits } from '#server/desk/strategy/strategyParams';
import { simulatedMarket, strategyDesk } from '../../support/kindDesk';
import { fileDatabase } from '../../support/testDatabase';

const START = Date.UTC(2026, 8, 1, 4, 30);
const db = await fileDatabase();

test('the stop that a person has set for a deal goes on with it into the next expiry', async () => {
  const params = { ...DEFAULT_SPREAD, near: 'BTCUSDT_SPOT', far: 'BTCUSDT_260925', exitLevel: null, entryApr: 0 };
  const desk = await strategyDesk(db, simulatedMarket(START), 'spread', { ...params, stopLoss: 0.05 });
  await desk.run(10);
  const [held] = await desk.deals();
  expect(held!.state).toBe('open');
  const limits = { stopLoss: 0.02, maxHoldingHours: 400 };
  const was = { stopLoss: 0.05, maxHoldingHours: null };
  await desk.ask((tx, who) => setLimits(tx, who, { id: held!.id, limits, was }));
  await desk.ask((tx, who) => rollDeal(tx, who, held!.id));
  await desk.run(15);
  const [, after] = await desk.deals();
  expect(after).toMatchObject({ state: 'open', rolledFrom: held!.id });
  const [row] = await db.select().from(deal).where(eq(deal.id, after!.id));
  const told = await db.select().from(dealEvent).where(eq(dealEvent.dealId, after!.id));
  expect(row!.params).toMatchObject(limits);
  expect(told.filter(({ kind }) => kind === 'limits')).toHaveLength(1);
});
