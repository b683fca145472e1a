import type { FastifyInstance } from 'fastify';
import type { Database } from '../base/db/client';
import { missingMigrations } from '../base/db/connection/migrate';
import { inTime } from '../base/http/inTime';
import type { Deps } from './deps';

/** A database that does not answer by then is no use to anybody who calls. */
export const PATIENCE_MS = 1_000;

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
export function readinessOf(
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
