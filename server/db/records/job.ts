import { sql } from 'drizzle-orm';
import type { Queries } from '../client';

/** Where pg-boss keeps its jobs; it alone writes there. */
export const JOB_SCHEMA = 'pgboss';
const job = sql`pgboss.job`;
/** Not yet begun, or to be begun again. */
const waits = sql`state < 'active'`;
/** Waits, or runs now. */
const isOpen = sql`state < 'completed'`;

/** Queues in which something waits, and in how many ms the first of it is due; none where it is. */
export async function waitingQueues(db: Queries): Promise<{ queue: string; inMs: number }[]> {
  const { rows } = await db.execute<{ queue: string; inMs: number }>(sql`
    select name as queue, (extract(epoch from min(start_after) - now()) * 1000)::float8 as "inMs"
    from ${job} where ${waits} group by name`);
  return rows;
}

/** How many jobs of a queue wait or run under a key. */
export async function openJobs(db: Queries, queue: string, key: string): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from ${job} where name = ${queue} and singleton_key = ${key} and ${isOpen}`,
  );
  return rows[0]?.n ?? 0;
}

/** Ids of the deliveries to a user's webhook that wait, run or failed for good, but for those of the newest `kept` notifications. */
export async function deliveriesBefore(db: Queries, userId: string, kept: number): Promise<string[]> {
  // When a job was made says nothing: one that was put back is made anew.
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from ${job} where name = 'webhook' and singleton_key = ${userId} and state <> 'completed'
      order by (data ->> 'notificationId')::bigint desc offset ${kept}`,
  );
  return rows.map(({ id }) => id);
}
