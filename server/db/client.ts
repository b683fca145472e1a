import { PGlite } from '@electric-sql/pglite';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/pglite';
import { openFolder } from './embedded';
import type { EmbeddedOptions } from './embeddedPostgres';
import { openUrl } from './external';
import { migrate } from './migrate';
import type { Channel, ChannelListener } from './postgresChannel';
import * as schema from './schema';

interface Rows<Row> {
  rows: Row[];
}

/** What both drivers answer to a statement without a row type of its own. */
interface RowsResult extends PgQueryResultHKT {
  type: Rows<this['row']>;
}

/** What a query needs: the database or a transaction of it, embedded or not. */
export type Queries = PgDatabase<RowsResult, typeof schema>;

/** An open database. */
export type Database = Queries & {
  /** Gives back the folder or the connections. */
  close(): Promise<void>;
  /** Joins the processes that share the database. The embedded one is nobody's but this process's. */
  openChannel?(name: string, listener: ChannelListener): Promise<Channel>;
};

/** A database in memory may start from the dump of another one, which is faster than making a cluster. */
export type DatabasePlace =
  | { kind: 'memory'; dump?: Blob }
  | { kind: 'folder'; path: string }
  | { kind: 'url'; url: string };

/** Opens the database with its schema brought up to date. @throws StartRefusal when it cannot be used. */
export async function openDatabase(place: DatabasePlace, options: EmbeddedOptions = {}): Promise<Database> {
  if (place.kind === 'folder') return openFolder(place.path, options);
  if (place.kind === 'url') return openUrl(place.url);
  const postgres = await PGlite.create(place.dump ? { loadDataDir: place.dump } : {});
  const queries = drizzle(postgres, { schema }) as unknown as Queries;
  await migrate(queries, '内存');
  return Object.assign(queries, { close: () => postgres.close() });
}
