import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { Channel, ChannelListener } from './connection/postgresChannel';
import type * as schema from './schema';

interface Rows<Row> {
  rows: Row[];
}

/** What the driver answers to a statement without a row type of its own. */
interface RowsResult extends PgQueryResultHKT {
  type: Rows<this['row']>;
}

/** What a query needs: the database or a transaction of it. */
export type Queries = PgDatabase<RowsResult, typeof schema>;

/** An open database. */
export type Database = Queries & {
  /** How messages name where it is: a folder, or host and name. */
  place?: string;
  /** Where a process of ours connects to it. */
  url: string;
  /** Gives back the folder or the connections. */
  close(): Promise<void>;
  /** Copies the database's folder as it is at one moment; absent where it is nobody's folder. The copy opens like a folder after a power cut. */
  copyTo?(target: string): Promise<void>;
  /** Joins the processes that share the database. The embedded one is nobody's but this process's. */
  openChannel?(name: string, listener: ChannelListener): Promise<Channel>;
};

export type DatabasePlace =
  | { kind: 'folder'; path: string }
  /** `ownerUrl`: the same database for the role that owns the tables, which migrates. */
  | { kind: 'url'; url: string; ownerUrl?: string };
