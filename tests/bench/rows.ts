import { sql } from 'drizzle-orm';
import pg from 'pg';
import { account } from '#contract/account';
import { audit } from '#contract/audit';
import { DAY_MS } from '#contract/duration';
import { hedge } from '#contract/kinds/hedge/desk';
import { order } from '#contract/order';
import { statistic } from '#contract/statistic';
import type { Database } from '#server/base/db/client';
import { RETENTION } from '#server/base/db/records/retention';
import { testApp } from '../support/app';
import { manyRecords } from '../support/manyRecords';
import { ownedRecords } from '../support/ownedRecords';
import { signedInUser } from '../support/signedInUser';
import { benchDatabase } from './benchDatabase';
import { share } from './benchDesk';
import type { Figure } from './figure';

interface Statement {
  text: string;
  values: unknown[];
}

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

/** Below this a table is read as soon as its index. */
const LARGE_BYTES = 1024 * 1024;

/** The statements that all connections of this process send while something runs, each text once. */
async function statementsOf(run: () => Promise<unknown>): Promise<Statement[]> {
  const sent = new Map<string, Statement>();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const [asked, values] = args as [string | { text: string; values?: unknown[] }, unknown[]?];
    const text = typeof asked === 'string' ? asked : asked.text;
    const own = Array.isArray(values) ? values : typeof asked === 'string' ? [] : (asked.values ?? []);
    sent.set(text, { text, values: own });
    return Reflect.apply(query, this, args);
  } as typeof query;
  try {
    await run();
  } finally {
    pg.Client.prototype.query = query;
  }
  return [...sent.values()];
}

/** Tables that a plan walks over from end to end, partitions by their own name. */
const walkedBy = (node: PlanNode): string[] => [
  ...(node['Node Type'].endsWith('Seq Scan') ? [node['Relation Name'] ?? ''] : []),
  ...(node.Plans ?? []).flatMap(walkedBy),
];

/** Tables of more than a few thousand rows that PostgreSQL would walk over from end to end for these statements. */
async function walkedTables(db: Database, statements: readonly Statement[]): Promise<string[]> {
  const walked = new Set<string>();
  const client = new pg.Client({ connectionString: db.url });
  await client.connect();
  for (const { text, values } of statements) {
    if (!/^\s*(select|with|\(select)/i.test(text)) continue;
    const plan = `explain (format json) ${text}`;
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(plan, values);
    for (const table of walkedBy(rows[0]!['QUERY PLAN'][0].Plan)) walked.add(table);
  }
  const { rows } = await client.query<{ name: string }>(
    'select relname as name from pg_class where relname = any ($1) and pg_relation_size(oid) > $2',
    [[...walked], LARGE_BYTES],
  );
  await client.end();
  return rows.map(({ name }) => name);
}

/** Of each table that only grows. */
const ROWS = Number(process.env.BENCH_ROWS ?? 10_000_000);
const DEALS = 5_000;
const MARK = 'many';
/** Calls of each list; below what one user may ask for in a minute. */
const CALLS = 40;
const BUDGET_MS = 50;
/** A connection tells what it read this long after it was last busy, at most. */
const TOLD_MS = 11_000;
const BIG = ['trade_order', 'fill', 'ledger', 'equity_point', 'audit', 'audit_result'];

interface List {
  path: string;
  query: Record<string, string | number>;
}

const PAGE = { pageSize: 50 };
const DEEP = { ...PAGE, current: 100 };

const lists = (userId: string): Record<string, List> => ({
  orders: { path: order.list.path, query: PAGE },
  'orders, page 100': { path: order.list.path, query: DEEP },
  'orders of a user, page 100': { path: order.list.path, query: { ...DEEP, userId } },
  'orders of a symbol, page 100': { path: order.list.path, query: { ...DEEP, symbol: 'BTCUSDT' } },
  'live orders': { path: order.list.path, query: { ...PAGE, view: 'live' } },
  fills: { path: order.fills.path, query: PAGE },
  'fills, page 100': { path: order.fills.path, query: DEEP },
  'fills of a user, page 100': { path: order.fills.path, query: { ...DEEP, userId } },
  audit: { path: audit.list.path, query: PAGE },
  'audit, page 100': { path: audit.list.path, query: DEEP },
  'audit of a person, page 100': { path: audit.list.path, query: { ...DEEP, actorId: userId } },
  'hedges, page 100': { path: hedge.list.path, query: { ...DEEP, view: 'ended', userId } },
  'own account': { path: account.state.path, query: {} },
  'equity of 30 days': { path: account.equity.path, query: { range: '30d' } },
  'account days': { path: account.daily.path, query: {} },
  'all accounts': { path: account.all.path, query: {} },
  statistics: { path: statistic.all.path, query: {} },
});

interface Read {
  rows: number;
  /** Of these tables each call walked over a tenth of the rows or more. */
  whole: string[];
}

/** What the big tables were read until now; connections are given the time to tell it. */
async function readOf(db: Database): Promise<Map<string, { walked: number; rows: number }>> {
  await new Promise((resolve) => setTimeout(resolve, TOLD_MS));
  const { rows } = await db.execute<{ relname: string; walked: number; rows: number }>(sql`
    select relname, sum(walked)::float8 as walked, sum(walked + fetched)::float8 as rows from (
      select coalesce(pg_partition_root(relid), relid)::regclass::text as relname,
        seq_tup_read as walked, coalesce(idx_tup_fetch, 0) as fetched from pg_stat_user_tables
    ) part where relname in ${BIG} group by relname`);
  return new Map(rows.map(({ relname, walked, rows: read }) => [relname, { walked, rows: read }]));
}

async function readSince(db: Database, before: Awaited<ReturnType<typeof readOf>>): Promise<Read> {
  const read: Read = { rows: 0, whole: [] };
  for (const [table, now] of await readOf(db)) {
    const then = before.get(table) ?? { walked: 0, rows: 0 };
    read.rows += now.rows - then.rows;
    if (now.walked - then.walked > (CALLS * ROWS) / 10) read.whole.push(table);
  }
  return read;
}

/**
 * Lists of a master, and of who has all the rows, over ten million rows of each table that only grows: p99 of the calls
 * after the first, the first, and the rows read a call. A table that is walked over from end to end, or that PostgreSQL
 * plans to (`EXPLAIN` of each statement of a list), is told as a figure.
 */
export async function rowFigures(): Promise<Figure[]> {
  const db = await benchDatabase();
  const server = await testApp({ db });
  const owner = await ownedRecords(server, MARK, 'master');
  const say = (line: string) => void process.stderr.write(`${line}\n`);
  let began = performance.now();
  const seconds = () => {
    const took = (performance.now() - began) / 1000;
    began = performance.now();
    return took.toFixed(0);
  };
  await manyRecords(db, MARK, { rows: ROWS, deals: DEALS });
  say(`${ROWS} rows of each table in ${seconds()} s`);
  const figures: Figure[] = [];
  const ask = async (list: List, cookie: string) => {
    const query = Object.fromEntries(Object.entries(list.query).map(([name, value]) => [name, String(value)]));
    const from = performance.now();
    const answer = await server.app.inject({ url: list.path, query, headers: { cookie } });
    const took = performance.now() - from;
    if (answer.json().code !== 200) throw new Error(`${list.path}: ${answer.body.slice(0, 200)}`);
    return took;
  };
  for (const [name, list] of Object.entries(lists(owner.userId))) {
    // Of the own account's calls only its owner has rows; others bring an allowance of their own.
    const cookie = 'userId' in list.query ? (await signedInUser(db, name, 'master')).cookie : owner.cookie;
    let first = 0;
    const statements = await statementsOf(async () => (first = await ask(list, cookie)));
    const planned = await walkedTables(db, statements);
    const before = await readOf(db);
    const took = new Float64Array(CALLS);
    for (let call = 0; call < CALLS; call += 1) took[call] = await ask(list, cookie);
    const read = await readSince(db, before);
    const [p50, p99] = [share(took, 0.5), share(took, 0.99)];
    const about = `${ROWS} rows, ${name}`;
    figures.push({ name: `${about}: p99`, value: p99, unit: 'ms', ratio: p99 / BUDGET_MS });
    figures.push({ name: `${about}: p50`, value: p50, unit: 'ms' });
    figures.push({ name: `${about}: first call`, value: first, unit: 'ms' });
    figures.push({ name: `${about}: rows read`, value: Math.round(read.rows / CALLS), unit: 'rows a call' });
    for (const table of read.whole) figures.push({ name: `${about}: walks over ${table}`, value: 1, unit: 'tables' });
    for (const table of planned)
      figures.push({ name: `${about}: plans to walk over ${table}`, value: 1, unit: 'tables' });
    say(
      `${name}: p99 ${p99.toFixed(1)} ms, p50 ${p50.toFixed(1)} ms, first ${first.toFixed(0)} ms, ${Math.round(read.rows / CALLS)} rows a call`,
    );
    if (read.whole.length > 0) say(`  walks over ${read.whole.join(', ')}`);
    if (planned.length > 0) say(`  plans to walk over ${planned.join(', ')}`);
  }
  const from = performance.now();
  // What there was when it was made lies in one partition, which ends with its month.
  const taken = await RETENTION.equity_point.drop(db, Date.now() + 31 * DAY_MS);
  const thinning = performance.now() - from;
  figures.push({ name: `${ROWS} rows, ${taken} equity points thinned out`, value: thinning, unit: 'ms' });
  await server.close();
  await db.close();
  return figures;
}
