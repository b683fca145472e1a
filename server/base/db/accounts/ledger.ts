import { and, eq, inArray, ne, type SQL, sql } from 'drizzle-orm';
import type { PgColumn } from 'drizzle-orm/pg-core';
import type { Queries } from '../client';
import { fill, ledger, ledgerTotal } from '../schema';

/** Kinds of rows that change what is held: a fill, and a coin that went to another account of its owner or came from one. */
const HOLDING = ['fill', 'coin'] as const;
/** Rows that change what is held. */
export const isHeld = (kind: SQL | PgColumn): SQL => sql`${kind} in ${HOLDING}`;
/** The sum of what they changed, base currency, exact. */
export const heldQuantity = sql<string>`coalesce(sum(${ledger.quantity}) filter (where ${isHeld(ledger.kind)}), 0)`;

type NewFill = typeof fill.$inferInsert;
type NewLedgerRow = typeof ledger.$inferInsert;

const totalsOf = (userIds: readonly string[]) => inArray(ledgerTotal.userId, [...userIds]);
const totalHeld = sql<string>`coalesce(sum(${ledgerTotal.quantity}) filter (where ${isHeld(ledgerTotal.kind)}), 0)`;

/** Sums of ledgers by account, asset and kind of row, and of their absolute amounts, exact. */
export async function ledgerSums(db: Queries, userIds: readonly string[]) {
  return db
    .select({
      accountId: ledgerTotal.accountId,
      asset: ledgerTotal.asset,
      kind: ledgerTotal.kind,
      amount: sql<string>`sum(${ledgerTotal.amount})`,
      traded: sql<string>`sum(${ledgerTotal.traded})`,
    })
    .from(ledgerTotal)
    .where(totalsOf(userIds))
    .groupBy(ledgerTotal.accountId, ledgerTotal.asset, ledgerTotal.kind);
}

/** Positions by the fills that were booked, flat ones too; signed, base currency, exact. */
export async function ledgerPositions(db: Queries, userIds: readonly string[]) {
  const { userId, accountId, source, symbol } = ledgerTotal;
  return db
    .select({ userId, accountId, source, symbol, quantity: totalHeld })
    .from(ledgerTotal)
    .where(and(totalsOf(userIds), isHeld(ledgerTotal.kind)))
    .groupBy(userId, accountId, source, symbol);
}

/** A symbol's part in what a user has, by the ledger. */
export interface LedgerHolding {
  /** Both empty for transfers. */
  source: string;
  symbol: string;
  /** USDT, exact. */
  cash: string;
  /** Signed, base currency, exact. */
  quantity: string;
}

const isOnPaper = sql`${ledgerTotal.accountId} in (select id from account where mode = 'paper')`;

/** Cash and positions of a user's paper accounts by the ledger, by symbol. What left one for another is the user's all the way. */
export async function holdingsOf(db: Queries, userId: string): Promise<LedgerHolding[]> {
  const { source, symbol, kind } = ledgerTotal;
  return db
    .select({ source, symbol, cash: sql<string>`sum(${ledgerTotal.amount})`, quantity: totalHeld })
    .from(ledgerTotal)
    .where(and(totalsOf([userId]), ne(kind, 'move'), isOnPaper))
    .groupBy(source, symbol);
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

/** A symbol and an instant, UTC ms. */
type SymbolAt = Record<'source' | 'symbol', string> & { at: number };

/** Rows that change what a deal holds: without an order where it took over or handed over. */
export const POSITION_MOVES = ['fill', 'writeOff', 'inventory'];

/** What the deals of an account were filled, took over and handed over in symbols after instants, signed, by symbol, instant and deal. */
export async function filledSince(
  db: Queries,
  accountId: string,
  since: readonly SymbolAt[],
): Promise<(SymbolAt & { dealId: string; quantity: string })[]> {
  if (since.length === 0) return [];
  const asked = since.map(({ source, symbol, at }) => sql`(${source}::text, ${symbol}::text, ${at}::bigint)`);
  const { rows } = await db.execute<Record<'source' | 'symbol' | 'at' | 'dealId' | 'quantity', string>>(sql`
    select v.source, v.symbol, v.at::text as at, ${ledger.dealId} as "dealId", sum(${ledger.quantity})::text as quantity
    from (select distinct * from (values ${sql.join(asked, sql`, `)}) as asked(source, symbol, at)) as v
      join ${ledger} on ${ledger.source} = v.source and ${ledger.symbol} = v.symbol and ${ledger.at} > v.at
    where ${ledger.accountId} = ${accountId} and ${inArray(ledger.kind, POSITION_MOVES)} and ${ledger.dealId} is not null
    group by v.source, v.symbol, v.at, ${ledger.dealId}`);
  return rows.map((row) => ({ ...row, at: Number(row.at) }));
}

export async function insertFills(tx: Queries, rows: NewFill[]): Promise<void> {
  if (rows.length > 0) await tx.insert(fill).values(rows);
}

export async function insertLedger(tx: Queries, rows: NewLedgerRow[]): Promise<void> {
  if (rows.length > 0) await tx.insert(ledger).values(rows);
}
