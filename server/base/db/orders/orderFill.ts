import { and, asc, desc, eq, inArray, isNotNull, type SQL, sql } from 'drizzle-orm';
import { ORDER_LIVE } from '#contract/lifecycle';
import type { FillRow } from '#contract/order';
import type { Queries } from '../client';
import { estimatedRows } from '../connection/statements';
import { account, deal, fill, ledger, strategy, tradeOrder, user } from '../schema';
import { OF_ACCOUNT, OF_STRATEGY, PLACE_COLUMNS, type Place, plain, sharedKeys } from './order';
import { asksOrder, chosenFills, isLoose, type Stretch, type TradeFilter } from './orderFilter';

/** Every fill of these deals with the slot it was for, ascending in time. */
export async function slotFillsOf(db: Queries, dealIds: readonly string[]) {
  if (dealIds.length === 0) return [];
  return db
    .select({
      dealId: fill.dealId,
      slot: tradeOrder.slot,
      at: fill.at,
      side: fill.side,
      quantity: fill.quantity,
      price: fill.price,
      fee: fill.fee,
      feeInBase: fill.feeInBase,
    })
    .from(fill)
    .innerJoin(tradeOrder, eq(tradeOrder.id, fill.orderId))
    .where(inArray(fill.dealId, [...dealIds]))
    .orderBy(asc(fill.at), asc(fill.id));
}

/** What a deal was paid in funding (received is positive, USDT), ascending in time. */
export async function fundingOfDeal(db: Queries, dealId: string) {
  const rows = await db
    .select({ at: ledger.at, amount: ledger.amount })
    .from(ledger)
    .where(and(eq(ledger.dealId, dealId), eq(ledger.kind, 'funding')))
    .orderBy(asc(ledger.at));
  return rows.map(({ at, amount }) => ({ at, amount: Number(amount) }));
}

/** The slots of these deals for which orders live, once for each order. */
export async function liveSlotsOf(db: Queries, dealIds: readonly string[]) {
  if (dealIds.length === 0) return [];
  const { dealId, slot, state } = tradeOrder;
  return db
    .select({ dealId, slot })
    .from(tradeOrder)
    .where(and(inArray(dealId, [...dealIds]), inArray(state, [...ORDER_LIVE]), isNotNull(slot)));
}

const f = fill;
const o = tradeOrder;

const sign = sql`(case ${f.side} when 'buy' then 1 else -1 end)`;
const atMid = sql`(${f.quantity}::double precision * ${o.decisionMid})`;
const notional = sql`(${f.quantity} * ${f.price})`;
/** Paid against the mid of the decision, USDT. */
const slipped = sql`${sign} * (${notional}::double precision - ${atMid})`;

const SORT_KEYS = {
  at: sql`${f.at}`,
  ...sharedKeys(f),
  orderId: plain(f.orderId),
  price: sql`${f.price}`,
  notional,
  maker: sql`${f.maker}`,
  slippageBps: sql`${slipped} / nullif(${atMid}, 0)`,
  realised: sql`${f.realised}`,
} satisfies Partial<Record<keyof FillRow, SQL>>;

type FillSortField = keyof typeof SORT_KEYS;
export const isFillSortField = (name: string): name is FillSortField => Object.hasOwn(SORT_KEYS, name);

/** `grouped`: those of hedges, the fills of each together, the newest hedge first; `loose`: those of none. */
export type FillSort = { field: FillSortField; descending: boolean } | 'grouped' | 'loose';

export interface FillRecord extends Place {
  fill: typeof fill.$inferSelect;
  order: Pick<typeof tradeOrder.$inferSelect, 'leg' | 'type' | 'purpose' | 'reduceOnly' | 'decisionMid'>;
  user: string;
}

const ORDER_COLUMNS = {
  leg: o.leg,
  type: o.type,
  purpose: o.purpose,
  reduceOnly: o.reduceOnly,
  decisionMid: o.decisionMid,
};

/** What only the order behind a fill knows. */
const OF_ORDER: ReadonlySet<string> = new Set(['opens', 'type', 'purpose', 'reduceOnly', 'decisionMid', 'slippageBps']);

/** A page of the fills that the filter lets through. */
export async function findFills(
  db: Queries,
  filter: TradeFilter,
  sort: FillSort,
  { offset, limit }: { offset: number; limit: number },
): Promise<FillRecord[]> {
  const order = orderOf(sort);
  const field = typeof sort === 'string' ? sort : sort.field;
  const places = db.select({ id: f.id }).from(f).$dynamic();
  // Joined only where it decides the order or the choice: a deep page walks over many rows.
  if (OF_ORDER.has(field) || asksOrder(filter)) places.innerJoin(o, eq(o.id, f.orderId));
  if (field === 'user') places.innerJoin(user, eq(user.id, f.userId));
  if (OF_ACCOUNT.has(field)) places.innerJoin(account, eq(account.id, f.accountId));
  if (field === 'grouped') places.innerJoin(deal, eq(deal.id, f.dealId));
  if (OF_STRATEGY.has(field)) {
    places.leftJoin(deal, eq(deal.id, f.dealId)).leftJoin(strategy, eq(strategy.id, deal.strategyId));
  }
  const page = places
    .where(and(sort === 'loose' ? isLoose(f) : undefined, chosenFills(filter)))
    .orderBy(...order)
    .limit(limit)
    .offset(offset)
    .as('page');
  return db
    .select({ fill, order: ORDER_COLUMNS, user: user.name, ...PLACE_COLUMNS })
    .from(page)
    .innerJoin(f, eq(f.id, page.id))
    .innerJoin(o, eq(o.id, f.orderId))
    .innerJoin(user, eq(user.id, f.userId))
    .innerJoin(account, eq(account.id, f.accountId))
    .leftJoin(deal, eq(deal.id, f.dealId))
    .leftJoin(strategy, eq(strategy.id, deal.strategyId))
    .orderBy(...order);
}

/** How many fills the filter lets through, and where the newest so many of them begin. */
export function fillsThrough(db: Queries, filter: TradeFilter) {
  const found = () => {
    const query = db.select({ at: f.at }).from(f).$dynamic();
    if (asksOrder(filter)) query.innerJoin(o, eq(o.id, f.orderId));
    return query.where(chosenFills(filter));
  };
  return {
    estimated: () => estimatedRows(db, found()),
    behind: async (newer: number): Promise<number | null> => {
      const [row] = await found().orderBy(desc(f.at)).offset(newer).limit(1);
      return row?.at ?? null;
    },
  };
}

function orderOf(sort: FillSort): SQL[] {
  if (sort === 'grouped') return [desc(deal.createdAt), asc(deal.id), asc(f.at), asc(f.id)];
  return sort === 'loose' ? [desc(f.at), asc(f.id)] : ordered(sort);
}

function ordered({ field, descending }: { field: FillSortField; descending: boolean }): SQL[] {
  const key: SQL = SORT_KEYS[field];
  const way = descending ? sql`${key} desc` : sql`${key} asc`;
  // It is never null, so that the index serves the order whichever way it is read.
  return [field === 'at' ? way : sql`${way} nulls last`, asc(f.id)];
}

const sum = (figure: SQL, only?: SQL) =>
  sql<number>`coalesce(sum(${figure})${only === undefined ? sql`` : sql` filter (where ${only})`}, 0)::double precision`;

/** Sums over fills, which add up over stretches of time. Money in USDT. */
export type FillSums = Awaited<ReturnType<typeof sumFills>>;

export async function sumFills(db: Queries, filter: TradeFilter, stretch: Stretch = {}) {
  const [row] = await db
    .select({
      count: sql<number>`count(*)::integer`,
      hedged: sql<number>`count(${f.dealId})::integer`,
      notional: sum(notional),
      makerNotional: sum(notional, sql`${f.maker}`),
      fees: sum(sql`${f.fee}`),
      realised: sum(sql`${f.realised}`),
      filledAtMid: sum(atMid),
      slipped: sum(slipped),
    })
    .from(f)
    .innerJoin(o, eq(o.id, f.orderId))
    .where(chosenFills(filter, stretch));
  if (row === undefined) throw new Error('sums came back without a row');
  return row;
}
