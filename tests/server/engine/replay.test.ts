import '#server/kinds/kinds';
import { asc } from 'drizzle-orm';
import { HOUR_MS } from '#contract/duration';
import { DEFAULT_SETTINGS, type HedgeSettings } from '#contract/kinds/hedge/config';
import { hedge } from '#server/base/db/hedges/hedgeView';
import { dealEvent, fill, ledger, tradeOrder, user } from '#server/base/db/schema';
import { Engine } from '#server/engine/engine';
import { PairModels } from '#server/engine/pairModel';
import { createPaperVenue } from '#server/market/paper/paperVenue';
import { addBook, addPair } from '../../support/bookRows';
import { movingMarket } from '../../support/paperDesk';
import { testDatabase } from '../../support/testDatabase';

/** Ids in the order in which they are asked for. */
function countedIds() {
  let made = 0;
  return () => {
    made += 1;
    return `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`;
  };
}

/** Some hours of trading from one seed: everything that was written down, as one text. */
async function tradedHours(): Promise<string> {
  const db = await testDatabase();
  const moving = movingMarket({
    AAAUSDT: { price: 100, fundingHours: 1, rate: 0.0002 },
    BBBUSDT: { price: 50, fundingHours: 8, rate: -0.0001 },
  });
  const newId = countedIds();
  const [userId, pairId] = [newId(), newId()];
  const venue = createPaperVenue({ db, clock: moving.clock, markets: moving.markets });
  const settings: HedgeSettings = { ...DEFAULT_SETTINGS, zBar: '1d', rebalance: 0.003, takeProfit: null };
  await db.insert(user).values({ id: userId, name: 'seeded', role: 'user', passwordHash: '-', createdAt: 0 });
  await addBook(db, userId, { enabled: true }, { settings });
  const pair = { long: 'AAAUSDT', short: 'BBBUSDT', createdAt: 0, armedAt: moving.clock() };
  await addPair(db, { id: pairId, userId, ...pair });
  await venue.open(userId, '100000');
  const engine = new Engine({
    db,
    clock: moving.clock,
    markets: moving.markets,
    venue,
    pairModels: new PairModels(),
    holder: 'replay',
    newId,
  });
  for (let hour = 0; hour < 9; hour += 1) {
    moving.set('AAAUSDT', 100 + Math.round(300 * Math.sin(hour)) / 100);
    moving.wait(HOUR_MS);
    await engine.tick();
  }
  await engine.stop();
  const written = [
    await db.select().from(hedge).orderBy(asc(hedge.id)),
    await db.select().from(tradeOrder).orderBy(asc(tradeOrder.id)),
    await db.select().from(fill).orderBy(asc(fill.id)),
    await db.select().from(ledger).orderBy(asc(ledger.id)),
    await db.select().from(dealEvent).orderBy(asc(dealEvent.id)),
  ];
  await db.close();
  return JSON.stringify(written, null, 1);
}

test('a seed replays a run byte for byte', async () => {
  const first = await tradedHours();
  expect(first).toContain('"kind": "funding"');
  expect(first).toContain('"purpose": "rebalance"');
  expect(await tradedHours()).toBe(first);
});
