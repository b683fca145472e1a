import { eq, inArray, sql } from 'drizzle-orm';
import type { Queries } from './client';
import { book, fill, hedge, hedgeEvent, ledger, tradeOrder, user } from './schema';

export type LedgerColumns = typeof ledger.$inferSelect;

/** The fills of an order, summed up. */
export interface OrderFills {
  orderId: string;
  /** Fills that were booked for another hedge than the order's, or for none. */
  strays: number;
  quantity: string;
  notional: string;
  fee: string;
}

/** Every book, or those of some users, with the number of the newest event that was booked. */
export async function auditedBooks(db: Queries, only?: readonly string[]) {
  return db
    .select({ userId: book.userId, user: user.name, sequence: book.sequence })
    .from(book)
    .innerJoin(user, eq(user.id, book.userId))
    .where(only && inArray(book.userId, [...only]));
}

/** How many orders the governor has stopped, ever. */
export async function stoppedOrders(db: Queries): Promise<number> {
  const [stops] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(hedgeEvent)
    .where(eq(hedgeEvent.kind, 'governed'));
  return stops?.count ?? 0;
}

/** All rows of a user's ledger, hedges and orders, and the fills of each order. */
export async function everythingBooked(db: Queries, userId: string) {
  const [rows, hedges, orders, fills] = await Promise.all([
    db.select().from(ledger).where(eq(ledger.userId, userId)),
    db.select().from(hedge).where(eq(hedge.userId, userId)),
    db.select().from(tradeOrder).where(eq(tradeOrder.userId, userId)),
    db
      .select({
        orderId: fill.orderId,
        strays: sql<number>`(count(*) filter (where ${fill.hedgeId} is distinct from ${tradeOrder.hedgeId}))::int`,
        quantity: sql<string>`sum(${fill.quantity})`,
        notional: sql<string>`sum(${fill.quantity} * ${fill.price})`,
        fee: sql<string>`sum(${fill.fee})`,
      })
      .from(fill)
      .innerJoin(tradeOrder, eq(tradeOrder.id, fill.orderId))
      .where(eq(fill.userId, userId))
      .groupBy(fill.orderId),
  ]);
  return { rows, hedges, orders, fills };
}
