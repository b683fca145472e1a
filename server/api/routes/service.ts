import type { FastifyInstance } from 'fastify';
import { service } from '#contract/service';
import { failingBooks } from '../../base/db/books/bookProgress';
import { answers } from '../../base/db/connection/answers';
import { securityOf } from '../../base/db/users/security';
import { inTime } from '../../base/http/inTime';
import { route } from '../../base/http/route';
import { readSession } from '../../people/auth/session';
import type { Deps } from '../deps';

/** A database that does not answer by then is no use to anybody who calls. */
const PATIENCE_MS = 1_000;

/** Whether the server lives, and what it is. */
export function serviceRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, config, preparing, storyProgress, engineIsLate } = deps;
  let asked: Promise<boolean> | null = null;

  /** Whoever asks meanwhile waits for the same answer: a locked database is asked once a second, not ever more often. */
  const databaseAnswers = (): Promise<boolean> => {
    asked ??= inTime(answers(db), PATIENCE_MS, false).finally(() => {
      asked = null;
    });
    return asked;
  };

  route(app, service.health, async ({ request }) => {
    const isRead =
      (await databaseAnswers()) &&
      (await inTime(
        readSession(deps, request).then(() => true),
        PATIENCE_MS,
        false,
      ));
    const ready = isRead && engineIsLate?.() !== true && !app.disk.isFull;
    // The others are traded all the same: whoever looks after them still has to reach the console.
    const failing = isRead ? await inTime(failingBooks(db), PATIENCE_MS, 0) : 0;
    return {
      live: true,
      ready,
      ...(failing > 0 ? { failingBooks: failing } : {}),
      ...(isRead && request.user ? { version: config.version } : {}),
    };
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
