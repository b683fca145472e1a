import { PAPER_CAPITAL } from '#contract/hedgeConfig';
import { openBook, usersWithoutBook } from '../db/book';
import type { Database } from '../db/client';
import type { PaperVenue } from '../exchange/venue';

interface Needs {
  db: Database;
  venue: Pick<PaperVenue, 'open'>;
}

/**
 * Opens a user's paper account with its first money, and the book that it is traded from. One that is open stays as it
 * is, so that this may be asked for again after a start that was cut short.
 */
export async function openAccount({ db, venue }: Needs, userId: string): Promise<void> {
  // The money before the book: an account without a book does no harm, a book without an account would.
  await venue.open(userId, String(PAPER_CAPITAL));
  await db.transaction((tx) => openBook(tx, userId));
}

/** The same for everybody who has none yet: users from before accounts were opened at registration. */
export async function openMissingAccounts(needs: Needs): Promise<void> {
  for (const userId of await usersWithoutBook(needs.db)) await openAccount(needs, userId);
}
