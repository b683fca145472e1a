import { and, desc, eq, gte, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/duration';
import { HEDGE_ENDS, type HedgeEventKind } from '#contract/lifecycle';
import { LADDERED, STOCKED, type StrategyKind } from '#contract/strategy';
import { POSITION_MOVES } from '../accounts/ledger';
import type { Queries } from '../client';
import { book, deal, dealEvent, dealLeg, fill, ledger, strategy, strategyGuard, tradeOrder, user } from '../schema';

const hasEnded = inArray(deal.state, [...HEDGE_ENDS]);
const endedAt = sql`case when ${hasEnded} then coalesce(${deal.closedAt}, ${deal.stateAt}) end`;
const float = (what: SQL) => sql<number>`coalesce(${what}, 0)::double precision`.mapWith(Number);
const count = (what: SQL) => sql<number>`count(*) filter (where ${what})::integer`.mapWith(Number);
/** Deals that brought an inventory to what is wanted: nothing is won or lost by them. */
const isStocking = sql`coalesce(${deal.opening} ->> 'isStock', 'false') = 'true'`;
/** What a deal was opened with; 1 where its kind knows no leverage. */
const leverage = sql`coalesce((${deal.params} ->> 'leverage')::double precision, 1)`;

/** What the deals of strategies made, whatever their number: a row a strategy that has any. Money in USDT. */
export async function dealSumsOf(db: Queries, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const per = db
    .select({
      strategyId: deal.strategyId,
      ended: sql<boolean>`${hasEnded}`.as('ended'),
      opened: sql<boolean>`${deal.openedAt} is not null and not ${isStocking}`.as('was_opened'),
      openedAt: sql`${deal.openedAt}`.as('opened'),
      endedAt: endedAt.as('ended_at'),
      realised: sql`sum(${dealLeg.realised})`.as('realised'),
      funding: sql`sum(${dealLeg.funding})`.as('funding'),
      fees: sql`sum(${dealLeg.fees})`.as('fees'),
    })
    .from(deal)
    .innerJoin(dealLeg, eq(dealLeg.dealId, deal.id))
    .where(inArray(deal.strategyId, [...ids]))
    .groupBy(deal.id)
    .as('per');
  const traded = sql`${per.ended} and ${per.opened}`;
  return db
    .select({
      strategyId: per.strategyId,
      running: count(sql`not ${per.ended}`),
      ended: count(sql`${per.ended}`),
      /** Ended ones that were opened for a result, and those of them that made something. */
      traded: count(traded),
      won: count(sql`${traded} and ${per.realised} + ${per.funding} - ${per.fees} > 0`),
      realised: float(sql`sum(${per.realised})`),
      funding: float(sql`sum(${per.funding})`),
      fees: float(sql`sum(${per.fees})`),
    })
    .from(per)
    .groupBy(per.strategyId);
}

/** Legs that are held now. */
export async function heldLegsOf(db: Queries, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return db
    .select({
      strategyId: deal.strategyId,
      kind: sql<StrategyKind>`${strategy.kind}`,
      dealId: deal.id,
      source: dealLeg.source,
      symbol: dealLeg.symbol,
      quantity: float(sql`${dealLeg.quantity}`),
      cost: float(sql`${dealLeg.cost}`),
      leverage: float(leverage),
    })
    .from(dealLeg)
    .innerJoin(deal, eq(deal.id, dealLeg.dealId))
    .innerJoin(strategy, eq(strategy.id, deal.strategyId))
    .where(and(inArray(deal.strategyId, [...ids]), sql`${dealLeg.quantity} <> 0`));
}
export type HeldLeg = Awaited<ReturnType<typeof heldLegsOf>>[number];

/** Coin that a deal leaves to its account and that stays its strategy's: not what somebody has traded away. */
export const isStocked = sql`(${ledger.kind} in ('inventory', 'writeOff') and ${ledger.reference} not like 'gone:%' and ${inArray(strategy.kind, [...STOCKED])})`;

/**
 * Coin that strategies own between their deals, by place: quantity in base currency, signed, and what it cost less what it
 * brought, USDT, both exact; what of it was bought as stock and was paid for that; and how much of it was held for how long
 * by `now` (UTC ms), coin x days.
 * @param chosen of `strategy` or `deal`
 */
async function stocks(db: Queries, chosen: SQL, now: number) {
  const isBought = sql`${isStocking} and ${ledger.quantity} < 0`;
  return db
    .select({
      userId: deal.userId,
      strategyId: deal.strategyId,
      source: ledger.source,
      symbol: ledger.symbol,
      quantity: sql<string>`-sum(${ledger.quantity})`,
      cost: sql<string>`sum(${ledger.amount})`,
      bought: float(sql`-sum(${ledger.quantity}) filter (where ${isBought})`),
      paid: float(sql`sum(${ledger.amount}) filter (where ${isBought})`),
      coinDays: float(sql`-sum(${ledger.quantity} * (${now}::bigint - ${ledger.at})) / ${DAY_MS}::bigint`),
      from: sql<number>`min(${ledger.at})`.mapWith(Number),
    })
    .from(ledger)
    .innerJoin(deal, eq(deal.id, ledger.dealId))
    .innerJoin(strategy, eq(strategy.id, deal.strategyId))
    .where(and(chosen, isStocked))
    .groupBy(deal.userId, deal.strategyId, ledger.source, ledger.symbol);
}
export type Stock = Awaited<ReturnType<typeof stocks>>[number];

export const stocksOf = async (db: Queries, ids: readonly string[], now: number): Promise<Stock[]> =>
  ids.length === 0 ? [] : stocks(db, inArray(deal.strategyId, [...ids]), now);

export const stocksOfUsers = (db: Queries, userIds: readonly string[], now: number): Promise<Stock[]> =>
  stocks(db, inArray(deal.userId, [...userIds]), now);

/** How much of a coin strategies of each mode own between their deals, over all accounts of a user: base currency, exact. */
export const stockedCoin = (db: Queries, userId: string) =>
  db
    .select({ mode: strategy.mode, symbol: ledger.symbol, quantity: sql<string>`-sum(${ledger.quantity})` })
    .from(ledger)
    .innerJoin(deal, eq(deal.id, ledger.dealId))
    .innerJoin(strategy, eq(strategy.id, deal.strategyId))
    .where(and(eq(deal.userId, userId), isStocked))
    .groupBy(strategy.mode, ledger.symbol);

/** Deals that were opened and held something after `since`, UTC ms. */
const heldSince = (ids: readonly string[], since: number) =>
  and(inArray(deal.strategyId, [...ids]), isNotNull(deal.openedAt), sql`coalesce(${endedAt} > ${since}::bigint, true)`);

/** How many of a strategy's deals that were, and how many of these were open by then. */
export async function dealsSince(db: Queries, id: string, since: number) {
  const held = heldSince([id], since);
  const [deals, carried] = await Promise.all([
    db.$count(deal, held),
    db.$count(deal, and(held, lt(deal.openedAt, since))),
  ]);
  return { deals, carried };
}

/**
 * What is held of a leg for as long as its deal is open, USDT: what was bought to open it. Levels buy the same coin again and
 * again: behind them stands the whole size from the start, once for both legs, which are of one instrument.
 */
const tiedUp = sql`case
  when not ${inArray(strategy.kind, [...LADDERED])} then ${dealLeg.notional}
  when ${dealLeg.leg} = 'long' then (${deal.params} ->> 'legNotional')::numeric
  else 0 end`;

/** How much notional was held for how long from `since` up to `now` (UTC ms), by symbol and leverage: USDT x days. */
export async function notionalDaysOf(db: Queries, ids: readonly string[], now: number, since = 0) {
  if (ids.length === 0) return [];
  const from = sql`greatest(${deal.openedAt}, ${since}::bigint)`;
  const days = sql`(coalesce(${endedAt}, ${now}) - ${from}) / ${DAY_MS}::double precision`;
  return db
    .select({
      strategyId: deal.strategyId,
      source: dealLeg.source,
      symbol: dealLeg.symbol,
      leverage: float(leverage),
      notionalDays: float(sql`sum(${tiedUp} * ${days})`),
      /** Of the first opening, UTC ms. */
      from: sql<number>`min(${from})`.mapWith(Number),
    })
    .from(dealLeg)
    .innerJoin(deal, eq(deal.id, dealLeg.dealId))
    .innerJoin(strategy, eq(strategy.id, deal.strategyId))
    .where(heldSince(ids, since))
    .groupBy(deal.strategyId, dealLeg.source, dealLeg.symbol, leverage);
}

/** How long strategies held something from `since` up to `now`, days: time with several deals counts once, time without any not at all. */
export async function heldDaysOf(
  db: Queries,
  ids: readonly string[],
  now: number,
  since = 0,
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const from = sql`greatest(${deal.openedAt}, ${since}::bigint)`;
  const to = sql`greatest(${from}, coalesce(${endedAt}, ${now}::bigint))`;
  const spans = db
    .select({
      strategyId: deal.strategyId,
      span: sql`unnest(range_agg(int8range(${from}, ${to})))`.as('span'),
    })
    .from(deal)
    .where(heldSince(ids, since))
    .groupBy(deal.strategyId)
    .as('spans');
  const rows = await db
    .select({
      strategyId: spans.strategyId,
      days: float(sql`sum(upper(${spans.span}) - lower(${spans.span})) / ${DAY_MS}::double precision`),
    })
    .from(spans)
    .groupBy(spans.strategyId);
  return new Map(rows.map(({ strategyId, days }) => [strategyId, days]));
}

/**
 * What the ledger booked for strategies from `since` until before `until` (UTC ms), by day and symbol, or by other
 * steps that begin at `from`; what was booked before `from` counts for that day. Cash and notional traded in USDT, quantities in base; what deals left as stock is
 * still there.
 */
export async function ledgerDaysOf(
  db: Queries,
  ids: readonly string[],
  { since, from, until, step = DAY_MS }: { since: number; from: number; until: number; step?: number },
) {
  if (ids.length === 0) return [];
  const steps = sql`(greatest(${ledger.at}, ${from}::bigint) - ${from}::bigint) / ${step}::bigint`;
  const day = sql`${from}::bigint + ${steps} * ${step}::bigint`;
  return db
    .select({
      strategyId: deal.strategyId,
      day: sql<number>`${day}`.mapWith(Number),
      source: ledger.source,
      symbol: ledger.symbol,
      cash: float(sql`sum(${ledger.amount})`),
      quantity: float(sql`sum(${ledger.quantity}) filter (where ${inArray(ledger.kind, POSITION_MOVES)})`),
      traded: float(sql`sum(abs(${ledger.amount})) filter (where ${ledger.kind} = 'fill')`),
    })
    .from(ledger)
    .innerJoin(deal, eq(deal.id, ledger.dealId))
    .innerJoin(strategy, eq(strategy.id, deal.strategyId))
    .where(and(inArray(deal.strategyId, [...ids]), gte(ledger.at, since), lt(ledger.at, until), sql`not ${isStocked}`))
    .groupBy(sql`1, 2, 3, 4`);
}
export type LedgerDay = Awaited<ReturnType<typeof ledgerDaysOf>>[number];

/** How often such things happened to the deals of strategies since an instant, UTC ms. */
export async function eventCountsOf(
  db: Queries,
  ids: readonly string[],
  kinds: readonly HedgeEventKind[],
  since: number,
): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ strategyId: deal.strategyId, events: sql<number>`count(*)::integer`.mapWith(Number) })
    .from(dealEvent)
    .innerJoin(deal, eq(deal.id, dealEvent.dealId))
    .where(and(inArray(deal.strategyId, [...ids]), inArray(dealEvent.kind, [...kinds]), gte(dealEvent.at, since)))
    .groupBy(deal.strategyId);
  return new Map(rows.map(({ strategyId, events }) => [strategyId, events]));
}

/** Every strategy that was ever set up and not removed, of all users, with its owner, its book and its guard. */
export async function everyStrategy(db: Queries) {
  return db
    .select({
      strategy,
      user: user.name,
      leaseUntil: book.leaseUntil,
      leaseHolder: book.leaseHolder,
      day: book.day,
      dayBoundary: sql<number>`coalesce(${book.dayBoundary}, 0)`.mapWith(Number),
      guard: strategyGuard,
    })
    .from(strategy)
    .innerJoin(user, eq(user.id, strategy.userId))
    .leftJoin(book, eq(book.userId, strategy.userId))
    .leftJoin(strategyGuard, eq(strategyGuard.strategyId, strategy.id))
    .where(and(isNull(strategy.removedAt), isNotNull(strategy.params)))
    .orderBy(strategy.createdAt, strategy.name, strategy.id);
}
export type GuardedStrategy = Awaited<ReturnType<typeof everyStrategy>>[number];

/** The legs of each of these deals for which an order rests to bring it in or out. */
export async function restingLegsOf(db: Queries, dealIds: readonly string[]): Promise<ReadonlyMap<string, string[]>> {
  if (dealIds.length === 0) return new Map();
  const rows = await db
    .select({ dealId: tradeOrder.dealId, leg: tradeOrder.leg })
    .from(tradeOrder)
    .where(
      and(
        inArray(tradeOrder.dealId, [...dealIds]),
        eq(tradeOrder.state, 'open'),
        eq(tradeOrder.type, 'maker'),
        inArray(tradeOrder.purpose, ['entry', 'exit']),
      ),
    )
    .orderBy(tradeOrder.leg);
  const legs = new Map<string, string[]>();
  for (const { dealId, leg } of rows) if (dealId !== null) legs.set(dealId, [...(legs.get(dealId) ?? []), leg]);
  return legs;
}

/** Why the last order of each of these deals that was refused was, in the venue's own word. */
export async function refusalsOf(db: Queries, dealIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (dealIds.length === 0) return new Map();
  const rows = await db
    .selectDistinctOn([tradeOrder.dealId], { dealId: tradeOrder.dealId, reason: tradeOrder.reason })
    .from(tradeOrder)
    .where(and(inArray(tradeOrder.dealId, [...dealIds]), eq(tradeOrder.state, 'refused')))
    .orderBy(tradeOrder.dealId, desc(tradeOrder.createdAt));
  return new Map(rows.map(({ dealId, reason }) => [dealId!, reason ?? '']));
}

/** How long after the first fill of one leg the other leg had its own, ms, by deal; those of which one leg has none are not in it. */
export async function secondFillsOf(db: Queries, dealIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (dealIds.length === 0) return new Map();
  const first = db
    .select({ dealId: tradeOrder.dealId, leg: tradeOrder.leg, at: sql<number>`min(${fill.at})`.as('first_at') })
    .from(fill)
    .innerJoin(tradeOrder, eq(tradeOrder.id, fill.orderId))
    .where(and(inArray(tradeOrder.dealId, [...dealIds]), inArray(tradeOrder.purpose, ['entry', 'complete'])))
    .groupBy(tradeOrder.dealId, tradeOrder.leg)
    .as('first');
  const rows = await db
    .select({ dealId: first.dealId, ms: sql<number>`max(${first.at}) - min(${first.at})`.mapWith(Number) })
    .from(first)
    .groupBy(first.dealId)
    .having(sql`count(*) = 2`);
  return new Map(rows.flatMap(({ dealId, ms }) => (dealId === null ? [] : [[dealId, ms] as const])));
}
