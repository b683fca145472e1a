import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { StartRefusal } from '../../startRefusal';
import type { Database, Queries } from '../client';
import { damaged } from '../embedded/dataFolder';
import { JOB_SCHEMA } from '../records/job';
import * as schema from '../schema';
import { refuseBroken, startingOn } from './databaseFailure';
import { askingInTurn } from './heavyReads';
import { migrate } from './migrate';
import { inOneWrite } from './oneWrite';
import { type ChannelListener, PostgresChannel } from './postgresChannel';
import { ADVISORY_LOCKS } from './statements';

/** Shorter than the lease of a book, which the locks of a paused process would outlive. */
const IDLE_MS = 4_000;

interface PoolOptions {
  connections: number;
  /** Whether other servers may use it as well. */
  isShared: boolean;
}

interface OpenOptions extends PoolOptions {
  /** How messages name it. */
  place: string;
  /** Of the role that owns the tables: the server's own may then only add to what must not be changed. */
  ownerUrl?: string;
}

/** Of them, what the heavy reads of one user may take: with two on two cores, those of others take four times as long. */
const PER_READER = 1;

/** A server that is away does not keep its callers waiting for ever. */
const CONNECT_MS = 10_000;

/** Opens the database on a PostgreSQL server. @throws StartRefusal in one line, without the password, when it does not answer. */
export async function openUrl(url: string, { place, ownerUrl, ...options }: OpenOptions): Promise<Database> {
  try {
    await migrateAlone(ownerUrl ?? url, place, ownerUrl === undefined ? undefined : roleOf(url));
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw options.isShared
      ? new StartRefusal(`不能使用 PostgreSQL ${place}（${code ?? message}），请检查 DATABASE_URL`)
      : damaged(place, `数据库不能打开，${code ?? message}`);
  }
  return connectTo(url, options);
}

interface ConnectOptions extends PoolOptions {
  /** Tells a past: very many statements, of which a power cut may take the last. */
  isTelling?: boolean;
}

/** A database whose schema is known to be today's. */
export function connectTo(url: string, { connections, isShared, isTelling = false }: ConnectOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    // Statements that do not wait for each other go out at once.
    pipeline: true,
    // A process that is paused within a transaction must not keep the others waiting for its locks.
    idle_in_transaction_session_timeout: IDLE_MS,
  });
  // One that breaks at work fails its statement; unheard, the event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  if (isTelling) pool.on('connect', inOneWrite);
  // An idle connection that breaks is replaced at the next query; unheard, the event would end the process.
  pool.on('error', () => undefined);
  const queries = drizzle(asking(pool), { schema }) as unknown as Queries;
  return Object.assign(queries, {
    url,
    close: () => pool.end(),
    ...(isShared
      ? { openChannel: (name: string, listener: ChannelListener) => PostgresChannel.open(url, name, listener) }
      : {}),
  });
}

function asking(pool: pg.Pool): pg.Pool {
  const inTurn = askingInTurn(PER_READER);
  const ask = pool.query.bind(pool) as (...asked: unknown[]) => Promise<unknown>;
  return Object.assign(pool, { query: (...asked: unknown[]) => inTurn(() => ask(...asked)) });
}

async function migrateAlone(url: string, place: string, role?: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select pg_advisory_lock($1)', [ADVISORY_LOCKS.migration]);
    const queries = drizzle(client, { schema }) as unknown as Queries;
    if (role !== undefined) await refusePowerful(queries, role);
    await startingOn(place, () => migrate(queries, place));
    await refuseBroken(queries, place);
    if (role !== undefined) await grantTo(queries, role);
  } finally {
    await client.end().catch(() => undefined);
  }
}

const roleOf = (url: string): string => decodeURIComponent(new URL(url).username);

/**
 * What is taken from the server's role binds neither a superuser nor who may act as the owner of the tables.
 * @throws StartRefusal
 */
async function refusePowerful(owner: Queries, role: string): Promise<void> {
  const { rows } = await owner.execute<{ owner: string; isSuper: boolean }>(sql`
    select name as owner, rolsuper as "isSuper"
    from pg_roles, (select current_user as name union select tableowner from pg_tables where schemaname = 'public') owners
    where rolname = ${role} and pg_has_role(rolname, name, 'member')`);
  const [found] = rows;
  if (found === undefined) return;
  const why = found.isSuper ? '是超级用户' : `能以表的所有者 ${found.owner} 行事`;
  throw new StartRefusal(
    `DATABASE_URL 的角色 ${role} ${why}，管不住它改操作记录与账本：请换一个普通角色，或不设 DATABASE_OWNER_URL`,
  );
}

/** Only ever added to. */
const HISTORY = ['ledger', 'fill', 'deal_event', 'audit', 'audit_result'];
/** Written by triggers of those. */
const DERIVED = ['audit_chain', 'ledger_total', 'ledger_day'];

/** What the server needs of the tables of their owner, and no more. */
async function grantTo(owner: Queries, role: string): Promise<void> {
  const server = sql.identifier(role);
  const list = (names: readonly string[]) =>
    sql.join(
      names.map((name) => sql.identifier(name)),
      sql`, `,
    );
  for (const place of ['public', JOB_SCHEMA].map((name) => sql.identifier(name))) {
    await owner.execute(sql`grant usage on schema ${place} to ${server}`);
    await owner.execute(sql`grant select, insert, update, delete on all tables in schema ${place} to ${server}`);
  }
  // Whether the schema is this program's is asked while the server runs, too.
  await owner.execute(sql`grant usage on schema drizzle to ${server}`);
  await owner.execute(sql`grant select on all tables in schema drizzle to ${server}`);
  await owner.execute(sql`grant usage on all sequences in schema public to ${server}`);
  await owner.execute(sql`revoke update, delete, truncate on ${list(HISTORY)} from ${server}`);
  await owner.execute(sql`revoke insert, update, delete, truncate on ${list(DERIVED)} from ${server}`);
}
