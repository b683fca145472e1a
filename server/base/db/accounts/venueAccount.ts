import { asc, desc, eq, inArray } from 'drizzle-orm';
import { isLiveSource, SIMULATED_SOURCES } from '#contract/candle';
import type { Queries } from '../client';
import { account } from '../schema';

export type AccountRow = typeof account.$inferSelect;

/**
 * The account in which a source is traded in a mode: the one at its venue, as at an exchange that is followed; on paper,
 * of what is no venue, such as an import, the first. Undefined where there is none: paper never trades a real account,
 * and what is real never one of paper.
 */
export function accountFor<A extends { venue: string; mode: string }>(
  accounts: readonly A[],
  source: string,
  mode: string,
): A | undefined {
  const own = accounts.filter((account) => account.mode === mode);
  const isVenue = isLiveSource(source) || SIMULATED_SOURCES.some((venue) => venue === source);
  return own.find(({ venue }) => venue === source) ?? (isVenue || mode !== 'paper' ? undefined : own[0]);
}

/** Opens a user's first account; one that is open stays as it is, at its venue. */
export async function openFirstAccount(tx: Queries, userId: string, venue: string): Promise<void> {
  await tx.insert(account).values({ id: userId, userId, venue, mode: 'paper' }).onConflictDoNothing();
}

/** The accounts of these users: a user's first one, the others on paper, the real ones; always in the same order. */
export async function accountsOf(db: Queries, userIds: readonly string[]): Promise<AccountRow[]> {
  const rows = await db
    .select()
    .from(account)
    .where(inArray(account.userId, [...userIds]))
    .orderBy(desc(account.mode), asc(account.venue), asc(account.id));
  const isLater = ({ id, userId }: AccountRow) => Number(id !== userId);
  return rows.sort((a, b) => isLater(a) - isLater(b));
}

/** Whose an account is, and how it is traded; undefined while nobody has it. */
export async function accountById(db: Queries, id: string): Promise<AccountRow | undefined> {
  const [row] = await db.select().from(account).where(eq(account.id, id));
  return row;
}

/** Opens another account of a user, which its venue knows already. */
export async function insertAccount(
  tx: Queries,
  row: Pick<AccountRow, 'id' | 'userId' | 'venue' | 'name' | 'mode'> &
    Partial<Pick<AccountRow, 'apiKeyId' | 'exchangeUid'>>,
): Promise<void> {
  await tx.insert(account).values(row);
}

/** Opens what is an account at an exchange. @returns false where somebody has that one already */
export async function insertRealAccount(
  tx: Queries,
  row: Pick<AccountRow, 'id' | 'userId' | 'venue' | 'name' | 'apiKeyId' | 'exchangeUid'>,
): Promise<boolean> {
  const made = await tx
    .insert(account)
    .values({ ...row, mode: 'live' })
    .onConflictDoNothing({ target: [account.venue, account.mode, account.exchangeUid] })
    .returning({ id: account.id });
  return made.length > 0;
}

/** Venues at which a user has an account. */
export async function openedVenues(db: Queries, userId: string): Promise<Set<string>> {
  const rows = await db.selectDistinct({ venue: account.venue }).from(account).where(eq(account.userId, userId));
  return new Set(rows.map(({ venue }) => venue));
}

/** Notes the newest event of the venue that is booked. */
export async function writeSequence(tx: Queries, id: string, sequence: number): Promise<void> {
  await tx.update(account).set({ sequence }).where(eq(account.id, id));
}

/** What its owner knows of that no deal explains, signed quantities by `symbolKey`. */
export async function writeIgnored(db: Queries, id: string, ignored: AccountRow['ignored']): Promise<void> {
  await db.update(account).set({ ignored }).where(eq(account.id, id));
}
