import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import type { Queries } from '../client';
import { databaseNow } from '../connection/statements';
import { book } from '../schema';

/** A lease that is not renewed ends after this long, by the database's clock. */
export const LEASE_MS = 6_000;

/** A book as it was taken or renewed. */
export type TakenLease = { user_id: string; lease_token: string | number; before: string | null };

interface Taking {
  /** Names the process. */
  holder: string;
  leaseMs: number;
  /** Whether leases that are held are prolonged as well. */
  renews: boolean;
  /** The users whose books are wanted; those of all when it is not given. */
  only: ReadonlySet<string> | undefined;
}

/** Takes the leases that are free, by the database's clock. Books that somebody writes at this moment are left out. */
export async function takeLeases(db: Queries, { holder, leaseMs, renews, only }: Taking): Promise<TakenLease[]> {
  const wanted = only ? inArray(book.userId, [...only]) : sql`true`;
  const isMine = sql`${book.leaseHolder} = ${holder}`;
  const isOver = sql`${book.leaseUntil} <= ${databaseNow}`;
  const isFree = sql`(${isOver} or ${book.leaseHolder} is null)`;
  const isDue = renews ? sql`(${isMine} or ${isFree})` : isFree;
  const { rows } = await db.execute<TakenLease>(sql`
    with due as (
      select ${book.userId} as user_id, ${book.leaseHolder} as before, ${isMine} and not (${isOver}) as mine
      from ${book} where ${wanted} and ${isDue} order by ${book.userId} for update skip locked
    )
    update ${book} set
      lease_token = case when due.mine then lease_token else lease_token + 1 end,
      lease_holder = ${holder},
      lease_until = ${databaseNow} + ${leaseMs}
    from due where ${book.userId} = due.user_id
    returning due.user_id, lease_token, due.before`);
  return rows;
}

/** A book as its locked row has it. */
export interface Fenced {
  revision: number;
  /** The owner may not trade. */
  blocked: boolean;
  pausedForAll: boolean;
}

/** Locks a book until the transaction ends; undefined when its lease is not held under this token any more. */
export async function lockHeld(
  tx: Queries,
  { userId, holder, token }: { userId: string; holder: string; token: number },
): Promise<Fenced | undefined> {
  const [row] = await tx
    .select({
      revision: book.revision,
      blocked: sql<boolean>`(select u.blocked from app_user u where u.id = book.user_id)`,
      pausedForAll: sql<boolean>`exists (select 1 from kill_switch where paused_at is not null)`,
    })
    .from(book)
    .where(and(eq(book.userId, userId), eq(book.leaseHolder, holder), eq(book.leaseToken, token)))
    .for('update');
  return row;
}

/** The same for many books at once; those that are not held, or are written at this moment, are left out. */
export async function lockAllHeld(tx: Queries, userIds: string[], holder: string) {
  return tx
    .select({ userId: book.userId, token: book.leaseToken })
    .from(book)
    .where(and(inArray(book.userId, userIds), eq(book.leaseHolder, holder)))
    .orderBy(asc(book.userId))
    .for('update', { skipLocked: true });
}

export async function giveLeasesBack(db: Queries, holder: string): Promise<void> {
  await db.update(book).set({ leaseHolder: null, leaseUntil: 0 }).where(eq(book.leaseHolder, holder));
}

/** Ends all leases, where it is certain that every process that held one is gone. */
export async function endLeases(db: Queries): Promise<void> {
  await db.update(book).set({ leaseHolder: null, leaseUntil: 0 });
}
