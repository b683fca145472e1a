import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { StartRefusal } from '../../base/startRefusal';
import { Unusable } from './checkedSeries';

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
/** What is packed may unpack to anything; a candle file of this size holds fifty years of hours. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;

const tooLarge = (maxBytes: number) => `文件超过 ${maxBytes / 1024 / 1024} MB`;

/**
 * The files at `given`, a file or a folder, with those inside archives, in the order of their names.
 * @param maxBytes that a packed file may unpack to.
 * @throws StartRefusal when there is no file or folder at `given`.
 */
export async function* candleFiles(given: string, maxBytes = MAX_UNPACKED_BYTES): AsyncGenerator<FoundFile> {
  const root = path.resolve(given);
  const found = await stat(root).catch(() => null);
  if (found === null) throw new StartRefusal(`没有这个文件或文件夹：${given}`);
  if (found.isDirectory()) yield* inFolder(root, '', [path.basename(root)], maxBytes);
  // Reading a pipe or a device may never end.
  else if (!found.isFile()) throw new StartRefusal(`不是普通文件或文件夹，不能导入：${given}`);
  else yield* inFile(root, path.basename(root), [path.basename(path.dirname(root))], maxBytes);
}

async function* inFolder(
  folder: string,
  label: string,
  folders: string[],
  maxBytes: number,
): AsyncGenerator<FoundFile> {
  const entries = await readdir(folder, { withFileTypes: true });
  entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const place = path.join(folder, entry.name);
    const name = label === '' ? entry.name : `${label}/${entry.name}`;
    if (entry.isDirectory()) yield* inFolder(place, name, [...folders, entry.name], maxBytes);
    else if (entry.isFile() || (await stat(place).catch(() => null))?.isFile())
      yield* inFile(place, name, folders, maxBytes);
    // A linked folder could lead back to itself.
    else yield { label: name, skipped: '不是普通文件' };
  }
}

async function* inFile(place: string, label: string, folders: string[], maxBytes: number): AsyncGenerator<FoundFile> {
  const name = path.basename(place);
  if (/\.zip$/i.test(name)) yield* inZip(place, label, [...folders, name], maxBytes);
  else yield fileOf({ label, name, folders, open: async () => createReadStream(place) }, maxBytes);
}

function fileOf({ label, name, folders, open }: CandleFile, maxBytes: number): FoundFile {
  if (!IS_CSV.test(name) || name.startsWith('.')) return { label, skipped: '不是 CSV 文件' };
  if (name.startsWith('_')) return { label, skipped: '不是 K 线文件（名字以 _ 开头）' };
  return { label, name, folders, open: /\.gz$/i.test(name) ? async () => unzipped(await open(), maxBytes) : open };
}

function unzipped(stream: Readable, maxBytes: number): Readable {
  const gunzip = createGunzip();
  stream.on('error', (error) => gunzip.destroy(error));
  gunzip.on('close', () => stream.destroy());
  return Readable.from(upTo(maxBytes, stream.pipe(gunzip)), { objectMode: false });
}

async function* upTo(maxBytes: number, stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const part of stream) {
    bytes += part.length;
    if (bytes > maxBytes) throw new Unusable(tooLarge(maxBytes));
    yield part;
  }
}

async function* inZip(place: string, label: string, folders: string[], maxBytes: number): AsyncGenerator<FoundFile> {
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
      yield entryOf(zip, entry, { label: `${label}/${entry.fileName}`, folders }, maxBytes);
    }
  } catch {
    yield { label, failed: '压缩包的目录已损坏' };
  } finally {
    zip.close();
  }
}

function entryOf(
  zip: ZipFile,
  entry: Entry,
  { label, folders }: Pick<CandleFile, 'label' | 'folders'>,
  maxBytes: number,
): FoundFile {
  const parts = entry.fileName.split('/');
  if (parts.includes('__MACOSX')) return { label, skipped: '不是 CSV 文件' };
  if (entry.uncompressedSize > maxBytes) return { label, failed: tooLarge(maxBytes) };
  const open = () => zip.openReadStreamPromise(entry);
  return fileOf({ label, name: parts.at(-1)!, folders: [...folders, ...parts.slice(0, -1)], open }, maxBytes);
}
