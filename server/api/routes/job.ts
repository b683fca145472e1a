import type { FastifyInstance } from 'fastify';
import { job as api } from '#contract/job';
import { notFound } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { jobListing } from '../../base/jobs/jobListing';
import type { Deps } from '../deps';

const missing = () => notFound('没有找到失败的任务：可能已经完成，或正在执行');

/** What a master sees of the work in the background, and does about what failed of it. */
export function jobRoutes(app: FastifyInstance, { db, jobs }: Pick<Deps, 'db' | 'jobs'>): void {
  route(app, api.list, ({ query }) => jobListing({ db }, query));

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
