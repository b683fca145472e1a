import { and, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { BookRow } from './book';
import type { Queries } from './client';
import { book, user } from './schema';

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

/** What of a book is the engine's own. */
type BookProgress = Partial<Pick<BookRow, 'day' | 'dayEquity'>>;

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
