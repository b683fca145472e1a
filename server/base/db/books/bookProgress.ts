import { and, count, eq, gte, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm';
import type { Queries } from '../client';
import { book, killSwitch, user } from '../schema';
import { type BookRow, FOR_ALL } from './book';

/** A book with what decides about its owner. */
export interface OwnedBook {
  row: BookRow;
  user: string;
  /** The owner may not trade. */
  blocked: boolean;
}

export async function ownedBooks(db: Queries, userIds: readonly string[]): Promise<OwnedBook[]> {
  return db
    .select({ row: book, user: user.name, blocked: user.blocked })
    .from(book)
    .innerJoin(user, eq(user.id, book.userId))
    .where(inArray(book.userId, [...userIds]));
}

/** How far the intents of books have moved, and whose owners may not trade. */
export async function bookRevisions(db: Queries, userIds: readonly string[]) {
  return db
    .select({ userId: book.userId, revision: book.revision, blocked: user.blocked })
    .from(book)
    .innerJoin(user, eq(user.id, book.userId))
    .where(inArray(book.userId, [...userIds]));
}

/** The same with the switch for everybody, at one moment: what is asked at each beat of the engine. */
export async function bookPulse(db: Queries, userIds: readonly string[]) {
  const { pausedAt, pausedBy, reason } = killSwitch;
  return db
    .select({ userId: book.userId, revision: book.revision, blocked: user.blocked, pausedAt, pausedBy, reason })
    .from(book)
    .innerJoin(user, eq(user.id, book.userId))
    .leftJoin(killSwitch, eq(killSwitch.id, FOR_ALL))
    .where(inArray(book.userId, [...userIds]));
}

/** What of a book is the engine's own. */
type BookProgress = Partial<Pick<BookRow, 'day' | 'dayEquity' | 'dayEquityLive' | 'unvalued' | 'unvaluedLive'>>;

export async function writeBookProgress(tx: Queries, userId: string, state: BookProgress): Promise<void> {
  await tx.update(book).set(state).where(eq(book.userId, userId));
}

/** Pauses a book as an intent that moves its revision on; one that is paused already stays as it is. */
export async function pauseBook(
  tx: Queries,
  userId: string,
  { at, by, reason }: { at: number; by: string; reason: string },
): Promise<void> {
  await tx
    .update(book)
    .set({ pausedAt: at, pausedBy: by, pauseReason: reason, revision: sql`${book.revision} + 1` })
    .where(and(eq(book.userId, userId), isNull(book.pausedAt)));
}

/** Looks at the book fail one after another. */
const isFailing = and(isNotNull(book.failingSince), isNull(book.failingUntil));

/** Notes since when (UTC ms) and with what looks at a book fail; what is noted already stays until it is over. */
export async function beginFailing(tx: Queries, userId: string, what: string, at: number): Promise<void> {
  await tx
    .update(book)
    .set({ failingSince: at, failingWhat: what, failingUntil: null })
    .where(and(eq(book.userId, userId), or(isNull(book.failingSince), isNotNull(book.failingUntil))));
}

export async function endFailing(tx: Queries, userId: string, at: number): Promise<void> {
  await tx
    .update(book)
    .set({ failingUntil: at })
    .where(and(eq(book.userId, userId), isFailing));
}

/** Since when (UTC ms) and with what looks at a user's book fail; null while they do not. */
export async function failingOf(db: Queries, userId: string): Promise<{ since: number; what: string } | null> {
  const { failingSince: since, failingWhat: what } = book;
  const [row] = await db
    .select({ since, what })
    .from(book)
    .where(and(eq(book.userId, userId), isFailing));
  return row?.since == null ? null : { since: row.since, what: row.what ?? '' };
}

/** How many books of all users fail now, whichever process holds them. */
export async function failingBooks(db: Queries): Promise<number> {
  const [row] = await db.select({ books: count() }).from(book).where(isFailing);
  return row?.books ?? 0;
}

/** Books that began to fail since an instant (UTC ms), or ceased to. */
export async function failuresSince(db: Queries, at: number) {
  const { userId, failingSince: since, failingUntil: until, failingWhat: what } = book;
  return db
    .select({ userId, since, until, what, user: user.name })
    .from(book)
    .innerJoin(user, eq(user.id, userId))
    .where(or(gte(since, at), gte(until, at)));
}
