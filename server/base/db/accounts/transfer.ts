import { and, count, desc, eq, gte, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { TransferState } from '#contract/venueAccount';
import type { Queries } from '../client';
import { account, accountTransfer } from '../schema';

export type TransferRow = typeof accountTransfer.$inferSelect;
type NewTransfer = Pick<TransferRow, 'userId' | 'fromId' | 'toId' | 'amount' | 'fee' | 'travelMs' | 'askedAt'> &
  Partial<Pick<TransferRow, 'asset' | 'fromSymbol' | 'toSymbol'>>;
/** What becomes of a transfer after it was asked for. */
export type TransferProgress = Pick<TransferRow, 'state' | 'leftAt' | 'arrivedAt' | 'reason' | 'price'>;

/** @returns its id. */
export async function insertTransfer(tx: Queries, row: NewTransfer): Promise<string> {
  const [inserted] = await tx.insert(accountTransfer).values(row).returning({ id: accountTransfer.id });
  if (inserted === undefined) throw new Error('a transfer came back without an id');
  return inserted.id;
}

/** Transfers of these users that have not come to their end, the oldest first. */
export async function liveTransfersOf(db: Queries, userIds: readonly string[]): Promise<TransferRow[]> {
  return db
    .select()
    .from(accountTransfer)
    .where(and(inArray(accountTransfer.userId, [...userIds]), inArray(accountTransfer.state, ['asked', 'transit'])))
    .orderBy(accountTransfer.askedAt, accountTransfer.id);
}

export async function writeTransfer(tx: Queries, id: string, progress: Partial<TransferProgress>): Promise<void> {
  await tx.update(accountTransfer).set(progress).where(eq(accountTransfer.id, id));
}

/** All transfers of a user, as the audit holds them against the ledger. */
export async function transfersOf(db: Queries, userId: string): Promise<TransferRow[]> {
  return db.select().from(accountTransfer).where(eq(accountTransfer.userId, userId));
}

/** What moving these assets between two accounts has cost since an instant (UTC ms), USDT. */
export async function transferFeesBetween(
  db: Queries,
  accounts: readonly [string, string],
  assets: readonly string[],
  since: number,
): Promise<number> {
  const { fromId, toId, asset, askedAt, state, fee } = accountTransfer;
  const [row] = await db
    .select({ fees: sql<number>`coalesce(sum(${fee}), 0)`.mapWith(Number) })
    .from(accountTransfer)
    .where(
      and(
        inArray(fromId, [...accounts]),
        inArray(toId, [...accounts]),
        inArray(asset, [...assets]),
        gte(askedAt, since),
        inArray(state, ['transit', 'arrived']),
      ),
    );
  return row?.fees ?? 0;
}

interface Page {
  state?: TransferState;
  offset: number;
  limit: number;
}

/** A page of a user's transfers with the accounts at both ends, the newest first, and how many there are. */
export async function findTransfers(db: Queries, userId: string, { state, offset, limit }: Page) {
  const [from, to] = [alias(account, 'from_account'), alias(account, 'to_account')];
  const where = and(eq(accountTransfer.userId, userId), state && eq(accountTransfer.state, state));
  const end = (of: typeof from | typeof to) => ({ id: of.id, name: of.name, venue: of.venue });
  const [list, [all]] = await Promise.all([
    db
      .select({ transfer: accountTransfer, from: end(from), to: end(to) })
      .from(accountTransfer)
      .innerJoin(from, eq(from.id, accountTransfer.fromId))
      .innerJoin(to, eq(to.id, accountTransfer.toId))
      .where(where)
      .orderBy(desc(accountTransfer.askedAt), desc(accountTransfer.id))
      .offset(offset)
      .limit(limit),
    db.select({ total: count() }).from(accountTransfer).where(where),
  ]);
  return { list, total: all?.total ?? 0 };
}
