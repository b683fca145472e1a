import { sql } from 'drizzle-orm';
import type { Queries } from '#server/base/db/client';

/** Lets time pass for the jobs that wait or run: they go by the database's clock, which nobody sets. */
export async function jobsLater(db: Queries, ms: number): Promise<void> {
  const passed = sql`${ms / 1000}::float8 * interval '1 second'`;
  await db.execute(
    sql`update pgboss.job set start_after = start_after - ${passed}, started_on = started_on - ${passed} where state < 'completed'`,
  );
}
