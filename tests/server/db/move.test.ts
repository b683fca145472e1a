import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { readMigrationFiles } from 'drizzle-orm/migrator';
import { drizzle } from 'drizzle-orm/pglite';
import { create } from 'tar';
import type { Database } from '#server/base/db/client';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { Jobs } from '#server/base/jobs/jobs';
import { writeManifest } from '#server/start/backup/manifest';
import { restoreBackup } from '#server/start/backup/restoreBackup';
import { postgresDatabase } from '../../support/postgresDatabase';
import { ROOT } from '../../support/projectFiles';
import { runToEnd, startProgram } from '../../support/serverProcess';
import { temporaryFolder } from '../../support/temporaryFolder';

const MIGRATIONS = path.join(ROOT, 'server/base/db/migrations');
const ROWS = path.join(ROOT, 'tests/server/db/version9/rows.sql');
/** What JSON or SQL could take for something else, and a number that has no neighbour as a float. */
const ODD = `insert into app_user (id, name, role, password_hash, created_at)
  values ('00000000-0000-4000-8000-0000000000aa', E'back\\\\slash "and" 中文', 'user', 'x', 9007199254740991)`;

/** A data folder of the program when it embedded PGlite: the first ten migrations and what was traded then. */
async function legacyFolder(): Promise<string> {
  const folder = path.join(temporaryFolder(), 'data');
  mkdirSync(folder);
  const postgres = new PGlite(path.join(folder, 'postgres'));
  const { dialect, session } = drizzle(postgres) as unknown as {
    dialect: { migrate(migrations: unknown[], session: unknown, config: object): Promise<void> };
    session: unknown;
  };
  await dialect.migrate(readMigrationFiles({ migrationsFolder: MIGRATIONS }).slice(0, 10), session, {});
  await postgres.exec(readFileSync(ROWS, 'utf8'));
  await postgres.exec(ODD);
  await postgres.close();
  writeFileSync(path.join(folder, 'hedge-console.json'), '{"postgres":"18","migrations":[]}');
  return folder;
}

/** What of a database an older version wrote. */
async function figuresOf(db: Database) {
  const { rows } = await db.execute(sql`select
    (select count(*)::int from app_user) users,
    (select name from app_user where id = '00000000-0000-4000-8000-0000000000aa') odd,
    (select count(*)::int from ledger) ledger,
    (select md5(string_agg(l::text, '' order by id)) from (select id, account_id, amount, at, kind from ledger) l) sum,
    (select count(*)::int from fill) fills`);
  return rows[0];
}

let legacy: string;
/** A backup of it, as that program wrote it. */
let archive: string;
let figures: Record<string, unknown> | undefined;
beforeAll(async () => {
  legacy = await legacyFolder();
  archive = path.join(temporaryFolder(), 'old.tar.gz');
  await writeManifest(legacy, { version: '0.1.0', createdAt: 1 });
  await create({ gzip: true, file: archive, cwd: legacy }, ['.']);
  rmSync(path.join(legacy, 'backup.json'));
});

test('a folder of PGlite is brought over at the first start, says so, keeps its files and is not read again', async () => {
  const notes: string[] = [];
  const options = { onNote: (note: string) => notes.push(note) };
  const db = await openDatabase({ kind: 'folder', path: legacy }, options);
  expect(notes).toEqual([
    expect.stringMatching(/正在把旧版数据库 .* 转换到 PostgreSQL/),
    expect.stringMatching(/已转换 \d+ 张表 \d+ 行，逐表核对一致；旧文件保留在/),
  ]);
  figures = await figuresOf(db);
  expect(figures).toMatchObject({ odd: 'back\\slash "and" 中文', users: expect.any(Number) });
  expect(Number(figures?.ledger)).toBeGreaterThan(5);
  // What counts its rows, and what guards them, are there as well.
  await db.execute(sql`insert into ledger (user_id, account_id, kind, amount, reference, at)
    select user_id, account_id, kind, amount, 'the next one', at from ledger limit 1`);
  await expect(db.execute(sql`update ledger set amount = 0`)).rejects.toThrow();
  await db.close();
  expect(existsSync(path.join(legacy, 'postgres', 'PG_VERSION'))).toBe(true);
  const again = await openDatabase({ kind: 'folder', path: legacy }, options);
  expect(notes).toHaveLength(2);
  figures = await figuresOf(again);
  expect(figures).toMatchObject({ odd: 'back\\slash "and" 中文' });
  await again.close();
});

test('a folder that was brought over and has lost its database is damaged: what was there before is not taken for it', async () => {
  const folder = path.join(temporaryFolder(), 'data');
  cpSync(legacy, folder, { recursive: true, filter: (file) => path.basename(file) !== 'pg' });
  await expect(openDatabase({ kind: 'folder', path: folder })).rejects.toThrow(/已损坏（数据库文件夹 pg 不见了）/);
});

test('a backup of a folder of PGlite is restored', async () => {
  const dataDir = path.join(temporaryFolder(), 'data');
  await restoreBackup({ dataDir, file: archive, force: false, now: 1, masters: [] });
  const db = await openDatabase({ kind: 'folder', path: dataDir });
  expect(await figuresOf(db)).toMatchObject({ odd: 'back\\slash "and" 中文', fills: figures?.fills });
  await db.close();
});

test('the command copies a folder to an empty PostgreSQL with counts and sums, and refuses one that has something', async () => {
  const { url, drop } = await postgresDatabase('nothing');
  const move = () => runToEnd(startProgram('start/cli/move.ts', ['--from', legacy, '--to', url], {}));
  const { code, stdout, stderr } = await move();
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^ledger\t\d+ 行\t校验和 \d+$/m);
  const db = await openDatabase({ kind: 'url', url });
  expect(await figuresOf(db)).toEqual(figures);
  await db.close();
  expect(await move()).toMatchObject({ code: 1, stderr: expect.stringMatching(/里已有数据，没有复制/) });
  await drop();
});

test('what is no database of ours is not copied', async () => {
  const [from, to] = [await postgresDatabase('nothing'), await postgresDatabase('nothing')];
  const { code, stderr } = await runToEnd(startProgram('start/cli/move.ts', ['--from', from.url, '--to', to.url], {}));
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/^来源不是本系统的数据库/) });
  await from.drop();
  await to.drop();
});

test('what waits to be done is copied, and done over there', async () => {
  const [from, to] = [await postgresDatabase(), await postgresDatabase('nothing')];
  const there = await openDatabase({ kind: 'url', url: from.url });
  const data = { userId: 'somebody', notificationId: 7 };
  await new Jobs(there).add(there, 'webhook', [{ data, key: 'somebody' }]);
  await there.close();
  const { code, stderr } = await runToEnd(startProgram('start/cli/move.ts', ['--from', from.url, '--to', to.url], {}));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  const here = await openDatabase({ kind: 'url', url: to.url });
  const done: unknown[] = [];
  const jobs = new Jobs(here);
  jobs.work('webhook', { atOnce: 1, run: async (job) => void done.push(job.data) });
  await jobs.runDue();
  expect(done).toEqual([data]);
  await here.close();
  await from.drop();
  await to.drop();
});
