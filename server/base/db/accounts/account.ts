import { and, asc, desc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/duration';
import type { StrategyMode } from '#contract/strategy';
import type { SourceSymbol } from '../../symbolKey';
import type { Queries } from '../client';
import { isHedgeStrategy, isSwitchedOn } from '../hedges/hedgeConfig';
import { account, book, deal, ledger, strategy } from '../schema';
import { isHeld } from './ledger';

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
      unvaluedLive: book.unvaluedLive,
      day: book.day,
      dayEquity: book.dayEquity,
      dayEquityLive: book.dayEquityLive,
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

const summedOf = (kind: string) => sql`coalesce(sum(amount) filter (where kind = ${kind}), 0)`;

/** What was booked of a user in one account and symbol (no symbol: transfers); exact, USDT and base currency. */
export interface BookedSince
  extends SourceSymbol,
    Record<'cash' | 'quantity' | 'transfers' | 'moved' | 'funding' | 'fees', string> {
  userId: string;
  accountId: string;
  /** The newest of the rows. */
  lastId: number;
}

/** Sums over the rows of users' ledgers after a row of each; after 0 over all of them, which are kept added up. */
export async function ledgerAfter(
  db: Queries,
  places: readonly { userId: string; after: number }[],
): Promise<BookedSince[]> {
  if (places.length === 0) return [];
  const summed = sql`account_id as "accountId", source, symbol, sum(amount)::text as cash,
    (coalesce(sum(quantity) filter (where ${isHeld(sql`kind`)}), 0))::text as quantity,
    (${summedOf('transfer')})::text as transfers, (${summedOf('move')})::text as moved,
    (${summedOf('funding')})::text as funding, (${summedOf('fee')})::text as fees`;
  // One look into the index for each user, whatever the planner thinks of so many.
  const { rows } = await db.execute<Record<keyof BookedSince, string | number>>(sql`
    select place."userId", booked.*
    from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as place("userId" uuid, after bigint)
    cross join lateral (
      select ${summed}, max(last_id) as "lastId" from ledger_total
      where place.after = 0 and user_id = place."userId" group by account_id, source, symbol
      union all
      select ${summed}, max(id) as "lastId" from ledger
      where place.after > 0 and user_id = place."userId" and id > place.after group by account_id, source, symbol
    ) booked`);
  return rows.map((row) => ({ ...row, lastId: Number(row.lastId) }) as BookedSince);
}

/** A user's accounts of one kind of money together, or one account of any: real money and play money are never added up. */
export interface Scope {
  userId: string;
  accountId?: string;
  /** Of which money all accounts are meant; that of play where nothing is said. */
  mode?: StrategyMode | undefined;
}

/** Which accounts of a user are meant; undefined where it is one. */
export const modeOf = ({ accountId, mode = 'paper' }: Scope): StrategyMode | undefined =>
  accountId === undefined ? mode : undefined;

/** Of rows of a user whether they are of the scope. Written as what is left out, which is nothing for nearly everybody. */
const isOf = ({ userId, accountId, mode = 'paper' }: Scope): SQL =>
  accountId === undefined
    ? sql`account_id not in (select id from account where user_id = ${userId} and mode <> ${mode})`
    : sql`account_id = ${accountId}`;
const isIn = (scope: Scope) => and(eq(ledger.userId, scope.userId), isOf(scope));
/** Of accounts, as `a`, whether they are. */
const isAccountOf = ({ userId, accountId, mode = 'paper' }: Scope): SQL =>
  sql`a.user_id = ${userId} and ${accountId === undefined ? sql`a.mode = ${mode}` : sql`a.id = ${accountId}`}`;

/** What was booked of late, USDT, exact; fees are negative. */
export interface LedgerOfLate {
  funding1d: string;
  funding7d: string;
  funding30d: string;
  fees30d: string;
  traded30d: string;
}

/** Whole days come from their sums; of the ledger only the rows of the day that each stretch begins in are read. */
export async function ledgerOfLate(db: Queries, scope: Scope, now: number): Promise<LedgerOfLate> {
  const isOwn = sql`user_id = ${scope.userId} and ${isOf(scope)}`;
  const { rows } = await db.execute<Record<'days' | 'funding' | 'fees' | 'traded', string | number>>(sql`
    select late.days, ${summedOf('funding')}::text as funding, ${summedOf('fee')}::text as fees,
      coalesce(sum(traded) filter (where kind = 'fill'), 0)::text as traded
    from unnest(array[1, 7, 30]) as late(days)
    cross join lateral (select ${now}::bigint - late.days * ${DAY_MS}::bigint as since) began
    cross join lateral (
      select kind, amount, traded from ledger_day where ${isOwn} and day > began.since
      union all
      select kind, amount, abs(amount) as traded from ledger
      where ${isOwn} and at > began.since and at < (began.since / ${DAY_MS}::bigint + 1) * ${DAY_MS}::bigint
    ) booked
    group by late.days`);
  const over = (days: number) => {
    const row = rows.find((each) => Number(each.days) === days);
    return { funding: String(row?.funding ?? 0), fees: String(row?.fees ?? 0), traded: String(row?.traded ?? 0) };
  };
  const month = over(30);
  return {
    ...{ funding1d: over(1).funding, funding7d: over(7).funding, funding30d: month.funding },
    ...{ fees30d: month.fees, traded30d: month.traded },
  };
}

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
export async function pointsAt(db: Queries, scope: Scope, { from, to, step }: Grid): Promise<AccountPoint[]> {
  const { rows } = await db.execute<Record<keyof AccountPoint, number | null>>(sql`
    select distinct s.* from (
      select max(p.at) as at, ${scope.accountId === undefined ? OF_ALL : OF_ONE}, sum(p.price) as price,
        sum(p.funding) as funding, sum(p.fees) as fees, max(p.btc) as btc
      from generate_series(${from}::bigint, ${to}::bigint, ${step}::bigint) as grid(at)
      join account a on ${isAccountOf(scope)}
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

/** The accounts of a scope with the instant of the newest point of each, UTC ms; 0 where there is none. */
export async function newestPoints(db: Queries, scope: Scope) {
  const { rows } = await db.execute<{ id: string; at: number | string }>(sql`
    select a.id, coalesce((select max(at) from equity_point where account_id = a.id), 0) as at from account a
    where ${isAccountOf(scope)} order by a.id`);
  return rows.map(({ id, at }) => ({ accountId: id, at: Number(at) }));
}

/** Of its legs, the long one first; what is held both ways is one. */
const symbolsOfDeal = sql<string>`(select string_agg(named.symbol, ' / ' order by named.leg) from
  (select symbol, min(leg) as leg from deal_leg g where g.deal_id = ${deal.id} group by symbol) named)`;

/** Deals that were opened or closed, transfers and what venues paid of losses, since an instant; the newest `limit` of each. */
export async function happenedSince(db: Queries, scope: Scope, at: number, limit: number) {
  const { userId, accountId, mode = 'paper' } = scope;
  const inAccount =
    accountId === undefined
      ? eq(strategy.mode, mode)
      : sql`exists (select 1 from deal_leg g where g.deal_id = ${deal.id} and g.account_id = ${accountId})`;
  // Of all accounts together money between them is no transfer.
  const kinds = accountId === undefined ? ['transfer', 'bailout'] : ['transfer', 'bailout', 'move'];
  const reached = (when: typeof deal.openedAt | typeof deal.closedAt, ...is: SQL[]) =>
    db
      .select({ symbols: symbolsOfDeal, at: when })
      .from(deal)
      .innerJoin(strategy, eq(strategy.id, deal.strategyId))
      .where(and(eq(deal.userId, userId), inAccount, gte(when, at), ...is))
      .orderBy(desc(when))
      .limit(limit);
  const [opened, closed, moved] = await Promise.all([
    reached(deal.openedAt),
    reached(deal.closedAt, eq(deal.state, 'closed')),
    db
      .select({ at: ledger.at, amount: ledger.amount, kind: ledger.kind })
      .from(ledger)
      .where(and(isIn(scope), inArray(ledger.kind, kinds), gte(ledger.at, at)))
      .orderBy(desc(ledger.at))
      .limit(limit),
  ]);
  return { opened, closed, moved };
}
