import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/client';
import { knownMigrations } from '#server/db/migrate';
import { openDatabase } from '#server/db/openDatabase';
import { type PostgresDatabase, postgresDatabase } from '../../support/postgresDatabase';
import { memoryDatabase } from '../../support/prepared';

let database: PostgresDatabase;
beforeAll(async () => {
  database = await postgresDatabase();
});
afterAll(() => database.drop());

/** Every column and index of the schema, as the database tells them. */
async function shapeOf(db: Database): Promise<string[]> {
  const columns = await db.execute<{ line: string }>(sql`
    select format('%s.%s %s %s %s', table_name, column_name, data_type, is_nullable, column_default) line
    from information_schema.columns where table_schema = 'public'`);
  const indexes = await db.execute<{ line: string }>(sql`
    select indexdef line from pg_indexes where schemaname = 'public'`);
  return [...columns.rows, ...indexes.rows].map(({ line }) => line).sort();
}

test('two servers that start at once on an empty database migrate it once, to the schema of the embedded one', async () => {
  const [first, second] = await Promise.all([1, 2].map(() => openDatabase({ kind: 'url', url: database.url })));
  const applied = await first!.execute<{ hash: string }>(
    sql`select hash from drizzle.__drizzle_migrations order by id`,
  );
  expect(applied.rows.map(({ hash }) => hash)).toEqual(knownMigrations());
  const embedded = await memoryDatabase();
  const shape = await shapeOf(first!);
  expect(shape.length).toBeGreaterThan(100);
  expect(shape).toEqual(await shapeOf(embedded));
  await embedded.close();
  await second!.close();
  await first!.close();
});

test('the ledger cannot be changed, not even by the owner of the tables', async () => {
  const db = await openDatabase({ kind: 'url', url: database.url });
  await expect(db.execute(sql`update ledger set amount = 0`)).rejects.toThrow();
  await expect(db.execute(sql`delete from ledger`)).rejects.toThrow();
  await db.close();
});
