import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Queries } from '../client';
import { fill, ledger } from '../schema';

/** Kinds of rows that change what is held: a fill, and a coin that went to another account of its owner or came from one. */
const HOLDING = ['fill', 'coin'] as const;
/** Rows that change what is held. */
export const changesHolding = inArray(ledger.kind, [...HOLDING]);
/** The sum of what they changed, base currency, exact. */
export const heldQuantity = sql<string>`coalesce(sum(${ledger.quantity}) filter (where ${changesHolding}), 0)`;

type NewFill = typeof fill.$inferInsert;
type NewLedgerRow = typeof ledger.$inferInsert;

/** Sums of ledgers by account, asset and kind of row, and of their absolute amounts, exact. */
export async function ledgerSums(db: Queries, userIds: readonly string[]) {
  return db
    .select({
      accountId: ledger.accountId,
      asset: ledger.asset,
      kind: ledger.kind,
      amount: sql<string>`sum(${ledger.amount})`,
      traded: sql<string>`sum(abs(${ledger.amount}))`,
    })
    .from(ledger)
    .where(inArray(ledger.userId, [...userIds]))
    .groupBy(ledger.accountId, ledger.asset, ledger.kind);
}

/** Positions by the fills that were booked; signed, base currency, exact. */
export async function ledgerPositions(db: Queries, userIds: readonly string[]) {
  return db
    .select({
      userId: ledger.userId,
      accountId: ledger.accountId,
      source: ledger.source,
      symbol: ledger.symbol,
      quantity: sql<string>`sum(${ledger.quantity})`,
    })
    .from(ledger)
    .where(and(inArray(ledger.userId, [...userIds]), changesHolding))
    .groupBy(ledger.userId, ledger.accountId, ledger.source, ledger.symbol);
}

/** Which of these fills are booked. */
export async function bookedFills(db: Queries, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db
    .select({ id: fill.id })
    .from(fill)
    .where(inArray(fill.id, [...ids]));
  return new Set(rows.map(({ id }) => id));
}

/** What an account is booked for at these settlements (UTC ms). */
export async function bookedSettlements(db: Queries, accountId: string, at: readonly number[]) {
  if (at.length === 0) return [];
  return db
    .selectDistinct({ source: ledger.source, symbol: ledger.symbol, at: ledger.at })
    .from(ledger)
    .where(and(eq(ledger.accountId, accountId), eq(ledger.kind, 'funding'), inArray(ledger.at, [...new Set(at)])));
}

export async function insertFills(tx: Queries, rows: NewFill[]): Promise<void> {
  if (rows.length > 0) await tx.insert(fill).values(rows);
}

export async function insertLedger(tx: Queries, rows: NewLedgerRow[]): Promise<void> {
  if (rows.length > 0) await tx.insert(ledger).values(rows);
}
