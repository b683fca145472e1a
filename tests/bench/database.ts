import path from 'node:path';
import { sql } from 'drizzle-orm';
import { startServer } from '../support/serverProcess';
import { temporaryFolder } from '../support/temporaryFolder';
import { benchDatabase } from './benchDatabase';
import type { Figure } from './figure';

const COMMITS = 2000;

const perSecond = (count: number, startedAt: number) => (count / (performance.now() - startedAt)) * 1000;

/** Commits a second of one row each: one after the other, and all waiting at once; without `safe`, an answer may be lost. */
async function commitRates(safe: boolean): Promise<{ alone: number; together: number }> {
  const db = await benchDatabase();
  await db.execute(sql.raw(`alter system set synchronous_commit = ${safe ? 'on' : 'off'}`));
  await db.execute(sql`select pg_reload_conf()`);
  await db.execute(sql`create table bench (id int primary key, note text not null)`);
  const commit = (id: number) => db.execute(sql`insert into bench values (${id}, ${`note ${id}`})`);
  for (let id = -100; id < 0; id += 1) await commit(id);
  let startedAt = performance.now();
  for (let id = 0; id < COMMITS; id += 1) await commit(id);
  const alone = perSecond(COMMITS, startedAt);
  startedAt = performance.now();
  await Promise.all(Array.from({ length: COMMITS }, (_, id) => commit(COMMITS + id)));
  const together = perSecond(COMMITS, startedAt);
  await db.close();
  return { alone, together };
}

/** Seconds from the start of the built server's process to its address being printed: on no folder, then on its own. */
async function startSeconds(): Promise<{ first: number; second: number }> {
  const first = await startServer({ built: true, dataDir: path.join(temporaryFolder(), 'data') });
  await first.kill();
  const second = await startServer({ built: true, dataDir: first.dataDir });
  await second.kill();
  return { first: first.readyMs / 1000, second: second.readyMs / 1000 };
}

/** Commits of the embedded database with every answer on the disk, as a ratio to the same without syncs; server starts. */
export async function databaseFigures(): Promise<Figure[]> {
  const unsafe = await commitRates(false);
  const safe = await commitRates(true);
  const start = await startSeconds();
  return [
    { name: 'embedded commits, one after the other', value: safe.alone, unit: '1/s', ratio: safe.alone / unsafe.alone },
    {
      name: 'embedded commits, waiting together',
      value: safe.together,
      unit: '1/s',
      ratio: safe.together / unsafe.together,
    },
    { name: 'first server start', value: start.first, unit: 's' },
    { name: 'later server start', value: start.second, unit: 's' },
  ];
}
