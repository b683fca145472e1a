import { type AnyColumn, and, asc, desc, eq, gt, inArray, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { OrderRow } from '#contract/order';
import type { Queries } from '../client';
import { estimatedRows } from '../connection/statements';
import { account, deal, type fill, ledger, strategy, tradeOrder, user } from '../schema';
import { chosenOrders, isLoose, type OrderFilter, type Stretch } from './orderFilter';

const o = tradeOrder;

const number = (figure: SQL): SQL => sql`(${figure})::double precision`;
/** Text in plain order of its characters. */
export const plain = (column: AnyColumn): SQL => sql`${column} collate "C"`;
const sign = sql`(case ${o.side} when 'buy' then 1 else -1 end)`;
const filledAtMid = sql`(${o.filledQuantity}::double precision * ${o.decisionMid})`;
/** Paid against the mid of the decision, USDT. */
const slipped = sql`${sign} * (${o.filledNotional}::double precision - ${filledAtMid})`;

/** What lists of orders and of fills are both ordered by. */
export const sharedKeys = (of: typeof tradeOrder | typeof fill) => ({
  id: plain(of.id),
  user: plain(user.name),
  account: plain(account.name),
  mode: plain(account.mode),
  accountId: sql`${of.accountId}`,
  strategy: plain(strategy.name),
  strategyId: sql`${strategy.id}`,
  kind: plain(strategy.kind),
  source: plain(of.source),
  symbol: plain(of.symbol),
  hedgeId: sql`${of.dealId}`,
  side: plain(of.side),
  opens: sql`(${of.side} = 'buy') = (${o.leg} = 'long')`,
  type: plain(o.type),
  purpose: plain(o.purpose),
  reduceOnly: sql`${o.reduceOnly}`,
  decisionMid: sql`${o.decisionMid}`,
  quantity: sql`${of.quantity}`,
  fee: sql`${of.fee}`,
});

const SORT_KEYS = {
  ...sharedKeys(o),
  createdAt: sql`${o.createdAt}`,
  exchangeId: plain(o.exchangeId),
  limitPrice: sql`${o.limitPrice}`,
  averagePrice: sql`${o.filledNotional} / nullif(${o.filledQuantity}, 0)`,
  filledQuantity: sql`${o.filledQuantity}`,
  filled: sql`${o.filledQuantity} / nullif(${o.quantity}, 0)`,
  filledNotional: sql`${o.filledNotional}`,
  maker: sql`case when ${o.filledQuantity} > 0 then ${o.type} = 'maker' end`,
  slippageBps: sql`${slipped} / nullif(${filledAtMid}, 0)`,
  state: plain(o.state),
  reason: plain(o.reason),
  latencyMs: sql`${o.answeredAt} - ${o.sentAt}`,
  sentAt: sql`${o.sentAt}`,
  endedAt: sql`${o.endedAt}`,
} satisfies Partial<Record<keyof OrderRow, SQL>>;

/** What is known of an order by its account. */
export const OF_ACCOUNT: ReadonlySet<string> = new Set(['account', 'mode']);
/** What is known of an order by its deal's strategy. */
export const OF_STRATEGY: ReadonlySet<string> = new Set(['strategy', 'strategyId', 'kind']);

type OrderSortField = keyof typeof SORT_KEYS;
export const isOrderSortField = (name: string): name is OrderSortField => Object.hasOwn(SORT_KEYS, name);

/**
 * `grouped`: those of hedges, the orders of each together, the newest hedge first; `loose`: those of none, such as the
 * liquidation of a position that nobody knows.
 */
export type OrderSort = { field: OrderSortField; descending: boolean } | 'grouped' | 'loose';

/** What a row of an order or a fill is called by beside its user. */
export const PLACE_COLUMNS = {
  account: account.name,
  mode: account.mode,
  strategyId: strategy.id,
  strategy: strategy.name,
  kind: strategy.kind,
};
export interface Place {
  account: string;
  mode: string;
  strategyId: string | null;
  strategy: string | null;
  kind: string | null;
}

export type OrderRecord = typeof tradeOrder.$inferSelect & Place & { user: string };

interface Page {
  offset: number;
  limit: number;
}

/** A page of the orders of all users that the filter lets through. */
export async function findOrders(
  db: Queries,
  filter: OrderFilter,
  sort: OrderSort,
  { offset, limit }: Page,
): Promise<OrderRecord[]> {
  const order = orderOf(sort);
  const places = db.select({ id: o.id }).from(o).$dynamic();
  // Joined only where it decides the order: a deep page walks over many rows.
  if (sort === 'grouped') places.innerJoin(deal, eq(deal.id, o.dealId));
  else if (sort !== 'loose') {
    if (sort.field === 'user') places.innerJoin(user, eq(user.id, o.userId));
    if (OF_ACCOUNT.has(sort.field)) places.innerJoin(account, eq(account.id, o.accountId));
    if (OF_STRATEGY.has(sort.field)) {
      places.leftJoin(deal, eq(deal.id, o.dealId)).leftJoin(strategy, eq(strategy.id, deal.strategyId));
    }
  }
  const only = sort === 'loose' ? isLoose(o) : undefined;
  const page = places
    .where(and(only, chosenOrders(filter)))
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
    .as('page');
  const rows = await db
    .select({ order: tradeOrder, user: user.name, ...PLACE_COLUMNS })
    .from(page)
    .innerJoin(o, eq(o.id, page.id))
    .innerJoin(user, eq(user.id, o.userId))
    .innerJoin(account, eq(account.id, o.accountId))
    .leftJoin(deal, eq(deal.id, o.dealId))
    .leftJoin(strategy, eq(strategy.id, deal.strategyId))
    .orderBy(...order);
  return rows.map(({ order: found, ...rest }) => ({ ...found, ...rest }));
}

/** How many orders the filter lets through, and where the newest so many of them begin. */
export const ordersThrough = (db: Queries, filter: OrderFilter) => ({
  estimated: () => estimatedRows(db, db.select({ id: o.id }).from(o).where(chosenOrders(filter))),
  behind: async (newer: number): Promise<number | null> => {
    const found = db.select({ at: o.createdAt }).from(o).where(chosenOrders(filter));
    const [row] = await found.orderBy(desc(o.createdAt)).offset(newer).limit(1);
    return row?.at ?? null;
  },
});

function orderOf(sort: OrderSort): SQL[] {
  if (sort === 'grouped') return [desc(deal.createdAt), asc(deal.id), asc(o.createdAt), asc(o.id)];
  return sort === 'loose' ? [desc(o.createdAt), asc(o.id)] : ordered(sort);
}

function ordered({ field, descending }: Exclude<OrderSort, string>): SQL[] {
  const key: SQL = SORT_KEYS[field];
  const way = descending ? sql`${key} desc` : sql`${key} asc`;
  // It is never null, so that the index serves the order whichever way it is read.
  return [field === 'createdAt' ? way : sql`${way} nulls last`, asc(o.id)];
}

const sum = (figure: SQL, only?: SQL) =>
  sql<number>`coalesce(sum(${figure})${only === undefined ? sql`` : sql` filter (where ${only})`}, 0)::double precision`;
const counted = (only: SQL) => sql<number>`(count(*) filter (where ${only}))::integer`;

/** Sums over orders, which add up over stretches of time. Money in USDT. */
export type OrderSums = Awaited<ReturnType<typeof sumOrders>>;

export async function sumOrders(db: Queries, filter: OrderFilter, stretch: Stretch = {}) {
  const [row] = await db
    .select({
      count: sql<number>`count(*)::integer`,
      hedged: sql<number>`count(${o.dealId})::integer`,
      resting: counted(sql`${o.state} = 'open' and ${o.cancelAskedAt} is null`),
      refused: counted(sql`${o.state} = 'refused'`),
      notional: sum(sql`${o.filledNotional}`),
      makerNotional: sum(sql`${o.filledNotional}`, sql`${o.type} = 'maker'`),
      fees: sum(sql`${o.fee}`),
      /** Quantities at the mid of their decision. */
      askedAtMid: sum(number(sql`${o.quantity}::double precision * ${o.decisionMid}`)),
      filledAtMid: sum(filledAtMid),
      slipped: sum(slipped),
    })
    .from(o)
    .where(chosenOrders(filter, stretch));
  if (row === undefined) throw new Error('sums came back without a row');
  return row;
}

/** Before then no order changes any more: when the oldest one that is still live was created; `null` without any. */
export async function oldestLive(db: Queries): Promise<number | null> {
  const [row] = await db
    .select({ at: sql<number | null>`min(${o.createdAt})::double precision` })
    .from(o)
    .where(chosenOrders({ view: 'live' }));
  return row?.at ?? null;
}

const cancellable = (filter: OrderFilter, ids: readonly string[] | undefined): SQL | undefined =>
  and(
    eq(o.state, 'open'),
    isNull(o.cancelAskedAt),
    ids === undefined ? undefined : inArray(o.id, [...ids]),
    chosenOrders({ view: 'live' }),
    chosenOrders(filter),
  );

/** Whose orders a cancel would reach, in an order that every call has. */
export async function ownersToCancel(tx: Queries, filter: OrderFilter, ids?: readonly string[]): Promise<string[]> {
  const rows = await tx.selectDistinct({ userId: o.userId }).from(o).where(cancellable(filter, ids));
  return rows.map(({ userId }) => userId).sort();
}

/** Asks for every order that rests to be cancelled, of those chosen; answers which. Who asked first stays. */
export async function askCancel(
  tx: Queries,
  filter: OrderFilter,
  ids: readonly string[] | undefined,
  owners: readonly string[],
  at: number,
): Promise<string[]> {
  const rows = await tx
    .update(o)
    .set({ cancelAskedAt: at })
    .where(and(cancellable(filter, ids), inArray(o.userId, [...owners])))
    .returning({ id: o.id });
  return rows.map(({ id }) => id);
}

/** Users whose orders wait for the engine to cancel them. */
export async function ownersOfAskedCancels(db: Queries): Promise<string[]> {
  const rows = await db
    .selectDistinct({ userId: o.userId })
    .from(o)
    .where(and(chosenOrders({ view: 'live' }), eq(o.state, 'open'), sql`${o.cancelAskedAt} is not null`));
  return rows.map(({ userId }) => userId);
}

/** Some orders by their ids: what they are, and their states. */
export async function ordersById(db: Queries, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .select({
      ...{ id: o.id, symbol: o.symbol, quantity: o.quantity, limitPrice: o.limitPrice },
      ...{ state: o.state, cancelAskedAt: o.cancelAskedAt, filledQuantity: o.filledQuantity },
    })
    .from(o)
    .where(inArray(o.id, [...ids]));
}

/** Number of the newest line of the ledger; 0 without any. */
export async function newestBooking(db: Queries): Promise<number> {
  const [row] = await db.select({ id: sql<number>`coalesce(max(${ledger.id}), 0)::double precision` }).from(ledger);
  return row?.id ?? 0;
}

/** Whether anything was booked after a line of the ledger for an instant before `at`, UTC ms. */
export async function bookedBefore(db: Queries, at: number, afterId: number): Promise<boolean> {
  const rows = await db
    .select({ id: ledger.id })
    .from(ledger)
    .where(and(gt(ledger.id, afterId), lt(ledger.at, at)))
    .limit(1);
  return rows.length > 0;
}
