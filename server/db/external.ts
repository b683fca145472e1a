import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { StartRefusal } from '../startRefusal';
import type { Database, Queries } from './client';
import { migrate } from './migrate';
import { placeName } from './placeName';
import { type ChannelListener, PostgresChannel } from './postgresChannel';
import * as schema from './schema';
import { refuseBroken, startingOn } from './unusable';

/** Shorter than the lease of a book, which the locks of a paused process would outlive. */
const IDLE_MS = 4_000;

/** Any number that other programs on the same PostgreSQL do not use: two servers migrate one after the other. */
const MIGRATION_LOCK = 7_263_518_204;

/** A server that is away does not keep its callers waiting for ever. */
const CONNECT_MS = 10_000;

/** Opens a PostgreSQL server. @throws StartRefusal in one line, without the password, when it does not answer. */
export async function openUrl(url: string): Promise<Database> {
  const place = placeName({ kind: 'url', url });
  try {
    await migrateAlone(url, place);
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartRefusal(`不能使用 PostgreSQL ${place}（${code ?? message}），请检查 DATABASE_URL`);
  }
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    // A process that is paused within a transaction must not keep the others waiting for its locks.
    idle_in_transaction_session_timeout: IDLE_MS,
  });
  // One that breaks at work fails its statement; unheard, the event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // An idle connection that breaks is replaced at the next query; unheard, the event would end the process.
  pool.on('error', () => undefined);
  const queries = drizzle(pool, { schema }) as unknown as Queries;
  return Object.assign(queries, {
    close: () => pool.end(),
    openChannel: (name: string, listener: ChannelListener) => PostgresChannel.open(url, name, listener),
  });
}

async function migrateAlone(url: string, place: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const queries = drizzle(client, { schema }) as unknown as Queries;
    await startingOn(place, () => migrate(queries, place));
    await refuseBroken(queries, place);
  } finally {
    await client.end().catch(() => undefined);
  }
}
