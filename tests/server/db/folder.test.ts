import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { openDatabase } from '../../../server/base/db/connection/openDatabase';
import { POSTGRES_MAJOR } from '../../../server/base/db/embedded/binaries';
import { StartRefusal } from '../../../server/base/startRefusal';
import { openedFolder } from '../../support/prepared';
import { temporaryFolder } from '../../support/temporaryFolder';

let good: string;
const open = (folder: string) => openDatabase({ kind: 'folder', path: folder });

beforeAll(async () => {
  good = await openedFolder();
  const db = await open(good);
  const version = await db.execute<{ v: string }>(sql`select current_setting('server_version') v`);
  expect(version.rows[0]?.v.split('.')[0]).toBe(POSTGRES_MAJOR);
  await db.close();
});

function copyOfGood(): string {
  const folder = path.join(temporaryFolder(), 'data');
  cpSync(good, folder, { recursive: true });
  return folder;
}

/** Every file with its content, but the lock, which holds nothing. */
function contentsOf(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const named = files
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => path.basename(file) !== 'lock');
  return Object.fromEntries(
    named.sort().map((file) => [file, createHash('sha1').update(readFileSync(file)).digest('hex')]),
  );
}

async function refusalOf(folder: string): Promise<string> {
  const error = await open(folder).then(
    async (db) => {
      await db.close();
      return new Error('opened');
    },
    (error: Error) => error,
  );
  expect(error).toBeInstanceOf(StartRefusal);
  expect(error.message).not.toContain('\n');
  return error.message;
}

const cluster = (folder: string, ...names: string[]) => path.join(folder, 'pg', ...names);

test.each<[string, (folder: string) => void, RegExp]>([
  ['another PostgreSQL', (f) => writeFileSync(cluster(f, 'PG_VERSION'), '16\n'), /PostgreSQL 16/],
  ['no PG_VERSION', (f) => rmSync(cluster(f, 'PG_VERSION')), /损坏.*PG_VERSION/],
  ['a garbled PG_VERSION', (f) => writeFileSync(cluster(f, 'PG_VERSION'), '\u0001?'), /损坏.*PG_VERSION/],
  ['no database folder', (f) => rmSync(cluster(f), { recursive: true }), /损坏/],
  ['a garbled label', (f) => writeFileSync(path.join(f, 'hedge-console.json'), '{'), /损坏/],
  [
    'a newer label',
    (f) => writeFileSync(path.join(f, 'hedge-console.json'), JSON.stringify({ postgres: '18', migrations: ['beef'] })),
    /更新版本/,
  ],
])('a folder with %s is refused in one line and left as it was', async (_name, damage, words) => {
  const folder = copyOfGood();
  damage(folder);
  const before = contentsOf(folder);
  expect(await refusalOf(folder)).toMatch(words);
  expect(contentsOf(folder)).toEqual(before);
});

test.each<[string, (folder: string) => void]>([
  ['no pg_control', (f) => rmSync(cluster(f, 'global', 'pg_control'))],
  ['a garbled pg_control', (f) => writeFileSync(cluster(f, 'global', 'pg_control'), Buffer.alloc(8192, 7))],
  ['no commit log', (f) => rmSync(cluster(f, 'pg_xact'), { recursive: true })],
  ['no write-ahead log', (f) => rmSync(cluster(f, 'pg_wal'), { recursive: true })],
  ['a garbled catalogue', (f) => writeFileSync(cluster(f, 'base', '5', '1259'), Buffer.alloc(131_072, 0x5a))],
])('a folder with %s is refused in one line', async (_name, damage) => {
  const folder = copyOfGood();
  damage(folder);
  expect(await refusalOf(folder)).toMatch(/损坏.*从备份恢复/);
});

test('a database with a migration this program does not know is refused', async () => {
  const folder = copyOfGood();
  const db = await open(folder);
  await db.execute(sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('beef', 9999999999999)`);
  await db.close();
  expect(await refusalOf(folder)).toMatch(/更新版本/);
});

test.each<[string, string, RegExp]>([
  ['a table is gone', 'drop table ledger cascade', /损坏（表 ledger 无法读取，42P01）/],
  ['nothing says what it went through', 'drop table drizzle.__drizzle_migrations', /损坏（启动时读写失败，42/],
])('a database where %s is refused in one line, without SQL', async (_name, damage, words) => {
  const folder = copyOfGood();
  const db = await open(folder);
  await db.execute(sql.raw(damage));
  await db.close();
  const refusal = await refusalOf(folder);
  expect(refusal).toMatch(words);
  expect(refusal).not.toMatch(/select|query|params/i);
});

test('a database where a table\u2019s file is garbled is refused in one line that names the table', async () => {
  const folder = copyOfGood();
  const db = await open(folder);
  await db.execute(sql`insert into app_user (name, role, password_hash, created_at) values ('a', 'user', 'x', 1)`);
  const found = await db.execute<{ file: string }>(sql`select pg_relation_filepath('app_user') as file`);
  await db.close();
  writeFileSync(cluster(folder, found.rows[0]!.file), Buffer.alloc(8192, 0x5a));
  expect(await refusalOf(folder)).toMatch(/损坏（表 app_user 无法读取，XX/);
});

test('a folder of something else is refused and gets no file', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'thesis.txt'), 'x');
  expect(await refusalOf(folder)).toMatch(/thesis\.txt/);
  expect(readdirSync(folder)).toEqual(['thesis.txt']);
});

test('a folder of PostgreSQL itself is refused and gets no file', async () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder, 'PG_VERSION'), '18\n');
  expect(await refusalOf(folder)).toMatch(/PostgreSQL/);
  expect(readdirSync(folder)).toEqual(['PG_VERSION']);
});

test('a place that cannot be a folder is refused', async () => {
  const file = path.join(temporaryFolder(), 'file');
  writeFileSync(file, '');
  expect(await refusalOf(path.join(file, 'data'))).toMatch(/不能写入/);
});

test('the files of the database are reached by their owner alone, also where they were open to everybody', async () => {
  const modeOf = (folder: string) => statSync(cluster(folder)).mode & 0o777;
  const made = path.join(temporaryFolder(), 'data');
  await (await open(made)).close();
  expect(modeOf(made)).toBe(0o700);
  const folder = copyOfGood();
  chmodSync(cluster(folder), 0o755);
  await (await open(folder)).close();
  expect(modeOf(folder)).toBe(0o700);
});

test('what an interrupted first start left is no obstacle', async () => {
  const folder = temporaryFolder();
  mkdirSync(path.join(folder, 'pg-new', 'base'), { recursive: true });
  const db = await open(folder);
  await db.close();
  expect(readdirSync(folder).sort()).toEqual(['hedge-console.json', 'lock', 'pg']);
});

test('a held folder is refused, by a link to it too, until its holder closes it', async () => {
  const folder = copyOfGood();
  const link = path.join(temporaryFolder(), 'link');
  symlinkSync(folder, link);
  const db = await open(folder);
  expect(await refusalOf(folder)).toMatch(/另一个进程/);
  expect(await refusalOf(link)).toMatch(/另一个进程/);
  await db.close();
  await (await open(link)).close();
});
