import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type { Queries } from './client';
import { newer } from './dataFolder';

/** The development server loads this file without an `import.meta.url`; it starts in the project's folder. */
const FOLDER = import.meta.url
  ? fileURLToPath(new URL('./migrations', import.meta.url))
  : path.resolve('server/db/migrations');

/** Hashes of the migrations this program knows, oldest first. */
export const knownMigrations = (): string[] => readMigrationFiles({ migrationsFolder: FOLDER }).map(({ hash }) => hash);

/** What drizzle's drivers share and their types leave out. */
interface Migratable {
  dialect: {
    migrate(migrations: MigrationMeta[], session: unknown, config: { migrationsFolder: string }): Promise<void>;
  };
  session: unknown;
}

/**
 * Brings the database's schema to this program's.
 * @param place the folder or host, for the message.
 * @throws StartRefusal when the database has migrations this program does not know.
 */
export async function migrate(db: Queries, place: string): Promise<void> {
  const migrations = readMigrationFiles({ migrationsFolder: FOLDER });
  const known = new Set(migrations.map(({ hash }) => hash));
  const applied = await appliedMigrations(db);
  if (applied.some((hash) => !known.has(hash))) throw newer(place);
  if (applied.length === migrations.length) return;
  const { dialect, session } = db as unknown as Migratable;
  await dialect.migrate(migrations, session, { migrationsFolder: FOLDER });
}

async function appliedMigrations(db: Queries): Promise<string[]> {
  const found = await db.execute<{ found: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as found`,
  );
  if (!found.rows[0]?.found) return [];
  const applied = await db.execute<{ hash: string }>(sql`select hash from drizzle.__drizzle_migrations order by id`);
  return applied.rows.map(({ hash }) => hash);
}
