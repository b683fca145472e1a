import { readFileSync, statfsSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';
import type { Database } from '../client';
import { knownMigrations } from '../connection/migrate';
import { openUrl } from '../connection/openUrl';
import { baseBackup } from './cluster';
import { dataFolder } from './dataFolder';
import { type FolderOptions as StartOptions, startFolder } from './startFolder';

/**
 * With less room than this nothing is stored any more. PostgreSQL ends where it cannot write its log, which takes up the
 * disk in segments of 16 MB; what is refused before can go on as soon as there is room.
 */
const RESERVE_BYTES = 48 * 1024 * 1024;
const LOOK_MS = 250;

/** Lets a database only read while its disk has little room. @param folder on that disk. @param room free bytes of it */
function keepRoom(folder: string, url: string, room = () => roomOf(folder)): { close(): void } {
  let isReadOnly = false;
  let switching = false;

  async function look(): Promise<void> {
    const isShort = room() < RESERVE_BYTES;
    if (switching || isShort === isReadOnly) return;
    switching = true;
    // A look that fails is made again.
    await letWrite(url, !isShort).then(
      () => {
        isReadOnly = isShort;
      },
      () => undefined,
    );
    switching = false;
  }

  const looks = setInterval(() => void look(), LOOK_MS).unref();
  return { close: () => clearInterval(looks) };
}

function roomOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** Whether the last program that used the folder left the database to be read alone: PostgreSQL keeps that in a file. */
function isLeftReadOnly(folder: string): boolean {
  const settings = readFileSync(path.join(folder, 'postgresql.auto.conf'), 'utf8');
  return /^default_transaction_read_only = 'on'/m.test(settings);
}

/** For the statements of all connections from now on. */
async function letWrite(url: string, mayWrite: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query(`alter system set default_transaction_read_only = ${mayWrite ? 'off' : 'on'}`);
    await client.query('select pg_reload_conf()');
  } finally {
    await client.end().catch(() => undefined);
  }
}

export interface FolderOptions extends StartOptions {
  /** Free bytes of the disk, in place of those that it has. */
  room?: () => number;
}

/** The embedded one is one program's: each further connection would only hold memory. */
const CONNECTIONS = 6;

/**
 * Opens the embedded database in `place`, or makes one where the folder is empty or absent.
 * The folder belongs to this process until `close`.
 * @throws StartRefusal with one line for every folder that cannot or must not be used.
 */
export async function openFolder(place: string, options: FolderOptions = {}): Promise<Database> {
  const { folder, files, url, stop } = await startFolder(place, options);
  try {
    // The last one to use it may have ended without room.
    if (isLeftReadOnly(files)) await letWrite(url, true).catch(() => undefined);
    const db = await openUrl(url, { place: folder, connections: CONNECTIONS, isShared: false });
    dataFolder.label(folder, knownMigrations());
    const room = keepRoom(files, url, options.room);
    const disconnect = db.close.bind(db);
    let closed: Promise<void> | undefined;
    const close = async () => {
      room.close();
      await disconnect().finally(stop);
    };
    return Object.assign(db, {
      close: () => {
        closed ??= close();
        return closed;
      },
      copyTo: (target: string) => baseBackup(url, files, target),
    });
  } catch (error) {
    await stop();
    throw error;
  }
}
