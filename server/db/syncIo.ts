import { fdatasync, fdatasyncSync, fsyncSync, statfsSync } from 'node:fs';
import { promisify } from 'node:util';

/**
 * The calls that put a file on the disk. `file` is the absolute path behind `fd`; a test that records
 * what was synced takes the place of `diskSync`.
 */
export interface SyncIo {
  /** Content of a write-ahead segment, off the event loop. */
  data(fd: number, file: string): Promise<void>;
  /** The same, at once: something that must not overtake it waits. */
  dataNow(fd: number, file: string): void;
  /** A file, or the names in a folder. */
  all(fd: number, file: string): void;
  /** What may still be written on the disk of a folder, bytes; as much as anybody likes where nobody says. */
  room?(folder: string): number;
}

const fdatasyncAsync = promisify(fdatasync);

export const diskSync: SyncIo = {
  data: (fd) => fdatasyncAsync(fd),
  dataNow: (fd) => fdatasyncSync(fd),
  all: (fd) => fsyncSync(fd),
  room: (folder) => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  },
};
