import type { Database } from '#server/base/db/client';
import { fundAccount, insertOpened } from '#server/desk/account/openAccount';
import type { PaperVenue } from '#server/market/venue';

/**
 * Opens a further account of a user who has a book, as POST /api/account/open does; an engine books its money with its
 * next look. @param amount USDT. @returns its id.
 */
export async function openAt(
  db: Database,
  venue: PaperVenue,
  { userId, at, amount = 100_000 }: { userId: string; at: string; amount?: number },
): Promise<string> {
  const wanted = { name: at, venue: at, amount };
  const id = await fundAccount({ db, venue }, userId, wanted);
  await db.transaction((tx) => insertOpened(tx, userId, id, wanted));
  return id;
}
