import { and, eq, gt } from 'drizzle-orm';
import type { Queries } from '../client';
import { oneTimeCode } from '../schema';

/** Puts a code in the place of the one that the user had. */
export async function putOneTimeCode(tx: Queries, row: typeof oneTimeCode.$inferInsert): Promise<void> {
  await tx.insert(oneTimeCode).values(row).onConflictDoUpdate({ target: oneTimeCode.userId, set: row });
}

/** The code, while it is good. */
const good = (userId: string, codeHash: string, now: number) =>
  and(eq(oneTimeCode.userId, userId), eq(oneTimeCode.codeHash, codeHash), gt(oneTimeCode.expiresAt, now));

/** Whether the user was given this code and it is still good. */
export async function isOneTimeCode(db: Queries, userId: string, codeHash: string, now: number): Promise<boolean> {
  const own = good(userId, codeHash, now);
  return (await db.select({ userId: oneTimeCode.userId }).from(oneTimeCode).where(own)).length > 0;
}

/** Uses the code up; false when it is not good, or no more. */
export async function spendOneTimeCode(tx: Queries, userId: string, codeHash: string, now: number): Promise<boolean> {
  const spent = await tx
    .delete(oneTimeCode)
    .where(good(userId, codeHash, now))
    .returning({ userId: oneTimeCode.userId });
  return spent.length > 0;
}

/** Makes all one-time codes worthless; answers how many that were. */
export async function dropOneTimeCodes(db: Queries): Promise<number> {
  return (await db.delete(oneTimeCode).returning({ userId: oneTimeCode.userId })).length;
}
