import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import path from 'node:path';
import { StartRefusal } from '../../startRefusal';
import { knownMigrations } from '../connection/migrate';
import { moveLegacy } from '../move/copyDatabase';
import { installedPostgres } from './binaries';
import { Cluster, ClusterFailure, type ClusterOptions } from './cluster';
import { dataFolder, lockFolder, syncPath } from './dataFolder';
import { giveTo, type Runner, runnerFor } from './runner';

export interface FolderOptions extends Pick<ClusterOptions, 'onEnd'> {
  /** What whoever starts the program should know, in Chinese. */
  onNote?: (note: string) => void;
}

/** The running PostgreSQL of a data folder, which belongs to this process until `stop`. */
export interface RunningFolder {
  /** Real path of the data folder. */
  folder: string;
  /** Real path of PostgreSQL's files. */
  files: string;
  url: string;
  stop(): Promise<void>;
}

/**
 * Starts the embedded PostgreSQL of the data folder `place`, or makes one where the folder is empty or absent. A database
 * of the PGlite of earlier versions is brought over; its files stay.
 * @throws StartRefusal with one line for every folder that cannot or must not be used.
 */
export async function startFolder(place: string, options: FolderOptions = {}): Promise<RunningFolder> {
  const folder = prepare(place);
  const unlock = writable(folder, () => lockFolder(folder));
  try {
    const runner = runnerFor(installedPostgres());
    if (runner.note !== undefined) options.onNote?.(runner.note);
    if (!dataFolder.holdsDatabase(folder)) await create(folder, runner, options);
    dataFolder.refuseUnfit(folder, knownMigrations());
    const files = ownFiles(folder, runner);
    const cluster = await start(folder, files, runner, options);
    const stop = () => cluster.stop().finally(unlock);
    return { folder, files, url: cluster.url, stop };
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
async function create(folder: string, runner: Runner, { onNote }: FolderOptions): Promise<void> {
  const nursery = dataFolder.nursery(folder);
  rmSync(nursery, { recursive: true, force: true });
  const made = roomFor(nursery, runner);
  try {
    await Cluster.create(made, runner);
    if (dataFolder.holdsLegacy(folder)) {
      const cluster = await Cluster.start(made, runner);
      await moveLegacy(dataFolder.legacy(folder), cluster.url, onNote).finally(() => cluster.stop());
    }
  } catch (error) {
    for (const place of [nursery, made]) rmSync(place, { recursive: true, force: true });
    throw refusal(error, `不能在 ${folder} 建立数据库`);
  }
  renameSync(nursery, dataFolder.cluster(folder));
  syncPath(folder);
}

/** Where the files of `place` are, which is not there yet: there, or elsewhere with a link that leads to them. */
function roomFor(place: string, runner: Runner, fill = (_room: string) => {}): string {
  if (runner.elsewhere === undefined) return place;
  const room = mkdtempSync(path.join(runner.elsewhere, 'pg-'));
  fill(room);
  giveTo(runner, room);
  symlinkSync(room, place);
  return room;
}

/** The real path of the database's files, which are their owner's alone and where he reaches them. */
function ownFiles(folder: string, runner: Runner): string {
  const cluster = dataFolder.cluster(folder);
  try {
    if (runner.elsewhere !== undefined && !lstatSync(cluster).isSymbolicLink()) {
      // Another user's program, or a restore, has put them here.
      const aside = dataFolder.nursery(folder);
      rmSync(aside, { recursive: true, force: true });
      renameSync(cluster, aside);
      roomFor(cluster, runner, (room) => cpSync(aside, room, { recursive: true }));
      rmSync(aside, { recursive: true });
    }
    const files = realpathSync(cluster);
    giveTo(runner, files);
    chmodSync(files, 0o700);
    return files;
  } catch (error) {
    // Of another owner, who lets us in: it is not ours to change.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM' || !existsSync(cluster)) throw error;
    return realpathSync(cluster);
  }
}

async function start(folder: string, files: string, runner: Runner, options: FolderOptions): Promise<Cluster> {
  try {
    return await Cluster.start(files, runner, options);
  } catch (error) {
    throw refusal(error, `数据目录 ${folder} 已损坏或不能使用，数据库不能启动`);
  }
}

/** One line, with the last that PostgreSQL gave as a reason. */
function refusal(error: unknown, what: string): unknown {
  if (!(error instanceof ClusterFailure)) return error;
  const lines = error.message.split('\n').filter((line) => line.trim() !== '');
  const reason = lines.findLast((line) => /\b(FATAL|PANIC|error):/i.test(line)) ?? lines.at(-1) ?? '没有说明';
  const words = reason.replace(/^.*?(FATAL|PANIC|error): */i, '').trim();
  const hint = /No space left/i.test(error.message) ? '磁盘已满' : '请检查权限与磁盘，或从备份恢复';
  return new StartRefusal(`${what}（${words}）；${hint}，或用 DATA_DIR 换一个目录`);
}
