import { constants } from 'node:fs';
import { copyFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Files at once. */
const SIDE_BY_SIDE = 32;
/** Coarser than any file system's clock, ms. */
const GRAIN_MS = 2_000;

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
}

async function inTurns<T>(all: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < all.length; at += SIDE_BY_SIDE) await Promise.all(all.slice(at, at + SIDE_BY_SIDE).map(act));
}

/** Where the file system can, no byte is copied. */
const copy = (from: string, to: string) => copyFile(from, to, constants.COPYFILE_FICLONE);

/** Copies a folder, with the empty ones in it; a file that goes meanwhile is left out. */
export async function copyCluster(source: string, target: string): Promise<void> {
  const entries = await readdir(source, { recursive: true, withFileTypes: true });
  const folders = entries.filter((entry) => entry.isDirectory());
  await mkdir(target, { recursive: true });
  for (const { parentPath, name } of folders) {
    await mkdir(path.join(target, path.relative(source, path.join(parentPath, name))), { recursive: true });
  }
  await inTurns(await filesIn(source), (name) =>
    copy(path.join(source, name), path.join(target, name)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    }),
  );
}

/** Makes a copy that was begun at `since` (UTC ms), while the source was written to, what the source is now. */
export async function catchUp(source: string, target: string, since: number): Promise<void> {
  const [there, here] = await Promise.all([filesIn(source), filesIn(target)]);
  const copied = new Set(here);
  await inTurns(there, async (name) => {
    const from = path.join(source, name);
    const to = path.join(target, name);
    if (copied.has(name) && (await stat(from)).mtimeMs < since - GRAIN_MS) return;
    await mkdir(path.dirname(to), { recursive: true });
    await copy(from, to);
  });
  const standing = new Set(there);
  await inTurns(
    here.filter((name) => !standing.has(name)),
    (name) => rm(path.join(target, name)),
  );
}
