import { and, desc, eq, gt, inArray, lte, ne, or, sql } from 'drizzle-orm';
import type { Database } from './client';
import { session, user } from './schema';
import type { UserRow } from './user';

export type StoredSession = typeof session.$inferSelect;

/** Sessions opened or seen at or before these instants (UTC ms) are over. */
export interface SessionHorizon {
  openedBy: number;
  seenBy: number;
}

const alive = ({ openedBy, seenBy }: SessionHorizon) =>
  and(gt(session.createdAt, openedBy), gt(session.seenAt, seenBy));

/** Stores a new session, takes the one it replaces out, and sweeps those that are over. */
export async function replaceSession(
  db: Database,
  row: Omit<StoredSession, 'id'>,
  oldTokenHash: string | null,
  horizon: SessionHorizon,
): Promise<void> {
  await db.transaction(async (tx) => {
    const over = or(lte(session.createdAt, horizon.openedBy), lte(session.seenAt, horizon.seenBy));
    await tx.delete(session).where(or(over, eq(session.tokenHash, oldTokenHash ?? '')));
    await tx.insert(session).values(row);
  });
}

/** A living session with its user as stored now; `null` when there is none. */
export async function findSession(
  db: Database,
  tokenHash: string,
  horizon: SessionHorizon,
): Promise<{ session: StoredSession; user: UserRow } | null> {
  const [found] = await db
    .select({ session, user })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(and(eq(session.tokenHash, tokenHash), alive(horizon)));
  return found ?? null;
}

/** Those of the sessions that live, each with its user's role and block as they are now. */
export async function findSessions(
  db: Database,
  tokenHashes: string[],
  horizon: SessionHorizon,
): Promise<{ tokenHash: string; role: string; blocked: boolean }[]> {
  return db
    .select({ tokenHash: session.tokenHash, role: user.role, blocked: user.blocked })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(and(inArray(session.tokenHash, tokenHashes), alive(horizon)));
}

export async function markSeen(db: Database, tokenHash: string, at: number): Promise<void> {
  await db.update(session).set({ seenAt: at }).where(eq(session.tokenHash, tokenHash));
}

export async function deleteSession(db: Database, tokenHash: string): Promise<void> {
  await db.delete(session).where(eq(session.tokenHash, tokenHash));
}

/** A user's living sessions, the one seen last first. */
export async function listSessions(db: Database, userId: string, horizon: SessionHorizon): Promise<StoredSession[]> {
  return db
    .select()
    .from(session)
    .where(and(eq(session.userId, userId), alive(horizon)))
    .orderBy(desc(session.seenAt), session.id);
}

/** Ends one of the user's sessions by its id; answers how many that were: 0 when there is no such session. */
export async function revokeSession(db: Database, userId: string, id: string): Promise<number> {
  // Compared as text: what a caller sends need not be a uuid.
  const ofUser = and(eq(session.userId, userId), sql`${session.id}::text = ${id}`);
  return (await db.delete(session).where(ofUser).returning({ id: session.id })).length;
}

/** Ends all of the user's sessions but one; answers how many that were. */
export async function revokeOtherSessions(db: Database, userId: string, keptTokenHash: string): Promise<number> {
  const others = and(eq(session.userId, userId), ne(session.tokenHash, keptTokenHash));
  return (await db.delete(session).where(others).returning({ id: session.id })).length;
}
