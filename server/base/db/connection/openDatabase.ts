import type { Database, DatabasePlace } from '../client';
import { type FolderOptions, openFolder } from '../embedded/openFolder';
import { openUrl } from './openUrl';

/** How messages name the place of a database: a folder, or host and name without user and password. */
export function placeName(place: DatabasePlace): string {
  if (place.kind === 'folder') return place.path;
  const { host, pathname } = new URL(place.url);
  return `${host}${pathname}`;
}

const CONNECTIONS = 10;

/** Opens the database with its schema brought up to date. @throws StartRefusal when it cannot be used. */
export async function openDatabase(place: DatabasePlace, options: FolderOptions = {}): Promise<Database> {
  const name = placeName(place);
  const db =
    place.kind === 'folder'
      ? await openFolder(place.path, options)
      : await openUrl(place.url, { ...place, place: name, connections: CONNECTIONS, isShared: true });
  return Object.assign(db, { place: name });
}
