import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { StartRefusal } from '../../startRefusal';

export const LOCK_FILE = 'lock';

/**
 * Takes the data folder for this process and returns what gives it back.
 * The lock is the operating system's and belongs to the open file, so it ends with its holder however
 * that one dies; no pid is trusted. `folder` must be a real path: a link to a folder is that folder.
 * @throws StartRefusal when another process holds it.
 */
export function lockFolder(folder: string): () => void {
  const fd = openSync(path.join(folder, LOCK_FILE), 'a+', 0o600);
  if (!tryLock(fd)) {
    closeSync(fd);
    throw new StartRefusal(`数据目录 ${folder} 正被另一个进程使用，请先停止它，或用 DATA_DIR 换一个目录`);
  }
  let held = true;
  return () => {
    if (held) closeSync(fd);
    held = false;
  };
}
