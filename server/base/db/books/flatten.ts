import { and, asc, count, desc, eq, gte, inArray, notInArray, type SQL, sql } from 'drizzle-orm';
import { HEDGE_ENDS, TAKES_DOWN } from '#contract/lifecycle';
import type { Queries } from '../client';
import { book, deal, fill, flatten, flattenDeal, strategy, tradeOrder, user } from '../schema';
import { type DealColumns, dealsWhere } from '../strategies/deal';

/** Whose deals are meant: of one strategy, of one user, or everybody's. */
export type Reach = { strategyId: string } | { userId: string } | 'all';

/** A deal that has not ended, the mode of its strategy, and what people call that and its owner. */
export type ReachedDeal = DealColumns & { strategy: string; mode: string; user: string };

const reaches = (reach: Reach): SQL | undefined => {
  const isRunning = notInArray(deal.state, [...HEDGE_ENDS]);
  if (reach === 'all') return isRunning;
  return and(isRunning, 'userId' in reach ? eq(deal.userId, reach.userId) : eq(deal.strategyId, reach.strategyId));
};

/** All that runs within reach: what is told before, and what is closed then. The oldest first. */
export async function reachedDeals(db: Queries, reach: Reach): Promise<ReachedDeal[]> {
  return named(db, await dealsWhere(db, reaches(reach)));
}

async function named(db: Queries, deals: DealColumns[]): Promise<ReachedDeal[]> {
  if (deals.length === 0) return [];
  const ids = [...new Set(deals.map(({ strategyId }) => strategyId))];
  const rows = await db
    .select({ id: strategy.id, strategy: strategy.name, mode: strategy.mode, user: user.name })
    .from(strategy)
    .innerJoin(user, eq(user.id, strategy.userId))
    .where(inArray(strategy.id, ids));
  const names = new Map(rows.map(({ id, ...words }) => [id, words]));
  return deals
    .map((row) => ({ ...row, ...names.get(row.strategyId)! }))
    .sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
}

export async function countReached(db: Queries, reach: Reach): Promise<number> {
  const [row] = await db.select({ total: count() }).from(deal).where(reaches(reach));
  return row?.total ?? 0;
}

/** Asks for these to be closed; who was asked before keeps its time. @param at UTC ms */
export async function askFlattenOf(tx: Queries, ids: readonly string[], at: number): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .update(deal)
    .set({ flattenAskedAt: sql`coalesce(${deal.flattenAskedAt}, ${at})` })
    .where(inArray(deal.id, [...ids]));
}

export type FlattenRow = typeof flatten.$inferSelect;
export type AskedDeal = Omit<typeof flattenDeal.$inferSelect, 'flattenId'>;

/** Puts a request on record with what was said of its deals. @returns its id. */
export async function insertFlatten(
  tx: Queries,
  request: Omit<FlattenRow, 'id'>,
  deals: readonly AskedDeal[],
): Promise<string> {
  const [made] = await tx.insert(flatten).values(request).returning({ id: flatten.id });
  if (made === undefined) throw new Error('an inserted request came back without its id');
  await tx.insert(flattenDeal).values(deals.map((one) => ({ ...one, flattenId: made.id })));
  return made.id;
}

/** A request, and what people call whom it was about. */
export type NamedFlatten = FlattenRow & { strategy: string | null; user: string | null };

const requests = (db: Queries) =>
  db
    .select({ request: flatten, strategy: strategy.name, user: user.name })
    .from(flatten)
    .leftJoin(strategy, eq(strategy.id, flatten.strategyId))
    .leftJoin(user, eq(user.id, flatten.userId));

/** Whether a request was about something of a user. */
const concerns = (userId: string) =>
  sql`exists (select 1 from ${flattenDeal} where ${flattenDeal.flattenId} = ${flatten.id} and ${flattenDeal.userId} = ${userId})`;

/** The newest requests that were about a user, or all, and how many there are. */
export async function listFlattens(
  db: Queries,
  userId: string | null,
  { offset, limit }: { offset: number; limit: number },
): Promise<{ rows: NamedFlatten[]; total: number }> {
  const chosen = userId === null ? undefined : concerns(userId);
  const [rows, [all]] = await Promise.all([
    requests(db).where(chosen).orderBy(desc(flatten.at), asc(flatten.id)).limit(limit).offset(offset),
    db.select({ total: count() }).from(flatten).where(chosen),
  ]);
  return { rows: rows.map(namedRequest), total: all?.total ?? 0 };
}

const namedRequest = ({
  request,
  ...names
}: {
  request: FlattenRow;
  strategy: string | null;
  user: string | null;
}) => ({
  ...request,
  ...names,
});

/** A request by its id; `null` also for what is no id at all. */
export async function findFlatten(db: Queries, id: string): Promise<NamedFlatten | null> {
  const [row] = await requests(db).where(sql`${flatten.id}::text = ${id}`);
  return row === undefined ? null : namedRequest(row);
}

/** What was said of the deals of requests, and how they stand now; of one user alone where one is named. */
export async function flattenedDeals(db: Queries, ids: readonly string[], userId: string | null) {
  if (ids.length === 0) return [];
  return db
    .select({ asked: flattenDeal, state: deal.state, closedAt: deal.closedAt })
    .from(flattenDeal)
    .innerJoin(deal, eq(deal.id, flattenDeal.dealId))
    .where(and(inArray(flattenDeal.flattenId, [...ids]), userId === null ? undefined : eq(flattenDeal.userId, userId)));
}

/** Deals as they are now, ended or not, with their names. */
export async function namedDeals(db: Queries, ids: readonly string[]): Promise<ReachedDeal[]> {
  return ids.length === 0 ? [] : named(db, await dealsWhere(db, inArray(deal.id, [...ids])));
}

/** What was traded of a leg to take it down since it was asked for: base currency and USDT. */
export interface LegExit {
  flattenId: string;
  dealId: string;
  leg: string;
  side: 'buy' | 'sell';
  quantity: number;
  notional: number;
  fee: number;
}

/** Of each leg of the deals of requests. */
export async function exitsOf(db: Queries, ids: readonly string[], userId: string | null): Promise<LegExit[]> {
  if (ids.length === 0) return [];
  const sum = (part: SQL) => sql<number>`sum(${part})`.mapWith(Number);
  return db
    .select({
      flattenId: flattenDeal.flattenId,
      dealId: flattenDeal.dealId,
      leg: tradeOrder.leg,
      side: sql<'buy' | 'sell'>`${fill.side}`,
      quantity: sum(sql`${fill.quantity}`),
      notional: sum(sql`${fill.quantity} * ${fill.price}`),
      fee: sum(sql`${fill.fee}`),
    })
    .from(flattenDeal)
    .innerJoin(flatten, eq(flatten.id, flattenDeal.flattenId))
    .innerJoin(fill, and(eq(fill.dealId, flattenDeal.dealId), gte(fill.at, flatten.at)))
    .innerJoin(tradeOrder, and(eq(tradeOrder.id, fill.orderId), inArray(tradeOrder.purpose, [...TAKES_DOWN])))
    .where(and(inArray(flattenDeal.flattenId, [...ids]), userId === null ? undefined : eq(flattenDeal.userId, userId)))
    .groupBy(flattenDeal.flattenId, flattenDeal.dealId, tradeOrder.leg, fill.side);
}

/** Requests since an instant by which somebody had deals of others closed, one line for each owner. */
export async function flattensByOthers(db: Queries, since: number) {
  return db
    .select({
      id: flatten.id,
      at: flatten.at,
      by: flatten.by,
      reason: flatten.reason,
      userId: flattenDeal.userId,
      deals: count(),
    })
    .from(flatten)
    .innerJoin(flattenDeal, eq(flattenDeal.flattenId, flatten.id))
    .where(and(gte(flatten.at, since), sql`${flatten.byId} <> ${flattenDeal.userId}`))
    .groupBy(flatten.id, flattenDeal.userId);
}

/** Names of users who have a book, of one alone where one is named. */
export async function usersNamed(db: Queries, userId: string | null): Promise<Map<string, string>> {
  const rows = await db
    .select({ id: user.id, name: user.name })
    .from(user)
    .innerJoin(book, eq(book.userId, user.id))
    .where(userId === null ? undefined : eq(user.id, userId));
  return new Map(rows.map(({ id, name }) => [id, name]));
}
