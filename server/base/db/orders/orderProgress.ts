import { and, asc, count, desc, eq, gt, inArray, isNotNull, ne, sql } from 'drizzle-orm';
import { ORDER_LIVE, type OrderPurpose } from '#contract/lifecycle';
import type { Queries } from '../client';
import { isId } from '../hedges/hedge';
import { account, book, fill, ledger, strategy, tradeOrder, user } from '../schema';
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
      .select({
        ...{ userId: account.userId, id: account.id, name: account.name },
        ...{ venue: account.venue, mode: account.mode },
      })
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

export type OrderColumns = typeof tradeOrder.$inferSelect;

/** What becomes of an order after it was registered. */
export type OrderProgress = Partial<
  Pick<
    OrderColumns,
    | 'state'
    | 'filledQuantity'
    | 'filledNotional'
    | 'fee'
    | 'reportedQuantity'
    | 'reportedState'
    | 'endedAt'
    | 'sentAt'
    | 'answeredAt'
    | 'exchangeId'
    | 'reason'
  >
>;

/** Orders of these users that may still change a position. */
export async function liveOrdersOf(db: Queries, userIds: readonly string[]): Promise<OrderColumns[]> {
  return db
    .select()
    .from(tradeOrder)
    .where(and(inArray(tradeOrder.userId, [...userIds]), inArray(tradeOrder.state, [...ORDER_LIVE])));
}

/** When orders of these users were registered after an instant (UTC ms), and for which leg and slot. */
export async function sendsSince(db: Queries, userIds: readonly string[], at: number) {
  return db
    .select({ dealId: tradeOrder.dealId, leg: tradeOrder.leg, slot: tradeOrder.slot, at: tradeOrder.createdAt })
    .from(tradeOrder)
    .where(and(inArray(tradeOrder.userId, [...userIds]), gt(tradeOrder.createdAt, at)));
}

/** Whether people asked for a user's resting orders to be taken back, and when. */
export async function askedOfOrders(db: Queries, userId: string) {
  return db
    .select({ id: tradeOrder.id, cancelAskedAt: tradeOrder.cancelAskedAt })
    .from(tradeOrder)
    .where(and(eq(tradeOrder.userId, userId), eq(tradeOrder.state, 'open')));
}

export async function orderColumnsOf(db: Queries, ids: readonly string[]): Promise<OrderColumns[]> {
  if (ids.length === 0) return [];
  return db
    .select()
    .from(tradeOrder)
    .where(inArray(tradeOrder.id, [...ids]));
}

export async function insertOrders(tx: Queries, rows: (typeof tradeOrder.$inferInsert)[]): Promise<void> {
  if (rows.length > 0) await tx.insert(tradeOrder).values(rows);
}

/** @returns since when a person wants it taken back, as it is in the database now; undefined without such an order. */
export async function writeOrderProgress(
  tx: Queries,
  id: string,
  state: OrderProgress,
): Promise<{ cancelAskedAt: number | null } | undefined> {
  const [row] = await tx
    .update(tradeOrder)
    .set(state)
    .where(eq(tradeOrder.id, id))
    .returning({ cancelAskedAt: tradeOrder.cancelAskedAt });
  return row;
}

/** What orders for these purposes have filled of a deal, by leg: base currency and USDT, exact. */
export async function filledBy(tx: Queries, dealId: string, purposes: readonly OrderPurpose[]) {
  return tx
    .select({
      leg: tradeOrder.leg,
      quantity: sql<string>`sum(${tradeOrder.filledQuantity})`,
      notional: sql<string>`sum(${tradeOrder.filledNotional})`,
    })
    .from(tradeOrder)
    .where(
      and(
        eq(tradeOrder.dealId, dealId),
        inArray(tradeOrder.purpose, [...purposes]),
        ne(tradeOrder.filledQuantity, '0'),
      ),
    )
    .groupBy(tradeOrder.leg);
}

/** What the orders of these deals have filled by slot: signed base currency, what was received of purchases, exact; and when a person last took one back, UTC ms. */
export async function slotsOfDeals(db: Queries, dealIds: readonly string[]) {
  if (dealIds.length === 0) return [];
  const { id, dealId, slot, side, filledQuantity, cancelAskedAt, state, endedAt } = tradeOrder;
  // F28: of a purchase whose fee was taken in the coin so much less is there.
  const kept = sql`(select coalesce(sum(${fill.feeInBase}), 0) from ${fill} where ${fill.orderId} = ${id})`;
  const withdrawn = sql`${cancelAskedAt} is not null and ${state} = 'cancelled'`;
  const rows = await db
    .select({
      dealId,
      slot,
      quantity: sql<string>`sum(case ${side} when 'buy' then ${filledQuantity} - ${kept} else -${filledQuantity} end)`,
      withdrawnAt: sql<number | null>`(max(${endedAt}) filter (where ${withdrawn}))::float8`,
    })
    .from(tradeOrder)
    .where(and(inArray(dealId, [...dealIds]), isNotNull(slot)))
    .groupBy(dealId, slot);
  return rows.map((row) => ({ ...row, dealId: row.dealId!, slot: row.slot! }));
}
