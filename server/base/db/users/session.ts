import { and, asc, count, desc, eq, gt, inArray, lte, ne, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Role } from '#contract/access';
import type { Database, Queries } from '../client';
import { isId } from '../hedges/hedge';
import { session, user } from '../schema';
import { lacksFactor } from './security';

type UserRow = typeof user.$inferSelect;

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
  tx: Queries,
  row: Omit<StoredSession, 'id' | 'viewedUserId' | 'provenAt'> & Partial<Pick<StoredSession, 'provenAt'>>,
  oldTokenHash: string | null,
  horizon: SessionHorizon,
): Promise<void> {
  const over = or(lte(session.createdAt, horizon.openedBy), lte(session.seenAt, horizon.seenBy));
  await tx.delete(session).where(or(over, eq(session.tokenHash, oldTokenHash ?? '')));
  await tx.insert(session).values(row);
}

/** Whether the user's session is there still; its user is to be locked, so that it stays. */
export async function isSession(tx: Queries, userId: string, tokenHash: string): Promise<boolean> {
  const own = and(eq(session.userId, userId), eq(session.tokenHash, tokenHash));
  return (await tx.select({ id: session.id }).from(session).where(own)).length > 0;
}

/** As whom a session looks at the console: nobody else once its own user is no master any more. */
const viewed = alias(user, 'viewed');
const looksOnAs = and(eq(viewed.id, session.viewedUserId), eq(user.role, 'master' satisfies Role));

/** A living session with its user as stored now, and whom a master looks on as; `null` when there is none. @returns also whether its user must set up a second factor before anything else */
export async function findSession(
  db: Database,
  tokenHash: string,
  horizon: SessionHorizon,
): Promise<{ session: StoredSession; user: UserRow; viewed: UserRow | null; factorNeeded: boolean } | null> {
  const [found] = await db
    .select({ session, user, viewed, factorNeeded: lacksFactor })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .leftJoin(viewed, looksOnAs)
    .where(and(eq(session.tokenHash, tokenHash), alive(horizon)));
  return found ?? null;
}

/**
 * Those of the sessions that live, each with whom and in which role it looks on, and its user's block, as they are now.
 * Who must set up a second factor first has no role.
 */
export async function findSessions(
  db: Database,
  tokenHashes: string[],
  horizon: SessionHorizon,
): Promise<{ tokenHash: string; userId: string; role: string; blocked: boolean }[]> {
  return db
    .select({
      tokenHash: session.tokenHash,
      userId: sql<string>`coalesce(${viewed.id}, ${user.id})`,
      role: sql<string>`case when ${lacksFactor} then '' else coalesce(${viewed.role}, ${user.role}) end`,
      blocked: user.blocked,
    })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .leftJoin(viewed, looksOnAs)
    .where(and(inArray(session.tokenHash, tokenHashes), alive(horizon)));
}

export async function markSeen(db: Database, tokenHash: string, at: number): Promise<void> {
  await db.update(session).set({ seenAt: at }).where(eq(session.tokenHash, tokenHash));
}

/** From now on a session looks on as another user; null: as its own. */
export async function setViewed(db: Queries, tokenHash: string, viewedUserId: string | null): Promise<void> {
  await db.update(session).set({ viewedUserId }).where(eq(session.tokenHash, tokenHash));
}

/** The user of the session has proved to be himself. */
export async function markProven(db: Queries, tokenHash: string, at: number): Promise<void> {
  await db.update(session).set({ provenAt: at }).where(eq(session.tokenHash, tokenHash));
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
export async function revokeOtherSessions(db: Queries, userId: string, keptTokenHash: string): Promise<number> {
  const others = and(eq(session.userId, userId), ne(session.tokenHash, keptTokenHash));
  return (await db.delete(session).where(others).returning({ id: session.id })).length;
}

/** Ends all sessions of everybody; answers how many that were. */
export async function endAllSessions(db: Queries): Promise<number> {
  return (await db.delete(session).returning({ id: session.id })).length;
}

interface SessionPage {
  sort: SessionSort;
  descending: boolean;
  offset: number;
  limit: number;
}

const SORTS = { user: sql`lower(${user.name})`, createdAt: session.createdAt, seenAt: session.seenAt } as const;
export type SessionSort = keyof typeof SORTS;
export const isSessionSort = (name: string): name is SessionSort => Object.hasOwn(SORTS, name);

const aliveOf = (userId: string | undefined, horizon: SessionHorizon) =>
  and(alive(horizon), userId === undefined ? undefined : isId(userId) ? eq(session.userId, userId) : sql`false`);

/** Living sessions of everybody, or of one user. */
export async function findAllSessions(
  db: Queries,
  userId: string | undefined,
  horizon: SessionHorizon,
  { sort, descending, offset, limit }: SessionPage,
) {
  return db
    .select({ session, user: user.name, role: user.role })
    .from(session)
    .innerJoin(user, eq(user.id, session.userId))
    .where(aliveOf(userId, horizon))
    .orderBy(descending ? desc(SORTS[sort]) : asc(SORTS[sort]), session.id)
    .limit(limit)
    .offset(offset);
}

export async function countSessions(db: Queries, userId: string | undefined, horizon: SessionHorizon): Promise<number> {
  const [row] = await db.select({ total: count() }).from(session).where(aliveOf(userId, horizon));
  return row?.total ?? 0;
}

/** Whose session that is; `null` for any other id, also for what is no id at all. */
export async function sessionById(db: Queries, id: string): Promise<StoredSession | null> {
  if (!isId(id)) return null;
  const [row] = await db.select().from(session).where(eq(session.id, id));
  return row ?? null;
}
