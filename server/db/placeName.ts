import type { DatabasePlace } from './client';

/** What people are told of where a database is: a folder, or host and name without user and password. */
export function placeName(place: DatabasePlace): string {
  if (place.kind === 'memory') return '内存';
  if (place.kind === 'folder') return place.path;
  const { host, pathname } = new URL(place.url);
  return `${host}${pathname}`;
}
