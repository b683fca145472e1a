import { cpSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { create } from 'tar';
import { apiKey as api } from '#contract/apiKey';
import { restoreBackup } from '#server/backup/restoreBackup';
import { writeBackup } from '#server/backup/writeBackup';
import { openDatabase } from '#server/db/openDatabase';
import { StartRefusal } from '#server/startRefusal';
import { openedFolder } from '../../support/prepared';
import { type Ended, runToEnd, type ServerProcess, startProgram, startServer } from '../../support/serverProcess';
import { temporaryFolder } from '../../support/temporaryFolder';

const VERSION = '9.9.9';
const NOW = Date.UTC(2026, 0, 15, 12, 30);
let server: ServerProcess | null = null;

afterEach(async () => {
  await server?.kill('SIGKILL');
  server = null;
});

const command = (name: string, dataDir: string, ...args: string[]): Promise<Ended> =>
  runToEnd(startProgram(`cli/${name}.ts`, args, { DATA_DIR: dataDir, PORT: '0' }));

/** Calls the server as the trader. */
async function trader({ url }: ServerProcess) {
  const send = (method: string, path_: string, body?: object, cookie = '') =>
    fetch(url + path_, {
      method,
      headers: { origin: url, cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
  const login = await send('POST', '/api/login', { username: 'trader', password: 'demo-trader' });
  const cookie = login.headers.get('set-cookie')!.split(';')[0];
  return async ({ method, path: place }: { method: string; path: string }, body?: object) =>
    (await (await send(method, place, body, cookie)).json()).data;
}

const keyOf = (name: string) => ({
  exchange: 'okx',
  name,
  key: 'demo-trade-of-the-run',
  secret: 'secret-of-the-run',
  passphrase: 'phrase-of-the-run',
});

test('a running server is backed up while it writes, and the backup restored is what it was', async () => {
  const file = path.join(temporaryFolder(), 'backup.tar.gz');
  server = await startServer({ env: { LOG_LEVEL: 'debug' } });
  const { dataDir } = server;
  const master = path.join(dataDir, 'secret.key');
  expect(server.stdout()).toMatch(/^已生成主密钥 .*secret\.key/m);
  expect(statSync(master).mode & 0o777).toBe(0o600);
  const call = await trader(server);
  const { id } = await call(api.create, keyOf('之前'));

  const first = readFileSync(master, 'utf8');
  expect(await command('rotateKey', dataDir)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/重新加密 1 个密钥/),
  });
  expect(readFileSync(master, 'utf8')).not.toBe(first);

  let writing = true;
  const writes = (async () => {
    for (let n = 0; writing; n += 1) await call(api.edit, { id, name: '之前', note: `第 ${n} 次` });
  })();
  const backup = await command('backup', dataDir, file);
  writing = false;
  await writes;
  expect(backup).toMatchObject({ code: 0, stdout: expect.stringMatching(/已备份[\s\S]*主密钥.*不在其中/) });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  await call(api.create, keyOf('之后'));

  expect(await command('restore', dataDir, file, '--force')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/另一个进程/),
  });
  await server.kill('SIGTERM');
  const said = server.stdout() + server.stderr();
  expect(said).toContain('/api/user/apiKey');
  expect(said).not.toContain('of-the-run');

  expect(await command('restore', dataDir, file, '--force')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/原来的数据库在/),
  });
  server = await startServer({ dataDir });
  expect(server.stdout()).not.toContain('主密钥');
  const after = await trader(server);
  const { list } = await after(api.list);
  expect(list).toMatchObject([{ id, name: '之前', note: expect.stringMatching(/^第 \d+ 次$/), state: 'ready' }]);
  expect(await after(api.test, { id })).toMatchObject({ outcome: 'accepted' });
}, 120_000);

describe('a backup', () => {
  let dataDir: string;
  let file: string;
  /** The users that the database has. */
  const countUsers = async () => {
    const db = await openDatabase({ kind: 'folder', path: dataDir });
    const { rows } = await db.execute<{ n: number }>(sql`select count(*)::int n from app_user`);
    await db.close();
    return rows[0]?.n;
  };
  const addUser = async (name: string) => {
    const db = await openDatabase({ kind: 'folder', path: dataDir });
    await db.execute(
      sql`insert into app_user (name, role, password_hash, created_at) values (${name}, 'user', 'x', 1)`,
    );
    await db.close();
  };
  const write = (name: string) => writeBackup({ dataDir, file: name, version: VERSION, now: NOW, byServer: null });
  const restore = (name: string, force: boolean) =>
    restoreBackup({ dataDir, file: name, force, now: NOW, masters: [] });
  const refusalOf = async (work: Promise<unknown>): Promise<string> => {
    const error = await work.then(
      () => new Error('it was done'),
      (thrown: Error) => thrown,
    );
    expect(error).toBeInstanceOf(StartRefusal);
    return error.message;
  };
  const place = (name: string) => path.join(path.dirname(file), name);

  beforeAll(async () => {
    dataDir = await openedFolder();
    file = path.join(temporaryFolder(), 'backup.tar.gz');
    await addUser('one');
    expect(await write(file)).toBeGreaterThan(100_000);
  }, 60_000);

  test('of a stopped server comes back into an empty folder, and is never written over', async () => {
    expect(await refusalOf(write(file))).toMatch(/已存在/);
    expect(readdirSync(path.dirname(file))).toEqual(['backup.tar.gz']);
    const before = dataDir;
    dataDir = path.join(temporaryFolder(), 'data');
    expect(await restore(file, false)).toMatchObject({
      users: 1,
      locked: 0,
      replaced: null,
      manifest: { createdAt: NOW },
    });
    expect(await countUsers()).toBe(1);
    dataDir = before;
  });

  test('takes the place of a database only when told, and keeps the other one', async () => {
    await addUser('two');
    expect(await refusalOf(restore(file, false))).toMatch(/--force/);
    expect(await countUsers()).toBe(2);
    const { replaced } = await restore(file, true);
    expect(await countUsers()).toBe(1);
    cpSync(replaced!, place('old'), { recursive: true });
    rmSync(replaced!, { recursive: true });
    dataDir = place('old');
    expect(await countUsers()).toBe(2);
  });

  test.each<[string, (name: string) => unknown, RegExp]>([
    ['is cut short', (name) => writeFileSync(name, readFileSync(file).subarray(0, 200_000)), /损坏/],
    ['is something else', (name) => writeFileSync(name, 'hello'), /不是备份/],
    [
      'is another archive',
      (name) => create({ gzip: true, file: name, cwd: path.dirname(file) }, ['backup.tar.gz']),
      /不是/,
    ],
  ])('that %s is refused, and the database stays', async (_what, make, words) => {
    const bad = place('bad.tar.gz');
    await make(bad);
    const before = readdirSync(dataDir);
    expect(await refusalOf(restore(bad, true))).toMatch(words);
    expect(readdirSync(dataDir)).toEqual(before);
    expect(await countUsers()).toBe(2);
  });
});
