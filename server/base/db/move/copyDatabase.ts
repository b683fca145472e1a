import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { StartRefusal } from '../../startRefusal';
import type { Queries } from '../client';
import { appliedMigrations, migrate } from '../connection/migrate';

/** A database that is read, statement by statement, in one session. */
export interface Source {
  query<Row>(text: string): Promise<Row[]>;
  close(): Promise<void>;
}

/** What was copied of a table; `sum` is the same for the same rows in any order. */
export interface CopiedTable {
  table: string;
  rows: number;
  sum: string;
}

/** Rows that are under way at once. */
const BATCH = 2_000;

/** Of the same form in both sessions, whatever their servers are set to. */
const SESSION = `set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'iso_8601'; set bytea_output = 'hex'; set extra_float_digits = 1`;

/** Those of ours, each with all its partitions, and the jobs: what waits to be done is done over there. */
const TABLES = `select quote_ident(relname) as table from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
  union all select 'pgboss.job' where to_regclass('pgboss.job') is not null order by 1`;
const FOREIGN_KEYS = `select conrelid::regclass::text as table, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
  from pg_constraint where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace order by 1, 2`;
const SEQUENCES = `select sequence.oid::regclass::text as name, owner.refobjid::regclass::text as table, quote_ident(attname) as column
  from pg_class sequence
  join pg_depend owner on owner.objid = sequence.oid and owner.deptype in ('a', 'i')
  join pg_attribute on attrelid = owner.refobjid and attnum = owner.refobjsubid
  where relkind = 'S' and relnamespace = 'public'::regnamespace`;
const sumOf = (table: string) =>
  `select count(*)::text as rows, coalesce(sum(('x' || substr(md5(t::text), 1, 15))::bit(60)::bigint), 0)::text as sum from ${table} t`;

/**
 * Copies a database of this program, of this or an earlier version, into an empty one on a PostgreSQL server, and brings
 * that to today's schema. Counts and checksums of both sides are compared before anything is kept.
 * @param place how messages name the target
 * @throws StartRefusal when the target is not empty, the source is no database of ours, or a table is not the same
 */
export async function copyDatabase(source: Source, targetUrl: string, place: string): Promise<CopiedTable[]> {
  const client = new pg.Client({ connectionString: targetUrl });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const target = drizzle(client) as unknown as Queries;
    const here = await client.query(TABLES);
    if (here.rows.length > 0) throw new StartRefusal(`${place} 里已有数据，没有复制；目标必须是空的数据库`);
    const applied = await migrationsOf(source);
    await migrate(target, place, applied);
    await client.query(SESSION);
    await source.query(SESSION);
    await client.query('begin');
    const copied = await copyTables(source, client);
    await client.query('commit');
    await migrate(target, place);
    return copied;
  } finally {
    await client.end();
    await source.close();
  }
}

async function migrationsOf(source: Source): Promise<string[]> {
  const applied = await appliedMigrations((text) => source.query(text));
  if (applied.length === 0) throw new StartRefusal('来源不是本系统的数据库，没有复制');
  return applied;
}

async function copyTables(source: Source, target: pg.Client): Promise<CopiedTable[]> {
  await source.query('begin transaction isolation level repeatable read');
  const tables = (await source.query<{ table: string }>(TABLES)).map(({ table }) => table);
  const keys = (await target.query<{ table: string; name: string; definition: string }>(FOREIGN_KEYS)).rows;
  // They are made again below, and then hold: rows come in any order until then.
  for (const { table, name } of keys) await target.query(`alter table ${table} drop constraint ${name}`);
  const copied: CopiedTable[] = [];
  for (const table of tables) copied.push(await copyTable(source, target, table));
  for (const { table, name, definition } of keys) {
    await target.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  for (const { name, table, column } of (await target.query<Record<string, string>>(SEQUENCES)).rows) {
    const [last] = await source.query<{ last: string }>(`select last_value::text as last from ${name}`);
    await target.query(`select setval('${name}', greatest(${last?.last ?? 1}, (select max(${column}) from ${table})))`);
  }
  await source.query('commit');
  return copied;
}

async function copyTable(source: Source, target: pg.Client, table: string): Promise<CopiedTable> {
  // What a trigger adds is copied with the rows.
  await target.query(`alter table ${table} disable trigger user`);
  await target.query(`delete from ${table}`);
  await source.query(`declare moving no scroll cursor for select to_json(t)::text as row from ${table} t`);
  for (;;) {
    const rows = await source.query<{ row: string }>(`fetch ${BATCH} from moving`);
    if (rows.length === 0) break;
    const list = `[${rows.map(({ row }) => row).join(',')}]`;
    await target.query(
      `insert into ${table} overriding system value select * from json_populate_recordset(null::${table}, $1::json)`,
      [list],
    );
  }
  await source.query('close moving');
  await target.query(`alter table ${table} enable trigger user`);
  const [there] = await source.query<{ rows: string; sum: string }>(sumOf(table));
  const here = (await target.query<{ rows: string; sum: string }>(sumOf(table))).rows[0];
  if (there === undefined || here === undefined || there.rows !== here.rows || there.sum !== here.sum) {
    throw new StartRefusal(
      `表 ${table} 复制后与来源不符（${there?.rows} 行与 ${here?.rows} 行），没有保留任何复制的内容`,
    );
  }
  return { table, rows: Number(here.rows), sum: here.sum };
}

/** Opens a database of PGlite, which earlier versions embedded; no other program reads its files. @throws StartRefusal */
export async function legacySource(files: string): Promise<Source> {
  const { PGlite } = await import('@electric-sql/pglite').catch(() => {
    throw new StartRefusal(
      `读取旧版数据库 ${files} 需要 npm 包 @electric-sql/pglite，请先运行 npm ci（不带 --omit=optional）`,
    );
  });
  const postgres = await PGlite.create(files).catch(() => {
    throw new StartRefusal(
      `旧版数据库 ${files} 已损坏，不能打开；文件没有删除，请从备份恢复，或用 DATA_DIR 换一个目录`,
    );
  });
  return {
    query: async <Row>(text: string) => {
      const results = await postgres.exec(text);
      return (results.at(-1)?.rows ?? []) as Row[];
    },
    close: () => postgres.close(),
  };
}

/** Brings a database of PGlite into the empty one at `url`. @param files of PGlite, which stay. */
export async function moveLegacy(files: string, url: string, onNote?: (note: string) => void): Promise<CopiedTable[]> {
  onNote?.(`正在把旧版数据库 ${files} 转换到 PostgreSQL，只需一次…`);
  const copied = await copyDatabase(await legacySource(files), url, files);
  const rows = copied.reduce((sum, table) => sum + table.rows, 0);
  onNote?.(`已转换 ${copied.length} 张表 ${rows} 行，逐表核对一致；旧文件保留在 ${files}，确认无误后可以删除`);
  return copied;
}
