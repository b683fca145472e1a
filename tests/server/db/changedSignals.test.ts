import { readFileSync } from 'node:fs';
import { eq, sql } from 'drizzle-orm';
import { strategy, target } from '#server/base/db/schema';
import { kindDesk, kindMarket, type TradedKind } from '../../support/kindDesk';
import { fileDatabase } from '../../support/testDatabase';

const HOLDS = readFileSync('server/base/db/migrations/0042_changed_signals.sql', 'utf8');
const db = await fileDatabase();

test('what waits for a signal whose formula changes is not opened by the change: it waits to be confirmed', async () => {
  /** Nothing makes 1000 % a year. */
  const waits = { over: { entryApr: 10 } };
  const deskOf = async (kind: TradedKind, more = {}) => {
    const desk = await kindDesk(db, kindMarket(), kind, more);
    await desk.run(8);
    return desk;
  };
  const desks = [
    await deskOf('spread', waits),
    await deskOf('fundingRate', waits),
    await deskOf('cexRate', waits),
    // One that is held goes on, and so does a kind that is judged as before.
    await deskOf('spread'),
    await deskOf('grid'),
  ];
  await db.execute(sql.raw(HOLDS));
  const holds = await db
    .select({ kind: strategy.kind, hold: target.hold, block: target.block })
    .from(target)
    .innerJoin(strategy, eq(strategy.id, target.strategyId))
    .orderBy(strategy.createdAt, target.createdAt);
  const held = holds.filter(({ hold }) => hold === 'confirm');
  expect(held.map(({ kind, block }) => [kind, block]).sort()).toEqual([
    ['cexRate', 'unconfirmed'],
    ['fundingRate', 'unconfirmed'],
    ['spread', 'unconfirmed'],
  ]);
  expect(holds).toHaveLength(5);
  for (const desk of desks) await desk.retire();
});
