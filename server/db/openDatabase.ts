import { PGlite } from '@electric-sql/pglite';
import { drizzle } from 'drizzle-orm/pglite';
import type { Database, DatabasePlace, Queries } from './client';
import { openFolder } from './embedded';
import type { EmbeddedOptions } from './embeddedPostgres';
import { openUrl } from './external';
import { migrate } from './migrate';
import { placeName } from './placeName';
import * as schema from './schema';

/** Opens the database with its schema brought up to date. @throws StartRefusal when it cannot be used. */
export async function openDatabase(place: DatabasePlace, options: EmbeddedOptions = {}): Promise<Database> {
  const name = placeName(place);
  if (place.kind === 'folder') return Object.assign(await openFolder(place.path, options), { place: name });
  if (place.kind === 'url') return Object.assign(await openUrl(place.url, place.ownerUrl), { place: name });
  const postgres = await PGlite.create(place.dump ? { loadDataDir: place.dump } : {});
  const queries = drizzle(postgres, { schema }) as unknown as Queries;
  await migrate(queries, '内存');
  return Object.assign(queries, { close: () => postgres.close() });
}
