import { asc, count, desc, eq, inArray } from 'drizzle-orm';
import type { Queries } from '../client';
import { isId } from '../hedges/hedge';
import { account, book, ledger, strategy, tradeOrder, user } from '../schema';
import { chosenOrders } from './orderFilter';

/** Users who have a book, the busiest first; or one of them. */
export async function bookAccounts(db: Queries, userId?: string) {
  if (userId !== undefined && !isId(userId)) return [];
  return db
    .select({ userId: book.userId, user: user.name })
    .from(book)
    .innerJoin(user, eq(user.id, book.userId))
    .innerJoin(account, eq(account.id, book.userId))
    .where(userId === undefined ? undefined : eq(book.userId, userId))
    .orderBy(desc(account.sequence), asc(user.name));
}

/** The accounts and strategies of users, also those strategies that are gone: orders name them. */
export async function placesOfUsers(db: Queries) {
  const [accounts, strategies] = await Promise.all([
    db
      .select({ userId: account.userId, id: account.id, name: account.name, venue: account.venue })
      .from(account)
      .orderBy(asc(account.venue)),
    db
      .select({ userId: strategy.userId, id: strategy.id, name: strategy.name, kind: strategy.kind })
      .from(strategy)
      .orderBy(asc(strategy.createdAt)),
  ]);
  return { accounts, strategies };
}

export async function countLedger(db: Queries, userId: string): Promise<number> {
  const [row] = await db.select({ total: count() }).from(ledger).where(eq(ledger.userId, userId));
  return row?.total ?? 0;
}

/** Orders of a user that may still change a position, the oldest first. */
export async function liveOrders(db: Queries, userId: string) {
  return db
    .select({
      id: tradeOrder.id,
      accountId: tradeOrder.accountId,
      symbol: tradeOrder.symbol,
      state: tradeOrder.state,
      filledQuantity: tradeOrder.filledQuantity,
    })
    .from(tradeOrder)
    .where(chosenOrders({ userId, view: 'live' }))
    .orderBy(asc(tradeOrder.createdAt), asc(tradeOrder.id));
}

/** Which of these ids no order has. */
export async function unknownOrders(db: Queries, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .select({ id: tradeOrder.id })
    .from(tradeOrder)
    .where(inArray(tradeOrder.id, [...ids]));
  const known = new Set(rows.map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
}
