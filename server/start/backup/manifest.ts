import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StartRefusal } from '../../base/startRefusal';

const MANIFEST_FILE = 'backup.json';
/** Of a manifest; one of ours has a hundred bytes a file. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Of this layout; another one is not read. */
const FORMAT = 1;

/** What a backup says of itself. */
export interface Manifest {
  format: number;
  /** Of the program that made it. */
  version: string;
  /** UTC ms. */
  createdAt: number;
  /** SHA-256 of every other file, by its path with `/`. */
  files: Record<string, string>;
}

async function sumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

async function sumsIn(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  const sums: Record<string, string> = {};
  for (const file of files.sort()) {
    const name = path.relative(folder, file).replaceAll(path.sep, '/');
    if (name !== MANIFEST_FILE) sums[name] = await sumOf(file);
  }
  return sums;
}

/** Writes down what is in the folder. */
export async function writeManifest(folder: string, head: Pick<Manifest, 'version' | 'createdAt'>): Promise<Manifest> {
  const manifest = { format: FORMAT, ...head, files: await sumsIn(folder) };
  await writeFile(path.join(folder, MANIFEST_FILE), JSON.stringify(manifest));
  return manifest;
}

/** Holds the folder against what was written down. @throws StartRefusal when a file is missing, foreign or changed. */
export async function checkManifest(folder: string): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const sums = await sumsIn(folder);
  const names = new Set([...Object.keys(sums), ...Object.keys(manifest.files)]);
  const wrong = [...names].find((name) => sums[name] !== manifest.files[name]);
  if (wrong !== undefined) throw new StartRefusal(`备份文件已损坏（${wrong}），没有恢复`);
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest> {
  const file = path.join(folder, MANIFEST_FILE);
  const size = (await stat(file).catch(() => null))?.size ?? 0;
  if (size === 0 || size > MOST_BYTES) throw new StartRefusal('这不是本系统的备份文件');
  const text = await readFile(file, 'utf8');
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    throw new StartRefusal('备份文件已损坏（清单无法识别），没有恢复');
  }
  if (!isManifest(manifest)) throw new StartRefusal('备份文件已损坏（清单无法识别），没有恢复');
  if (manifest.format !== FORMAT) throw new StartRefusal('备份文件由更新版本的程序写成，请升级程序');
  return manifest;
}

const isManifest = (read: unknown): read is Manifest => {
  const { files, createdAt } = (read ?? {}) as Partial<Manifest>;
  return typeof files === 'object' && files !== null && Number.isFinite(createdAt);
};
