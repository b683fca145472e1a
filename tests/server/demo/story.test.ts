import { eq } from 'drizzle-orm';
import { DAY_MS } from '#contract/duration';
import type { Database } from '#server/db/client';
import { hedge } from '#server/db/hedgeView';
import { book, equityPoint, fill, ledger } from '#server/db/schema';
import { settleDemoUsers } from '#server/demo/demoUsers';
import { tellStory } from '#server/demo/story';
import { audit } from '#server/engine/audit';
import { createPaperVenue } from '#server/exchange/paper/paperVenue';
import { createSimulatedMarket } from '#server/exchange/simulated';
import { addPair, pairById } from '../../support/bookRows';
import { memoryDatabase } from '../../support/prepared';
import { traderOf } from '../../support/tradingDesk';

const NOW = Date.UTC(2026, 0, 15, 9, 30);
const clock = () => NOW;

let db: Database;
beforeAll(async () => {
  db = await memoryDatabase();
  await settleDemoUsers(db, clock, true);
});
afterAll(() => db.close());

test('the demo has a past that the engine traded: several accounts, hedges closed and running, books that add up', async () => {
  const stranger = await traderOf(db);
  const pair = { userId: stranger, long: 'SOLUSDT', short: 'ADAUSDT', createdAt: NOW, armedAt: NOW };
  const pairId = await addPair(db, pair);
  const days = 8;
  await tellStory({ db, clock, stopped: () => false, days });

  const hedges = await db.select().from(hedge);
  expect(new Set(hedges.map(({ userId }) => userId)).size).toBeGreaterThanOrEqual(3);
  expect(new Set(hedges.map(({ state }) => state))).toEqual(new Set(['open', 'closed']));
  for (const { createdAt, closedAt, longQuantity, state } of hedges) {
    expect(createdAt).toBeGreaterThan(NOW - (days + 1) * DAY_MS);
    expect(closedAt ?? NOW).toBeLessThanOrEqual(NOW);
    expect(Number(longQuantity) > 0).toBe(state === 'open');
  }
  expect((await db.select().from(fill)).length).toBeGreaterThanOrEqual(2 * hedges.length);
  expect((await db.select().from(equityPoint)).length).toBeGreaterThan(days);

  // Whoever is no part of the story trades in the present alone.
  expect(await db.select().from(ledger).where(eq(ledger.userId, stranger))).toEqual([]);
  expect((await pairById(db, pairId)).usedArmAt).toBeNull();
  expect((await db.select().from(book).where(eq(book.userId, stranger)))[0]!.leaseHolder).toBeNull();

  await db.delete(book).where(eq(book.userId, stranger));
  const source = createSimulatedMarket({ clock });
  const markets = { list: async () => [source], get: async () => source };
  expect((await audit(db, createPaperVenue({ db, clock, markets }))).findings).toEqual([]);

  // It is told once.
  const told = hedges.length;
  await tellStory({ db, clock: () => NOW + DAY_MS, stopped: () => false, days });
  expect(await db.select().from(hedge)).toHaveLength(told);
}, 180_000);
