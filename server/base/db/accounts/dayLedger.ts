import Big from 'big.js';
import { and, eq, gte, inArray, sql } from 'drizzle-orm';
import { symbolKey } from '../../symbolKey';
import type { Queries } from '../client';
import { account, equityPoint, ledger } from '../schema';
import { firstTransfer } from './account';
import { heldQuantity } from './ledger';

export type EquityPointRow = typeof equityPoint.$inferInsert;

/** When the newest point of the record of each of these users' accounts was drawn, UTC ms. */
export async function newestPoints(db: Queries, userIds: readonly string[]): Promise<Map<string, number>> {
  const newest = sql<string | null>`(select max(at) from equity_point where account_id = account.id)`;
  const rows = await db
    .select({ accountId: account.id, at: newest })
    .from(account)
    .where(inArray(account.userId, [...userIds]));
  return new Map(rows.flatMap(({ accountId, at }) => (at === null ? [] : [[accountId, Number(at)] as const])));
}

/** A point that is there already stays. */
export async function insertPoints(tx: Queries, points: EquityPointRow[]): Promise<void> {
  await tx.insert(equityPoint).values(points).onConflictDoNothing();
}

const ofKind = (kind: string) =>
  sql<string>`coalesce(sum(${ledger.amount}) filter (where ${ledger.kind} = ${kind}), 0)`;

/** Money and positions by the ledger; flat symbols may be there with 0. */
export interface LedgerState {
  /** USDT. */
  cash: Big;
  /** Signed, base currency, by `symbolKey`. */
  positions: ReadonlyMap<string, Big>;
}

/** The account as a day found it. */
export interface DayLedger extends LedgerState {
  /** Whether money had come in by then. */
  isOpened: boolean;
  /** What was moved in or out since, received in funding, paid in fees (positive) and traded, USDT. */
  transfers: Big;
  /** Came from the user's other accounts since, less what went there. */
  moved: Big;
  funding: Big;
  fees: Big;
  traded: Big;
}

/** Takes back from the present what was booked since the day began (UTC ms): few rows, however long the ledger is. */
export async function dayLedger(
  db: Queries,
  { id, userId }: { id: string; userId: string },
  start: number,
  present: LedgerState,
): Promise<DayLedger> {
  const rows = await db
    .select({
      source: ledger.source,
      symbol: ledger.symbol,
      cash: sql<string>`sum(${ledger.amount})`,
      transfers: ofKind('transfer'),
      moved: ofKind('move'),
      funding: ofKind('funding'),
      fees: ofKind('fee'),
      traded: sql<string>`coalesce(sum(abs(${ledger.amount})) filter (where ${ledger.kind} = 'fill'), 0)`,
      quantity: heldQuantity,
    })
    .from(ledger)
    .where(and(eq(ledger.userId, userId), eq(ledger.accountId, id), gte(ledger.at, start)))
    .groupBy(ledger.source, ledger.symbol);
  const positions = new Map(present.positions);
  const since = (figure: 'cash' | 'transfers' | 'moved' | 'funding' | 'fees' | 'traded') =>
    rows.reduce((sum, row) => sum.plus(row[figure]), new Big(0));
  for (const row of rows) {
    const key = symbolKey(row);
    positions.set(key, (positions.get(key) ?? new Big(0)).minus(row.quantity));
  }
  const first = await firstTransfer(db, { userId, accountId: id });
  return {
    isOpened: first !== null && first.at < start,
    cash: present.cash.minus(since('cash')),
    transfers: since('transfers'),
    moved: since('moved'),
    funding: since('funding'),
    fees: since('fees').neg(),
    traded: since('traded'),
    positions,
  };
}
