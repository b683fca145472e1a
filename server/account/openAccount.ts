import { PAPER_CAPITAL } from '#contract/hedgeConfig';
import { openBook, usersWithoutBook } from '../db/book';
import type { Database } from '../db/client';
import type { Clock } from '../exchange/exchange';
import type { PaperVenue } from '../exchange/venue';

/** Nobody saved its settings yet. */
const OPENED_BY = '开户';

interface Needs {
  db: Database;
  clock: Clock;
  venue: Pick<PaperVenue, 'open'>;
}

/**
 * Opens a user's paper account with its first money, and the book that it is traded from. One that is open stays as it
 * is, so that this may be asked for again after a start that was cut short.
 */
export async function openAccount({ db, clock, venue }: Needs, userId: string): Promise<void> {
  // The money before the book: an account without a book does no harm, a book without an account would.
  await venue.open(userId, String(PAPER_CAPITAL));
  await db.transaction((tx) => openBook(tx, userId, { at: clock(), by: OPENED_BY }));
}

/** The same for everybody who has none yet: users from before accounts were opened at registration. */
export async function openMissingAccounts(needs: Needs): Promise<void> {
  for (const userId of await usersWithoutBook(needs.db)) await openAccount(needs, userId);
}
