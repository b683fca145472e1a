import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { DataOf, QueryOf } from '#contract/endpoint';
import { job as api, JOB_QUEUES } from '#contract/job';
import { service } from '#contract/service';
import { failingBooks } from '../../base/db/books/bookProgress';
import type { Database } from '../../base/db/client';
import { missingMigrations } from '../../base/db/connection/migrate';
import { countFailing, failingJobs, jobQueues } from '../../base/db/records/job';
import { securityOf } from '../../base/db/users/security';
import { inTime } from '../../base/http/inTime';
import { byTime, listPage } from '../../base/http/listPage';
import { notFound, Refusal } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { failureOf } from '../../base/jobs/jobs';
import { readSession } from '../../people/auth/session';
import type { Deps } from '../deps';

/** A database that does not answer by then is no use to anybody who calls. */
const PATIENCE_MS = 1_000;

/** What the database says of itself: how many of this program's migrations it lacks; null where it does not answer in time. */
const lacking = (db: Database): Promise<number | null> =>
  inTime<number | null>(missingMigrations(db), PATIENCE_MS, null);

interface Readiness {
  /** The database answers, whatever else there is. */
  isRead: boolean;
  /** Why nobody should be sent to this server; null where it is ready. */
  reason: string | null;
}

/**
 * Whether people may be sent here: the database answers and has this program's schema, it can store, and the engine comes
 * to the end of its ticks; a demo whose past is still in the making trades nothing yet. An exchange that is silent is no
 * reason: no other server would hear it, and whoever holds positions there needs the console most.
 */
function readinessOf(
  app: FastifyInstance,
  { db, preparing, storyProgress, engineIsLate }: Pick<Deps, 'db' | 'preparing' | 'storyProgress' | 'engineIsLate'>,
): () => Promise<Readiness> {
  let asked: Promise<number | null> | null = null;

  /** Whoever asks meanwhile waits for the same answer: a locked database is asked once a second, not ever more often. */
  const ask = (): Promise<number | null> => {
    asked ??= lacking(db).finally(() => {
      asked = null;
    });
    return asked;
  };

  const pastWords = async (): Promise<string> => {
    const told = await inTime(storyProgress?.() ?? Promise.resolve(null), PATIENCE_MS, null);
    return `演示历史正在生成${told === null ? '' : `，第 ${told.day} 天 / 共 ${told.days} 天`}`;
  };

  const whyNot = async (missing: number): Promise<string | null> => {
    if (missing > 0) return `数据库缺少本版本的 ${missing} 个迁移，重新启动会补上`;
    if (app.disk.isFull) return '磁盘已满，不能保存';
    if (preparing?.() === true) return pastWords();
    return engineIsLate?.() === true ? '交易引擎没有按时完成一轮' : null;
  };

  return async () => {
    const missing = await ask();
    if (missing === null) return { isRead: false, reason: `数据库 ${PATIENCE_MS / 1000} 秒内没有回答` };
    return { isRead: true, reason: await whyNot(missing) };
  };
}

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
