import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { account } from '#contract/account';
import { audit } from '#contract/audit';
import { order } from '#contract/order';
import { service } from '#contract/service';
import { openDatabase } from '#server/base/db/connection/openDatabase';
import { installedPostgres } from '#server/base/db/embedded/binaries';
import { Cluster } from '#server/base/db/embedded/cluster';
import { runnerFor } from '#server/base/db/embedded/runner';
import { testApp } from '../support/app';
import { manyRecords } from '../support/manyRecords';
import { ownedRecords } from '../support/ownedRecords';
import { ServerFleet } from '../support/serverFleet';
import type { ServerProcess } from '../support/serverProcess';
import { signedInUser } from '../support/signedInUser';
import { temporaryFolder } from '../support/temporaryFolder';
import type { Figure } from './figure';
import { processTree } from './processTree';

/** Where Linux divides processor time among groups of processes, version 1. */
const GROUPS = '/sys/fs/cgroup/cpu';
const PERIOD_US = 20_000;

/**
 * Gives a process, with the threads it has, no more than a share of one core, as a small machine of its own would.
 * @returns what lets it go again, or null where the system does not let us confine it
 */
function confined(pid: number, share: number): (() => void) | null {
  const group = path.join(GROUPS, `hedge-console-bench-${pid}`);
  try {
    mkdirSync(group);
    writeFileSync(path.join(group, 'cpu.cfs_period_us'), String(PERIOD_US));
    writeFileSync(path.join(group, 'cpu.cfs_quota_us'), String(Math.round(PERIOD_US * share)));
    writeFileSync(path.join(group, 'cgroup.procs'), String(pid));
  } catch {
    return null;
  }
  return () => {
    writeFileSync(path.join(GROUPS, 'cgroup.procs'), String(pid));
    rmdirSync(group);
  };
}

const MARK = 'many';
const RECORDS = { rows: 50_000, deals: 500 };
const READERS = 40;
const AT_ONCE = 16;
const SECONDS = 6;
/** Two processes answer so many times what one does. */
const GAIN = 1.7;
/** Of a core, for each server where neither database nor reader may be what bounds them. */
const SHARE = 0.25;
/** After its database is there again a process is ready within, ms. */
const READY_MS = 2_000;
const RESTARTS = 5;
const LOOK_MS = 10;
/** A server that has just started tidies up first. */
const SETTLE_MS = 15_000;

const LISTS = [
  `${order.list.path}?pageSize=50`,
  `${order.fills.path}?pageSize=50&current=20`,
  `${audit.list.path}?pageSize=50`,
  account.state.path,
];

/** A PostgreSQL that comes back at the same address. */
async function restartable() {
  const runner = runnerFor(installedPostgres());
  const folder = path.join(runner.elsewhere ?? temporaryFolder(), `bench-${process.pid}`);
  await Cluster.create(folder, runner);
  const sockets = temporaryFolder();
  mkdirSync(sockets, { recursive: true });
  const url = `postgres://hedge_console@localhost/postgres?host=${encodeURIComponent(sockets)}`;
  const settings = ['max_connections=100', 'listen_addresses=', `unix_socket_directories=${sockets}`];
  let server: ChildProcess;
  const start = async () => {
    const [command = '', ...before] = [...runner.prefix, path.join(runner.native, 'bin', 'postgres')];
    server = spawn(command, [...before, '-D', folder, ...settings.flatMap((one) => ['-c', one])], {
      ...runner.owner,
      stdio: 'ignore',
    });
    for (;;) {
      const client = new pg.Client({ connectionString: url });
      const isThere = await client.connect().then(
        () => true,
        () => false,
      );
      await client.end().catch(() => undefined);
      if (isThere) return;
      await sleep(LOOK_MS);
    }
  };
  const stop = async () => {
    server.kill('SIGINT');
    await once(server, 'exit');
  };
  await start();
  return { url, start, stop, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

const agent = new Agent({ keepAlive: true });

const get = (url: string, cookie = ''): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const asked = request(url, { agent, headers: { cookie } }, (response) => {
      let body = '';
      response.on('data', (chunk) => (body += chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    asked.on('error', reject).end();
  });

interface Reads {
  perSecond: number;
  /** Processor time of the servers for each, ms; theirs alone, without the database. */
  cpu: number;
}

/** What the servers answer together, asked in turn as a proxy would. */
async function readsOf(servers: readonly ServerProcess[], cookies: readonly string[]): Promise<Reads> {
  let [asked, answered] = [0, 0];
  const over = async (seconds: number) => {
    const until = performance.now() + seconds * 1_000;
    const caller = async () => {
      while (performance.now() < until) {
        const turn = asked++;
        const origin = servers[turn % servers.length]!.url;
        const { status } = await get(origin + LISTS[turn % LISTS.length], cookies[turn % cookies.length]);
        if (status !== 200) throw new Error(`a list was answered with ${status}`);
        answered += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, caller));
  };
  const spent = () => servers.reduce((sum, { child }) => sum + processTree(child.pid!).seconds, 0);
  await over(SECONDS / 3);
  answered = 0;
  const before = spent();
  await over(SECONDS);
  return { perSecond: answered / SECONDS, cpu: ((spent() - before) * 1_000) / answered };
}

/** The same lists where each server has no more than a share of a core, as on a small machine of its own. */
async function confinedFigures(servers: readonly ServerProcess[], cookies: readonly string[]): Promise<Figure[]> {
  const frees = servers.map(({ child }) => confined(child.pid!, SHARE));
  try {
    if (frees.includes(null)) return [];
    const one = await readsOf(servers.slice(0, 1), cookies);
    const two = await readsOf(servers, cookies);
    const about = `each on ${SHARE} of a core`;
    return [
      { name: `lists of one process, ${about}`, value: Math.round(one.perSecond), unit: '1/s' },
      {
        ...{ name: `lists of two processes, ${about}`, value: Math.round(two.perSecond), unit: '1/s' },
        ratio: Math.round((two.perSecond / one.perSecond / GAIN) * 100) / 100,
      },
    ];
  } finally {
    for (const free of frees) free?.();
  }
}

/** How long after its database each of the servers is ready, ms. */
async function readyAgain(origins: readonly string[], database: Awaited<ReturnType<typeof restartable>>) {
  const isReady = (origin: string) =>
    get(origin + service.health.path).then(
      ({ body }) => JSON.parse(body).data?.ready === true,
      () => false,
    );
  await database.stop();
  await sleep(1_000);
  await database.start();
  const began = performance.now();
  return Promise.all(
    origins.map(async (origin) => {
      while (!(await isReady(origin))) await sleep(LOOK_MS);
      return performance.now() - began;
    }),
  );
}

/** Lists that two servers on one PostgreSQL answer beside those of one; how soon both are ready after it was restarted. */
export async function processFigures(): Promise<Figure[]> {
  const database = await restartable();
  const db = await openDatabase({ kind: 'url', url: database.url });
  const filled = await testApp({ db });
  await ownedRecords(filled, MARK, 'master');
  await manyRecords(db, MARK, RECORDS);
  const cookies: string[] = [];
  for (let i = 0; i < READERS; i += 1) cookies.push((await signedInUser(db, `reader-${i}`, 'master')).cookie);
  await filled.close();
  await db.close();
  const fleet = new ServerFleet(database.url);
  const figures: Figure[] = [];
  const servers = [(await fleet.start('a')).server];
  await sleep(SETTLE_MS);
  const one = await readsOf(servers, cookies);
  servers.push((await fleet.start('b')).server);
  await sleep(SETTLE_MS);
  const two = await readsOf(servers, cookies);
  const rounded = (value: number) => Math.round(value * 100) / 100;
  figures.push({ name: 'lists of one process', value: Math.round(one.perSecond), unit: '1/s' });
  figures.push({
    ...{ name: 'lists of two processes', value: Math.round(two.perSecond), unit: '1/s' },
    ratio: rounded(two.perSecond / one.perSecond / GAIN),
  });
  // With fewer cores than servers, database and reader take, the rate is bound by the machine; this is not.
  figures.push({
    ...{ name: 'processor time of a list, two processes', value: rounded(two.cpu), unit: 'ms' },
    ratio: rounded(two.cpu / one.cpu),
  });
  figures.push(...(await confinedFigures(servers, cookies)));
  const ready: number[] = [];
  for (let i = 0; i < RESTARTS; i += 1)
    ready.push(
      ...(await readyAgain(
        servers.map(({ url }) => url),
        database,
      )),
    );
  for (const [name, value] of [
    ['median', ready.toSorted((a, b) => a - b)[Math.floor(ready.length / 2)]!],
    ['longest', Math.max(...ready)],
  ] as const) {
    const ratio = Math.round((value / READY_MS) * 100) / 100;
    figures.push({ name: `ready after a restart of PostgreSQL, ${name}`, value: Math.round(value), unit: 'ms', ratio });
  }
  await fleet.stop();
  await database.stop();
  database.remove();
  return figures;
}
