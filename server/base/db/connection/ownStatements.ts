import type { Queries } from '../client';

/** Runs statements that a library has written. */
export interface OwnStatements {
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
