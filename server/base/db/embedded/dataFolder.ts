import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { tryLock } from 'fs-native-extensions';
import { StartRefusal } from '../../startRefusal';
import { POSTGRES_MAJOR } from './binaries';

const LOCK_FILE = 'lock';

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

/** What the folder holds, readable before the database is opened. */
interface Label {
  postgres: string;
  /** Name of the database's folder; of a database that PGlite wrote there is none. */
  files?: string;
  /** Hashes of the migrations the database has gone through. */
  migrations: string[];
}

export const LABEL_FILE = 'hedge-console.json';
/** Master keys that seal secrets of the database. */
export const MASTER_FILE = 'secret.key';
/** Stand in a folder without making it a foreign one. */
const NEUTRAL = new Set([
  LOCK_FILE,
  MASTER_FILE,
  'control.json',
  'pg-new',
  'copy',
  'restore',
  'lost+found',
  '.DS_Store',
  '.gitkeep',
  '.gitignore',
]);

const CLUSTER = 'pg';
const clusterOf = (folder: string) => path.join(folder, CLUSTER);
/** Of PGlite, which earlier versions embedded. */
const legacyOf = (folder: string) => path.join(folder, 'postgres');
/** Where a new database is made before it gets its name: an interrupted first start leaves no half of one. */
const nurseryOf = (folder: string) => path.join(folder, 'pg-new');
/** What a restore has put aside. */
const REPLACED = /^replaced-/;

/** Looks at the data folder without changing anything. */
export const dataFolder = {
  cluster: clusterOf,
  legacy: legacyOf,
  /** Whether it holds a database of an earlier version and has never held one of this. */
  holdsLegacy: (folder: string): boolean =>
    existsSync(legacyOf(folder)) && !existsSync(clusterOf(folder)) && readLabel(folder)?.files === undefined,
  nursery: nurseryOf,
  /** Where a backup gathers what it puts into its file. */
  copy: (folder: string) => path.join(folder, 'copy'),
  /** Where a backup is unpacked and looked at. */
  restore: (folder: string) => path.join(folder, 'restore'),
  /** Where a restore puts the database that was there. @param at UTC ms. */
  replaced: (folder: string, at: number) =>
    path.join(folder, `replaced-${new Date(at).toISOString().slice(0, 19).replace(/\D/g, '')}`),

  /** True for a database of ours, false where one may be made. @throws StartRefusal for anything else. */
  holdsDatabase(folder: string): boolean {
    const labelled = existsSync(path.join(folder, LABEL_FILE));
    const cluster = existsSync(clusterOf(folder));
    refusePostgres(folder);
    if (dataFolder.holdsLegacy(folder)) return false;
    if (labelled && !cluster) throw damaged(folder, '数据库文件夹 pg 不见了');
    if (cluster) return true;
    const foreign = readdirSync(folder).find((name) => !NEUTRAL.has(name));
    if (foreign === undefined) return false;
    if (REPLACED.test(foreign)) throw unfinished(folder, foreign);
    throw new StartRefusal(
      `目录 ${folder} 里已有其他文件（${foreign}），不是本系统的数据目录；请用 DATA_DIR 换一个空目录`,
    );
  },

  /** @throws StartRefusal when the database is of another PostgreSQL, newer than this program, or visibly damaged. */
  refuseUnfit(folder: string, migrations: readonly string[]): void {
    refuseVersion(folder);
    const unknown = readLabel(folder)?.migrations.some((hash) => !migrations.includes(hash));
    if (unknown) throw newer(folder);
  },

  /** Writes the label so that it is whole or absent after a power cut. */
  label(folder: string, migrations: string[]): void {
    const file = path.join(folder, LABEL_FILE);
    const text = `${JSON.stringify({ postgres: POSTGRES_MAJOR, files: CLUSTER, migrations } satisfies Label)}\n`;
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
    writeFileSync(`${file}.new`, text);
    syncPath(`${file}.new`);
    renameSync(`${file}.new`, file);
    syncPath(folder);
  },
};

export const damaged = (folder: string, what: string) =>
  new StartRefusal(`数据目录 ${folder} 已损坏（${what}）；请从备份恢复，或用 DATA_DIR 换一个目录`);

export const newer = (place: string) =>
  new StartRefusal(`${place} 里的数据库由更新版本的程序建立，本版本不能打开；请升级程序`);

/** A restore was cut off between putting the old database aside and the new one in its place. */
const unfinished = (folder: string, replaced: string) =>
  new StartRefusal(
    `目录 ${folder} 的恢复没有完成，原来的数据库在其中的 ${replaced}；请重新运行 npm run restore -- 备份文件 --force`,
  );

/** A database folder of PostgreSQL itself, or of another program that embeds it. */
function refusePostgres(folder: string): void {
  if (!existsSync(path.join(folder, 'PG_VERSION'))) return;
  throw new StartRefusal(`目录 ${folder} 是别的 PostgreSQL 数据目录，不是本系统的；请用 DATA_DIR 换一个空目录`);
}

function refuseVersion(folder: string): void {
  const file = path.join(clusterOf(folder), 'PG_VERSION');
  if (!existsSync(file)) throw damaged(folder, '缺少 PG_VERSION');
  const version = readFileSync(file, 'utf8').trim();
  if (!/^\d{1,3}(\.\d+)?$/.test(version)) throw damaged(folder, 'PG_VERSION 无法识别');
  if (version === POSTGRES_MAJOR) return;
  throw new StartRefusal(
    `数据目录 ${folder} 属于 PostgreSQL ${version}，本程序内嵌的是 PostgreSQL ${POSTGRES_MAJOR}，不能打开；文件未被改动`,
  );
}

function readLabel(folder: string): Label | null {
  const file = path.join(folder, LABEL_FILE);
  if (!existsSync(file)) return null;
  try {
    const label = JSON.parse(readFileSync(file, 'utf8'));
    if (Array.isArray(label.migrations)) return label;
  } catch {
    // Falls through: a label that cannot be read is damage like any other.
  }
  throw damaged(folder, `${LABEL_FILE} 无法识别`);
}

/** Puts a file, or the names in a folder, on the disk. */
export function syncPath(target: string): void {
  const fd = openSync(target, 'r');
  try {
    fsyncSync(fd);
  } catch (error) {
    // Windows has no sync of folders, nor of files opened to read.
    if (process.platform !== 'win32') throw error;
  } finally {
    closeSync(fd);
  }
}

/** Puts a folder and everything in it on the disk. */
export function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const target = path.join(folder, entry.name);
    if (entry.isDirectory()) syncTree(target);
    else syncPath(target);
  }
  syncPath(folder);
}
