import { type ChildProcess, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import pg from 'pg';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { installedPostgres, linkLibraries } from '#server/base/db/embedded/binaries';
import { Cluster } from '#server/base/db/embedded/cluster';
import { runnerFor } from '#server/base/db/embedded/runner';
import { openedFolder } from '../../support/prepared';
import { ROOT } from '../../support/projectFiles';
import { runToEnd, startProgram, startServer } from '../../support/serverProcess';
import { temporaryFolder } from '../../support/temporaryFolder';
import { waitFor } from '../../support/waitFor';

const open = (folder: string) => openDatabase({ kind: 'folder', path: folder });
const isRoot = process.getuid?.() === 0;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The number of the PostgreSQL that runs on a data folder. */
const serverOn = (folder: string) =>
  Number.parseInt(readFileSync(path.join(folder, 'pg', 'postmaster.pid'), 'utf8'), 10);

/** Lists the users of a data folder, as a command of its own. */
const users = (dataDir: string, env: Record<string, string> = {}): ChildProcess =>
  startProgram('start/cli/user.ts', ['list'], { DATA_DIR: dataDir, ...env });

test.each([
  ['with spaces and Chinese characters', '我的 数据 目录', 0o700],
  ['with a path longer than any socket may have', `${'long'.repeat(40)}/${'longer'.repeat(30)}`, 0o700],
  ['in a place that everybody may enter', 'data', 0o755],
])('a data folder %s is opened, closed and opened again', async (_name, place, rights) => {
  const parent = temporaryFolder();
  chmodSync(parent, rights);
  const folder = path.join(parent, place);
  for (const rows of [0, 1]) {
    const db = await open(folder);
    expect((await db.execute(sql`select count(*)::int as n from app_user`)).rows).toEqual([{ n: rows }]);
    await db.execute(
      sql`insert into app_user (name, role, password_hash, created_at) values (${rows}, 'user', 'x', 1)`,
    );
    await db.close();
  }
});

test('what is answered is on the disk', async () => {
  const db = await open(await openedFolder());
  for (const setting of ['fsync', 'synchronous_commit', 'full_page_writes', 'data_checksums']) {
    expect((await db.execute(sql.raw(`show ${setting}`))).rows).toEqual([{ [setting]: 'on' }]);
  }
  await db.close();
});

test('where a second program starts beside a running one, it is told so in one line and the first goes on', async () => {
  const first = await startServer();
  const { code, stderr } = await runToEnd(startProgram('main.ts', [], { DATA_DIR: first.dataDir, PORT: '0' }));
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^数据目录 .* 正被另一个进程使用[^\n]*\n$/),
  });
  expect((await fetch(`${first.url}/api/health`)).status).toBe(200);
  expect(await first.kill()).toBe(0);
});

test.each(['the program', 'the program and PostgreSQL'])(
  'a SIGKILL of %s leaves no process and a folder that opens',
  async (what) => {
    const server = await startServer();
    const pid = serverOn(server.dataDir);
    if (what !== 'the program') process.kill(pid, 'SIGKILL');
    await server.kill('SIGKILL');
    await waitFor('PostgreSQL has ended', 60_000, async () => !isAlive(pid));
    const { code, stdout } = await runToEnd(users(server.dataDir));
    expect(code).toBe(0);
    expect(stdout).toContain('trader');
  },
);

const ENDED = /的数据库意外结束，服务已停止/;

test('a server without a database says so and ends', async () => {
  const server = await startServer();
  process.kill(serverOn(server.dataDir), 'SIGQUIT');
  const [code] = await once(server.child, 'exit');
  expect(code).toBe(1);
  expect(server.stderr()).toMatch(ENDED);
});

test('a server that loses its connections before the database has ended says the same', async () => {
  const server = await startServer();
  const database = serverOn(server.dataDir);
  process.kill(database, 'SIGSTOP');
  const connections = readFileSync(`/proc/${database}/task/${database}/children`, 'utf8').trim().split(' ');
  for (const connection of connections) process.kill(Number(connection), 'SIGKILL');
  const ended = once(server.child, 'exit');
  await delay(500);
  process.kill(database, 'SIGKILL');
  expect(await ended).toEqual([1, null]);
  expect(server.stderr()).toMatch(ENDED);
});

test('a lock file of a process that has its number no more is no obstacle', async () => {
  const folder = await openedFolder();
  writeFileSync(path.join(folder, 'pg', 'postmaster.pid'), `${process.pid}\n${folder}/pg\n1\n5432\n\n\n\n`);
  const db = await open(folder);
  expect(serverOn(folder)).not.toBe(process.pid);
  await db.close();
});

test('a machine that npm has no PostgreSQL for is told of DATABASE_URL in one line', () => {
  expect(() => installedPostgres('linux', 'riscv64')).toThrow(/^这台机器（linux riscv64）[^\n]*DATABASE_URL[^\n]*$/);
});

describe('where no script of the package has made its links', () => {
  /** The package as npm unpacks it, and the names under which its libraries are looked for. */
  function unpacked(place: string): { native: string; links: string[] } {
    const installed = installedPostgres();
    const list: { target: string }[] = JSON.parse(readFileSync(path.join(installed, 'pg-symlinks.json'), 'utf8'));
    const links = list.map(({ target }) => path.relative('native', target));
    const native = path.join(place, 'native');
    const made = new Set(links.map((link) => path.join(installed, link)));
    cpSync(installed, native, { recursive: true, filter: (file) => !made.has(file) });
    return { native, links };
  }

  /** What a new PostgreSQL of these programs answers. */
  async function answerOf(native: string): Promise<unknown> {
    const runner = runnerFor(native);
    const files = path.join(runner.elsewhere ?? temporaryFolder(), `pg-${randomUUID()}`);
    try {
      await Cluster.create(files, runner);
      const cluster = await Cluster.start(files, runner);
      const client = new pg.Client({ connectionString: cluster.url });
      await client.connect();
      const { rows } = await client.query('select 1 as one');
      await client.end();
      await cluster.stop();
      return rows;
    } finally {
      rmSync(files, { recursive: true, force: true });
    }
  }

  test('PostgreSQL starts, and they are in the package', async () => {
    const { native, links } = unpacked(temporaryFolder());
    expect(await answerOf(native)).toEqual([{ one: 1 }]);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !existsSync(path.join(native, link)))).toEqual([]);
    // None is missing any more.
    expect(linkLibraries(native, '/nowhere')).toBeUndefined();
  });

  test('PostgreSQL starts where the package can only be read, too', async () => {
    const place = path.join(temporaryFolder(), 'disk');
    mkdirSync(place);
    // Only root may make a disk.
    if (spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', place]).status !== 0) return;
    try {
      const { native, links } = unpacked(place);
      spawnSync('mount', ['-o', 'remount,ro', place]);
      expect(await answerOf(native)).toEqual([{ one: 1 }]);
      expect(links.filter((link) => existsSync(path.join(native, link)))).toEqual([]);
    } finally {
      spawnSync('umount', ['-l', place]);
    }
  });
});

describe('as root, whom PostgreSQL refuses', () => {
  /** An `unshare` that is refused, as many containers do. */
  function withoutNamespaces(): string {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'unshare'), '#!/bin/sh\nexit 1\n');
    chmodSync(path.join(folder, 'unshare'), 0o755);
    return `${folder}:${process.env.PATH}`;
  }

  test('without namespaces another user runs it elsewhere, which one line says, and finds it again', async () => {
    if (!isRoot) return;
    const folder = path.join(temporaryFolder(), 'data');
    const env = { PATH: withoutNamespaces() };
    try {
      for (let start = 0; start < 2; start += 1) {
        const { code, stderr } = await runToEnd(users(folder, env));
        expect({ code, stderr }).toEqual({
          code: 0,
          stderr: expect.stringMatching(
            /^PostgreSQL 不能以 root 运行，由用户 (postgres|nobody) 运行；数据库文件在 [^\n]*\n$/,
          ),
        });
      }
      expect(readlinkSync(path.join(folder, 'pg'))).toMatch(/^\/var\/lib\/hedge-console\//);
      // With a namespace it goes on from there.
      expect((await runToEnd(users(folder))).code).toBe(0);
    } finally {
      if (existsSync(path.join(folder, 'pg'))) rmSync(realpathSync(path.join(folder, 'pg')), { recursive: true });
    }
  });

  test('what root made here is brought to where another user reaches it', async () => {
    if (!isRoot) return;
    const folder = await openedFolder();
    try {
      expect((await runToEnd(users(folder, { PATH: withoutNamespaces() }))).code).toBe(0);
      expect(readlinkSync(path.join(folder, 'pg'))).toMatch(/^\/var\/lib\/hedge-console\//);
    } finally {
      rmSync(realpathSync(path.join(folder, 'pg')), { recursive: true });
    }
  });
});

test('a user without rights runs it as himself', async () => {
  const folder = temporaryFolder();
  chmodSync(folder, 0o777);
  symlinkSync(ROOT, path.join(folder, 'project'));
  const other = ['--reuid=65534', '--regid=65534', '--clear-groups', '--'];
  const mayRead =
    isRoot && spawnSync('setpriv', [...other, 'test', '-r', path.join(ROOT, 'package.json')]).status === 0;
  // Only root may become another, and only where the other reaches the project.
  if (!mayRead) return;
  const program = ['--import', 'tsx', path.join(ROOT, 'server/start/cli/user.ts'), 'list'];
  const { status, stderr } = spawnSync('setpriv', [...other, process.execPath, ...program], {
    cwd: ROOT,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, DATA_DIR: path.join(folder, 'data'), HOME: folder },
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
