import { eq, inArray, sql } from 'drizzle-orm';
import { transfersOf } from '../accounts/transfer';
import { accountsOf } from '../accounts/venueAccount';
import type { Queries } from '../client';
import { book, dealEvent, fill, ledger, tradeOrder, user } from '../schema';
import { dealsOf } from '../strategies/deal';

export type LedgerColumns = typeof ledger.$inferSelect;

/** The fills of an order, summed up. */
export interface OrderFills {
  orderId: string;
  /** Fills that were booked for another deal than the order's, or for none. */
  strays: number;
  quantity: string;
  notional: string;
  fee: string;
}

/** Every book, or those of some users. */
export async function auditedBooks(db: Queries, only?: readonly string[]) {
  return db
    .select({ userId: book.userId, user: user.name })
    .from(book)
    .innerJoin(user, eq(user.id, book.userId))
    .where(only && inArray(book.userId, [...only]));
}

/** How many orders the governor has stopped, ever. */
export async function stoppedOrders(db: Queries): Promise<number> {
  const [stops] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(dealEvent)
    .where(eq(dealEvent.kind, 'governed'));
  return stops?.count ?? 0;
}

/** All rows of a user's accounts, ledger, deals and orders, and the fills of each order. */
export async function everythingBooked(db: Queries, userId: string) {
  const [accounts, rows, deals, orders, transfers, fills] = await Promise.all([
    accountsOf(db, [userId]),
    db.select().from(ledger).where(eq(ledger.userId, userId)),
    dealsOf(db, [userId]),
    db.select().from(tradeOrder).where(eq(tradeOrder.userId, userId)),
    transfersOf(db, userId),
    db
      .select({
        orderId: fill.orderId,
        strays: sql<number>`(count(*) filter (where ${fill.dealId} is distinct from ${tradeOrder.dealId}))::int`,
        quantity: sql<string>`sum(${fill.quantity})`,
        notional: sql<string>`sum(${fill.quantity} * ${fill.price})`,
        fee: sql<string>`sum(${fill.fee})`,
      })
      .from(fill)
      .innerJoin(tradeOrder, eq(tradeOrder.id, fill.orderId))
      .where(eq(fill.userId, userId))
      .groupBy(fill.orderId),
  ]);
  return { accounts, rows, deals, orders, transfers, fills };
}
