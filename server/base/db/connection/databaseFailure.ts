import { DrizzleQueryError, getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { StartRefusal } from '../../startRefusal';
import type { Queries } from '../client';
import * as schema from '../schema';

/** PostgreSQL's own words for a server that is going, gone or not there yet, and those of the network. */
const LOST =
  /^(08...|57P0[1-5]|53300|ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/;
/** What the drivers say without a code. */
const LOST_WORDS =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Cannot use a pool after)/;

function causesOf(error: unknown): { code?: unknown; message?: unknown }[] {
  if (typeof error !== 'object' || error === null) return [];
  return [error, ...causesOf((error as { cause?: unknown }).cause)];
}

/** Whether a query failed because the database could not be reached, not because of what was asked. */
export function isLostConnection(error: unknown): boolean {
  return causesOf(error).some(
    ({ code, message }) => LOST.test(String(code ?? '')) || LOST_WORDS.test(String(message ?? '')),
  );
}

/** Of a disk without room; of a database that may only read, as is done, here and by those who host one, before it has none. */
const FULL = new Set<unknown>(['53100', 'ENOSPC', '25006']);

/** Whether a call failed because the disk has no room for what it was to store. */
export const isDiskFull = (error: unknown): boolean => causesOf(error).some(({ code }) => FULL.has(code));

/** The code that PostgreSQL, or the network, gave for a failed query; undefined for a failure of another kind. */
export function databaseCode(error: unknown): string | undefined {
  const code = causesOf(error).find((cause) => cause.code !== undefined)?.code;
  return code === undefined ? undefined : String(code);
}

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

/** Whether it is a query that failed, whatever of. */
export const isFailedQuery = (error: unknown): boolean => error instanceof DrizzleQueryError;

/** Runs a step of the start; a query of it that fails is told in one line, without its SQL. @throws StartRefusal */
export async function startingOn<T>(place: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw isFailedQuery(error) ? unusable(place, '启动时读写失败', error) : error;
  }
}

/** How often it is looked whether there is room again. */
const LOOK_MS = 1_000;

/** What is written to see whether the disk takes it: about a megabyte, which nobody else sees and nothing keeps. */
const TRIAL = sql`create temporary table disk_trial on commit drop as
  select repeat('x', 1900) as filler from generate_series(1, 500)`;

interface Told {
  onFull: () => void;
  onRoom: () => void;
}

/** Whether the disk of the database is full, by what it refused last; told once, and when there is room again. */
export class DiskWatch {
  readonly #db: Queries;
  readonly #told: Told;
  #looks: NodeJS.Timeout | undefined;
  #looking = false;

  constructor(db: Queries, told: Told) {
    this.#db = db;
    this.#told = told;
  }

  get isFull(): boolean {
    return this.#looks !== undefined;
  }

  /** @returns whether that is what a call failed of. */
  note(error: unknown): boolean {
    if (!isDiskFull(error)) return false;
    if (this.#looks === undefined) {
      this.#looks = setInterval(() => void this.#look(), LOOK_MS).unref();
      this.#told.onFull();
    }
    return true;
  }

  close(): void {
    clearInterval(this.#looks);
    this.#looks = undefined;
  }

  async #look(): Promise<void> {
    if (this.#looking) return;
    this.#looking = true;
    const isStillFull = await this.#db
      .transaction((tx) => tx.execute(TRIAL))
      .then(() => false)
      .catch(() => true);
    this.#looking = false;
    if (isStillFull || !this.isFull) return;
    this.close();
    this.#told.onRoom();
  }
}
