import { existsSync } from 'node:fs';
import { link, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { create } from 'tar';
import { syncPath } from '../../base/db/embedded/dataFolder';
import { StartRefusal } from '../../base/startRefusal';
import { writeManifest } from './manifest';
import { type CopyOrder, withCopy } from './takeCopy';

interface BackupPlan {
  dataDir: string;
  /** Of the backup; must not be there yet. */
  file: string;
  version: string;
  /** UTC ms. */
  now: number;
  /** Asks the server that runs on the data folder for a copy; null when none does. */
  byServer: ((order: CopyOrder) => Promise<unknown>) | null;
}

/**
 * Writes the embedded database as it is at one moment into a gzipped tar, whole or not at all; answers its bytes.
 * Master keys are not in it.
 * @throws StartRefusal
 */
export async function writeBackup({ dataDir, file, version, now, byServer }: BackupPlan): Promise<number> {
  if (existsSync(file)) throw taken(file);
  const part = `${file}.part`;
  try {
    await withCopy(dataDir, byServer, async (copy) => {
      await writeManifest(copy, { version, createdAt: now });
      // One that was killed has left its own. Only its owner reads the file, which nobody else may have put there.
      await rm(part, { force: true });
      await (await open(part, 'wx', 0o600)).close();
      await create({ gzip: { level: 3 }, portable: true, strict: true, cwd: copy, file: part }, ['.']);
      syncPath(part);
      await putInPlace(part, file);
      syncPath(path.dirname(path.resolve(file)));
    });
    return (await stat(file)).size;
  } catch (error) {
    await rm(part, { force: true });
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof StartRefusal || code === undefined) throw error;
    throw new StartRefusal(`备份没有写成（${code}），请检查 ${file} 与 ${dataDir} 的权限与磁盘`);
  }
}

/** Gives the whole file its name. @throws StartRefusal where somebody has taken that meanwhile. */
async function putInPlace(part: string, file: string): Promise<void> {
  try {
    await link(part, file);
    await rm(part);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw taken(file);
    // Not every file system has links.
    await rename(part, file);
  }
}

const taken = (file: string) => new StartRefusal(`文件 ${file} 已存在，没有覆盖`);
