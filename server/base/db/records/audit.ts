import { and, eq, inArray, like, or, sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/duration';
import { transfersOf } from '../accounts/transfer';
import { accountsOf } from '../accounts/venueAccount';
import type { Queries } from '../client';
import { account, book, dealEvent, fill, ledger, liveJournal, reconciliation, tradeOrder, user } from '../schema';
import { dealsOf } from '../strategies/deal';

type LedgerColumns = typeof ledger.$inferSelect;

/** The fills of an order, summed up. */
interface OrderFills {
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

/** A real account, and how far it is known without asking its exchange. */
export interface RealAccount {
  user: string;
  account: string;
  /** Records of its exchange that were written. */
  told: number;
  /** When it was held against its exchange of itself last, UTC ms, and the verdict; null where it never was. */
  checked: { at: number; verdict: string } | null;
}

/** The real accounts of all users. */
export async function realAccounts(db: Queries): Promise<RealAccount[]> {
  const { at, verdict } = reconciliation;
  return db
    .select({
      ...{ user: user.name, account: account.name },
      told: sql<number>`coalesce(${liveJournal.sequence}, 0)`.mapWith(Number),
      checked: { at, verdict },
    })
    .from(account)
    .innerJoin(user, eq(user.id, account.userId))
    .leftJoin(liveJournal, eq(liveJournal.accountId, account.id))
    .leftJoin(reconciliation, eq(reconciliation.userId, account.userId))
    .where(eq(account.mode, 'live'))
    .orderBy(user.name, account.name);
}

/** How many orders the risk check has stopped, ever. */
export async function stoppedOrders(db: Queries): Promise<number> {
  const [stops] = await db
    .select({ count: sql<number>`count(*)::int` })
    .from(dealEvent)
    .where(eq(dealEvent.kind, 'governed'));
  return stops?.count ?? 0;
}

/** Of orders and fills what an audit compares. */
export type AuditedOrder = Pick<
  typeof tradeOrder.$inferSelect,
  'id' | 'state' | 'filledQuantity' | 'filledNotional' | 'fee' | 'reportedQuantity'
> & { fills: OrderFills };

/**
 * What a user's accounts, ledger, deals and transfers say. The ledger comes added up, exactly, by the database, but for
 * what names a transfer; of the orders come those alone that are not the sum of their fills, or are short of what was
 * reported: however much was booked, it is not held in memory.
 */
export async function everythingBooked(db: Queries, userId: string) {
  const [accounts, sums, moves, deals, orders, transfers] = await Promise.all([
    accountsOf(db, [userId]),
    ledgerSumsByDeal(db, userId),
    rowsOfTransfers(db, userId),
    dealsOf(db, [userId]),
    doubtfulOrders(db, userId),
    transfersOf(db, userId),
  ]);
  return { accounts, sums, moves, deals, orders, transfers };
}

/** Rows of a ledger added up. */
export type LedgerSum = Pick<
  LedgerColumns,
  'accountId' | 'dealId' | 'kind' | 'source' | 'symbol' | 'quantity' | 'amount'
> & {
  rows: number;
};

async function ledgerSumsByDeal(db: Queries, userId: string): Promise<LedgerSum[]> {
  const { accountId, dealId, kind, source, symbol, quantity, amount } = ledger;
  return db
    .select({
      ...{ accountId, dealId, kind, source, symbol },
      quantity: sql<string | null>`sum(${quantity})`,
      amount: sql<string>`sum(${amount})`,
      rows: sql<number>`count(*)::int`,
    })
    .from(ledger)
    .where(eq(ledger.userId, userId))
    .groupBy(accountId, dealId, kind, source, symbol);
}

/** Rows that name a transfer between two accounts. */
export type TransferBooking = Pick<LedgerColumns, 'accountId' | 'reference' | 'quantity' | 'amount'>;

async function rowsOfTransfers(db: Queries, userId: string): Promise<TransferBooking[]> {
  const { accountId, reference, quantity, amount } = ledger;
  const ofTransfer = or(like(reference, 'move:%'), like(reference, 'moveFee:%'), like(reference, 'coin:%'));
  return db
    .select({ accountId, reference, quantity, amount })
    .from(ledger)
    .where(and(eq(ledger.userId, userId), ofTransfer));
}

async function doubtfulOrders(db: Queries, userId: string): Promise<AuditedOrder[]> {
  const { id, state, filledQuantity, filledNotional, fee, reportedQuantity } = tradeOrder;
  const filled = db
    .select({
      orderId: fill.orderId,
      strays: sql<number>`(count(*) filter (where ${fill.dealId} is distinct from ${tradeOrder.dealId}))::int`.as(
        'strays',
      ),
      quantity: sql<string>`sum(${fill.quantity})`.as('fills_quantity'),
      notional: sql<string>`sum(${fill.quantity} * ${fill.price})`.as('fills_notional'),
      fee: sql<string>`sum(${fill.fee})`.as('fills_fee'),
    })
    .from(fill)
    .innerJoin(tradeOrder, eq(tradeOrder.id, fill.orderId))
    .where(eq(fill.userId, userId))
    .groupBy(fill.orderId)
    .as('filled');
  const fills = {
    strays: sql<number>`coalesce(${filled.strays}, 0)`,
    quantity: sql<string>`coalesce(${filled.quantity}, 0)`,
    notional: sql<string>`coalesce(${filled.notional}, 0)`,
    fee: sql<string>`coalesce(${filled.fee}, 0)`,
  };
  const isSum = sql`(${filledQuantity}, ${filledNotional}, ${fee}) = (${fills.quantity}, ${fills.notional}, ${fills.fee})`;
  return db
    .select({ id, state, filledQuantity, filledNotional, fee, reportedQuantity, fills })
    .from(tradeOrder)
    .leftJoin(filled, eq(filled.orderId, id))
    .where(
      and(
        eq(tradeOrder.userId, userId),
        or(sql`(${isSum}) is not true`, sql`${fills.strays} > 0`, sql`${filledQuantity} < ${reportedQuantity}`),
      ),
    )
    .orderBy(id);
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
