import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { Database } from '../base/db/client';
import { MASTER_FILE, syncPath } from '../base/db/embedded/dataFolder';
import { KEY_LENGTH, type MasterKey, masterKeyOf, newMasterKey } from '../base/secret/sealing';
import { Vault } from '../base/secret/vault';
import { StartRefusal } from '../base/startRefusal';
import type { Config } from './config';

const fileIn = (dataDir: string) => path.join(dataDir, MASTER_FILE);

/** The master keys that lie in the data folder, one a line, the current one first; none when there is no file. */
function readMasterFile(dataDir: string): MasterKey[] {
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
function writeMasterFile(dataDir: string, masters: readonly MasterKey[]): void {
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

const CLOSED =
  '使用外部数据库时请先设置 SECRET_KEY 并重启：几个服务可能共用这个数据库，主密钥不能只在其中一个的数据目录里';

interface OpenedVault {
  vault: Vault;
  /** What whoever started the program should know, in Chinese, one line each. */
  notes: string[];
}

/** All master keys that are here, those of SECRET_KEY first. */
export const knownMasters = ({ dataDir, masterKeys }: Config): MasterKey[] => [
  ...masterKeys.map(masterKeyOf),
  ...readMasterFile(dataDir),
];

/**
 * The master keys of SECRET_KEY, or those of a file in the data folder, which is made when there is none. On another
 * database a file would be on one of perhaps many servers, and not where the database is backed up: nothing is sealed then.
 */
export async function openVault({ dataDir, database, masterKeys }: Config, db: Database): Promise<OpenedVault> {
  const given = masterKeys.map(masterKeyOf);
  if (database.kind !== 'folder') {
    const vault = new Vault({ masters: given, closed: CLOSED });
    return { vault, notes: await lockedNotes(vault, db) };
  }
  const kept = readMasterFile(dataDir);
  if (given.length > 0) {
    // What the file's key sealed stays readable, and `rotate-key` moves it over.
    const vault = new Vault({ masters: [...given, ...kept] });
    return { vault, notes: await lockedNotes(vault, db) };
  }
  const made = kept.length === 0 ? [newMasterKey()] : [];
  if (made.length > 0) writeMasterFile(dataDir, made);
  const vault = new Vault({ masters: [...kept, ...made], save: (masters) => writeMasterFile(dataDir, masters) });
  const note = `已生成主密钥 ${dataDir}/secret.key（仅本用户可读），交易所密钥用它加密；请另行备份，或改用 SECRET_KEY`;
  return { vault, notes: [...(made.length > 0 ? [note] : []), ...(await lockedNotes(vault, db))] };
}

async function lockedNotes(vault: Vault, db: Database): Promise<string[]> {
  const locked = await vault.locked(db);
  if (locked === 0) return [];
  return [
    `有 ${locked} 个密钥（交易所、两步验证、推送签名）由另一个主密钥加密，不能读取：请恢复原来的主密钥，或重新设置它们`,
  ];
}
