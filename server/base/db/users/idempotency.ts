import { and, eq, gt, isNull, lte } from 'drizzle-orm';
import type { Queries } from '../client';
import { idempotency } from '../schema';

/** One call that must be done once: whose, which endpoint, and the caller's own key for it. */
export interface CallKey {
  userId: string;
  call: string;
  key: string;
}

export interface KeptCall {
  /** SHA-256 of what was asked. */
  bodyHash: string;
  /** What was answered, as JSON; `null` while the answer is still to come. */
  answer: string | null;
}

const named = ({ userId, call, key }: CallKey) =>
  and(eq(idempotency.userId, userId), eq(idempotency.call, call), eq(idempotency.key, key));

/** The call of that key; `null` when none was kept after `since` (UTC ms). */
export async function keptCall(db: Queries, name: CallKey, since: number): Promise<KeptCall | null> {
  const [row] = await db
    .select({ bodyHash: idempotency.bodyHash, answer: idempotency.answer })
    .from(idempotency)
    .where(and(named(name), gt(idempotency.createdAt, since)));
  return row ?? null;
}

/**
 * Takes the key for the transaction it runs in; the user's keys from before `since` are forgotten.
 * Answers false when somebody had it: a transaction that holds it at this moment is waited for.
 */
export async function claimKey(
  tx: Queries,
  name: CallKey,
  row: KeptCall & { createdAt: number },
  since: number,
): Promise<boolean> {
  await tx.delete(idempotency).where(and(eq(idempotency.userId, name.userId), lte(idempotency.createdAt, since)));
  const claimed = await tx
    .insert(idempotency)
    .values({ ...name, ...row })
    .onConflictDoNothing()
    .returning({ key: idempotency.key });
  return claimed.length > 0;
}

/** Keeps the first answer of the call; a later one changes nothing. */
export async function keepAnswer(db: Queries, name: CallKey, answer: string): Promise<void> {
  await db
    .update(idempotency)
    .set({ answer })
    .where(and(named(name), isNull(idempotency.answer)));
}
