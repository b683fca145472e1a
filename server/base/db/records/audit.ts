import { eq, inArray, sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/duration';
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

/** How many orders the risk check has stopped, ever. */
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

/** A sum that is kept of a user's ledger, and what its rows come to. */
export interface KeptSum {
  kind: string;
  /** A symbol, or a day (UTC). */
  of: string;
  kept: string;
  summed: string;
}

/** Sums over a user's ledger that are not what its rows come to. */
export async function wrongSums(db: Queries, userId: string): Promise<KeptSum[]> {
  const figures = sql`coalesce(kept.amount, 0)::text as kept, coalesce(summed.amount, 0)::text as summed`;
  const { rows } = await db.execute<Record<keyof KeptSum, string>>(sql`
    with booked as (select * from ledger where user_id = ${userId}),
      total as (select * from ledger_total where user_id = ${userId}),
      daily as (select * from ledger_day where user_id = ${userId})
    select kind, symbol as of, ${figures} from total kept full join (
      select account_id, kind, asset, source, symbol, sum(amount) as amount, sum(abs(amount)) as traded,
        coalesce(sum(quantity), 0) as quantity
      from booked group by account_id, kind, asset, source, symbol
    ) summed using (account_id, kind, asset, source, symbol)
    where (kept.amount, kept.traded, kept.quantity) is distinct from (summed.amount, summed.traded, summed.quantity)
    union all
    select kind, (to_timestamp(day / 1000) at time zone 'utc')::date::text as of, ${figures} from daily kept full join (
      select account_id, kind, at / ${DAY_MS}::bigint * ${DAY_MS}::bigint as day, sum(amount) as amount,
        sum(abs(amount)) as traded
      from booked group by 1, 2, 3
    ) summed using (account_id, kind, day)
    where (kept.amount, kept.traded) is distinct from (summed.amount, summed.traded)`);
  return rows;
}
