import { eq, inArray } from 'drizzle-orm';
import { SIMULATED_SOURCES } from '#contract/candle';
import type { Queries } from './client';
import { account } from './schema';

/** The venue of everybody's first account: the simulated market, and whatever is imported. */
const FIRST_VENUE = 'simulated';

export type AccountRow = typeof account.$inferSelect;

/**
 * The account in which a source is traded: the one at its venue; of what no venue of ours is, such as an import, the
 * first. Undefined where there is none.
 */
export function accountFor<A extends { venue: string }>(accounts: readonly A[], source: string): A | undefined {
  const isVenue = SIMULATED_SOURCES.some((venue) => venue === source);
  return accounts.find(({ venue }) => venue === source) ?? (isVenue ? undefined : accounts[0]);
}

/** Opens a user's first account; one that is open stays as it is. */
export async function openFirstAccount(tx: Queries, userId: string): Promise<void> {
  await tx.insert(account).values({ id: userId, userId, venue: FIRST_VENUE, mode: 'paper' }).onConflictDoNothing();
}

/** The accounts of these users, a user's first one before the others. */
export async function accountsOf(db: Queries, userIds: readonly string[]): Promise<AccountRow[]> {
  const rows = await db
    .select()
    .from(account)
    .where(inArray(account.userId, [...userIds]));
  const isLater = ({ id, userId }: AccountRow) => Number(id !== userId);
  return rows.sort((a, b) => isLater(a) - isLater(b));
}

/** Notes the newest event of the venue that is booked. */
export async function writeSequence(tx: Queries, id: string, sequence: number): Promise<void> {
  await tx.update(account).set({ sequence }).where(eq(account.id, id));
}
