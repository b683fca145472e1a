import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, openAsBlob, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { type Database, openDatabase, type Queries } from '#server/db/client';
import { knownMigrations, migrate } from '#server/db/migrate';
import { ROOT } from './projectFiles';

/** Making a cluster takes five times as long as loading one; an installation makes it once and empties this folder. */
const CACHE = path.join(ROOT, 'node_modules/.cache/hedge-console');

/** An empty database with today's schema in memory. */
export async function memoryDatabase(): Promise<Database> {
  const file = path.join(CACHE, `${createHash('sha256').update(knownMigrations().join()).digest('hex')}.tar`);
  if (!existsSync(file)) await writeDump(file);
  return openDatabase({ kind: 'memory', dump: await openAsBlob(file) });
}

/** Written aside: several workers may come here at once. */
async function writeDump(file: string): Promise<void> {
  const postgres = await PGlite.create();
  await migrate(drizzle(postgres) as unknown as Queries, 'memory');
  const dump = await postgres.dumpDataDir('none');
  await postgres.close();
  mkdirSync(CACHE, { recursive: true });
  const aside = `${file}.${process.pid}`;
  writeFileSync(aside, Buffer.from(await dump.arrayBuffer()));
  renameSync(aside, file);
}
