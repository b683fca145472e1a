import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DataOf, QueryOf } from '#contract/endpoint';
import { job as api, JOB_QUEUES } from '#contract/job';
import { service } from '#contract/service';
import { failingBooks } from '../../base/db/books/bookProgress';
import type { Database } from '../../base/db/client';
import { countFailing, failingJobs, jobQueues } from '../../base/db/records/job';
import { securityOf } from '../../base/db/users/security';
import { inTime } from '../../base/http/inTime';
import { byTime, listPage } from '../../base/http/listPage';
import { notFound, Refusal } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { failureOf } from '../../base/jobs/jobs';
import { readSession } from '../../people/auth/session';
import type { Deps } from '../deps';
import { PATIENCE_MS, readinessOf } from '../readiness';

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

/** Whether the server lives, whether it is ready, and what it is. */
export function serviceRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, config, preparing, storyProgress } = deps;
  const readiness = readinessOf(app, deps);

  route(app, service.health, async ({ request }) => {
    const { isRead: isThere, reason } = await readiness();
    const isRead = isThere && (await isSessionRead(request));
    // The others are traded all the same: whoever looks after them still has to reach the console.
    const failing = isRead ? await inTime(failingBooks(db), PATIENCE_MS, 0) : 0;
    return {
      live: true,
      ready: isRead && reason === null,
      ...(failing > 0 ? { failingBooks: failing } : {}),
      ...(isRead && request.user ? { version: config.version } : {}),
    };
  });

  const isSessionRead = (request: FastifyRequest): Promise<boolean> =>
    inTime(
      readSession(deps, request).then(() => true),
      PATIENCE_MS,
      false,
    );

  route(app, service.ready, async () => {
    const { reason } = await readiness();
    if (reason !== null) throw new Refusal(503, 503, `尚未就绪：${reason}`);
    return { ready: true };
  });

  /** The page is told what it needs without a database, too. */
  const isRegistrationOpen = (): Promise<{ registration?: boolean }> =>
    inTime(
      securityOf(db).then(({ registration }) => ({ registration })),
      PATIENCE_MS,
      {},
    );

  const progressOf = (): Promise<{ told?: { day: number; days: number } }> =>
    inTime(storyProgress?.().then((told) => ({ told })) ?? Promise.resolve({}), PATIENCE_MS, {});

  route(app, service.environment, async () => {
    const isPreparing = preparing?.() ?? false;
    return {
      ...config.environment,
      ...(await isRegistrationOpen()),
      preparing: isPreparing,
      ...(isPreparing ? await progressOf() : {}),
    };
  });
}
