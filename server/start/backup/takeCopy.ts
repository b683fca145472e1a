import { existsSync } from 'node:fs';
import { copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { Object as Obj, type Static, String as Str } from 'typebox';
import { copyFolder } from '../../base/db/embedded/cluster';
import { dataFolder, LABEL_FILE, lockFolder } from '../../base/db/embedded/dataFolder';
import { StartRefusal } from '../../base/startRefusal';

/** Where a running server is to copy its database to: a folder that is not there yet. */
export const CopyOrder = Obj({ target: Str() }, { additionalProperties: false });
export type CopyOrder = Static<typeof CopyOrder>;

/**
 * Copies the database of a data folder, as it is at one moment, with its label, into a folder that `work` gets and that is
 * gone afterwards. @param byServer asks the server that runs on the folder; null when none does.
 */
export async function withCopy<T>(
  dataDir: string,
  byServer: ((order: CopyOrder) => Promise<unknown>) | null,
  work: (copy: string) => Promise<T>,
): Promise<T> {
  if (!existsSync(dataFolder.cluster(dataDir))) throw new StartRefusal(`目录 ${dataDir} 里没有数据库`);
  const place = dataFolder.copy(dataDir);
  await mkdir(place, { recursive: true, mode: 0o700 });
  const unlock = lockFolder(place);
  const copy = path.join(place, 'data');
  try {
    // One that was killed has left its own.
    await rm(copy, { recursive: true, force: true });
    await mkdir(copy);
    const target = dataFolder.cluster(copy);
    if (byServer) await byServer({ target });
    else await copyStopped(dataDir, target);
    await copyFile(path.join(dataDir, LABEL_FILE), path.join(copy, LABEL_FILE));
    return await work(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
    unlock();
    await rm(place, { recursive: true, force: true });
  }
}

/** @throws StartRefusal when a process has the folder all the same. */
async function copyStopped(dataDir: string, target: string): Promise<void> {
  const unlock = lockFolder(dataDir);
  try {
    await copyFolder(dataFolder.cluster(dataDir), target, () => true);
  } finally {
    unlock();
  }
}
