import { sql } from 'drizzle-orm';
import type { Database } from '#server/db/client';

/** How many records are made after the pattern of one. */
export interface ManyRecords {
  rows: number;
  deals: number;
}

/** Many rows after the pattern of one: an array of their changed columns as SQL, `n` counting them. */
const copies = (rows: number, table: string, where: string, changes: string) =>
  sql.raw(`insert into ${table} overriding system value
    select (jsonb_populate_record(t, jsonb_build_object(${changes}))).*
    from ${table} t, generate_series(1::bigint, ${rows}) n where t.ctid = (select ctid from ${table} where ${where} limit 1)`);

/** Orders, fills, bookings, points, audit rows and closed deals, many of each, after those of `ownedRecords` with that mark. */
export async function manyRecords(db: Database, mark: string, { rows, deals }: ManyRecords): Promise<void> {
  const many = (table: string, where: string, changes: string) => db.execute(copies(rows, table, where, changes));
  await many('trade_order', `id = '${mark}-filled'`, `'id', t.id || n, 'created_at', t.created_at - n * 1000`);
  await many('fill', `id = '${mark}-fill'`, `'id', t.id || n, 'at', t.at - n * 1000`);
  const entry = `'id', 1000000 + n, 'reference', t.reference || n, 'at', t.at + n * 1000, 'amount', '-0.01', 'kind', 'fee'`;
  await many('ledger', `reference = '${mark}'`, entry);
  await many('equity_point', 'equity = 100000', `'at', t.at - n * 60000`);
  await many('audit', 'true', `'id', 1000000 + n, 'at', t.at - n * 1000`);
  await db.execute(
    sql.raw(`with made as (
      insert into deal select (jsonb_populate_record(t, jsonb_build_object('id', md5(n::text)::uuid, 'closed_at', t.closed_at - n * 60000))).*
      from deal t, generate_series(1::bigint, ${deals}) n where t.state = 'closed' returning id)
      insert into deal_leg select (jsonb_populate_record(l, jsonb_build_object('deal_id', made.id))).*
      from made, deal_leg l where l.deal_id = (select id from deal where state = 'closed' limit 1)`),
  );
  await db.execute(sql`analyze`);
}
