import type { DatabasePlace } from '../client';

/** How messages name the place of a database: a folder, or host and name without user and password. */
export function placeName(place: DatabasePlace): string {
  if (place.kind === 'folder') return place.path;
  const { host, pathname } = new URL(place.url);
  return `${host}${pathname}`;
}
