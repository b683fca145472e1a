import { and, asc, desc, eq, gte, inArray, isNull, or, sql } from 'drizzle-orm';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import type { StrategyKind, StrategyState } from '#contract/strategy';
import type { Queries } from '../client';
import { strategy, strategyGuard, target } from '../schema';
import { entersOnce, type StrategyRow } from '../strategies/strategy';
import type { TargetRow } from '../strategies/target';
import { legsOf, type Pair, pairOf } from './pairLegs';

/** Of the strategy that the hedge desk shows and writes. */
export const DESK_KIND: StrategyKind = 'hedge';
const NAME = '对冲';

/** What the hedge desk writes: a user's one strategy of this kind that is not of one deal. */
export const isHedgeStrategy = and(eq(strategy.kind, DESK_KIND), isNull(strategy.single));
const ofUser = (userId: string) => and(eq(strategy.userId, userId), isHedgeStrategy);

/** A user's settings as they were saved last. */
export interface ConfigRow {
  version: number;
  settings: HedgeSettings;
  /** UTC ms. */
  updatedAt: number;
  updatedBy: string;
}

/** `null` before the first settings were saved. */
const configOf = ({ version, params, updatedAt, updatedBy }: StrategyRow): ConfigRow | null =>
  // Only what the contract's schema let through was ever written.
  params === null ? null : { version, settings: params as HedgeSettings, updatedAt, updatedBy };

/** The settings of the desk and its switch. */
export interface DeskRow {
  config: ConfigRow | null;
  enabled: boolean;
  /** UTC ms. */
  switchedAt: number | null;
  switchedBy: string | null;
  /** Why its breaker tripped; null while it has not, or it was resumed. */
  tripped: string | null;
  /** The strategy behind it and how it is guarded; null before there is one. */
  id: string | null;
  guard: typeof strategyGuard.$inferSelect | null;
}

const NO_DESK: DeskRow = {
  ...{ config: null, enabled: false, switchedAt: null, switchedBy: null },
  ...{ tripped: null, id: null, guard: null },
};
const RUNNING: StrategyState = 'running';

/** What is off still guards what it holds. */
const stateOf = (enabled: boolean): StrategyState => (enabled ? RUNNING : 'paused');

/** Whether a strategy in this state enters. */
export const isSwitchedOn = (state: string | null): boolean => state === RUNNING;

export async function findDesk(db: Queries, userId: string): Promise<DeskRow> {
  const [found] = await db
    .select({ row: strategy, guard: strategyGuard })
    .from(strategy)
    .leftJoin(strategyGuard, eq(strategyGuard.strategyId, strategy.id))
    .where(ofUser(userId));
  if (found === undefined) return NO_DESK;
  const { row, guard } = found;
  const { id, state, switchedAt, switchedBy } = row;
  const tripped = guard?.tripped ?? null;
  return { config: configOf(row), enabled: isSwitchedOn(state), switchedAt, switchedBy, tripped, id, guard };
}

export async function findConfig(db: Queries, userId: string): Promise<ConfigRow | null> {
  return (await findDesk(db, userId)).config;
}

/** Who writes, and when (UTC ms). */
export interface Written {
  at: number;
  by: string;
}

/** Makes the strategy of a user whose book is locked, where it is not made yet. */
export async function openHedgeStrategy(tx: Queries, userId: string, { at, by }: Written): Promise<void> {
  const [standing] = await tx.select({ id: strategy.id }).from(strategy).where(ofUser(userId));
  if (standing !== undefined) return;
  await tx.insert(strategy).values({
    ...{ userId, kind: DESK_KIND, name: NAME, mode: 'paper', state: 'stopped' },
    ...{ createdAt: at, updatedAt: at, updatedBy: by },
  });
}

interface Save extends Written {
  settings: HedgeSettings;
}

/** Saves the first settings; answers false when there are some already. */
export async function createConfig(tx: Queries, userId: string, save: Save): Promise<boolean> {
  return (await updateConfig(tx, userId, 0, save)) !== null;
}

/** Replaces the settings of `version` by those of the next; `null` when that is not the newest any more. */
export async function updateConfig(
  tx: Queries,
  userId: string,
  version: number,
  { settings, at, by }: Save,
): Promise<ConfigRow | null> {
  const [row] = await tx
    .update(strategy)
    .set({ version: version + 1, params: settings, updatedAt: at, updatedBy: by })
    .where(and(ofUser(userId), eq(strategy.version, version)))
    .returning();
  return row ? configOf(row) : null;
}

/** Switches entries on or off. */
export async function switchDesk(tx: Queries, userId: string, enabled: boolean, { at, by }: Written): Promise<void> {
  await tx
    .update(strategy)
    .set({ state: stateOf(enabled), switchedAt: at, switchedBy: by })
    .where(ofUser(userId));
}

/** A target of two coins held against each other. */
export interface PairRow extends Omit<TargetRow, 'legs'>, Pair {}

const pairRow = ({ legs, ...row }: TargetRow): PairRow => ({ ...row, ...pairOf({ legs }) });

const isStanding = (userId: string) => and(ofUser(userId), isNull(target.removedAt));
const targets = (db: Queries) =>
  db.select({ target }).from(target).innerJoin(strategy, eq(strategy.id, target.strategyId));

/** One hedge beside the pairs, and the pair that it is of. */
export interface WaitingRow {
  row: StrategyRow;
  pair: PairRow;
}

/** Hedges of one deal that have not been opened: those that wait, and those that were given up since, newest first. */
export async function waitingHedges(db: Queries, userId: string, since: number): Promise<WaitingRow[]> {
  const rows = await db
    .select({ row: strategy, target })
    .from(strategy)
    .innerJoin(target, eq(target.strategyId, strategy.id))
    .where(
      and(
        and(eq(strategy.userId, userId), eq(strategy.kind, DESK_KIND), entersOnce),
        and(isNull(strategy.removedAt), isNull(target.triggeredAt)),
        or(
          inArray(strategy.state, ['running', 'paused'] satisfies StrategyState[]),
          and(sql`${strategy.single} ->> 'refused' is not null`, gte(strategy.switchedAt, since)),
        ),
      ),
    )
    .orderBy(desc(strategy.createdAt));
  return rows.map(({ row, target: one }) => ({ row, pair: pairRow(one) }));
}

/** Pairs that were not removed, in order of their adding. */
export async function standingPairs(db: Queries, userId: string): Promise<PairRow[]> {
  const rows = await targets(db).where(isStanding(userId)).orderBy(asc(target.createdAt), asc(target.id));
  return rows.map((row) => pairRow(row.target));
}

/** One of the user's standing pairs; `null` for any other id, also for what is no id at all. */
export async function findPair(db: Queries, userId: string, id: string): Promise<PairRow | null> {
  // Compared as text: what a caller sends need not be a uuid. A user's pairs are few.
  const [row] = await targets(db).where(and(isStanding(userId), sql`${target.id}::text = ${id}`));
  return row ? pairRow(row.target) : null;
}

type NewPair = Pair & Pick<PairRow, 'userId' | 'createdAt' | 'armedAt'> & Partial<Omit<PairRow, 'strategyId'>>;

/** Adds a pair to the strategy of its owner, who has one. @returns its id. */
export async function insertPair(tx: Queries, { source, long, short, ...row }: NewPair): Promise<string> {
  const [owned] = await tx.select({ id: strategy.id }).from(strategy).where(ofUser(row.userId));
  if (owned === undefined) throw new Error('a pair has no strategy to belong to');
  const legs = legsOf({ source, long, short });
  const [made] = await tx
    .insert(target)
    .values({ ...row, legs, strategyId: owned.id })
    .returning({ id: target.id });
  if (made === undefined) throw new Error('an inserted pair came back without its id');
  return made.id;
}

export async function changePair(
  tx: Queries,
  id: string,
  change: Partial<Pick<PairRow, 'removedAt' | 'armedAt'>>,
): Promise<void> {
  await tx.update(target).set(change).where(eq(target.id, id));
}
