import { type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../client';

/** Runs statements that a library has written. */
interface OwnStatements {
  // biome-ignore lint/suspicious/noExplicitAny: the rows are the library's.
  executeSql(text: string, values?: unknown[]): Promise<{ rows: any[] }>;
}

/** What drizzle's driver keeps and its types leave out. */
interface Connected {
  session: { client: { query: OwnStatements['executeSql'] } };
}

/** A library's own statements on a database, or within a transaction of it. */
export function ownStatements(db: Queries): OwnStatements {
  const { client } = (db as unknown as Connected).session;
  return { executeSql: (text, values) => client.query(text, values) };
}

/** Numbers of PostgreSQL's advisory locks: one a purpose, so that none waits for what it has nothing to do with. */
export const ADVISORY_LOCKS = {
  /** Two servers migrate one after the other. */
  migration: 7_263_518_204,
  /** Who writes a secret shares it; who wraps all of them anew is alone. */
  secrets: 7_263_518_205,
  /** Who takes a master away comes alone. */
  masters: 7_263_518_207,
  /** Of two who ask for names that look alike one comes first. */
  names: 7_263_518_208,
} as const;

/**
 * Statements of one transaction that do not wait for each other's answers, in any order: a row that another refers to is
 * written before.
 * @throws what the first of them threw that failed, once all are answered: none is sent after the transaction has ended.
 */
export async function together(...statements: PromiseLike<unknown>[]): Promise<void> {
  const answers = await Promise.allSettled(statements);
  const failed = answers.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

interface Explained {
  'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }];
}

/** How many rows the planner takes a query to have; none of them is read. */
export async function estimatedRows(db: Queries, query: { getSQL(): SQL }): Promise<number> {
  const { rows } = await db.execute<Explained & Record<string, unknown>>(sql`explain (format json) ${query.getSQL()}`);
  return rows[0]?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0;
}

/** A value that goes as JSON: its text, which no driver turns into an array of the database. */
export const json = (value: unknown): SQL => sql`${JSON.stringify(value)}::text::jsonb`;

/** The database's own clock, UTC ms: the one that several servers share. */
export const databaseNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
