import pg from 'pg';
import type { Database } from '#server/base/db/client';

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
export async function statementsOf(run: () => Promise<unknown>): Promise<Statement[]> {
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
export async function walkedTables(db: Database, statements: readonly Statement[]): Promise<string[]> {
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
