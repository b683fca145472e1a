import { DrizzleQueryError, getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { StartRefusal } from '../../startRefusal';
import type { Queries } from '../client';
import * as schema from '../schema';
import { databaseCode, isLostConnection } from './databaseFailure';

const REMEDY = '请从备份恢复，或用 DATA_DIR、DATABASE_URL 换一个数据库';

/** Why a database that was opened cannot be used. @param place the folder or host. */
function unusable(place: string, what: string, error: unknown): StartRefusal {
  const code = databaseCode(error) ?? '没有错误代码';
  if (isLostConnection(error)) return new StartRefusal(`与 ${place} 的数据库的连接中断（${code}），请稍后再试`);
  return new StartRefusal(`${place} 里的数据库已损坏（${what}，${code}）；${REMEDY}`);
}

/**
 * Looks into every table: that one is gone, lacks a column or cannot be read shows here, not at the first call that
 * needs it.
 * @throws StartRefusal with one line that names the table.
 */
export async function refuseBroken(db: Queries, place: string): Promise<void> {
  const tables = Object.values(schema).filter((one) => is(one, PgTable));
  const looks = tables.map((table) => sql`(select count(*) from ${db.select().from(table).limit(1).as('some')})`);
  const areAllThere = await db.execute(sql`select ${sql.join(looks, sql`, `)}`).then(
    () => true,
    () => false,
  );
  if (areAllThere) return;
  // One at a time, to name it.
  for (const table of tables) {
    const some = db.select().from(table).limit(1).as('some');
    await db
      .select({ rows: sql`count(*)` })
      .from(some)
      .catch((error: unknown) => {
        throw unusable(place, `表 ${getTableName(table)} 无法读取`, error);
      });
  }
}

/** Runs a step of the start; a query of it that fails is told in one line, without its SQL. @throws StartRefusal */
export async function startingOn<T>(place: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof DrizzleQueryError ? unusable(place, '启动时读写失败', error) : error;
  }
}
