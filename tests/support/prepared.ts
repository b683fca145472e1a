import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import type { Database, Queries } from '#server/db/client';
import { knownMigrations, migrate } from '#server/db/migrate';
import { openDatabase } from '#server/db/openDatabase';
import { ROOT } from './projectFiles';
import { temporaryFolder } from './temporaryFolder';

/** An installation empties this folder. */
const CACHE = path.join(ROOT, 'node_modules/.cache/hedge-console');
const SCHEMA = createHash('sha256').update(knownMigrations().join()).digest('hex').slice(0, 16);

/** Makes a thing once for all runs; aside first, because several workers may come here at once. */
async function prepared(name: string, make: (place: string) => Promise<void>): Promise<string> {
  const place = path.join(CACHE, `${name}-${SCHEMA}`);
  if (existsSync(place)) return place;
  mkdirSync(CACHE, { recursive: true });
  const aside = `${place}.${process.pid}`;
  await make(aside);
  try {
    renameSync(aside, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
  }
  return place;
}

/** An empty database with today's schema in memory: loading one takes a fifth of the time of making one. */
export async function memoryDatabase(): Promise<Database> {
  const dump = await prepared('memory', async (place) => {
    const postgres = await PGlite.create({ initDbStartParams: ['--wal-segsize=1'] });
    await migrate(drizzle(postgres) as unknown as Queries, 'memory');
    // What a database of tests does not need takes most of the time of loading it.
    await postgres.exec(`update pg_database set datistemplate = false where datistemplate`);
    for (const unused of ['template0', 'template1']) await postgres.exec(`drop database ${unused}`);
    await postgres.exec('checkpoint');
    const dumped = await postgres.dumpDataDir('none');
    await postgres.close();
    writeFileSync(place, Buffer.from(await dumped.arrayBuffer()));
  });
  return openDatabase({ kind: 'memory', dump: new Blob([readFileSync(dump)]) });
}

/** A data folder of its own that was opened once and closed: empty tables of today's schema. */
export async function openedFolder(): Promise<string> {
  const opened = await prepared('folder', async (place) => {
    const db = await openDatabase({ kind: 'folder', path: place });
    await db.close();
  });
  const folder = path.join(temporaryFolder(), 'data');
  cpSync(opened, folder, { recursive: true });
  return folder;
}
