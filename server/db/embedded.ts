import { chmodSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import { StartRefusal } from '../startRefusal';
import type { Database, Queries } from './client';
import { damaged, dataFolder, syncPath, syncTree } from './dataFolder';
import { type EmbeddedOptions, EmbeddedPostgres } from './embeddedPostgres';
import { lockFolder } from './folderLock';
import { knownMigrations, migrate } from './migrate';
import * as schema from './schema';
import { refuseBroken, startingOn } from './unusable';

/**
 * Opens the embedded database in `place`, or makes one where the folder is empty or absent.
 * The folder belongs to this process until `close`.
 * @throws StartRefusal with one line for every folder that cannot or must not be used.
 */
export async function openFolder(place: string, options: EmbeddedOptions = {}): Promise<Database> {
  const folder = prepare(place);
  const unlock = writable(folder, () => lockFolder(folder));
  try {
    if (!dataFolder.holdsDatabase(folder)) await create(folder);
    dataFolder.refuseUnfit(folder, knownMigrations());
    closeToOthers(dataFolder.cluster(folder));
    const postgres = await openCluster(folder, options);
    const queries = drizzle(postgres as unknown as PGlite, { schema }) as unknown as Queries;
    const close = once(async () => {
      await postgres.close().finally(unlock);
    });
    try {
      await startingOn(folder, () => migrate(queries, folder));
      await refuseBroken(queries, folder);
      dataFolder.label(folder, knownMigrations());
    } catch (error) {
      await close();
      throw error;
    }
    return Object.assign(queries, { close, copyTo: (target: string) => postgres.copyTo(target) });
  } catch (error) {
    unlock();
    throw error;
  }
}

/** The real path of the folder, made when it is absent, and looked at before anything is written into it. */
function prepare(place: string): string {
  return writable(path.resolve(place), () => {
    mkdirSync(place, { recursive: true });
    const folder = realpathSync(place);
    dataFolder.holdsDatabase(folder);
    return folder;
  });
}

function writable<T>(folder: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof StartRefusal || code === undefined) throw error;
    throw new StartRefusal(`数据目录 ${folder} 不能写入（${code}），请检查权限与磁盘，或用 DATA_DIR 换一个目录`);
  }
}

/** Makes the database aside and names it last: what has its name is complete and on the disk. */
async function create(folder: string): Promise<void> {
  const nursery = dataFolder.nursery(folder);
  rmSync(nursery, { recursive: true, force: true });
  const postgres = await EmbeddedPostgres.open(nursery);
  await postgres.close();
  syncTree(nursery);
  renameSync(nursery, dataFolder.cluster(folder));
  syncPath(folder);
}

/** PGlite lets everybody write the files that it makes: the folder around them must be its owner's alone. */
function closeToOthers(cluster: string): void {
  try {
    chmodSync(cluster, 0o700);
  } catch (error) {
    // Of another owner, who lets us in: it is not ours to change.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

async function openCluster(folder: string, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  try {
    return await EmbeddedPostgres.open(dataFolder.cluster(folder), options);
  } catch {
    // What PGlite throws here says nothing; PostgreSQL's own message is for those who debug it.
    const what = existsSync(dataFolder.cluster(folder)) ? '数据库无法打开' : '数据库文件夹 postgres 不见了';
    throw damaged(folder, what);
  }
}

function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | null = null;
  return () => {
    done ??= act();
    return done;
  };
}
