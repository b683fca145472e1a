import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../client';

interface Explained {
  'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }];
}

/** How many rows the planner takes a query to have; none of them is read. */
export async function estimatedRows(db: Queries, query: { getSQL(): SQL }): Promise<number> {
  const { rows } = await db.execute<Explained & Record<string, unknown>>(sql`explain (format json) ${query.getSQL()}`);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}
