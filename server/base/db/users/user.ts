import { and, asc, count, eq, isNotNull, ne, sql } from 'drizzle-orm';
import type { Role } from '#contract/access';
import type { NumberStyle, Preference, Rise, TimeZone } from '#contract/user';
import { moveBook } from '../books/book';
import type { Database, Queries } from '../client';
import { ADVISORY_LOCKS } from '../connection/statements';
import { isId } from '../hedges/hedge';
import { oneTimeCode, savedView, session, user, userPreference } from '../schema';
import { revokeOtherSessions } from './session';

const v = savedView;

export async function viewsOf(db: Queries, userId: string, screen: string) {
  return db
    .select()
    .from(v)
    .where(and(eq(v.userId, userId), eq(v.screen, screen)))
    .orderBy(asc(v.name));
}

/** How many views of a screen a user has beside the one of this name. */
export async function countOtherViews(db: Queries, userId: string, screen: string, name: string): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(v)
    .where(and(eq(v.userId, userId), eq(v.screen, screen), ne(v.name, name)));
  return row?.total ?? 0;
}

/** A view of the same name is replaced. */
export async function saveView(db: Queries, row: Omit<typeof savedView.$inferInsert, 'id'>) {
  const { query, createdAt } = row;
  const [saved] = await db
    .insert(v)
    .values(row)
    .onConflictDoUpdate({ target: [v.userId, v.screen, v.name], set: { query, createdAt } })
    .returning();
  return saved!;
}

/** @returns whether the user had it. */
export async function removeView(db: Queries, userId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const gone = await db
    .delete(v)
    .where(and(eq(v.userId, userId), eq(v.id, id)))
    .returning({ id: v.id });
  return gone.length > 0;
}

const NOTHING_CHOSEN: Preference = { rise: null, numbers: null, timeZone: null };

const presented = ({ rise, numbers, timeZone }: typeof userPreference.$inferSelect): Preference => ({
  rise: rise as Rise | null,
  numbers: numbers as NumberStyle | null,
  timeZone: timeZone as TimeZone | null,
});

export async function preferenceOf(db: Queries, userId: string): Promise<Preference> {
  const [row] = await db.select().from(userPreference).where(eq(userPreference.userId, userId));
  return row ? presented(row) : NOTHING_CHOSEN;
}

/** Changes what is given and leaves the rest; answers all of it. */
export async function changePreference(
  db: Queries,
  userId: string,
  change: { [Name in keyof Preference]?: NonNullable<Preference[Name]> },
): Promise<Preference> {
  const [row] = await db
    .insert(userPreference)
    .values({ userId, ...change })
    // Says the row's own id again, so that an empty change answers the row as well.
    .onConflictDoUpdate({ target: userPreference.userId, set: { userId, ...change } })
    .returning();
  if (row === undefined) throw new Error('a written preference came back without its row');
  return presented(row);
}

export type UserRow = typeof user.$inferSelect;

export interface NewUser {
  name: string;
  role: Role;
  /** PHC string of `hashPassword`; null where a one-time code is to set one. */
  passwordHash: string | null;
  /** UTC ms. */
  createdAt: number;
}

/** One spelling of a name, however a keyboard composed its characters. */
const composed = (name: string) => name.normalize('NFC');

/** Adds a user; `null` when the name is taken, whatever its case, or somebody has one that it `looksLike`. */
export async function createUser(
  db: Queries,
  row: NewUser,
  looksLike: (name: string) => boolean = () => false,
): Promise<UserRow | null> {
  const named = { ...row, name: composed(row.name) };
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.names}::bigint)`);
    const names = await tx.select({ name: user.name }).from(user);
    if (names.some(({ name }) => looksLike(name))) return null;
    const [created] = await tx.insert(user).values(named).onConflictDoNothing().returning();
    return created ?? null;
  });
}

/** The user of that name, whatever its case; `null` when there is none. */
export async function findUser(db: Database, name: string): Promise<UserRow | null> {
  const [found] = await db
    .select()
    .from(user)
    .where(sql`lower(${user.name}) = lower(${composed(name)})`);
  return found ?? null;
}

export async function findUserById(db: Queries, id: string): Promise<UserRow | null> {
  if (!isId(id)) return null;
  const [found] = await db.select().from(user).where(eq(user.id, id));
  return found ?? null;
}

export async function recordLogin(db: Database, id: string, at: number): Promise<void> {
  await db.update(user).set({ lastLoginAt: at }).where(eq(user.id, id));
}

export async function setBinanceId(db: Database, id: string, binanceId: string): Promise<void> {
  await db.update(user).set({ binanceId }).where(eq(user.id, id));
}

export async function listUsers(db: Database): Promise<UserRow[]> {
  return db.select().from(user).orderBy(asc(user.createdAt), asc(user.name));
}

/**
 * A new password ends every session that was opened with the old one, and any one-time code; the session of
 * `keptTokenHash` goes on. Null closes the account until a one-time code sets one. Answers how many sessions ended.
 */
export async function changePassword(
  db: Queries,
  id: string,
  passwordHash: string | null,
  keptTokenHash = '',
): Promise<number> {
  return db.transaction(async (tx) => {
    await tx.update(user).set({ passwordHash }).where(eq(user.id, id));
    await tx.delete(oneTimeCode).where(eq(oneTimeCode.userId, id));
    return revokeOtherSessions(tx, id, keptTokenHash);
  });
}

/** A blocked user's sessions end with the block. @param by the master who does it; null where a rule does. */
export async function setBlocked(db: Queries, id: string, blocked: boolean, by: string | null = null): Promise<void> {
  await db.transaction(async (tx) => {
    // The engine must know before its next entry.
    await moveBook(tx, id);
    await tx
      .update(user)
      .set({ blocked, blockedBy: blocked ? by : null })
      .where(eq(user.id, id));
    if (blocked) await tx.delete(session).where(eq(session.userId, id));
  });
}

export async function setRole(tx: Queries, id: string, role: Role): Promise<void> {
  await tx.update(user).set({ role }).where(eq(user.id, id));
}

/**
 * The user of that id, locked until the transaction ends against other changes; rows of its own may still be added.
 * `null` also for what is no id at all.
 */
export async function lockUser(tx: Queries, id: string): Promise<UserRow | null> {
  if (!isId(id)) return null;
  const [row] = await tx.select().from(user).where(eq(user.id, id)).for('no key update');
  return row ?? null;
}

/** How many masters could sign in if this user were none. For the rest of the transaction nobody else counts. */
export async function otherMasters(tx: Queries, id: string): Promise<number> {
  await tx.execute(sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.masters}::bigint)`);
  const able = and(eq(user.role, 'master'), eq(user.blocked, false), isNotNull(user.passwordHash), ne(user.id, id));
  const [row] = await tx.select({ total: count() }).from(user).where(able);
  return row?.total ?? 0;
}
