import { and, count, eq, gt, isNotNull, isNull, lt } from 'drizzle-orm';
import type { Queries } from '../client';
import { recoveryCode, secondFactor, secret } from '../schema';

export type SecondFactorRow = typeof secondFactor.$inferSelect;

/** What the secrets of second factors are kept under. */
export const FACTOR_PURPOSE = 'secondFactor';

/** The user's second factor, confirmed or not; `null` without one. */
export async function secondFactorOf(db: Queries, userId: string): Promise<SecondFactorRow | null> {
  const [row] = await db.select().from(secondFactor).where(eq(secondFactor.userId, userId));
  return row ?? null;
}

/** Every confirmed second factor with its sealed secret; null where that is gone. */
export const factorSecrets = (db: Queries) =>
  db
    .select({ userId: secondFactor.userId, secret })
    .from(secondFactor)
    .leftJoin(secret, and(eq(secret.purpose, FACTOR_PURPOSE), eq(secret.recordId, secondFactor.userId)))
    .where(isNotNull(secondFactor.enabledAt));

/** Begins a second factor that is to be confirmed, in the place of one that was not; false when one is confirmed. */
export async function startFactor(tx: Queries, userId: string, startedAt: number): Promise<boolean> {
  const started = await tx
    .insert(secondFactor)
    .values({ userId, startedAt })
    .onConflictDoUpdate({
      target: secondFactor.userId,
      set: { startedAt },
      setWhere: isNull(secondFactor.enabledAt),
    })
    .returning({ userId: secondFactor.userId });
  return started.length > 0;
}

/** Confirms what was begun after `since` with the code of a half minute; false when there is nothing to confirm. */
export async function enableFactor(tx: Queries, userId: string, at: number, since: number, usedStep: number) {
  const begun = and(eq(secondFactor.userId, userId), isNull(secondFactor.enabledAt), gt(secondFactor.startedAt, since));
  const enabled = await tx
    .update(secondFactor)
    .set({ enabledAt: at, usedStep })
    .where(begun)
    .returning({ userId: secondFactor.userId });
  return enabled.length > 0;
}

/** Uses up the code of a half minute; false when it or a later one was used before. */
export async function spendStep(db: Queries, userId: string, step: number): Promise<boolean> {
  const unused = and(
    eq(secondFactor.userId, userId),
    isNotNull(secondFactor.enabledAt),
    lt(secondFactor.usedStep, step),
  );
  const used = await db
    .update(secondFactor)
    .set({ usedStep: step })
    .where(unused)
    .returning({ userId: secondFactor.userId });
  return used.length > 0;
}

/** Uses up a recovery code; false when the user has none of that hash. */
export async function spendRecovery(db: Queries, userId: string, codeHash: string): Promise<boolean> {
  const own = and(eq(recoveryCode.userId, userId), eq(recoveryCode.codeHash, codeHash));
  return (await db.delete(recoveryCode).where(own).returning({ userId: recoveryCode.userId })).length > 0;
}

/** Puts these in the place of the user's recovery codes. */
export async function putRecovery(tx: Queries, userId: string, hashes: readonly string[]): Promise<void> {
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId));
  await tx.insert(recoveryCode).values(hashes.map((codeHash) => ({ userId, codeHash })));
}

export async function recoveryLeft(db: Queries, userId: string): Promise<number> {
  const [row] = await db.select({ total: count() }).from(recoveryCode).where(eq(recoveryCode.userId, userId));
  return row?.total ?? 0;
}

export async function dropFactor(tx: Queries, userId: string): Promise<void> {
  await tx.delete(recoveryCode).where(eq(recoveryCode.userId, userId));
  await tx.delete(secondFactor).where(eq(secondFactor.userId, userId));
}
