import { inArray, sql } from 'drizzle-orm';
import type { Queries } from '../client';
import { equityPoint } from '../schema';

export type EquityPointRow = typeof equityPoint.$inferInsert;

/** When the newest point of the record of each of these users' accounts was drawn, UTC ms. */
export async function newestPoints(db: Queries, userIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ accountId: equityPoint.accountId, at: sql<string>`max(${equityPoint.at})` })
    .from(equityPoint)
    .where(inArray(equityPoint.userId, [...userIds]))
    .groupBy(equityPoint.accountId);
  return new Map(rows.map(({ accountId, at }) => [accountId, Number(at)]));
}

/** A point that is there already stays. */
export async function insertPoints(tx: Queries, points: EquityPointRow[]): Promise<void> {
  await tx.insert(equityPoint).values(points).onConflictDoNothing();
}
