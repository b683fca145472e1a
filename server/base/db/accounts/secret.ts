import { and, eq, sql } from 'drizzle-orm';
import type { Queries } from '../client';
import { ADVISORY_LOCKS } from '../connection/statements';
import { secret } from '../schema';

export type SecretRow = typeof secret.$inferSelect;
type Place = Pick<SecretRow, 'purpose' | 'recordId'>;

const at = ({ purpose, recordId }: Place) => and(eq(secret.purpose, purpose), eq(secret.recordId, recordId));

/** For the rest of the transaction nobody wraps all secrets anew; waits for who does so now. */
export const holdMaster = (tx: Queries) =>
  tx.execute(sql`select pg_advisory_xact_lock_shared(${ADVISORY_LOCKS.secrets}::bigint)`);

/** For the rest of the transaction nobody writes a secret; waits for those who do so now. */
export const holdWriters = (tx: Queries) =>
  tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.secrets}::bigint)`);

/** Puts the secret in the place of the one that the record had. */
export async function putSecret(tx: Queries, row: SecretRow): Promise<void> {
  const { masterId, wrappedKey, sealed } = row;
  await tx
    .insert(secret)
    .values(row)
    .onConflictDoUpdate({ target: [secret.purpose, secret.recordId], set: { masterId, wrappedKey, sealed } });
}

export async function secretAt(db: Queries, place: Place): Promise<SecretRow | null> {
  const [row] = await db.select().from(secret).where(at(place));
  return row ?? null;
}

export async function dropSecret(tx: Queries, place: Place): Promise<void> {
  await tx.delete(secret).where(at(place));
}

/** Every secret, without what is sealed. */
export async function wrappedKeys(db: Queries): Promise<Omit<SecretRow, 'sealed'>[]> {
  const { purpose, recordId, masterId, wrappedKey } = secret;
  return db.select({ purpose, recordId, masterId, wrappedKey }).from(secret);
}

export async function changeWrap(tx: Queries, place: Place, wrap: Pick<SecretRow, 'masterId' | 'wrappedKey'>) {
  await tx.update(secret).set(wrap).where(at(place));
}

/** How many secrets each master key wraps. */
export async function secretsByMaster(db: Queries): Promise<{ masterId: string; count: number }[]> {
  return db
    .select({ masterId: secret.masterId, count: sql<number>`count(*)::int` })
    .from(secret)
    .groupBy(secret.masterId);
}
