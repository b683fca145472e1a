import type { Database } from '../client';
import { knownMigrations } from '../connection/migrate';
import { openUrl } from '../connection/openUrl';
import { baseBackup } from './baseBackup';
import { dataFolder } from './dataFolder';
import { isLeftReadOnly, keepRoom, letWrite } from './room';
import { type FolderOptions as StartOptions, startFolder } from './startFolder';

export interface FolderOptions extends StartOptions {
  /** Free bytes of the disk, in place of those that it has. */
  room?: () => number;
}

/** The embedded one is one program's: each further connection would only hold memory. */
const CONNECTIONS = 6;

/**
 * Opens the embedded database in `place`, or makes one where the folder is empty or absent.
 * The folder belongs to this process until `close`.
 * @throws StartRefusal with one line for every folder that cannot or must not be used.
 */
export async function openFolder(place: string, options: FolderOptions = {}): Promise<Database> {
  const { folder, files, url, stop } = await startFolder(place, options);
  try {
    // The last one to use it may have ended without room.
    if (isLeftReadOnly(files)) await letWrite(url, true).catch(() => undefined);
    const db = await openUrl(url, { place: folder, connections: CONNECTIONS, isShared: false });
    dataFolder.label(folder, knownMigrations());
    const room = keepRoom(files, url, options.room);
    const disconnect = db.close.bind(db);
    let closed: Promise<void> | undefined;
    const close = async () => {
      room.close();
      await disconnect().finally(stop);
    };
    return Object.assign(db, {
      close: () => {
        closed ??= close();
        return closed;
      },
      copyTo: (target: string) => baseBackup(url, files, target),
    });
  } catch (error) {
    await stop();
    throw error;
  }
}
