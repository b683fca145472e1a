import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';

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
