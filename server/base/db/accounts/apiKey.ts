import { and, asc, eq, gte, isNotNull, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { Queries } from '../client';
import { account, apiKey, secret, strategy } from '../schema';

export type ApiKeyRecord = typeof apiKey.$inferSelect;
export type StoredReport = NonNullable<ApiKeyRecord['report']>;
type NewKey = Pick<
  ApiKeyRecord,
  'userId' | 'exchange' | 'name' | 'subAccount' | 'tail' | 'report' | 'rightsSeen' | 'createdAt'
>;

/** What the secrets of keys are kept under. */
export const KEY_PURPOSE = 'apiKey';

// Compared as text: what a caller sends need not be a uuid.
const ofUser = (userId: string, id: string) => and(eq(apiKey.userId, userId), sql`${apiKey.id}::text = ${id}`);

/** Keys of a user, or all, each with its sealed secret; null where that is gone. */
export async function keysOf(db: Queries, userId?: string) {
  return db
    .select({ key: apiKey, secret })
    .from(apiKey)
    .leftJoin(secret, and(eq(secret.purpose, KEY_PURPOSE), eq(secret.recordId, apiKey.id)))
    .where(userId === undefined ? undefined : eq(apiKey.userId, userId));
}

/** One of the user's keys. @param forUpdate nobody else changes it until the transaction is over. */
export async function keyOf(db: Queries, userId: string, id: string, forUpdate = false): Promise<ApiKeyRecord | null> {
  const asked = db.select().from(apiKey).where(ofUser(userId, id));
  const [row] = await (forUpdate ? asked.for('update') : asked);
  return row ?? null;
}

/** By which an account is traded: null without a key, undefined without the account. */
export async function keyOfAccount(db: Queries, accountId: string): Promise<ApiKeyRecord | null | undefined> {
  const [row] = await db
    .select({ key: apiKey })
    .from(account)
    .leftJoin(apiKey, eq(apiKey.id, account.apiKeyId))
    .where(eq(account.id, accountId));
  return row?.key;
}

/** null when the user has another key of that name at the exchange. */
export async function insertKey(tx: Queries, row: NewKey): Promise<ApiKeyRecord | null> {
  const [made] = await tx.insert(apiKey).values(row).onConflictDoNothing().returning();
  return made ?? null;
}

export async function updateKey(
  tx: Queries,
  id: string,
  change: Partial<Omit<ApiKeyRecord, 'id' | 'userId'>>,
): Promise<void> {
  await tx.update(apiKey).set(change).where(eq(apiKey.id, id));
}

/** Whether the user has another key of that name at the exchange. */
export async function isNameTaken(tx: Queries, { userId, exchange, id }: ApiKeyRecord, name: string): Promise<boolean> {
  const same = and(
    eq(apiKey.userId, userId),
    eq(apiKey.exchange, exchange),
    eq(sql`lower(${apiKey.name})`, sql`lower(${name})`),
  );
  const rows = await tx.select({ id: apiKey.id }).from(apiKey).where(same);
  return rows.some((row) => row.id !== id);
}

export async function deleteKey(tx: Queries, id: string): Promise<void> {
  await tx.delete(apiKey).where(eq(apiKey.id, id));
}

/** The accounts and the strategies of a user. */
export async function accountsAndStrategies(db: Queries, userId: string) {
  const [accounts, strategies] = await Promise.all([
    db
      .select({
        ...{ id: account.id, venue: account.venue, mode: account.mode, apiKeyId: account.apiKeyId },
        exchangeUid: account.exchangeUid,
      })
      .from(account)
      .where(eq(account.userId, userId))
      .orderBy(account.venue, account.mode, account.id),
    db
      .select({
        id: strategy.id,
        kind: strategy.kind,
        name: strategy.name,
        mode: strategy.mode,
        state: strategy.state,
        params: strategy.params,
      })
      .from(strategy)
      .where(and(eq(strategy.userId, userId), isNull(strategy.removedAt)))
      .orderBy(strategy.createdAt, strategy.name, strategy.id),
  ]);
  return { accounts, strategies };
}

/** Keys that are in use and that nobody has asked about since an instant, whoever's they are; the longest ago first. */
export async function keysUnaskedSince(db: Queries, since: number, most: number): Promise<ApiKeyRecord[]> {
  const askedAt = sql<number>`(${apiKey.report}->>'at')::bigint`;
  return db
    .select()
    .from(apiKey)
    .where(and(eq(apiKey.enabled, true), or(isNull(apiKey.report), lt(askedAt, since))))
    .orderBy(sql`${askedAt} asc nulls first`, asc(apiKey.id))
    .limit(most);
}

/**
 * Keys in use that end within a span, are refused by their exchange, were seen with other rights since an instant, or
 * have used more than a share of what their exchange lets them ask.
 */
export async function keysOfConcern(
  db: Queries,
  { ends, changedSince, weight }: { ends: { from: number; to: number }; changedSince: number; weight: number },
) {
  const endsAt = sql<number>`(${apiKey.report}->>'expiresAt')::bigint`;
  const concern = or(
    and(gte(endsAt, ends.from), lte(endsAt, ends.to)),
    isNotNull(apiKey.failingSince),
    gte(apiKey.rightsChangedAt, changedSince),
    sql`(${apiKey.report}->>'weightUsed')::float8 > ${weight}`,
  );
  return db
    .select()
    .from(apiKey)
    .where(and(eq(apiKey.enabled, true), concern))
    .orderBy(apiKey.id);
}

/** Gives one of the user's accounts another key, or none. */
export async function giveKey(tx: Queries, userId: string, accountId: string, apiKeyId: string | null): Promise<void> {
  await tx
    .update(account)
    .set({ apiKeyId })
    .where(and(eq(account.userId, userId), eq(account.id, accountId)));
}
