import { asc, eq, sql } from 'drizzle-orm';
import type { Role } from '#contract/access';
import { moveBook } from './book';
import type { Database } from './client';
import { session, user } from './schema';

export type UserRow = typeof user.$inferSelect;

export interface NewUser {
  name: string;
  role: Role;
  /** PHC string of `hashPassword`. */
  passwordHash: string;
  /** UTC ms. */
  createdAt: number;
}

/** One spelling of a name, however a keyboard composed its characters. */
const composed = (name: string) => name.normalize('NFC');

/** Any number that nothing else locks by: of two who ask for names that look alike one comes first. */
const NAMING_LOCK = 7_263_518_205;

/** Adds a user; `null` when the name is taken, whatever its case, or somebody has one that it `looksLike`. */
export async function createUser(
  db: Database,
  row: NewUser,
  looksLike: (name: string) => boolean = () => false,
): Promise<UserRow | null> {
  const named = { ...row, name: composed(row.name) };
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${NAMING_LOCK})`);
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

export async function recordLogin(db: Database, id: string, at: number): Promise<void> {
  await db.update(user).set({ lastLoginAt: at }).where(eq(user.id, id));
}

export async function setBinanceId(db: Database, id: string, binanceId: string): Promise<void> {
  await db.update(user).set({ binanceId }).where(eq(user.id, id));
}

export async function listUsers(db: Database): Promise<UserRow[]> {
  return db.select().from(user).orderBy(asc(user.createdAt), asc(user.name));
}

/** A new password ends every session that was opened with the old one. */
export async function changePassword(db: Database, id: string, passwordHash: string): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.update(user).set({ passwordHash }).where(eq(user.id, id));
    await tx.delete(session).where(eq(session.userId, id));
  });
}

/** A blocked user's sessions end with the block. */
export async function setBlocked(db: Database, id: string, blocked: boolean): Promise<void> {
  await db.transaction(async (tx) => {
    // The engine must know before its next entry.
    await moveBook(tx, id);
    await tx.update(user).set({ blocked }).where(eq(user.id, id));
    if (blocked) await tx.delete(session).where(eq(session.userId, id));
  });
}
