import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import { MASTER_FILE, syncPath } from '../db/embedded/dataFolder';
import { StartRefusal } from '../startRefusal';
import { KEY_LENGTH, type MasterKey, masterKeyOf } from './sealing';

const fileIn = (dataDir: string) => path.join(dataDir, MASTER_FILE);

/** The master keys that lie in the data folder, one a line, the current one first; none when there is no file. */
export function readMasterFile(dataDir: string): MasterKey[] {
  const file = fileIn(dataDir);
  if (!existsSync(file)) return [];
  const keys = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => Buffer.from(line.trim(), 'base64'));
  if (keys.length > 0 && keys.every(({ length }) => length === KEY_LENGTH)) return keys.map(masterKeyOf);
  throw new StartRefusal(
    `主密钥文件 ${file} 已损坏：请恢复它；或将它移走（用它加密的交易所密钥此后不能读取，要重新填写）`,
  );
}

/** Writes them so that the file is whole or as before after a power cut; only its owner may read it. */
export function writeMasterFile(dataDir: string, masters: readonly MasterKey[]): void {
  const file = fileIn(dataDir);
  rmSync(`${file}.new`, { force: true });
  const fd = openSync(`${file}.new`, 'wx', 0o600);
  try {
    writeSync(fd, masters.map(({ bytes }) => `${bytes.toString('base64')}\n`).join(''));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(`${file}.new`, file);
  syncPath(dataDir);
}
