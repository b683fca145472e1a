import { type SQL, sql } from 'drizzle-orm';
import type { JobQueue, JobQueueRow, JobState } from '#contract/job';
import type { Queries } from '../client';

/** Where pg-boss keeps its jobs; it alone writes there. */
export const JOB_SCHEMA = 'pgboss';
const job = sql`pgboss.job`;
/** Not yet begun, or to be begun again. */
const waits = sql`state < 'active'`;
/** Waits, or runs now. */
const isOpen = sql`state < 'completed'`;
/** Failed and is to be tried again: also one that was put back since, which is made anew. */
const isRetrying = sql`(state = 'retry' or (state = 'created' and coalesce((data ->> 'before')::int, 0) > 0))`;
const isDead = sql`state = 'failed'`;
const isFailing: Record<JobState | 'any', SQL> = {
  retrying: isRetrying,
  dead: isDead,
  any: sql`(${isRetrying} or ${isDead})`,
};
/** Attempts that this row has seen fail. */
const failedHere = sql`(retry_count + case when state in ('retry', 'failed') then 1 else 0 end)`;
const failedBefore = sql`coalesce((data ->> 'before')::int, 0)`;
const msOf = (instant: SQL) => sql`floor(extract(epoch from ${instant}) * 1000)::float8`;

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

/** Ids of the deliveries under a key that wait, run or failed for good, but for those of the newest `kept` notifications. */
export async function deliveriesBefore(db: Queries, key: string, kept: number): Promise<string[]> {
  // When a job was made says nothing: one that was put back is made anew.
  const { rows } = await db.execute<{ id: string }>(
    sql`select id from ${job} where name = 'webhook' and singleton_key = ${key} and state <> 'completed'
      order by (data ->> 'notificationId')::bigint desc offset ${kept}`,
  );
  return rows.map(({ id }) => id);
}

/** How much there is in each queue; what was done is kept for a day. */
export async function jobQueues(db: Queries): Promise<JobQueueRow[]> {
  const { rows } = await db.execute<JobQueueRow & Record<string, unknown>>(sql`
    select q.name as queue,
      (count(*) filter (where state = 'created' and not ${isRetrying}))::int as waiting,
      (count(*) filter (where state = 'active'))::int as active,
      (count(*) filter (where ${isRetrying}))::int as retrying,
      (count(*) filter (where ${isDead}))::int as dead,
      (count(*) filter (where state = 'completed'))::int as done,
      ${msOf(sql`max(completed_on) filter (where state = 'completed')`)} as "doneAt",
      ${msOf(sql`min(start_after) filter (where ${waits})`)} as "nextAt"
    from pgboss.queue q left join ${job} j on j.name = q.name
    group by q.name`);
  return rows;
}

export interface FailingFilter {
  queue?: JobQueue | undefined;
  state?: JobState | undefined;
}

/** A job that failed, as its queue has it. */
export type FailingJob = {
  id: string;
  queue: JobQueue;
  state: JobState;
  user: string | null;
  subject: string | null;
  output: unknown;
  failure: string | null;
  tries: number;
  mostTries: number;
  at: number;
  nextAt: number | null;
};

const chosen = ({ queue, state }: FailingFilter) =>
  sql`${isFailing[state ?? 'any']} and ${queue === undefined ? sql`true` : sql`j.name = ${queue}`}`;

/** A page of what failed and was not done since, by when it was last tried. */
export async function failingJobs(
  db: Queries,
  filter: FailingFilter,
  { descending, offset, limit }: { descending: boolean; offset: number; limit: number },
): Promise<FailingJob[]> {
  const order = descending ? sql`desc` : sql`asc`;
  const { rows } = await db.execute<FailingJob>(sql`
    select j.id, j.name as queue, case when ${isDead} then 'dead' else 'retrying' end as state,
      u.name as user, n.title as subject, output, data ->> 'failure' as failure,
      ${failedBefore} + ${failedHere} as tries, ${failedBefore} + retry_limit + 1 as "mostTries",
      ${msOf(sql`coalesce(completed_on, started_on, j.created_on)`)} as at,
      case when ${isDead} then null else ${msOf(sql`start_after`)} end as "nextAt"
    from ${job} j
      left join app_user u on u.id = (data ->> 'userId')::uuid
      left join notification n on n.id = (data ->> 'notificationId')::bigint
    where ${chosen(filter)}
    order by coalesce(completed_on, started_on, j.created_on) ${order}, j.id ${order}
    offset ${offset} limit ${limit}`);
  return rows;
}

export async function countFailing(db: Queries, filter: FailingFilter): Promise<number> {
  const { rows } = await db.execute<{ n: number }>(
    sql`select count(*)::int as n from ${job} j where ${chosen(filter)}`,
  );
  return rows[0]?.n ?? 0;
}

/** What a job needs to be made anew. */
export interface JobToMake {
  id: string;
  data: object;
  output: unknown;
  /** Attempts that failed, of those that it may have. */
  failed: number;
  retryLimit: number;
  retryDelay: number;
  singletonKey: string | null;
}

/** One job of a queue that failed, or all of them, so that nobody takes them until the transaction ends. */
export async function lockFailing(tx: Queries, queue: JobQueue, id?: string): Promise<JobToMake[]> {
  const { rows } = await tx.execute<JobToMake & Record<string, unknown>>(sql`
    select id, data, output, ${failedHere} as failed, retry_limit as "retryLimit", retry_delay as "retryDelay",
      singleton_key as "singletonKey"
    from ${job} where name = ${queue} and ${isFailing.any} and ${id === undefined ? sql`true` : sql`id::text = ${id}`}
    for update`);
  return rows;
}
