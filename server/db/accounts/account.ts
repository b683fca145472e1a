import { and, asc, desc, eq, gt, gte, inArray, sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/duration';
import type { SourceSymbol } from '../../exchange/symbolKey';
import type { Queries } from '../client';
import { isHedgeStrategy, isSwitchedOn } from '../hedges/hedgeConfig';
import { hedge } from '../hedges/hedgeView';
import { account, book, ledger, strategy } from '../schema';
import { heldQuantity } from './ledger';

/** The switches of users' books, by user; absent for who has none. */
export async function switchesOf(db: Queries, userIds: readonly string[]) {
  const rows = await db
    .select({
      userId: book.userId,
      state: strategy.state,
      pausedAt: book.pausedAt,
      pausedBy: book.pausedBy,
      pauseReason: book.pauseReason,
      sequence: account.sequence,
      dayBoundary: book.dayBoundary,
      dailyLossLimit: book.dailyLossLimit,
      unvalued: book.unvalued,
      day: book.day,
      dayEquity: book.dayEquity,
      settings: strategy.params,
    })
    .from(book)
    .innerJoin(account, eq(account.id, book.userId))
    .leftJoin(strategy, and(eq(strategy.userId, book.userId), isHedgeStrategy))
    .where(inArray(book.userId, [...userIds]));
  return new Map(rows.map(({ userId, state, ...rest }) => [userId, { ...rest, enabled: isSwitchedOn(state) }]));
}
export type Switches = Awaited<ReturnType<typeof switchesOf>> extends Map<string, infer S> ? S : never;

/** Funding that was booked for hedges, by hedge and symbol, USDT. */
export async function fundingOfHedges(db: Queries, hedgeIds: string[]) {
  if (hedgeIds.length === 0) return [];
  return db
    .select({ hedgeId: ledger.dealId, symbol: ledger.symbol, amount: sql<string>`sum(${ledger.amount})` })
    .from(ledger)
    .where(and(inArray(ledger.dealId, hedgeIds), eq(ledger.kind, 'funding')))
    .groupBy(ledger.dealId, ledger.symbol);
}

const ofKind = (kind: string) =>
  sql<string>`coalesce(sum(${ledger.amount}) filter (where ${ledger.kind} = ${kind}), 0)`;

/** What was booked of a user in one account and symbol (no symbol: transfers); exact, USDT and base currency. */
export interface BookedSince
  extends SourceSymbol,
    Record<'cash' | 'quantity' | 'transfers' | 'moved' | 'funding' | 'fees', string> {
  userId: string;
  accountId: string;
  /** The newest of the rows. */
  lastId: number;
}

/** Sums over the rows of users' ledgers after a row of each. */
export async function ledgerAfter(
  db: Queries,
  places: readonly { userId: string; after: number }[],
): Promise<BookedSince[]> {
  if (places.length === 0) return [];
  // One look into the index for each user, whatever the planner thinks of so many.
  const { rows } = await db.execute<Record<keyof BookedSince, string | number>>(sql`
    select place."userId", booked.*
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as place("userId" uuid, after bigint)
    cross join lateral (
      select account_id as "accountId", source, symbol, sum(${ledger.amount})::text as cash, (${heldQuantity})::text as quantity,
        (${ofKind('transfer')})::text as transfers, (${ofKind('move')})::text as moved,
        (${ofKind('funding')})::text as funding, (${ofKind('fee')})::text as fees, max(${ledger.id}) as "lastId"
      from ledger where ${ledger.userId} = place."userId" and ${ledger.id} > place.after
      group by account_id, source, symbol
    ) booked`);
  return rows.map((row) => ({ ...row, lastId: Number(row.lastId) }) as BookedSince);
}

/** A user's accounts together, or one of them. */
export interface Scope {
  userId: string;
  accountId?: string;
}

const isIn = ({ userId, accountId }: Scope) =>
  and(eq(ledger.userId, userId), accountId === undefined ? undefined : eq(ledger.accountId, accountId));

/** What was booked of late, USDT; fees are negative. */
export async function ledgerOfLate(db: Queries, scope: Scope, now: number) {
  const received = (days: number) =>
    sql<string>`coalesce(sum(${ledger.amount}) filter
      (where ${ledger.kind} = 'funding' and ${ledger.at} > ${now - days * DAY_MS}), 0)`;
  const [row] = await db
    .select({
      funding1d: received(1),
      funding7d: received(7),
      funding30d: received(30),
      fees30d: ofKind('fee'),
      traded30d: sql<string>`coalesce(sum(abs(${ledger.amount})) filter (where ${ledger.kind} = 'fill'), 0)`,
    })
    .from(ledger)
    .where(and(isIn(scope), gt(ledger.at, now - 30 * DAY_MS)));
  return row!;
}
export type LedgerOfLate = Awaited<ReturnType<typeof ledgerOfLate>>;

/** The transfer that opened the account, or the first of a user's; null before it. */
export async function firstTransfer(db: Queries, scope: Scope): Promise<{ at: number; amount: string } | null> {
  const [row] = await db
    .select({ at: ledger.at, amount: ledger.amount })
    .from(ledger)
    .where(and(isIn(scope), eq(ledger.kind, 'transfer')))
    .orderBy(asc(ledger.at), asc(ledger.id))
    .limit(1);
  return row ?? null;
}

/** When the first money came into each of a user's accounts, UTC ms. */
export async function accountOpenings(db: Queries, userId: string): Promise<Map<string, number>> {
  const rows = await db
    .select({ accountId: ledger.accountId, at: sql<number>`min(${ledger.at})`.mapWith(Number) })
    .from(ledger)
    .where(and(eq(ledger.userId, userId), inArray(ledger.kind, ['transfer', 'move'])))
    .groupBy(ledger.accountId);
  return new Map(rows.map(({ accountId, at }) => [accountId, at]));
}

/** The account at one instant (UTC ms); running sums since it was opened, USDT. */
export interface AccountPoint {
  at: number;
  equity: number;
  transfers: number;
  /** Realised and open price PnL of both legs. */
  price: number;
  funding: number;
  /** Paid is positive. */
  fees: number;
  btc: number | null;
}

interface Grid {
  from: number;
  to: number;
  /** Milliseconds. */
  step: number;
}

/** What of a point counts: together money between accounts is no transfer, and what is on its way is part of the equity. */
const OF_ALL = sql`sum(p.equity - p.moved) as equity, sum(p.transfers) as transfers`;
const OF_ONE = sql`sum(p.equity) as equity, sum(p.transfers + p.moved) as transfers`;

/**
 * The newest recorded points of the accounts at or before each instant of the grid, added up, each once, ascending. Costs
 * one look into the index for an instant and account, however long the record is.
 */
export async function pointsAt(
  db: Queries,
  { userId, accountId }: Scope,
  { from, to, step }: Grid,
): Promise<AccountPoint[]> {
  const { rows } = await db.execute<Record<keyof AccountPoint, number | null>>(sql`
    select distinct s.* from (
      select max(p.at) as at, ${accountId === undefined ? OF_ALL : OF_ONE}, sum(p.price) as price,
        sum(p.funding) as funding, sum(p.fees) as fees, max(p.btc) as btc
      from generate_series(${from}::bigint, ${to}::bigint, ${step}::bigint) as grid(at)
      join account a on a.user_id = ${userId} ${accountId === undefined ? sql`` : sql`and a.id = ${accountId}`}
      cross join lateral (
        select at, equity, transfers, moved, long_pnl + short_pnl as price, funding, fees, btc from equity_point
        where account_id = a.id and equity_point.at <= grid.at order by at desc limit 1
      ) p group by grid.at
    ) s order by at`);
  return rows.map((row) => ({
    at: Number(row.at),
    equity: Number(row.equity),
    transfers: Number(row.transfers),
    price: Number(row.price),
    funding: Number(row.funding),
    fees: Number(row.fees),
    btc: row.btc === null ? null : Number(row.btc),
  }));
}

/** Hedges that were opened or closed, transfers and what venues paid of losses, since an instant; the newest `limit` of each. */
export async function happenedSince(db: Queries, scope: Scope, at: number, limit: number) {
  const { id, long, short, openedAt, closedAt } = hedge;
  const { userId, accountId } = scope;
  const inAccount =
    accountId === undefined
      ? undefined
      : sql`exists (select 1 from deal_leg g where g.deal_id = ${id} and g.account_id = ${accountId})`;
  // Of all accounts together money between them is no transfer.
  const kinds = accountId === undefined ? ['transfer', 'bailout'] : ['transfer', 'bailout', 'move'];
  const [opened, closed, moved] = await Promise.all([
    db
      .select({ id, long, short, at: openedAt })
      .from(hedge)
      .where(and(eq(hedge.userId, userId), inAccount, gte(openedAt, at)))
      .orderBy(desc(openedAt))
      .limit(limit),
    db
      .select({ id, long, short, at: closedAt })
      .from(hedge)
      .where(and(eq(hedge.userId, userId), inAccount, eq(hedge.state, 'closed'), gte(closedAt, at)))
      .orderBy(desc(closedAt))
      .limit(limit),
    db
      .select({ at: ledger.at, amount: ledger.amount, kind: ledger.kind })
      .from(ledger)
      .where(and(isIn(scope), inArray(ledger.kind, kinds), gte(ledger.at, at)))
      .orderBy(desc(ledger.at))
      .limit(limit),
  ]);
  return { opened, closed, moved };
}
