import { and, eq, gt } from 'drizzle-orm';
import type { Queries } from './client';
import { oneTimeCode } from './schema';

/** Puts a code in the place of the one that the user had. */
export async function putOneTimeCode(tx: Queries, row: typeof oneTimeCode.$inferInsert): Promise<void> {
  await tx.insert(oneTimeCode).values(row).onConflictDoUpdate({ target: oneTimeCode.userId, set: row });
}

/** Whether the user was given this code and it is still good. */
export async function isOneTimeCode(db: Queries, userId: string, codeHash: string, now: number): Promise<boolean> {
  const own = and(eq(oneTimeCode.userId, userId), eq(oneTimeCode.codeHash, codeHash), gt(oneTimeCode.expiresAt, now));
  return (await db.select({ userId: oneTimeCode.userId }).from(oneTimeCode).where(own)).length > 0;
}
