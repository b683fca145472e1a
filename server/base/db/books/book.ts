import { asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { LOSS_GUARD } from '#contract/account';
import type { HoldBack } from '#contract/lifecycle';
import type { StrategyMode } from '#contract/strategy';
import { openFirstAccount } from '../accounts/venueAccount';
import type { Queries } from '../client';
import { openHedgeStrategy, type Written } from '../hedges/hedgeConfig';
import { book, killSwitch, user } from '../schema';

/** The one row. */
export const FOR_ALL = 'all';

/** The switch for everybody; `null` while nobody ever used it. */
export async function killSwitchOf(db: Queries): Promise<typeof killSwitch.$inferSelect | null> {
  const [row] = await db.select().from(killSwitch).where(eq(killSwitch.id, FOR_ALL));
  return row ?? null;
}

/** `pausedAt` null lets entries in again. The row stays locked until the transaction ends. */
export async function setKillSwitch(
  tx: Queries,
  state: { pausedAt: number | null; pausedBy: string; reason: string },
): Promise<void> {
  await tx
    .insert(killSwitch)
    .values({ id: FOR_ALL, ...state })
    .onConflictDoUpdate({ target: killSwitch.id, set: state });
}

export type BookRow = typeof book.$inferSelect;

/** What calls may write of a book; everything else in it is the engine's. */
export type BookIntent = Partial<
  Pick<
    BookRow,
    | 'pausedAt'
    | 'pausedBy'
    | 'pauseReason'
    | 'dailyLossLimit'
    | 'lossLiftedDay'
    | 'dayBoundary'
    | 'flattenAskedAt'
    | 'flattenAskedBy'
  >
>;

const next = sql`${book.revision} + 1`;

export async function bookOf(db: Queries, userId: string): Promise<BookRow | null> {
  const [row] = await db.select().from(book).where(eq(book.userId, userId));
  return row ?? null;
}

/** What keeps all of a user's paper from opening, and all that is real. */
export type HeldBack = Record<StrategyMode, HoldBack | null>;

/** The same of these users. */
export async function heldBack(db: Queries, userIds: readonly string[]): Promise<ReadonlyMap<string, HeldBack>> {
  if (userIds.length === 0) return new Map();
  const isByLimit = sql`${book.pausedBy} is not distinct from ${LOSS_GUARD}`;
  const by = (own: SQL) => sql<HoldBack | null>`case
    when ${user.blocked} then 'userBlocked'
    when exists (select 1 from kill_switch where paused_at is not null) then 'pausedForAll'
    when ${book.pausedAt} is not null and not ${isByLimit} then 'paused'
    ${own} end`;
  const rows = await db
    .select({
      userId: book.userId,
      paper: by(
        sql`when ${book.pausedAt} is not null then 'lossLimit' when ${book.unvalued} is not null then 'unvalued'`,
      ),
      live: by(sql`when ${book.unvaluedLive} is not null then 'unvalued'`),
    })
    .from(book)
    .innerJoin(user, eq(user.id, book.userId))
    .where(inArray(book.userId, [...userIds]));
  return new Map(rows.map(({ userId, ...held }) => [userId, held]));
}

/** The book, locked until the transaction ends, so that intents of one user queue up; `null` without one. */
export async function lockBook(tx: Queries, userId: string): Promise<BookRow | null> {
  const [row] = await tx.select().from(book).where(eq(book.userId, userId)).for('update');
  return row ?? null;
}

/** Opens the book, locked, with its first account and the strategy of the hedge desk; what is open already stays as it is. */
export async function openBook(
  tx: Queries,
  userId: string,
  { venue, ...written }: Written & { venue: string },
): Promise<void> {
  await tx.insert(book).values({ userId }).onConflictDoNothing();
  await lockBook(tx, userId);
  await openFirstAccount(tx, userId, venue);
  await openHedgeStrategy(tx, userId, written);
}

/** Writes an intent and moves the revision on, by which whoever runs the book sees that there is one. */
export async function moveBook(tx: Queries, userId: string, intent: BookIntent = {}): Promise<void> {
  await tx
    .update(book)
    .set({ ...intent, revision: next })
    .where(eq(book.userId, userId));
}

/** The same for every book; answers whose they are. Locked in one order, so that two of these never wait for each other. */
export async function moveAllBooks(tx: Queries, intent: BookIntent = {}): Promise<string[]> {
  await tx.select({ userId: book.userId }).from(book).orderBy(asc(book.userId)).for('update');
  const moved = await tx
    .update(book)
    .set({ ...intent, revision: next })
    .returning({ userId: book.userId });
  return moved.map(({ userId }) => userId);
}

export async function bookOwners(db: Queries): Promise<string[]> {
  return (await db.select({ userId: book.userId }).from(book)).map(({ userId }) => userId);
}

export async function usersWithoutBook(db: Queries): Promise<string[]> {
  const rows = await db
    .select({ userId: user.id })
    .from(user)
    .leftJoin(book, eq(book.userId, user.id))
    .where(isNull(book.userId))
    .orderBy(asc(user.createdAt), asc(user.id));
  return rows.map(({ userId }) => userId);
}
