import {
  and,
  count,
  countDistinct,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  isNull,
  notInArray,
  type SQL,
  sql,
} from 'drizzle-orm';
import { DEAL_LIMITS } from '#contract/dealOutlook';
import { HEDGE_ENDS, type HedgeEventKind } from '#contract/lifecycle';
import type { ParamsOf, StrategyKind, StrategyMode } from '#contract/strategy';
import type { SourceSymbol } from '../../symbolKey';
import type { Queries } from '../client';
import { deal, dealEvent, dealLeg, strategy } from '../schema';

type DealRow = typeof deal.$inferSelect;
export type LegRow = typeof dealLeg.$inferSelect;

/** A deal with its legs, and the kind, the mode and the state of its strategy. */
export type DealColumns = DealRow & { kind: string; mode: string; strategyState: string; legs: LegRow[] };

/** What the intents of calls and the notes of people leave alone. */
export type DealProgress = Omit<
  DealRow,
  | 'id'
  | 'userId'
  | 'strategyId'
  | 'targetId'
  | 'createdAt'
  | 'params'
  | 'opening'
  | 'closeAskedAt'
  | 'closeAskedBy'
  | 'flattenAskedAt'
  | 'repairAskedAt'
  | 'rebalanceWay'
  | 'rebalanceAskedAt'
  | 'rollAskedAt'
  | 'reduction'
  | 'unfreezeAskedAt'
  | 'unfreezeAskedBy'
  | 'unfreezeReason'
  | 'rolledFrom'
  | 'note'
  | 'noteBy'
  | 'noteAt'
>;

/** What becomes of a leg while its deal runs. */
export type LegProgress = Omit<LegRow, 'userId' | 'accountId' | 'source' | 'symbol' | 'side' | 'weight' | 'exit'>;

const newestFirst = [desc(deal.createdAt), deal.id];
const isRunning = notInArray(deal.state, [...HEDGE_ENDS]);

/** Deals of these users that have not ended. */
export const runningOf = (db: Queries, userIds: readonly string[]): Promise<DealColumns[]> => read(db, userIds, true);

/** All that these users ever had. */
export const dealsOf = (db: Queries, userIds: readonly string[]): Promise<DealColumns[]> => read(db, userIds, false);

const read = (db: Queries, userIds: readonly string[], onlyRunning: boolean): Promise<DealColumns[]> =>
  select(db, and(inArray(deal.userId, [...userIds]), onlyRunning ? isRunning : undefined));

/** The newest of a strategy. */
export async function newestDealsOf(db: Queries, strategyId: string, most: number): Promise<DealColumns[]> {
  const newest = await db
    .select({ id: deal.id })
    .from(deal)
    .where(eq(deal.strategyId, strategyId))
    .orderBy(...newestFirst)
    .limit(most);
  return chosen(db, newest);
}

/** The newest one of each strategy that has any. */
export async function newestDealOfEach(db: Queries, strategyIds: readonly string[]): Promise<DealColumns[]> {
  if (strategyIds.length === 0) return [];
  const newest = await db
    .selectDistinctOn([deal.strategyId], { id: deal.id })
    .from(deal)
    .where(inArray(deal.strategyId, [...strategyIds]))
    .orderBy(deal.strategyId, ...newestFirst);
  return chosen(db, newest);
}

async function chosen(db: Queries, rows: readonly { id: string }[]): Promise<DealColumns[]> {
  const ids = rows.map(({ id }) => id);
  return ids.length === 0 ? [] : select(db, inArray(deal.id, ids));
}

/** Those of these strategies that have not ended. */
export const runningDealsOf = (db: Queries, strategyIds: readonly string[]): Promise<DealColumns[]> =>
  select(db, and(inArray(deal.strategyId, [...strategyIds]), isRunning));

/** Which of these things happened to a deal. */
export async function eventsOfDeal(
  db: Queries,
  dealId: string,
  kinds: readonly HedgeEventKind[],
): Promise<Set<HedgeEventKind>> {
  const rows = await db
    .selectDistinct({ kind: dealEvent.kind })
    .from(dealEvent)
    .where(and(eq(dealEvent.dealId, dealId), inArray(dealEvent.kind, [...kinds])));
  return new Set(rows.map(({ kind }) => kind as HedgeEventKind));
}

/** Paper or real money, or one account. */
type Purse = { mode: StrategyMode } | { accountId: string };

/** How many deals of each of these users have not ended: on paper, for real, or with a leg in an account. */
export async function runningCounts(
  db: Queries,
  userIds: readonly string[],
  purse: Purse,
): Promise<Map<string, number>> {
  const isIn =
    'mode' in purse
      ? eq(strategy.mode, purse.mode)
      : sql`exists (select 1 from ${dealLeg} where ${dealLeg.dealId} = ${deal.id} and ${dealLeg.accountId} = ${purse.accountId})`;
  const rows = await db
    .select({ userId: deal.userId, count: count() })
    .from(deal)
    .innerJoin(strategy, eq(strategy.id, deal.strategyId))
    .where(and(inArray(deal.userId, [...userIds]), isIn, isRunning))
    .groupBy(deal.userId);
  return new Map(rows.map((row) => [row.userId, row.count]));
}

/** A leg that holds something, and of its deal what positions are shown with. */
export interface HeldDealLeg {
  userId: string;
  accountId: string;
  deal: {
    id: string;
    kind: string;
    /** The strategy's name. */
    strategy: string;
    long: string;
    short: string;
    /** 1 where its kind knows none. */
    leverage: number;
    /** It is of one leg by design. */
    isSingle: boolean;
    /** How far it may drift from its weights; null where it is not kept to them. */
    rebalance: number | null;
    /** Short notional for each unit of the long one. */
    ratio: number;
  };
  leg: string;
  source: string;
  symbol: string;
  quantity: string;
  cost: string;
}

/** Every leg that the running deals of users hold, the newest deal first. */
export async function heldDealLegs(db: Queries, userIds: readonly string[]): Promise<HeldDealLeg[]> {
  if (userIds.length === 0) return [];
  const { rows } = await db.execute<Record<string, string | number | null>>(sql`
    select d.user_id, g.account_id, d.id, k.kind, k.name, l.symbol as long, s.symbol as short,
      coalesce((d.params ->> 'leverage')::float8, 1) as leverage, least(l.weight, s.weight) as least, (d.params ->> 'rebalance')::float8 as rebalance, s.weight as ratio,
      g.leg, g.source, g.symbol, g.quantity::text, g.cost::text
    from deal d
    join strategy k on k.id = d.strategy_id
    join deal_leg l on l.deal_id = d.id and l.leg = 'long' and l.user_id = d.user_id
    join deal_leg s on s.deal_id = d.id and s.leg = 'short' and s.user_id = d.user_id
    join deal_leg g on g.deal_id = d.id and g.user_id = d.user_id
    where d.user_id in ${userIds} and d.state not in ('closed', 'failed') and g.quantity <> 0
    order by d.created_at desc, d.id, g.leg`);
  return rows.map((row) => ({
    userId: String(row.user_id),
    accountId: String(row.account_id),
    deal: {
      id: String(row.id),
      kind: String(row.kind),
      strategy: String(row.name),
      long: String(row.long),
      short: String(row.short),
      leverage: Number(row.leverage),
      isSingle: Number(row.least) === 0,
      rebalance: row.rebalance === null || row.rebalance === undefined ? null : Number(row.rebalance),
      ratio: Number(row.ratio),
    },
    leg: String(row.leg),
    source: String(row.source),
    symbol: String(row.symbol),
    quantity: String(row.quantity),
    cost: String(row.cost),
  }));
}

/** A deal of a user; `null` for any other id, also for what is no id at all. */
export async function ownDeal(db: Queries, userId: string, id: string): Promise<DealColumns | null> {
  const [row] = await select(db, and(eq(deal.userId, userId), sql`${deal.id}::text = ${id}`));
  return row ?? null;
}

/** Those of a user that went on from an earlier deal and were opened since an instant, UTC ms. */
export const rolledDeals = (db: Queries, userId: string, since: number): Promise<DealColumns[]> =>
  select(db, and(eq(deal.userId, userId), isNotNull(deal.rolledFrom), gte(deal.openedAt, since)));

/** Those of a user's deals that have these ids. */
export const dealsById = async (db: Queries, userId: string, ids: readonly string[]): Promise<DealColumns[]> =>
  ids.length === 0 ? [] : select(db, and(eq(deal.userId, userId), inArray(deal.id, [...ids])));

/** Asks for what was taken back by hand to be placed again. */
export async function askRepair(tx: Queries, id: string, at: number): Promise<void> {
  await tx.update(deal).set({ repairAskedAt: at }).where(eq(deal.id, id));
}

/** Where the legs of a deal are, the long one first; an aggregate over its legs. */
export const placesOfLegs = sql<SourceSymbol[]>`jsonb_agg(
  jsonb_build_object('source', ${dealLeg.source}, 'symbol', ${dealLeg.symbol}) order by ${dealLeg.leg})`;

/** What a person changes of a deal that runs: its params, and what it goes by. */
export async function changeDeal(
  tx: Queries,
  id: string,
  change: Partial<
    Pick<
      DealRow,
      | 'params'
      | 'opening'
      | 'rebalanceWay'
      | 'rebalanceAskedAt'
      | 'reduction'
      | 'unfreezeAskedAt'
      | 'unfreezeAskedBy'
      | 'unfreezeReason'
    >
  >,
): Promise<void> {
  await tx.update(deal).set(change).where(eq(deal.id, id));
}

/** Asks for the expiring leg of a deal to go on in the next expiry. */
export async function askRoll(tx: Queries, id: string, at: number): Promise<void> {
  await tx.update(deal).set({ rollAskedAt: at }).where(eq(deal.id, id));
}

/** Puts a deal at another target. */
export async function moveDealTo(tx: Queries, id: string, targetId: string): Promise<void> {
  await tx.update(deal).set({ targetId }).where(eq(deal.id, id));
}

/** Whether nobody looks after a deal: its strategy was stopped with what it holds, and nobody has asked for its end. */
export const isUnguarded = (
  row: Pick<DealColumns, 'state' | 'strategyState' | 'closeAskedAt' | 'flattenAskedAt'>,
): boolean =>
  row.state === 'open' && row.strategyState === 'stopped' && row.closeAskedAt === null && row.flattenAskedAt === null;

/** Strategies of users that have deals which nobody looks after, and how many. */
export async function unguardedStrategies(db: Queries, userIds: readonly string[]) {
  return db
    .select({
      ...{ id: strategy.id, userId: strategy.userId, kind: strategy.kind, name: strategy.name, mode: strategy.mode },
      ...{ selfManagedAt: strategy.selfManagedAt, selfManagedBy: strategy.selfManagedBy },
      deals: countDistinct(deal.id),
      /** Where its deals are. */
      sources: sql<string[]>`array_agg(distinct ${dealLeg.source})`,
    })
    .from(strategy)
    .innerJoin(deal, eq(deal.strategyId, strategy.id))
    .innerJoin(dealLeg, eq(dealLeg.dealId, deal.id))
    .where(
      and(
        eq(strategy.state, 'stopped'),
        eq(deal.state, 'open'),
        isNull(deal.closeAskedAt),
        isNull(deal.flattenAskedAt),
        inArray(strategy.userId, [...userIds]),
      ),
    )
    .groupBy(strategy.id)
    .orderBy(strategy.createdAt, strategy.id);
}

/** Those that a condition on the table of deals names. */
export const dealsWhere = (db: Queries, chosen: SQL | undefined): Promise<DealColumns[]> => select(db, chosen);

/** The newest first. */
async function select(db: Queries, chosen: SQL | undefined): Promise<DealColumns[]> {
  const rows = await db
    .select({ deal, kind: strategy.kind, mode: strategy.mode, strategyState: strategy.state })
    .from(deal)
    .innerJoin(strategy, eq(strategy.id, deal.strategyId))
    .where(chosen)
    .orderBy(...newestFirst);
  if (rows.length === 0) return [];
  const legs = await db
    .select({ leg: dealLeg })
    .from(dealLeg)
    .innerJoin(deal, eq(deal.id, dealLeg.dealId))
    .where(chosen);
  const byDeal = new Map<string, LegRow[]>();
  for (const { leg } of legs) byDeal.set(leg.dealId, [...(byDeal.get(leg.dealId) ?? []), leg]);
  return rows.map((row) => ({
    ...row.deal,
    kind: row.kind,
    mode: row.mode,
    strategyState: row.strategyState,
    legs: byDeal.get(row.deal.id) ?? [],
  }));
}

/** A deal goes on by the limits that a person has set for the one before it. @returns whether there are any */
export async function keepLimits(tx: Queries, id: string, earlierId: string): Promise<boolean> {
  const { rows } = await tx.execute(sql`
    update ${deal} set params = ${deal.params} || (
      select jsonb_object_agg(key, value) from ${deal} e, jsonb_each(e.params)
      where e.id = ${earlierId} and key in ${DEAL_LIMITS})
    where ${deal.id} = ${id}
      and exists (select 1 from ${dealEvent} where ${dealEvent.dealId} = ${earlierId} and ${dealEvent.kind} = 'limits')
    returning 1`);
  return rows.length > 0;
}

/** What was asked of a user's running deals. */
export async function askedOfDeals(db: Queries, userId: string) {
  return db
    .select({
      id: deal.id,
      closeAskedAt: deal.closeAskedAt,
      flattenAskedAt: deal.flattenAskedAt,
      repairAskedAt: deal.repairAskedAt,
      rebalanceWay: deal.rebalanceWay,
      rebalanceAskedAt: deal.rebalanceAskedAt,
      params: sql<ParamsOf<StrategyKind>>`${deal.params}`,
      opening: sql<never>`${deal.opening}`,
      rollAskedAt: deal.rollAskedAt,
      reduction: deal.reduction,
      unfreezeAskedAt: deal.unfreezeAskedAt,
      unfreezeAskedBy: deal.unfreezeAskedBy,
      unfreezeReason: deal.unfreezeReason,
    })
    .from(deal)
    .where(and(eq(deal.userId, userId), isRunning));
}

/** Price PnL that deals which ended have realised, by account and side, and slippage of all, USDT, exact. */
export async function dealSums(db: Queries, userIds: readonly string[]) {
  return db
    .select({
      accountId: dealLeg.accountId,
      side: dealLeg.side,
      ended: sql<string>`coalesce(sum(${dealLeg.realised}) filter (where not (${isRunning})), 0)`,
      slippage: sql<string>`sum(${dealLeg.slippage})`,
    })
    .from(dealLeg)
    .innerJoin(deal, eq(deal.id, dealLeg.dealId))
    .where(inArray(dealLeg.userId, [...userIds]))
    .groupBy(dealLeg.accountId, dealLeg.side);
}

/** What the deals that ended have brought each strategy of these users, after fees, USDT, exact. */
export async function endedOf(db: Queries, userIds: readonly string[]) {
  return db
    .select({
      userId: deal.userId,
      strategyId: deal.strategyId,
      net: sql<string>`sum(${dealLeg.realised} + ${dealLeg.funding} - ${dealLeg.fees})`,
    })
    .from(deal)
    .innerJoin(dealLeg, eq(dealLeg.dealId, deal.id))
    .where(and(inArray(deal.userId, [...userIds]), sql`not (${isRunning})`))
    .groupBy(deal.userId, deal.strategyId);
}

export async function insertDeal(
  tx: Queries,
  row: typeof deal.$inferInsert,
  legs: (typeof dealLeg.$inferInsert)[],
): Promise<void> {
  await tx.insert(deal).values(row);
  await tx.insert(dealLeg).values(legs);
}

export async function writeDealProgress(
  tx: Queries,
  id: string,
  state: DealProgress,
  legs: readonly LegProgress[],
): Promise<void> {
  const rows = legs.map(
    (row) =>
      sql`(${row.leg}::text, ${row.midOpen}::float8, ${row.quantity}::numeric, ${row.cost}::numeric,
        ${row.opened}::numeric, ${row.notional}::numeric, ${row.realised}::numeric, ${row.funding}::numeric,
        ${row.fees}::numeric, ${row.slippage}::numeric)`,
  );
  // One statement: of all writes of an engine it is the most frequent.
  await tx.execute(sql`
    with written as (${tx.update(deal).set(state).where(eq(deal.id, id)).getSQL()})
    update ${dealLeg} set mid_open = v.mid_open, quantity = v.quantity, cost = v.cost, opened = v.opened,
      notional = v.notional, realised = v.realised, funding = v.funding, fees = v.fees, slippage = v.slippage
    from (values ${sql.join(rows, sql`, `)})
      as v(leg, mid_open, quantity, cost, opened, notional, realised, funding, fees, slippage)
    where ${dealLeg.dealId} = ${id} and ${dealLeg.leg} = v.leg`);
}

/** What the deals of a strategy that were begun since an instant (UTC ms) have bought, without what only stocked it up; USDT. */
export async function tradedSince(db: Queries, strategyId: string, at: number): Promise<number> {
  const [row] = await db
    .select({ notional: sql<number>`coalesce(sum(${dealLeg.notional}), 0)`.mapWith(Number) })
    .from(deal)
    .innerJoin(dealLeg, and(eq(dealLeg.dealId, deal.id), eq(dealLeg.leg, 'long')))
    .where(
      and(
        eq(deal.strategyId, strategyId),
        gte(deal.createdAt, at),
        sql`coalesce(${deal.opening} ->> 'isStock', 'false') = 'false'`,
      ),
    );
  return row?.notional ?? 0;
}

/** Average price at which a leg was taken down; null for one that never was. */
export async function writeExit(tx: Queries, dealId: string, leg: string, exit: string | null): Promise<void> {
  await tx
    .update(dealLeg)
    .set({ exit })
    .where(and(eq(dealLeg.dealId, dealId), eq(dealLeg.leg, leg)));
}

/** What is watched of a deal between two orders. */
export type DealFigures = Pick<DealRow, 'id' | 'mae' | 'mfe' | 'naked' | 'oneLegSince' | 'nakedAt'>;

/** Those of many deals in one statement. */
export async function writeFigures(tx: Queries, figures: readonly DealFigures[]): Promise<void> {
  const rows = figures.map(
    ({ id, mae, mfe, naked, oneLegSince, nakedAt }) =>
      sql`(${id}::uuid, ${mae}::float8, ${mfe}::float8, ${naked}::float8, ${oneLegSince}::bigint, ${nakedAt}::bigint)`,
  );
  await tx.execute(sql`
    update ${deal} set mae = v.mae, mfe = v.mfe, naked = v.naked, one_leg_since = v.since, naked_at = v.counted
    from (values ${sql.join(rows, sql`, `)}) as v(id, mae, mfe, naked, since, counted) where ${deal.id} = v.id`);
}

interface DealLine {
  dealId: string;
  kind: HedgeEventKind;
  detail: string;
}

/** Adds lines to the timelines of deals. @param at UTC ms */
export async function insertLines(tx: Queries, lines: readonly DealLine[], at: number): Promise<void> {
  if (lines.length > 0) await tx.insert(dealEvent).values(lines.map((line) => ({ ...line, at })));
}
