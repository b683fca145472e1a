import { inArray, sql } from 'drizzle-orm';
import type { Queries } from '../client';
import { account, equityPoint } from '../schema';

export type EquityPointRow = typeof equityPoint.$inferInsert;

/** When the newest point of the record of each of these users' accounts was drawn, UTC ms. */
export async function newestPoints(db: Queries, userIds: readonly string[]): Promise<Map<string, number>> {
  const newest = sql<string | null>`(select max(at) from equity_point where account_id = account.id)`;
  const rows = await db
    .select({ accountId: account.id, at: newest })
    .from(account)
    .where(inArray(account.userId, [...userIds]));
  return new Map(rows.flatMap(({ accountId, at }) => (at === null ? [] : [[accountId, Number(at)] as const])));
}

/** A point that is there already stays. */
export async function insertPoints(tx: Queries, points: EquityPointRow[]): Promise<void> {
  await tx.insert(equityPoint).values(points).onConflictDoNothing();
}
