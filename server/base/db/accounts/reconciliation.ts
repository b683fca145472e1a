import { and, eq, gt, inArray, notInArray } from 'drizzle-orm';
import type { Queries } from '../client';
import { account, book, reconciliation, user } from '../schema';

export type ReconciliationRow = typeof reconciliation.$inferSelect;

/** Users with a real account, other than at these venues. */
export async function usersWithRealAccounts(
  db: Queries,
  except: readonly string[] = [],
): Promise<{ userId: string; user: string }[]> {
  return db
    .selectDistinct({ userId: book.userId, user: user.name })
    .from(account)
    .innerJoin(book, eq(book.userId, account.userId))
    .innerJoin(user, eq(user.id, account.userId))
    .where(and(eq(account.mode, 'live'), notInArray(account.venue, [...except])));
}

export async function noteReconciliation(db: Queries, row: ReconciliationRow): Promise<void> {
  await db.insert(reconciliation).values(row).onConflictDoUpdate({ target: reconciliation.userId, set: row });
}

/** By user; of who has none there is nothing. */
export async function reconciliationsOf(
  db: Queries,
  userIds: readonly string[],
): Promise<Map<string, ReconciliationRow>> {
  const rows = await db
    .select()
    .from(reconciliation)
    .where(inArray(reconciliation.userId, [...userIds]));
  return new Map(rows.map((row) => [row.userId, row]));
}

/** Those since an instant, with the names of their users. */
export async function reconciliationsSince(db: Queries, since: number) {
  return db
    .select({ row: reconciliation, user: user.name })
    .from(reconciliation)
    .innerJoin(user, eq(user.id, reconciliation.userId))
    .where(gt(reconciliation.at, since));
}
