import {
  cpSync,
  existsSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { diskSync, type SyncIo } from '../../server/db/syncIo';

/**
 * A disk that keeps only what it was told to keep: an image of `root` in which a file has the content
 * of its last sync, a file never synced is absent, and a folder has the names of its last sync. A
 * synced new file has its name too, as ext4, XFS, btrfs and APFS do.
 */
export class PowerCut implements SyncIo {
  /** Where an inode's synced content lies in the image. */
  readonly #kept = new Map<number, string>();
  syncs = 0;

  constructor(
    private readonly root: string,
    private readonly image: string,
    /** What is synced is dropped instead: the disk PGlite by itself leaves behind. */
    private readonly deaf = false,
  ) {
    cpSync(root, image, { recursive: true });
    this.#learn(root);
  }

  async data(fd: number, file: string): Promise<void> {
    this.#keep(fd, file);
    await diskSync.data(fd, file);
  }

  dataNow(fd: number, file: string): void {
    this.#keep(fd, file);
  }

  all = (fd: number, file: string): void => this.#keep(fd, file);

  /** Adds what the system wrote of its own accord: files outside the log as they are now, where `choose` says so. */
  writeBack(choose: (file: string) => boolean): void {
    for (const file of filesUnder(this.root)) {
      const inside = path.relative(this.root, file);
      if (inside.startsWith('pg_wal') || inside === path.join('global', 'pg_control') || !choose(inside)) continue;
      this.#place(file, readFileSync(file));
    }
  }

  #keep(fd: number, file: string): void {
    this.syncs += 1;
    if (this.deaf) return;
    if (fstatSync(fd).isDirectory()) this.#keepNames(file);
    else this.#place(file, readFileSync(file));
  }

  #place(file: string, content: Buffer): void {
    const copy = this.#copyOf(file);
    mkdirSync(path.dirname(copy), { recursive: true });
    // A new inode: the old one may still be kept under another name.
    rmSync(copy, { force: true });
    writeFileSync(copy, content);
    this.#kept.set(statSync(file).ino, copy);
  }

  #keepNames(folder: string): void {
    const copy = this.#copyOf(folder);
    mkdirSync(copy, { recursive: true });
    const names = readdirSync(folder);
    const moved = names.map((name) => [path.join(copy, name), this.#contentOf(path.join(folder, name))] as const);
    for (const [target, content] of moved) {
      if (content === undefined) continue;
      rmSync(target, { force: true });
      writeFileSync(target, content);
    }
    for (const name of readdirSync(copy)) {
      if (!names.includes(name)) rmSync(path.join(copy, name), { recursive: true });
    }
    for (const name of names) this.#remember(path.join(folder, name), path.join(copy, name));
  }

  /** Synced content of a file that is in the image under another name, or undefined. */
  #contentOf(file: string): Buffer | undefined {
    const found = statSync(file);
    const copy = this.#kept.get(found.ino);
    if (found.isDirectory() || copy === undefined || copy === this.#copyOf(file) || !existsSync(copy)) return undefined;
    return readFileSync(copy);
  }

  #remember(file: string, copy: string): void {
    const found = statSync(file);
    if (found.isFile() && this.#kept.has(found.ino)) this.#kept.set(found.ino, copy);
  }

  #learn(folder: string): void {
    for (const file of filesUnder(folder)) this.#kept.set(statSync(file).ino, this.#copyOf(file));
  }

  #copyOf(file: string): string {
    return path.join(this.image, path.relative(this.root, file));
  }
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}
