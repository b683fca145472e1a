import { sql } from 'drizzle-orm';

/** The database's own clock, UTC ms: the one that several servers share. */
export const databaseNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;
