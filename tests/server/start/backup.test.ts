import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { create, Header, type HeaderData } from 'tar';
import { apiKey as api } from '#contract/apiKey';
import { DEFAULT_FUNDING } from '#contract/kinds/fundingRate/params';
import { notification } from '#contract/notification';
import { password } from '#contract/password';
import { session } from '#contract/session';
import { strategies } from '#contract/strategies';
import { strategyOverview } from '#contract/strategyOverview';
import { user } from '#contract/user';
import { userAdmin } from '#contract/userAdmin';
import { venueAccount } from '#contract/venueAccount';
import { masterKeyOf } from '#server/base/secret/sealing';
import { StartRefusal } from '#server/base/startRefusal';
import { restoreBackup } from '#server/start/backup/restoreBackup';
import { writeBackup } from '#server/start/backup/writeBackup';
import { atEnd } from '../../support/atEnd';
import { type Ended, runToEnd, type ServerProcess, startProgram, startServer } from '../../support/serverProcess';
import { temporaryFolder } from '../../support/temporaryFolder';
import { waitFor } from '../../support/waitFor';

/** What the newest tables are to hold, before and after. */
const LIMITS = { maxDrawdown: 100, dailyLoss: 50, maxNotional: 9_000 };
const NOW = Date.UTC(2026, 0, 15, 12, 30);
/** What the commands said. */
const said: Record<'backup' | 'rotateKey', Ended> = {} as never;

const command = (name: string, ...args: string[]): Promise<Ended> =>
  runToEnd(startProgram(`start/cli/${name}.ts`, args, { DATA_DIR: dataDir, PORT: '0' }));

type Row = { method: string; path: string };
const send = ({ url }: ServerProcess, { method, path: place }: Row, body?: object, cookie = '') =>
  fetch(url + place, {
    method,
    // The calls of money ask for one, and the others do not mind.
    headers: {
      origin: url,
      cookie,
      'idempotency-key': randomUUID(),
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

/** Signs in as somebody of the demo. @returns the cookie */
async function signIn(who: 'trader' | 'master', to: ServerProcess): Promise<string> {
  const login = await send(to, session.login, { username: who, password: `demo-${who}` });
  return login.headers.get('set-cookie')!.split(';')[0]!;
}

/** Calls the server by a session. */
const callsBy = (cookie: string, to: ServerProcess) => async (row: Row, body?: object) =>
  (await (await send(to, row, body, cookie)).json()).data;
const callsOf = async (who: 'trader' | 'master', to: ServerProcess) => callsBy(await signIn(who, to), to);

const keyOf = (name: string) => ({
  exchange: 'okx',
  name,
  key: 'demo-trade-of-the-run',
  secret: 'secret-of-the-run',
  passphrase: 'phrase-of-the-run',
});

const restore = (folder: string, name: string, force: boolean) =>
  restoreBackup({ dataDir: folder, file: name, force, now: NOW, masters: [] });

/** An archive of these files. */
function madeOf(name: string, files: Record<string, string>): Promise<void> {
  const folder = temporaryFolder();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return create({ gzip: true, file: name, cwd: folder }, ['.']);
}

/** Its list of files is right, and what they hold is not a database. */
function forged(): Record<string, string> {
  const files = { 'hedge-console.json': '{"postgres":"18","migrations":[]}', 'pg/PG_VERSION': '18\n' };
  const sums = Object.entries(files).map(([file, text]) => [file, createHash('sha256').update(text).digest('hex')]);
  return { ...files, 'backup.json': JSON.stringify({ format: 1, createdAt: NOW, files: Object.fromEntries(sums) }) };
}

/** An archive that says it holds these, and ends there. */
function saying(name: string, ...entries: HeaderData[]): void {
  const blocks = entries.map((entry) => {
    const header = new Header({ mode: 0o644, size: 0, mtime: new Date(NOW), type: 'File', ...entry });
    header.encode();
    return header.block!;
  });
  writeFileSync(name, gzipSync(Buffer.concat([...blocks, Buffer.alloc(1_024)])));
}
const huge = (name: string) => saying(name, { path: 'pg/huge', size: 2 ** 50 });
const crowd = (name: string) =>
  saying(
    name,
    ...Array.from({ length: 20_001 }, (): HeaderData => ({ path: 'link', type: 'SymbolicLink', linkpath: 'pg' })),
  );

/** 100 MB of zeros. */
const bomb = (name: string) => madeOf(name, { 'pg/zeros': '\0'.repeat(100_000_000) });

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => new Error('it was done'),
    (thrown: Error) => thrown,
  );
  if (!(error instanceof StartRefusal)) throw error;
  return error.message;
}

/** Runs a server, gives it a key, and backs it up while it writes; then stores another key. */
const file = path.join(temporaryFolder(), 'backup.tar.gz');
let server = await startServer({ env: { LOG_LEVEL: 'debug' } });
/** Of the server that ran, and the backup that was made of it. */
const dataDir = server.dataDir;
/** A session and a one-time code from before the backup. */
const cookie = await signIn('trader', server);
const call = callsBy(cookie, server);
const master = await callsOf('master', server);
const code = (await master(userAdmin.create, { username: 'invited', role: 'user' })).code;
const second = { name: '第二个', venue: 'simulated-okx', amount: 5_000 };
// Not before the first one is open, a moment after the start.
await waitFor('a second account', 60_000, async () => (await call(venueAccount.open, second)) !== null);
const params = { ...DEFAULT_FUNDING, coins: ['BTC'] };
const made = await master(strategies.create, { kind: 'fundingRate', name: '备份之前', mode: 'paper', params });
await master(strategyOverview.limit, { id: made.id, limits: LIMITS });
await call(notification.setSettings, { off: { webhook: ['trade'] }, browser: true });
const id = (await call(api.create, keyOf('之前'))).id;
said.rotateKey = await command('rotateKey');
let writing = true;
const writes = (async () => {
  for (let n = 0; writing; n += 1) {
    await call(api.edit, { id, name: '之前', note: `第 ${n} 次` });
    await pause(50);
  }
})();
said.backup = await command('backup', file);
writing = false;
await writes;
await call(api.create, keyOf('之后'));
atEnd(() => server.kill('SIGKILL'));

test('the first start makes a master key and says so; rotate-key changes it while the server runs', () => {
  const master = path.join(dataDir, 'secret.key');
  expect(server.stdout()).toMatch(/^已生成主密钥 .*secret\.key/m);
  expect(statSync(master).mode & 0o777).toBe(0o600);
  expect(said.rotateKey).toMatchObject({ code: 0, stdout: expect.stringMatching(/重新加密 1 个密钥/) });
  const [, masterId] = /主密钥 (\w+)/.exec(said.rotateKey.stdout) ?? [];
  expect(masterKeyOf(Buffer.from(readFileSync(master, 'utf8'), 'base64')).id).toBe(masterId);
});

test('a backup is whole, its owner alone reads it, and it says what is not in it', () => {
  expect(said.backup).toMatchObject({ code: 0, stdout: expect.stringMatching(/已备份[\s\S]*主密钥.*不在其中/) });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(path.dirname(file))).toEqual(['backup.tar.gz']);
  expect(existsSync(path.join(dataDir, 'copy'))).toBe(false);
});

test('a folder that a server uses is not restored into, nor a backup written over', async () => {
  expect(await refusalOf(restore(dataDir, file, true))).toMatch(/另一个进程/);
  const again = writeBackup({ dataDir, file, version: '9.9.9', now: NOW, byServer: null });
  expect(await refusalOf(again)).toMatch(/已存在/);
});

test('in an empty folder it is the database again; its keys wait for their master key', async () => {
  const folder = path.join(temporaryFolder(), 'data');
  expect(await restore(folder, file, false)).toMatchObject({
    ...{ users: 4, locked: 1, replaced: null },
    ...{ sessions: 2, codes: 1 },
  });
  expect(readdirSync(folder).sort()).toEqual(['hedge-console.json', 'lock', 'pg']);
  expect(statSync(path.join(folder, 'pg')).mode & 0o777).toBe(0o700);
  expect(await refusalOf(restore(folder, file, false))).toMatch(/--force/);
});

describe('on a stopped server', () => {
  beforeAll(async () => {
    await server.kill('SIGTERM');
  });

  test('no key, secret or passphrase was ever said, at the most talkative level', () => {
    const words = server.stdout() + server.stderr();
    expect(words).toContain('/api/user/apiKey');
    expect(words).not.toContain('of-the-run');
  });

  test.each<[string, (name: string) => unknown, RegExp]>([
    ['is cut short', (name) => writeFileSync(name, readFileSync(file).subarray(0, 200_000)), /损坏/],
    ['is something else', (name) => writeFileSync(name, 'hello'), /不是备份/],
    ['decompresses without end', bomb, /损坏/],
    ['says it is larger than the disk', huge, /放不下/],
    ['holds more than a database does', crowd, /放不下/],
    ['is full of nothing', (name) => madeOf(name, { 'backup.json': '{"format":1}' }), /清单无法识别/],
    ['names itself a database', (name) => madeOf(name, forged()), /损坏|不能打开|缺少/],
    ['is another archive', (name) => create({ gzip: true, file: name, cwd: dataDir }, ['hedge-console.json']), /不是/],
  ])('what %s is refused, and the folder stays as it is', async (_what, make, words) => {
    const bad = path.join(temporaryFolder(), 'bad.tar.gz');
    await make(bad);
    const before = readdirSync(dataDir);
    const refusal = await refusalOf(restore(dataDir, bad, true));
    expect(refusal).toMatch(words);
    expect(refusal).not.toContain('\n');
    expect(readdirSync(dataDir)).toEqual(before);
  });

  test('a backup is written over nothing that somebody has put where it is made', async () => {
    const [target, victim] = [path.join(temporaryFolder(), 'b.tar.gz'), path.join(temporaryFolder(), 'diary')];
    writeFileSync(victim, 'dear diary');
    symlinkSync(victim, `${target}.part`);
    await writeBackup({ dataDir, file: target, version: '9.9.9', now: NOW, byServer: null });
    expect(readFileSync(victim, 'utf8')).toBe('dear diary');
    expect(statSync(target).mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(target))).toEqual(['b.tar.gz']);
  });

  test('what it says to lie elsewhere is not written there', async () => {
    const bad = path.join(temporaryFolder(), 'bad.tar.gz');
    const outside = temporaryFolder();
    saying(
      bad,
      { path: 'pg', type: 'SymbolicLink', linkpath: outside },
      { path: 'pg/through-a-link' },
      { path: '../beside' },
      { path: path.join(outside, 'by-its-path') },
    );
    // Each time something else of it is still being written when it is refused.
    for (let n = 0; n < 300; n += 1) expect(await refusalOf(restore(dataDir, bad, true))).not.toContain('\n');
    expect(readdirSync(outside)).toEqual([]);
    expect(existsSync(path.join(dataDir, 'beside'))).toBe(false);
  });

  test('it takes the place of the database when told, and is what was there at its moment', async () => {
    expect(await command('restore', file, '--force')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/4 个用户\n已清空 2 个登录会话与 1 个一次性代码[\s\S]*\n原来的数据库在/),
    });
    server = await startServer({ dataDir });
    expect(server.stdout()).not.toContain('主密钥');
    // What was ended or used up since the backup does not come back by it.
    expect((await send(server, user.current, undefined, cookie)).status).toBe(401);
    const redeemed = { username: 'invited', code, newPassword: 'a long enough passphrase' };
    expect(await (await send(server, password.redeem, redeemed)).json()).toMatchObject({ code: 1009 });
    const call = await callsOf('trader', server);
    const { list } = await call(api.list);
    expect(list).toMatchObject([{ id, name: '之前', note: expect.stringMatching(/^第 \d+ 次$/), state: 'ready' }]);
    expect(await call(api.test, { id })).toMatchObject({ outcome: 'accepted' });
    const accounts = (await call(venueAccount.list)).list as { name: string; equity: string }[];
    expect(accounts.find(({ name }) => name === '第二个')).toMatchObject({ equity: '5000' });
    expect(await call(notification.settings)).toMatchObject({ off: { bell: [], webhook: ['trade'] }, browser: true });
    const overview = (await (await callsOf('master', server))(strategyOverview.list)).list as { name: string }[];
    expect(overview.find(({ name }) => name === '备份之前')).toMatchObject({ limits: LIMITS, tripped: null });
  });
});
