import { and, count, desc, eq, gte, inArray, isNotNull, isNull, max, min, type SQL, sql, sum } from 'drizzle-orm';
import { DAY_MS } from '#contract/duration';
import type { HedgeEventKind } from '#contract/lifecycle';
import type { StrategyKind } from '#contract/strategy';
import type { LimitName, StrategyLimits } from '#contract/strategyLimits';
import type { SourceSymbol } from '../../symbolKey';
import { heldQuantity } from '../accounts/ledger';
import type { Queries } from '../client';
import { deal, dealEvent, dealLeg, ledger, strategy, strategyEvent, strategyGuard, target, user } from '../schema';
import { placesOfLegs } from './deal';
import { switchStrategy } from './strategy';
import { isStocked } from './strategyFigures';

export type GuardRow = typeof strategyGuard.$inferSelect;

/** How a strategy is guarded; `null` where nobody ever limited it. */
export async function guardOf(db: Queries, strategyId: string): Promise<GuardRow | null> {
  const [row] = await db.select().from(strategyGuard).where(eq(strategyGuard.strategyId, strategyId));
  return row ?? null;
}

/** The guards of these users' strategies; those that nobody ever limited have none. */
export async function guardsOf(db: Queries, userIds: readonly string[]): Promise<GuardRow[]> {
  const rows = await db
    .select({ guard: strategyGuard })
    .from(strategyGuard)
    .innerJoin(strategy, eq(strategy.id, strategyGuard.strategyId))
    .where(inArray(strategy.userId, [...userIds]));
  return rows.map(({ guard }) => guard);
}

/** The strategies of a user that tripped and were not resumed. */
export async function trippedOf(db: Queries, userId: string) {
  const rows = await db
    .select({
      ...{ id: strategy.id, name: strategy.name, kind: strategy.kind },
      ...{ reason: strategyGuard.tripped, at: strategyGuard.trippedAt, single: strategy.single },
    })
    .from(strategy)
    .innerJoin(strategyGuard, eq(strategyGuard.strategyId, strategy.id))
    .where(and(eq(strategy.userId, userId), isNull(strategy.removedAt), isNotNull(strategyGuard.tripped)))
    .orderBy(strategy.createdAt);
  return rows.map(({ reason, kind, single, ...row }) => ({
    ...{ ...row, kind: kind as StrategyKind, reason: reason ?? '' },
    ...(single && { single: true }),
  }));
}

/** Strategies of a user that run and open nothing, as their own result of the day cannot be judged; the oldest first. */
export async function unjudgedOf(db: Queries, userId: string) {
  const rows = await db
    .selectDistinct({
      ...{ id: strategy.id, name: strategy.name, kind: strategy.kind },
      ...{ mode: strategy.mode, createdAt: strategy.createdAt },
    })
    .from(strategy)
    .innerJoin(target, and(eq(target.strategyId, strategy.id), isNull(target.removedAt), eq(target.block, 'unvalued')))
    .where(and(eq(strategy.userId, userId), isNull(strategy.removedAt), eq(strategy.state, 'running')))
    .orderBy(strategy.createdAt);
  return rows.map(({ createdAt: _, kind, ...row }) => ({ ...row, kind: kind as StrategyKind }));
}

/**
 * What the ledger booked for the deals of a strategy since an instant (UTC ms), by symbol: cash (USDT) and coin, exact. What
 * deals left as stock is still there.
 */
export async function strategyLedgerSince(db: Queries, strategyId: string, at: number) {
  return db
    .select({
      source: ledger.source,
      symbol: ledger.symbol,
      cash: sql<string>`sum(${ledger.amount})`,
      quantity: heldQuantity,
    })
    .from(ledger)
    .innerJoin(deal, eq(deal.id, ledger.dealId))
    .innerJoin(strategy, eq(strategy.id, deal.strategyId))
    .where(and(eq(deal.strategyId, strategyId), gte(ledger.at, at), sql`not ${isStocked}`))
    .groupBy(ledger.source, ledger.symbol);
}

type Change = Partial<Omit<GuardRow, 'strategyId'>> & Partial<StrategyLimits>;

export async function changeGuard(tx: Queries, strategyId: string, change: Change): Promise<void> {
  await tx
    .insert(strategyGuard)
    .values({ strategyId, ...change })
    .onConflictDoUpdate({ target: strategyGuard.strategyId, set: change });
}

interface Trip {
  reason: string;
  /** Which limit is exceeded; null where its account is to be looked at, of which its owner is told once for all. */
  limit: LimitName | null;
  by: string;
  /** UTC ms. */
  at: number;
}

/** Ends the entries of a strategy until a person resumes it. */
export async function tripStrategy(tx: Queries, strategyId: string, { reason, limit, at, by }: Trip): Promise<void> {
  await switchStrategy(tx, strategyId, 'tripped', { at, by });
  await changeGuard(tx, strategyId, { tripped: reason, trippedBy: limit, trippedAt: at });
  await noteStrategy(tx, { strategyId, at, kind: 'tripped', detail: reason, by: limit === null ? by : '' });
}

export const STRATEGY_EVENTS = ['config', 'switched', 'limits', 'tripped', 'resumed'] as const;
export type StrategyEventKind = (typeof STRATEGY_EVENTS)[number];

interface StrategyLine {
  strategyId: string;
  /** UTC ms. */
  at: number;
  kind: StrategyEventKind;
  detail: string;
  by: string;
}

/** Notes what was done to a strategy. */
export async function noteStrategy(tx: Queries, line: StrategyLine): Promise<void> {
  await tx.insert(strategyEvent).values(line);
}

/** When a strategy was started for the first time, UTC ms; it stood still before, so that was the first time it was switched. */
export async function firstStartOf(db: Queries, strategyId: string): Promise<number | null> {
  const [row] = await db
    .select({ at: min(strategyEvent.at) })
    .from(strategyEvent)
    .where(and(eq(strategyEvent.strategyId, strategyId), eq(strategyEvent.kind, 'switched')));
  return row?.at ?? null;
}

/** Breakers that tripped by a limit since an instant, UTC ms. */
export async function tripsSince(db: Queries, since: number) {
  return db
    .select({
      id: strategyEvent.id,
      at: strategyEvent.at,
      detail: strategyEvent.detail,
      name: strategy.name,
      mode: strategy.mode,
      kind: strategy.kind,
      userId: strategy.userId,
    })
    .from(strategyEvent)
    .innerJoin(strategy, eq(strategy.id, strategyEvent.strategyId))
    .where(and(eq(strategyEvent.kind, 'tripped'), eq(strategyEvent.by, ''), gte(strategyEvent.at, since)));
}

interface FeedChoice {
  /** Of one strategy only. */
  id: string | undefined;
  dealKinds: readonly HedgeEventKind[];
  strategyKinds: readonly StrategyEventKind[];
}

/** Fundings are told as far back as this from the newest one. */
const FUNDING_DAYS = 7;

/** What the newest settlements brought each strategy, of one strategy where `id` is given: payments and their sum, USDT. */
export async function feedFundings(db: Queries, id: string | undefined, most: number) {
  const isFunding = eq(ledger.kind, 'funding');
  const newest = db
    .select({ at: max(ledger.at) })
    .from(ledger)
    .where(isFunding);
  const isRecent = sql`${ledger.at} > (${newest}) - ${FUNDING_DAYS * DAY_MS}::bigint`;
  const isChosen = id === undefined ? undefined : sql`${strategy.id}::text = ${id}`;
  return db
    .select({
      ...{ at: ledger.at, strategyId: strategy.id, strategy: strategy.name, user: user.name },
      ...{ payments: count(), amount: sum(ledger.amount) },
    })
    .from(ledger)
    .innerJoin(deal, eq(deal.id, ledger.dealId))
    .innerJoin(strategy, eq(strategy.id, deal.strategyId))
    .innerJoin(user, eq(user.id, strategy.userId))
    .where(and(isFunding, isRecent, isChosen))
    .groupBy(ledger.at, strategy.id, user.id)
    .orderBy(desc(ledger.at), strategy.id)
    .limit(most);
}

/** The newest of what happened to deals and to strategies, so many of each. */
export async function feedEvents(db: Queries, { id, dealKinds, strategyKinds }: FeedChoice, most: number) {
  // Compared as text: what a caller sends need not be a uuid.
  const isChosen: SQL | undefined = id === undefined ? undefined : sql`${strategy.id}::text = ${id}`;
  const named = { strategyId: strategy.id, strategy: strategy.name, user: user.name };
  const ofDeals = await db
    .select({
      ...{ id: dealEvent.id, at: dealEvent.at, detail: dealEvent.detail, ...named },
      kind: sql<HedgeEventKind>`${dealEvent.kind}`,
      places: sql<
        SourceSymbol[]
      >`(select ${placesOfLegs} from ${dealLeg} where ${dealLeg.dealId} = ${dealEvent.dealId})`,
    })
    .from(dealEvent)
    .innerJoin(deal, eq(deal.id, dealEvent.dealId))
    .innerJoin(strategy, eq(strategy.id, deal.strategyId))
    .innerJoin(user, eq(user.id, strategy.userId))
    .where(and(isChosen, inArray(dealEvent.kind, [...dealKinds])))
    .orderBy(desc(dealEvent.at), desc(dealEvent.id))
    .limit(most);
  const ofStrategies = await db
    .select({
      ...{ id: strategyEvent.id, at: strategyEvent.at, detail: strategyEvent.detail, by: strategyEvent.by, ...named },
      kind: sql<StrategyEventKind>`${strategyEvent.kind}`,
    })
    .from(strategyEvent)
    .innerJoin(strategy, eq(strategy.id, strategyEvent.strategyId))
    .innerJoin(user, eq(user.id, strategy.userId))
    .where(and(isChosen, inArray(strategyEvent.kind, [...strategyKinds])))
    .orderBy(desc(strategyEvent.at), desc(strategyEvent.id))
    .limit(most);
  return { ofDeals, ofStrategies };
}
