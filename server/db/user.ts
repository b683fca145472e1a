import { count, eq, sql } from 'drizzle-orm';
import type { Role } from '#contract/access';
import type { Database } from './client';
import { user } from './schema';

export type UserRow = typeof user.$inferSelect;

export interface NewUser {
  name: string;
  role: Role;
  /** PHC string of `hashPassword`. */
  passwordHash: string;
  /** UTC ms. */
  createdAt: number;
}

/** Adds a user; `null` when the name is taken, whatever its case. */
export async function createUser(db: Database, row: NewUser): Promise<UserRow | null> {
  const [created] = await db.insert(user).values(row).onConflictDoNothing().returning();
  return created ?? null;
}

/** The user of that name, whatever its case; `null` when there is none. */
export async function findUser(db: Database, name: string): Promise<UserRow | null> {
  const [found] = await db.select().from(user).where(sql`lower(${user.name}) = lower(${name})`);
  return found ?? null;
}

export async function countUsers(db: Database): Promise<number> {
  const [row] = await db.select({ users: count() }).from(user);
  return row?.users ?? 0;
}

export async function recordLogin(db: Database, id: string, at: number): Promise<void> {
  await db.update(user).set({ lastLoginAt: at }).where(eq(user.id, id));
}
