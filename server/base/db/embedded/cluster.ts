import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { linkLibraries } from './binaries';
import { giveTo, type Runner } from './runner';

/** Files at once. */
const SIDE_BY_SIDE = 32;
/** Of the running server alone. */
const RUNNING =
  /^(postmaster\.(pid|opts)|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)$/;
const LOG = 'pg_wal';

/**
 * Copies a running database's files into `target`, which is not there yet, as PostgreSQL's own base backup does: the
 * files as they are while statements go on, then the log from their beginning to their end, of which a start makes them
 * what they were at the end.
 */
export async function baseBackup(url: string, source: string, target: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Keeps the log that is needed until this connection ends.
    await client.query(`select pg_create_physical_replication_slot('backup', true, true)`);
    await client.query(`select pg_backup_start('backup', true)`);
    await copyFolder(source, target, (name) => name !== LOG);
    const stopped = await client.query<{ labelfile: string; file: string }>(
      `select labelfile, pg_walfile_name(lsn) as file from pg_backup_stop(false)`,
    );
    const { labelfile = '', file = '' } = stopped.rows[0] ?? {};
    await client.query('select pg_switch_wal()');
    await writeFile(path.join(target, 'backup_label'), labelfile);
    const first = /file ([0-9A-F]{24})/.exec(labelfile)?.[1] ?? '';
    await copyFolder(path.join(source, LOG), path.join(target, LOG), (name) => name >= first && name <= file);
  } finally {
    await client.end();
  }
}

/** Copies a folder, with the empty ones in it; a file that goes meanwhile is left out. @param wanted of the names in it */
export async function copyFolder(source: string, target: string, wanted: (name: string) => boolean): Promise<void> {
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const named = entries
    .map((entry) => ({ entry, place: path.relative(source, path.join(entry.parentPath, entry.name)) }))
    .filter(({ place }) => place === topOf(place) || !RUNNING.test(topOf(place)));
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const { place } of named.filter(({ entry }) => entry.isDirectory())) {
    // PostgreSQL wants its folders, also those whose files are not copied.
    await mkdir(path.join(target, place), { recursive: true });
  }
  const files = named
    .filter(({ entry, place }) => entry.isFile() && wanted(topOf(place)) && !RUNNING.test(place))
    .map(({ place }) => place);
  for (let at = 0; at < files.length; at += SIDE_BY_SIDE) {
    await Promise.all(
      files.slice(at, at + SIDE_BY_SIDE).map((name) => copy(path.join(source, name), path.join(target, name))),
    );
  }
}

const topOf = (place: string): string => place.split(path.sep)[0] ?? '';

/** Where the file system can, no byte is copied. */
async function copy(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Its only role, which owns all; it is let in by the folder of its socket, which is its owner's alone. */
const ROLE = 'hedge_console';
const DATABASE = 'postgres';
/** What an address of a socket may have, with the name that PostgreSQL gives it. */
const LONGEST_SOCKET = 107 - '/.s.PGSQL.5432'.length;
const READY = 'database system is ready to accept connections';
/** The backends of a postmaster that was killed have not all gone yet. */
const LINGERING = /pre-existing shared memory block|lock file .* already exists/;
/** Of a start after a crash on a busy machine; of an end with a checkpoint. */
const START_MS = 120_000;
const STOP_MS = 20_000;
const LINGER_MS = 250;
/** Of what it says, how much is kept for who asks why it has ended. */
const KEPT_WORDS = 4_000;

/**
 * Small and of one program: few connections, nothing that runs side by side within a query. A copy of the files under
 * way needs the log's level; what it does not need is the log of replication.
 */
const SETTINGS: Record<string, string | number> = {
  max_connections: 40,
  shared_buffers: '48MB',
  max_wal_size: '512MB',
  wal_level: 'replica',
  max_wal_senders: 0,
  io_method: 'sync',
  jit: 'off',
  max_parallel_workers_per_gather: 0,
  max_worker_processes: 2,
  autovacuum_max_workers: 1,
  // With the line that says that it is up; errors of statements are told to who asked.
  log_min_messages: 'log',
  log_checkpoints: 'off',
  timezone: 'UTC',
  // What it says is looked for words.
  lc_messages: 'C',
};

export interface ClusterOptions {
  /** In place of the settings here. */
  settings?: Record<string, string | number>;
  /** Told once when it ends unasked, with the last that it said. */
  onEnd?: (said: string) => void;
}

/** It did not start, or its folder could not be made. `message` is PostgreSQL's own. */
export class ClusterFailure extends Error {
  override readonly name = 'ClusterFailure';
}

/** A PostgreSQL on a folder, in a process of its own that ends with this one. */
export class Cluster {
  readonly url: string;
  readonly #server: ChildProcess;
  readonly #ended: Promise<unknown>;
  readonly #runtime: string;
  #isStopping = false;

  private constructor(server: ChildProcess, url: string, runtime: string) {
    this.url = url;
    this.#server = server;
    this.#runtime = runtime;
    this.#ended = once(server, 'exit');
  }

  /** Makes the files of a new one in `folder`, which is not there yet. @throws ClusterFailure */
  static async create(folder: string, runner: Runner): Promise<void> {
    const runtime = makeRuntime(runner);
    try {
      const password = path.join(runtime, 'password');
      writeFileSync(password, randomBytes(24).toString('base64url'), { mode: 0o600 });
      giveTo(runner, runtime);
      const access =
        process.platform === 'win32'
          ? ['--auth=scram-sha-256', `--pwfile=${password}`]
          : ['--auth-local=trust', '--auth-host=reject'];
      const flags = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
      const child = run(runner, runtime, 'initdb', [
        '-D',
        folder,
        '-U',
        ROLE,
        '--no-instructions',
        ...access,
        ...flags,
      ]);
      const said = wordsOf(child);
      const [code] = await once(child, 'close');
      if (code !== 0) throw new ClusterFailure(said());
      if (process.platform === 'win32') writeFileSync(passwordFile(folder), readFileSync(password), { mode: 0o600 });
    } finally {
      rmSync(runtime, { recursive: true, force: true });
    }
  }

  /** Starts the one in `folder`; an orphan of a killed program is ended first. @throws ClusterFailure */
  static async start(folder: string, runner: Runner, options: ClusterOptions = {}): Promise<Cluster> {
    await endOrphan(folder);
    const until = Date.now() + START_MS;
    for (;;) {
      try {
        return await Cluster.#start(folder, runner, options);
      } catch (error) {
        if (!LINGERING.test(String(error)) || Date.now() > until) throw error;
        await sleep(LINGER_MS);
      }
    }
  }

  static async #start(folder: string, runner: Runner, { settings, onEnd }: ClusterOptions): Promise<Cluster> {
    const runtime = makeRuntime(runner);
    const isLocal = process.platform !== 'win32';
    const port = isLocal ? 5432 : await freePort();
    const given = Object.entries({
      ...SETTINGS,
      ...settings,
      port,
      listen_addresses: isLocal ? '' : '127.0.0.1',
      unix_socket_directories: isLocal ? runtime : '',
    });
    const server = run(runner, runtime, 'postgres', [
      '-D',
      folder,
      ...given.flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ]);
    const said = wordsOf(server);
    const url = isLocal
      ? `postgres://${ROLE}@localhost:${port}/${DATABASE}?sslmode=disable&host=${encodeURIComponent(runtime)}`
      : `postgres://${ROLE}:${readFileSync(passwordFile(folder), 'utf8')}@127.0.0.1:${port}/${DATABASE}?sslmode=disable`;
    const cluster = new Cluster(server, url, runtime);
    const watcher = watch(server);
    server.once('exit', () => {
      watcher?.kill('SIGKILL');
      rmSync(runtime, { recursive: true, force: true });
    });
    if (!(await isUp(server))) throw new ClusterFailure(said());
    server.once('exit', () => {
      if (!cluster.#isStopping) onEnd?.(said());
    });
    // Who forgets it is not kept from ending by it; it ends too.
    server.unref();
    return cluster;
  }

  /** Ends it with everything on the disk. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    if (this.#server.exitCode !== null || this.#server.signalCode !== null) return;
    this.#server.ref();
    const late = setTimeout(() => this.#server.kill('SIGQUIT'), STOP_MS);
    this.#server.kill('SIGINT');
    await this.#ended;
    clearTimeout(late);
    rmSync(this.#runtime, { recursive: true, force: true });
  }
}

/** A short folder for the socket, which is its owner's alone: that is what lets nobody else in. */
function makeRuntime(runner: Runner): string {
  const base = tmpdir().length + '/hedge-console-XXXXXX'.length > LONGEST_SOCKET ? '/tmp' : tmpdir();
  const runtime = mkdtempSync(path.join(base, 'hedge-console-'));
  chmodSync(runtime, 0o700);
  giveTo(runner, runtime);
  return runtime;
}

/** Beside PostgreSQL's own files, which it leaves alone. */
const passwordFile = (folder: string): string => path.join(folder, 'password');

function run(runner: Runner, runtime: string, program: string, args: readonly string[]): ChildProcess {
  const { native, prefix, owner } = runner;
  const aside = linkLibraries(native, path.join(runtime, 'lib'));
  // What is found aside looks for the others beside itself.
  const libraries = `${aside}:${path.join(native, 'lib')}`;
  const found = aside === undefined ? [] : ['env', `LD_LIBRARY_PATH=${libraries}`, `DYLD_LIBRARY_PATH=${libraries}`];
  const [command = '', ...before] = [...prefix, ...found, path.join(native, 'bin', program)];
  return spawn(command, [...before, ...args], {
    ...owner,
    cwd: runtime,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A Ctrl-C in the terminal is for this program, which ends it in its turn.
    detached: true,
    windowsHide: true,
  });
}

/** The last that a program says. */
function wordsOf(child: ChildProcess): () => string {
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece) => {
      said = (said + String(piece)).slice(-KEPT_WORDS);
    });
  }
  child.on('error', ({ message }) => {
    said += message;
  });
  return () => said;
}

async function isUp(server: ChildProcess): Promise<boolean> {
  const late = setTimeout(() => server.kill('SIGKILL'), START_MS);
  const ready = new Promise<boolean>((resolve) => {
    let said = '';
    server.stderr?.on('data', (piece) => {
      said = (said + String(piece)).slice(-KEPT_WORDS);
      if (said.includes(READY)) resolve(true);
    });
    // After all that it said.
    server.once('close', () => resolve(false));
    server.once('error', () => resolve(false));
  });
  const up = await ready;
  clearTimeout(late);
  return up;
}

/** A shell that sees this program end, however it ends, and ends the server. */
function watch({ pid }: ChildProcess): ChildProcess | null {
  if (process.platform === 'win32' || pid === undefined) return null;
  const watcher = spawn('/bin/sh', ['-c', 'read _; kill -QUIT "$0" 2>/dev/null', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.on('error', () => undefined);
  watcher.unref();
  (watcher.stdin as unknown as { unref?: () => void } | null)?.unref?.();
  return watcher;
}

/** Who holds the data folder is alone with it: a server that still runs there has lost its program. */
async function endOrphan(folder: string): Promise<void> {
  const file = path.join(folder, 'postmaster.pid');
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : Number.NaN;
  if (!Number.isInteger(pid) || !isAlive(pid)) return;
  if (!isServerOf(pid, folder)) {
    // Its number has gone to another program, for which PostgreSQL would take it.
    rmSync(file, { force: true });
    return;
  }
  process.kill(pid, process.platform === 'win32' ? 'SIGKILL' : 'SIGQUIT');
  for (const until = Date.now() + STOP_MS; isAlive(pid) && Date.now() < until; ) await sleep(20);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function isServerOf(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === folder;
  } catch {
    const { stdout } = spawnSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
    return stdout?.includes('postgres') ?? true;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  return typeof address === 'object' && address !== null ? address.port : 0;
}
