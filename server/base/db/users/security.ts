import { and, asc, eq, isNotNull, isNull, type SQL, sql } from 'drizzle-orm';
import type { Role } from '#contract/access';
import type { Queries } from '../client';
import { secondFactor, security, user } from '../schema';

const ALL = 'all';
const MASTER = 'master' satisfies Role;

export type SecurityRow = Pick<typeof security.$inferSelect, 'masterFactor' | 'registration'>;

/** What masters have settled. */
export async function securityOf(db: Queries): Promise<SecurityRow> {
  const { masterFactor, registration } = security;
  const [row] = await db.select({ masterFactor, registration }).from(security).where(eq(security.id, ALL));
  return row ?? { masterFactor: false, registration: true };
}

/** Settles what is given. The row stays locked until the transaction ends. */
export async function changeSecurity(tx: Queries, change: Partial<SecurityRow>): Promise<void> {
  await tx
    .insert(security)
    .values({ id: ALL, ...change })
    // Where nothing is given the row is written as it is: an update must set something.
    .onConflictDoUpdate({ target: security.id, set: { id: ALL, ...change } });
}

/** In a query of users: whether the user is a master without the second factor that masters must have. */
export const lacksFactor: SQL<boolean> = sql<boolean>`(${user.role} = ${MASTER}
  and exists (select from ${security} where ${security.masterFactor})
  and not exists (select from ${secondFactor} where ${secondFactor.userId} = ${user.id} and ${secondFactor.enabledAt} is not null))`;

/** The names of masters who could sign in without a second factor. */
export async function mastersWithoutFactor(db: Queries): Promise<string[]> {
  const rows = await db
    .select({ name: user.name })
    .from(user)
    .leftJoin(secondFactor, and(eq(secondFactor.userId, user.id), isNotNull(secondFactor.enabledAt)))
    .where(and(eq(user.role, MASTER), eq(user.blocked, false), isNull(secondFactor.userId)))
    .orderBy(asc(user.name));
  return rows.map(({ name }) => name);
}
