import { sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/duration';
import type { Database, Queries } from '#server/base/db/client';

/** How many records are made after the pattern of one. */
export interface ManyRecords {
  rows: number;
  deals: number;
}

/** Changed columns as SQL: `t` is the pattern, `n` counts the copies. */
type Changes = Record<string, string>;

/** The columns of a table, those that change as they are then. */
async function columnsOf(tx: Queries, table: string, changes: Changes): Promise<string> {
  const { rows } = await tx.execute<{ name: string }>(sql`
    select attname as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped order by attnum`);
  return rows.map(({ name }) => changes[name] ?? `t.${name}`).join(', ');
}

type Pattern = [table: string, where: string, changes: Changes];

/** What is booked lies in these. */
const YEARS_MS = 730 * DAY_MS;

const TABLES = (mark: string, rows: number): Pattern[] => [
  ['trade_order', `id = '${mark}-filled'`, { id: 't.id || n', created_at: 't.created_at - n * 1000' }],
  ['fill', `id = '${mark}-fill'`, { id: 't.id || n', at: 't.at - n * 1000' }],
  [
    'ledger',
    `reference = '${mark}'`,
    {
      ...{ id: '1000000 + n', reference: 't.reference || n', at: `t.at - n * ${YEARS_MS}::bigint / ${rows}` },
      // The money came in first.
      ...{
        amount: `case n when ${rows} then 1000 else -0.01 end`,
        kind: `case n when ${rows} then 'transfer' else 'fee' end`,
      },
    },
  ],
  ['equity_point', 'equity = 100000', { at: 't.at - n * 60000' }],
  ['audit', 'true', { id: '1000000 + n', at: 't.at - n * 1000', position: '1000000 + n' }],
  ['audit_result', 'true', { audit_id: '1000000 + n', position: '1000000 + n' }],
];

/** Orders, fills, bookings, points, audit rows and closed deals, many of each, after those of `ownedRecords` with that mark. */
export async function manyRecords(db: Database, mark: string, { rows, deals }: ManyRecords): Promise<void> {
  const add = (work: (tx: Queries) => Promise<unknown>) =>
    db.transaction(async (tx) => {
      // What each row refers to is there: neither that nor the chain of the audit log is looked at for each of them.
      await tx.execute(sql`set local session_replication_role = replica`);
      await work(tx);
    });
  const addRows = ([table, where, changes]: Pattern) =>
    add(async (tx) => {
      const columns = await columnsOf(tx, table, changes);
      await tx.execute(
        sql.raw(`insert into ${table} overriding system value select ${columns}
          from (select * from ${table} where ${where} limit 1) t, generate_series(1::bigint, ${rows}) n`),
      );
    });
  // But the sums of the ledger are kept as they always are.
  await db.execute(sql`alter table ledger enable always trigger ledger_summed`);
  const tables = TABLES(mark, rows);
  // Two connections at a time: the database has few.
  const inTurn = async () => {
    for (let next = tables.shift(); next !== undefined; next = tables.shift()) await addRows(next);
  };
  await Promise.all([inTurn(), inTurn()]);
  await add((tx) => addDeals(tx, deals));
  await db.execute(sql`vacuum analyze`);
}

async function addDeals(tx: Queries, deals: number): Promise<void> {
  const changes = { id: 'md5(n::text)::uuid', closed_at: 't.closed_at - n * 60000' };
  const columns = await columnsOf(tx, 'deal', changes);
  const legs = await columnsOf(tx, 'deal_leg', { deal_id: 'made.id' });
  await tx.execute(
    sql.raw(`with made as (
      insert into deal select ${columns}
      from (select * from deal where state = 'closed' limit 1) t, generate_series(1::bigint, ${deals}) n returning id)
      insert into deal_leg select ${legs}
      from made, deal_leg t where t.deal_id = (select id from deal where state = 'closed' limit 1)`),
  );
}
