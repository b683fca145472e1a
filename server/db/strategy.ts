import { asc, inArray } from 'drizzle-orm';
import type { Queries } from './client';
import { strategy } from './schema';

export type StrategyRow = typeof strategy.$inferSelect;

/** The strategies of these users, the oldest first. */
export async function strategiesOf(db: Queries, userIds: readonly string[]): Promise<StrategyRow[]> {
  return db
    .select()
    .from(strategy)
    .where(inArray(strategy.userId, [...userIds]))
    .orderBy(asc(strategy.createdAt), asc(strategy.id));
}
