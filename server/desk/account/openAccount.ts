import { randomUUID } from 'node:crypto';
import { PAPER_CAPITAL } from '#contract/kinds/hedge/config';
import { accountsOf, insertAccount } from '../../base/db/accounts/venueAccount';
import { lockBook, moveBook, openBook, usersWithoutBook } from '../../base/db/books/book';
import type { Database, Queries } from '../../base/db/client';
import { refused } from '../../base/http/refusal';
import type { Clock, Markets } from '../../market/exchange';
import type { PaperVenue } from '../../market/venue';

/** Nobody saved its settings yet. */
const OPENED_BY = '开户';

interface Needs {
  db: Database;
  clock: Clock;
  markets: Pick<Markets, 'home'>;
  venue: Pick<PaperVenue, 'open'>;
}

/**
 * Opens a user's paper account with its first money, and the book that it is traded from. One that is open stays as it
 * is, so that this may be asked for again after a start that was cut short.
 */
export async function openAccount({ db, clock, markets, venue }: Needs, userId: string): Promise<void> {
  const written = { at: clock(), by: OPENED_BY, venue: markets.home };
  // The money before the book: an account without a book does no harm, a book without an account would.
  await venue.open(userId, String(PAPER_CAPITAL));
  await db.transaction((tx) => openBook(tx, userId, written));
}

/** The same for everybody who has none yet: users from before accounts were opened at registration. */
export async function openMissingAccounts(needs: Needs): Promise<void> {
  for (const userId of await usersWithoutBook(needs.db)) await openAccount(needs, userId);
}

/** A further account, at a venue where its user has none of its mode yet. */
interface Wanted {
  name: string;
  venue: string;
  /** USDT. */
  amount: number;
}

/**
 * Puts the money of a further account down at its venue; `insertOpened` makes it the user's.
 * @returns its id. @throws `accountAtVenue`, `accountNameTaken`, each at its field.
 */
export async function fundAccount(
  { db, venue }: Pick<Needs, 'db' | 'venue'>,
  userId: string,
  wanted: Wanted,
): Promise<string> {
  await refuseTaken(db, userId, wanted, 'paper');
  const id = randomUUID();
  // Money at an account that nobody has does no harm, an account that its venue does not know would.
  await venue.open(id, String(wanted.amount));
  return id;
}

/** Makes a funded account the user's, by an intent that the engine takes up. @throws as `fundAccount`; `accountMissing` without a book. */
export async function insertOpened(tx: Queries, userId: string, id: string, wanted: Wanted): Promise<{ id: string }> {
  if ((await lockBook(tx, userId)) === null) throw refused('accountMissing');
  await refuseTaken(tx, userId, wanted, 'paper');
  await insertAccount(tx, { id, userId, venue: wanted.venue, name: wanted.name.trim(), mode: 'paper' });
  await moveBook(tx, userId);
  return { id };
}

/** @throws `accountAtVenue`, `accountNameTaken`, each at its field */
export async function refuseTaken(
  db: Queries,
  userId: string,
  { name, venue }: Pick<Wanted, 'name' | 'venue'>,
  mode: string,
): Promise<void> {
  const own = await accountsOf(db, [userId]);
  if (own.some((account) => account.venue === venue && account.mode === mode))
    throw refused('accountAtVenue', '', 'venue');
  if (own.some((account) => account.name === name.trim())) throw refused('accountNameTaken', '', 'name');
}
