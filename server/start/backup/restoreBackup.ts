import { createReadStream, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { rm, statfs } from 'node:fs/promises';
import path from 'node:path';
import { Unpack } from 'tar';
import { dataFolder, LABEL_FILE, lockFolder, syncPath, syncTree } from '../../base/db/embedded/dataFolder';
import { openFolder } from '../../base/db/embedded/openFolder';
import { dropOneTimeCodes } from '../../base/db/users/oneTimeCode';
import { endAllSessions } from '../../base/db/users/session';
import { listUsers } from '../../base/db/users/user';
import type { MasterKey } from '../../base/secret/sealing';
import { Vault } from '../../base/secret/vault';
import { StartRefusal } from '../../base/startRefusal';
import { checkManifest, type Manifest } from './manifest';

/** Files and folders of an archive; a database of ours has about two thousand. */
const MOST_ENTRIES = 20_000;
/** What stays free of the disk that an archive is unpacked on. */
const SPARED = 0.1;

interface RestorePlan {
  dataDir: string;
  file: string;
  /** Puts a database that is there aside; without it there must be none. */
  force: boolean;
  /** UTC ms. */
  now: number;
  /** Master keys that are here. */
  masters: readonly MasterKey[];
}

export interface Restored {
  manifest: Manifest;
  users: number;
  /** Sessions and one-time codes that were in it and are in the restored database no more. */
  sessions: number;
  codes: number;
  /** Secrets that no master key here opens. */
  locked: number;
  /** Where the database that was there is now; null when there was none. */
  replaced: string | null;
}

/**
 * Puts the database of a backup into a data folder that nobody uses. It is unpacked aside, held against its list of files,
 * opened and looked at, and its sessions and one-time codes are taken out; only then does it take the place of what was there, which is kept.
 * @throws StartRefusal with the folder as it was.
 */
export async function restoreBackup(plan: RestorePlan): Promise<Restored> {
  const { dataDir, file, force, now } = plan;
  if (!existsSync(file)) throw new StartRefusal(`没有文件 ${file}`);
  mkdirSync(dataDir, { recursive: true });
  const unlock = lockFolder(dataDir);
  const staging = dataFolder.restore(dataDir);
  try {
    const standing = zAndPercentile(dataDir);
    if (standing.length > 0 && !force) {
      throw new StartRefusal(`目录 ${dataDir} 里已有数据库；要以备份替换它，请加上 --force（原来的会保留在旁边）`);
    }
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { mode: 0o700 });
    const looked = await unpack(plan, staging);
    syncTree(staging);
    const replaced = putAside(dataDir, standing, now);
    renameSync(dataFolder.cluster(staging), dataFolder.cluster(dataDir));
    renameSync(path.join(staging, LABEL_FILE), path.join(dataDir, LABEL_FILE));
    syncPath(dataDir);
    return { ...looked, replaced };
  } finally {
    try {
      // What was being unpacked when it was refused is still written for a moment.
      await rm(staging, { recursive: true, force: true, maxRetries: 10 });
    } finally {
      unlock();
    }
  }
}

/** The parts of a database that are there, whole or damaged. @throws StartRefusal when the folder is somebody else's. */
function zAndPercentile(dataDir: string): string[] {
  const folders = [dataFolder.cluster(dataDir), dataFolder.legacy(dataDir)].map((place) => path.basename(place));
  const parts = [LABEL_FILE, ...folders].filter((name) => existsSync(path.join(dataDir, name)));
  const isCutOff = readdirSync(dataDir).some((name) => name.startsWith('replaced-'));
  if (parts.length === 0 && !isCutOff) dataFolder.holdsDatabase(dataDir);
  return parts;
}

/** Unpacks the backup and opens it as this program would. */
async function unpack({ file, masters }: RestorePlan, staging: string): Promise<Omit<Restored, 'replaced'>> {
  try {
    await unpackFile(file, staging);
    const manifest = await checkManifest(staging);
    return { manifest, ...(await lookAt(staging, masters)) };
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    throw new StartRefusal(`备份文件 ${file} 已损坏或不是备份，没有恢复`);
  }
}

async function lookAt(staging: string, masters: RestorePlan['masters']) {
  const db = await openFolder(staging);
  try {
    const users = await listUsers(db);
    const vault = new Vault({ masters });
    // Which of them were ended, or used up, since the backup was made, nobody knows any more.
    const ended = { sessions: await endAllSessions(db), codes: await dropOneTimeCodes(db) };
    return { users: users.length, ...ended, locked: await vault.locked(db) };
  } finally {
    await db.close();
  }
}

/** @throws StartRefusal when it holds more than a database of ours can, or than the disk has room for. */
async function unpackFile(file: string, cwd: string): Promise<void> {
  const { bavail, bsize } = await statfs(cwd);
  const most = bavail * bsize * (1 - SPARED);
  let [bytes, entries] = [0, 0];
  const source = createReadStream(file);
  try {
    await new Promise<void>((done, fail) => {
      const unpack = new Unpack({ cwd, strict: true, filter: (_path, entry) => fits(entry) && isPlain(entry) });
      const fits = ({ size = 0 }: { size?: number }): boolean => {
        bytes += size;
        entries += 1;
        if (bytes <= most && entries <= MOST_ENTRIES) return true;
        const left = Math.floor(most / 1024 / 1024);
        // An error that is thrown here would be nobody's.
        fail(new StartRefusal(`备份文件 ${file} 展开后放不下（磁盘可用 ${left} MB），没有恢复`));
        source.destroy();
        return false;
      };
      source.on('error', fail).pipe(unpack.on('error', fail).on('close', done));
    });
  } finally {
    source.destroy();
  }
}

/** No links: what a backup holds is files and folders. */
const isPlain = (entry: object): boolean => 'type' in entry && (entry.type === 'File' || entry.type === 'Directory');

function putAside(dataDir: string, standing: string[], now: number): string | null {
  if (standing.length === 0) return null;
  const place = dataFolder.replaced(dataDir, now);
  mkdirSync(place);
  for (const name of standing) renameSync(path.join(dataDir, name), path.join(place, name));
  return place;
}
