import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { StartRefusal } from '../startRefusal';

/** A file that may hold candles. `label` names it to people, `folders` are those around it, nearest last. */
export interface CandleFile {
  label: string;
  name: string;
  folders: string[];
  open(): Promise<Readable>;
}

/** A file that was found and is not read. */
export interface SkippedFile {
  label: string;
  skipped: string;
}

/** An archive or folder that could not be read. */
export interface BrokenFile {
  label: string;
  failed: string;
}

export type FoundFile = CandleFile | SkippedFile | BrokenFile;

const IS_CSV = /\.csv(\.gz)?$/i;
/** An archive may claim anything; a candle file of this size holds fifty years of hours. */
const MAX_ENTRY_BYTES = 512 * 1024 * 1024;

/**
 * The files at `given`, a file or a folder, with those inside archives, in the order of their names.
 * @throws StartRefusal when there is nothing at `given`.
 */
export async function* candleFiles(given: string): AsyncGenerator<FoundFile> {
  const root = path.resolve(given);
  const found = await stat(root).catch(() => null);
  if (found === null) throw new StartRefusal(`没有这个文件或文件夹：${given}`);
  if (found.isDirectory()) yield* inFolder(root, '', [path.basename(root)]);
  else yield* inFile(root, path.basename(root), [path.basename(path.dirname(root))]);
}

async function* inFolder(folder: string, label: string, folders: string[]): AsyncGenerator<FoundFile> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const place = path.join(folder, entry.name);
    const name = label === '' ? entry.name : `${label}/${entry.name}`;
    if (entry.isDirectory()) yield* inFolder(place, name, [...folders, entry.name]);
    else if (entry.isFile() || (await stat(place).catch(() => null))?.isFile()) yield* inFile(place, name, folders);
    // A linked folder could lead back to itself.
    else yield { label: name, skipped: '不是普通文件' };
  }
}

async function* inFile(place: string, label: string, folders: string[]): AsyncGenerator<FoundFile> {
  const name = path.basename(place);
  if (/\.zip$/i.test(name)) yield* inZip(place, label, [...folders, name]);
  else yield fileOf(label, name, folders, async () => createReadStream(place));
}

function fileOf(label: string, name: string, folders: string[], open: () => Promise<Readable>): FoundFile {
  if (!IS_CSV.test(name) || name.startsWith('.')) return { label, skipped: '不是 CSV 文件' };
  if (name.startsWith('_')) return { label, skipped: '不是 K 线文件（名字以 _ 开头）' };
  return { label, name, folders, open: /\.gz$/i.test(name) ? async () => unzipped(await open()) : open };
}

function unzipped(stream: Readable): Readable {
  const gunzip = createGunzip();
  stream.on('error', (error) => gunzip.destroy(error));
  gunzip.on('close', () => stream.destroy());
  return stream.pipe(gunzip);
}

async function* inZip(place: string, label: string, folders: string[]): AsyncGenerator<FoundFile> {
  let zip: ZipFile;
  try {
    zip = await openPromise(place, { autoClose: false });
  } catch {
    yield { label, failed: '压缩包已损坏，无法打开' };
    return;
  }
  try {
    for await (const entry of zip.eachEntry()) {
      if (entry.fileName.endsWith('/')) continue;
      yield entryOf(zip, entry, `${label}/${entry.fileName}`, folders);
    }
  } catch {
    yield { label, failed: '压缩包的目录已损坏' };
  } finally {
    zip.close();
  }
}

function entryOf(zip: ZipFile, entry: Entry, label: string, folders: string[]): FoundFile {
  const parts = entry.fileName.split('/');
  if (parts.includes('__MACOSX')) return { label, skipped: '不是 CSV 文件' };
  if (entry.uncompressedSize > MAX_ENTRY_BYTES) return { label, failed: '文件超过 512 MB' };
  return fileOf(label, parts.at(-1)!, [...folders, ...parts.slice(0, -1)], () => zip.openReadStreamPromise(entry));
}
