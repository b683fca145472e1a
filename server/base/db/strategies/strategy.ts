import { and, asc, desc, eq, inArray, isNotNull, isNull, notExists, sql } from 'drizzle-orm';
import type { PairBlock } from '#contract/lifecycle';
import type { StrategyState } from '#contract/strategy';
import type { Queries } from '../client';
import { strategy, target } from '../schema';
import type { SingleTerms } from './singleTerms';

export type StrategyRow = typeof strategy.$inferSelect;

/** The strategies of these users, the oldest first. */
export async function strategiesOf(db: Queries, userIds: readonly string[]): Promise<StrategyRow[]> {
  return db
    .select()
    .from(strategy)
    .where(and(inArray(strategy.userId, [...userIds]), isNull(strategy.removedAt)))
    .orderBy(asc(strategy.createdAt), asc(strategy.id));
}

/** One of a user's strategies; `null` for any other id, also for what is no id at all. */
export async function ownStrategy(db: Queries, userId: string, id: string): Promise<StrategyRow | null> {
  const [row] = await db
    .select()
    .from(strategy)
    .where(and(eq(strategy.userId, userId), isNull(strategy.removedAt), sql`${strategy.id}::text = ${id}`));
  return row ?? null;
}

/** Anybody's strategy; `null` for any other id, also for what is no id at all. */
export async function strategyById(db: Queries, id: string): Promise<StrategyRow | null> {
  const [row] = await db
    .select()
    .from(strategy)
    .where(and(isNull(strategy.removedAt), sql`${strategy.id}::text = ${id}`));
  return row ?? null;
}

/**
 * What a strategy with real money and one on paper are to each other: the one on paper, also where it is gone, or the newest
 * with real money that was made from it; `null` for one that has no other.
 */
export async function twinOf(
  db: Queries,
  { id, twinId }: Pick<StrategyRow, 'id' | 'twinId'>,
): Promise<StrategyRow | null> {
  const [row] = await db
    .select()
    .from(strategy)
    .where(twinId === null ? and(eq(strategy.twinId, id), isNull(strategy.removedAt)) : eq(strategy.id, twinId))
    .orderBy(desc(strategy.createdAt))
    .limit(1);
  return row ?? null;
}

type NewStrategy = Pick<StrategyRow, 'userId' | 'kind' | 'name' | 'mode' | 'params' | 'createdAt' | 'updatedBy'> &
  Partial<Pick<StrategyRow, 'single' | 'twinId'>>;

/** Adds a strategy that stands still. @returns its id. */
export async function insertStrategy(tx: Queries, row: NewStrategy): Promise<string> {
  const [made] = await tx
    .insert(strategy)
    .values({ ...row, state: 'stopped' satisfies StrategyState, version: 1, updatedAt: row.createdAt })
    .returning({ id: strategy.id });
  if (made === undefined) throw new Error('an inserted strategy came back without its id');
  return made.id;
}

type Change = Partial<
  Pick<
    StrategyRow,
    | 'name'
    | 'params'
    | 'version'
    | 'updatedAt'
    | 'updatedBy'
    | 'removedAt'
    | 'note'
    | 'noteBy'
    | 'noteAt'
    | 'selfManagedAt'
    | 'selfManagedBy'
  >
>;

export async function changeStrategy(tx: Queries, id: string, change: Change): Promise<void> {
  await tx.update(strategy).set(change).where(eq(strategy.id, id));
}

/** Moves a strategy to a state; one that is in it keeps its time. */
export async function switchStrategy(
  tx: Queries,
  id: string,
  state: StrategyState,
  { at, by }: { at: number; by: string },
): Promise<void> {
  await tx
    .update(strategy)
    .set({ state, switchedAt: at, switchedBy: by, selfManagedAt: null, selfManagedBy: null })
    .where(and(eq(strategy.id, id), sql`${strategy.state} <> ${state}`));
}

/** Notes why a strategy of one deal has entered nothing. */
export async function refuseSingle(tx: Queries, id: string, single: SingleTerms): Promise<void> {
  await tx.update(strategy).set({ single }).where(eq(strategy.id, id));
}

/** Whose one deal is entered by orders: what is only taken over sends none. */
export const entersOnce = and(isNotNull(strategy.single), sql`${strategy.single} -> 'takes' is null`);

/**
 * Ends deals of one that were confirmed and are not begun: what a person closed everything before is not opened after it.
 * What is only taken over sends nothing, and goes on. @param userId whose; null for everybody's
 */
export async function callOffSingles(
  tx: Queries,
  userId: string | null,
  { at, by }: { at: number; by: string },
): Promise<void> {
  const begun = tx
    .select()
    .from(target)
    .where(and(eq(target.strategyId, strategy.id), isNotNull(target.triggeredAt)));
  const refused = sql`jsonb_set(${strategy.single}, '{refused}', ${JSON.stringify('closedByHand' satisfies PairBlock)})`;
  await tx
    .update(strategy)
    .set({ single: refused, state: 'stopped' satisfies StrategyState, switchedAt: at, switchedBy: by })
    .where(
      and(
        userId === null ? undefined : eq(strategy.userId, userId),
        inArray(strategy.state, ['running', 'paused'] satisfies StrategyState[]),
        and(entersOnce, notExists(begun)),
      ),
    );
}

/** Asks for one more deal of a strategy. @param at UTC ms */
export async function askOnce(tx: Queries, id: string, at: number): Promise<void> {
  await tx.update(strategy).set({ onceAskedAt: at }).where(eq(strategy.id, id));
}
