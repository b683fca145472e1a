import type { FastifyInstance } from 'fastify';
import type { DataOf, QueryOf } from '#contract/endpoint';
import { job as api, JOB_QUEUES } from '#contract/job';
import type { Database } from '../../base/db/client';
import { countFailing, failingJobs, jobQueues } from '../../base/db/records/job';
import { byTime, listPage } from '../../base/http/listPage';
import { notFound } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { failureOf } from '../../base/jobs/jobs';
import type { Deps } from '../deps';

const missing = () => notFound('没有找到失败的任务：可能已经完成，或正在执行');

/** What a master sees of the work in the background, and does about what failed of it. */
export function jobRoutes(app: FastifyInstance, { db, jobs }: Pick<Deps, 'db' | 'jobs'>): void {
  route(app, api.list, ({ query }) => jobListing(db, query));

  route(app, api.retry, async ({ body: { queue, id } }) => {
    const retried = await jobs.retry(queue, id);
    if (id !== undefined && retried === 0) throw missing();
    return { retried };
  });

  route(app, api.discard, async ({ body: { queue, id } }) => {
    if (!(await jobs.discard(queue, id))) throw missing();
    return { id };
  });
}

/** The queues, and a page of what failed in them. @throws 400 at `sort`. */
async function jobListing(db: Database, query: QueryOf<typeof api.list>): Promise<DataOf<typeof api.list>> {
  const page = listPage(query, '-at', byTime);
  const [rows, total, queues] = await Promise.all([
    failingJobs(db, query, page),
    countFailing(db, query),
    jobQueues(db),
  ]);
  const list = rows.map(({ output, failure, ...row }) => ({ ...row, reason: failureOf(output) ?? failure }));
  return { list, total, queues: JOB_QUEUES.flatMap((name) => queues.find(({ queue }) => queue === name) ?? []) };
}
