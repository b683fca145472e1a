import { readFileSync, statfsSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

/**
 * With less room than this nothing is stored any more. PostgreSQL ends where it cannot write its log, which takes up the
 * disk in segments of 16 MB; what is refused before can go on as soon as there is room.
 */
const RESERVE_BYTES = 48 * 1024 * 1024;
const LOOK_MS = 250;

/** Lets a database only read while its disk has little room. @param folder on that disk. @param room free bytes of it */
export function keepRoom(folder: string, url: string, room = () => roomOf(folder)): { close(): void } {
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
export function isLeftReadOnly(folder: string): boolean {
  const settings = readFileSync(path.join(folder, 'postgresql.auto.conf'), 'utf8');
  return /^default_transaction_read_only = 'on'/m.test(settings);
}

/** For the statements of all connections from now on. */
export async function letWrite(url: string, mayWrite: boolean): Promise<void> {
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
