import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/pglite';
import type { Database } from '#server/db/client';
import { openDatabase } from '#server/db/openDatabase';
import { audit } from '#server/engine/audit';
import { createPaperVenue } from '#server/exchange/paper/paperVenue';
import { testApp } from '../../support/app';
import { ROOT } from '../../support/projectFiles';
import { answersOf, version9Market } from './version9';

const MIGRATIONS = path.join(ROOT, 'server/db/migrations');
const kept = (name: string) => readFileSync(path.join(ROOT, 'tests/server/db/version9', name), 'utf8');

/** What drizzle's types leave out. */
interface Migratable {
  dialect: { migrate(migrations: unknown[], session: unknown, config: { migrationsFolder: string }): Promise<void> };
  session: unknown;
}

/** A database of ten migrations, 0000 to 0009, with what was traded on it, as this version opens it. */
async function upgraded(): Promise<Database> {
  const postgres = await PGlite.create();
  const { dialect, session } = drizzle(postgres) as unknown as Migratable;
  const first = readMigrationFiles({ migrationsFolder: MIGRATIONS }).slice(0, 10);
  await dialect.migrate(first, session, { migrationsFolder: MIGRATIONS });
  await postgres.exec(kept('rows.sql'));
  const dump = await postgres.dumpDataDir('none');
  await postgres.close();
  return openDatabase({ kind: 'memory', dump: new Blob([await dump.arrayBuffer()]) });
}

test('what an older version traded adds up, and every figure of it is the same to the digit', async () => {
  const db = await upgraded();
  const market = version9Market();
  const { now, prices, answers } = JSON.parse(kept('answers.json'));
  for (const [symbol, price] of Object.entries(prices))
    market.coins[symbol as keyof typeof market.coins].price = Number(price);
  market.wait(now - market.clock());
  const app = await testApp({ db, markets: market.markets, clock: market.clock });
  const { books, deals, findings } = await audit(
    db,
    createPaperVenue({ db, clock: market.clock, markets: market.markets }),
  );
  expect({ books, deals, findings }).toEqual({ books: 1, deals: 2, findings: [] });
  const found = await answersOf(app);
  expect(found).toHaveLength(answers.length);
  // A later version may say more than that, but nothing else.
  expect(found).toMatchObject(answers);
  await app.close();
});
