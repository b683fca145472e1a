import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'drizzle-orm';
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator';
import type { Queries } from '../client';
import { newer } from '../embedded/dataFolder';

/** The development server loads this file without an `import.meta.url`; it starts in the project's folder. */
const FOLDER = import.meta.url
  ? fileURLToPath(new URL('../migrations', import.meta.url))
  : path.resolve('server/base/db/migrations');

let files: readonly MigrationMeta[] | undefined;

/** The migrations that come with this program, read once. */
function migrationFiles(): readonly MigrationMeta[] {
  files ??= readMigrationFiles({ migrationsFolder: FOLDER });
  return files;
}

/** Hashes of the migrations this program knows, oldest first. */
export const knownMigrations = (): string[] => migrationFiles().map(({ hash }) => hash);

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
 * @param upTo hashes of the migrations that it is to have gone through in the end; all without it
 * @throws StartRefusal when the database has migrations this program does not know.
 */
export async function migrate(db: Queries, place: string, upTo?: readonly string[]): Promise<void> {
  const all = migrationFiles();
  const known = new Set(all.map(({ hash }) => hash));
  const applied = await appliedMigrations(asking(db));
  if ([...applied, ...(upTo ?? [])].some((hash) => !known.has(hash))) throw newer(place);
  const migrations = upTo === undefined ? all : all.filter(({ hash }) => upTo.includes(hash));
  if (applied.length >= migrations.length) return;
  const { dialect, session } = db as unknown as Migratable;
  await dialect.migrate([...migrations], session, { migrationsFolder: FOLDER });
}

const asking = (db: Queries) => async (text: string) => (await db.execute(sql.raw(text))).rows;

/** How many of this program's migrations a database has not gone through: one that was restored meanwhile may lack some. */
export async function missingMigrations(db: Queries): Promise<number> {
  const applied = new Set(await appliedMigrations(asking(db)));
  return knownMigrations().filter((hash) => !applied.has(hash)).length;
}

/** Hashes of the migrations that a database has gone through, oldest first. @param query asks it */
export async function appliedMigrations(query: (text: string) => Promise<unknown[]>): Promise<string[]> {
  const [found] = await query(`select to_regclass('drizzle.__drizzle_migrations') is not null as found`);
  if (!(found as { found: boolean } | undefined)?.found) return [];
  const applied = await query('select hash from drizzle.__drizzle_migrations order by id');
  return (applied as { hash: string }[]).map(({ hash }) => hash);
}
