import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type RunningFolder, startFolder } from '#server/base/db/embedded/startFolder';
import { temporaryFolder } from '../support/temporaryFolder';
import type { Figure } from './figure';

const KILLS = 20;
const POWER_CUTS = 5;
const WRITERS = 4;
/** How long they write before each crash. */
const WRITING_MS = 1_500;
const SEGMENT = 16 * 1024 * 1024;

/** What writers were told is written, and how far the log was on the disk when they knew it. */
class Acknowledged {
  readonly ids: number[] = [];
  /** Of `ids` the first so many were there when the log was said to be on the disk as far as `lsn`. */
  safe = { count: 0, lsn: '0/0' };
}

async function clientOf(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Writes row after row, each in a transaction of its own, until the database is gone. */
async function write(url: string, next: () => number, done: Acknowledged): Promise<void> {
  const client = await clientOf(url);
  try {
    for (;;) {
      const id = next();
      await client.query('insert into crash (id, note) values ($1, repeat($2, 300))', [id, 'n']);
      done.ids.push(id);
    }
  } catch {
    // Whether the last one was written nobody was told.
  }
}

async function followLog(url: string, done: Acknowledged): Promise<void> {
  const client = await clientOf(url);
  try {
    for (;;) {
      const count = done.ids.length;
      const { rows } = await client.query<{ lsn: string }>('select pg_current_wal_flush_lsn()::text as lsn');
      done.safe = { count, lsn: rows[0]!.lsn };
      await sleep(5);
    }
  } catch {
    // The last answer stands.
  }
}

/** Kills the database in the middle of writing, its postmaster first, as nobody is there to tell it. */
async function killWhileWriting(running: RunningFolder, next: () => number): Promise<Acknowledged> {
  const done = new Acknowledged();
  const work = Array.from({ length: WRITERS }, () => write(running.url, next, done));
  const log = followLog(running.url, done);
  await sleep(WRITING_MS * (0.5 + Math.random()));
  const postmaster = Number(readFileSync(path.join(running.files, 'postmaster.pid'), 'utf8').split('\n', 1)[0]);
  process.kill(postmaster, 'SIGKILL');
  await Promise.all([...work, log]);
  await running.stop();
  return done;
}

/**
 * The files as a power cut leaves them at its worst: what the database had not yet told the disk to keep is as it was
 * at the checkpoint before, and its log ends where it was last known to be on the disk.
 */
function asOfLastSync(files: string, checkpoint: string, lsn: string): void {
  const log = path.join(files, 'pg_wal');
  const kept = `${checkpoint}.log`;
  cpSync(log, kept, { recursive: true });
  rmSync(files, { recursive: true });
  cpSync(checkpoint, files, { recursive: true });
  rmSync(log, { recursive: true });
  cpSync(kept, log, { recursive: true });
  rmSync(kept, { recursive: true });
  const [high = '', low = ''] = lsn.split('/');
  const segment = Math.floor(Number.parseInt(low, 16) / SEGMENT);
  const word = (value: number) => value.toString(16).toUpperCase().padStart(8, '0');
  const last = `${word(1)}${word(Number.parseInt(high, 16))}${word(segment)}`;
  for (const name of readdirSync(log).filter((each) => /^[0-9A-F]{24}$/.test(each) && each >= last)) {
    const file = path.join(log, name);
    const bytes = readFileSync(file);
    bytes.fill(0, name === last ? Number.parseInt(low, 16) % SEGMENT : 0);
    writeFileSync(file, bytes);
  }
}

async function lostOf(running: RunningFolder, ids: readonly number[]): Promise<number> {
  const client = await clientOf(running.url);
  const { rows } = await client.query<{ id: number }>('select id from crash where length(note) = 300');
  await client.end();
  const there = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !there.has(id)).length;
}

async function safetyOf(running: RunningFolder): Promise<string> {
  const client = await clientOf(running.url);
  const { rows } = await client.query<{ safety: string }>(
    "select current_setting('fsync') || ' ' || current_setting('synchronous_commit') as safety",
  );
  await client.end();
  return rows[0]!.safety;
}

/** Rows that writers on the embedded database were told are written, and are not there after kills and power cuts. */
export async function crashFigures(): Promise<Figure[]> {
  const folder = path.join(temporaryFolder(), 'data');
  let id = 0;
  const next = () => {
    id += 1;
    return id;
  };
  let running = await startFolder(folder);
  const safety = await safetyOf(running);
  if (safety !== 'on on') throw new Error(`fsync and synchronous_commit are ${safety}`);
  const client = await clientOf(running.url);
  await client.query('create table crash (id int primary key, note text not null)');
  await client.end();
  const told: number[] = [];
  let lost = 0;
  for (let i = 0; i < KILLS; i += 1) {
    told.push(...(await killWhileWriting(running, next)).ids);
    running = await startFolder(folder);
    lost += await lostOf(running, told);
  }
  const killed = told.length;
  let lostByPower = 0;
  for (let i = 0; i < POWER_CUTS; i += 1) {
    const own = await clientOf(running.url);
    await own.query('checkpoint');
    await own.end();
    const checkpoint = path.join(temporaryFolder(), 'checkpoint');
    cpSync(running.files, checkpoint, { recursive: true });
    const done = await killWhileWriting(running, next);
    asOfLastSync(running.files, checkpoint, done.safe.lsn);
    told.push(...done.ids.slice(0, done.safe.count));
    rmSync(path.join(running.files, 'postmaster.pid'), { force: true });
    running = await startFolder(folder);
    lostByPower += await lostOf(running, told);
    rmSync(checkpoint, { recursive: true });
  }
  await running.stop();
  return [
    { name: 'crashes.kills', value: KILLS, unit: 'kills' },
    { name: 'crashes.kills.written', value: killed, unit: 'rows' },
    { name: 'crashes.kills.lost', value: lost, unit: 'rows' },
    { name: 'crashes.powerCuts', value: POWER_CUTS, unit: 'power cuts' },
    { name: 'crashes.powerCuts.written', value: told.length - killed, unit: 'rows' },
    { name: 'crashes.powerCuts.lost', value: lostByPower, unit: 'rows' },
  ];
}
