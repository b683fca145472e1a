import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { HedgeSettings } from '#contract/hedgeConfig';
import type { StrategyKind } from '#contract/strategy';
import type { Queries } from './client';
import { hedgeConfig, hedgePair } from './schema';

/** The kind of the one strategy that a user has: what the tables of settings, pairs and hedges hold is of it. */
export const STORED_KIND: StrategyKind = 'hedge';

/** A user's settings as they were saved last. */
export interface ConfigRow {
  version: number;
  settings: HedgeSettings;
  /** UTC ms. */
  updatedAt: number;
  updatedBy: string;
}

type StoredConfig = typeof hedgeConfig.$inferSelect;

const configOf = ({ version, settings, updatedAt, updatedBy }: StoredConfig): ConfigRow => ({
  version,
  // Only what the contract's schema let through was ever written.
  settings: settings as HedgeSettings,
  updatedAt,
  updatedBy,
});

export async function findConfig(db: Queries, userId: string): Promise<ConfigRow | null> {
  const [row] = await db.select().from(hedgeConfig).where(eq(hedgeConfig.userId, userId));
  return row ? configOf(row) : null;
}

/** The settings of those among these users who have some, by user. */
export async function settingsOf(db: Queries, userIds: readonly string[]): Promise<Map<string, HedgeSettings>> {
  const rows = await db
    .select()
    .from(hedgeConfig)
    .where(inArray(hedgeConfig.userId, [...userIds]));
  return new Map(rows.map((row) => [row.userId, configOf(row).settings]));
}

interface Save {
  settings: HedgeSettings;
  /** UTC ms. */
  at: number;
  by: string;
}

/** Saves the first settings; answers false when there are some already. */
export async function createConfig(tx: Queries, userId: string, { settings, at, by }: Save): Promise<boolean> {
  const made = await tx
    .insert(hedgeConfig)
    .values({ userId, version: 1, settings, updatedAt: at, updatedBy: by })
    .onConflictDoNothing()
    .returning({ version: hedgeConfig.version });
  return made.length > 0;
}

/** Replaces the settings of `version` by those of the next; `null` when that is not the newest any more. */
export async function updateConfig(
  tx: Queries,
  userId: string,
  version: number,
  { settings, at, by }: Save,
): Promise<ConfigRow | null> {
  const [row] = await tx
    .update(hedgeConfig)
    .set({ version: version + 1, settings, updatedAt: at, updatedBy: by })
    .where(and(eq(hedgeConfig.userId, userId), eq(hedgeConfig.version, version)))
    .returning();
  return row ? configOf(row) : null;
}

export type PairRow = typeof hedgePair.$inferSelect;

/** Pairs that were not removed, in order of their adding. */
export async function standingPairs(db: Queries, userId: string): Promise<PairRow[]> {
  return db
    .select()
    .from(hedgePair)
    .where(and(eq(hedgePair.userId, userId), isNull(hedgePair.removedAt)))
    .orderBy(asc(hedgePair.createdAt), asc(hedgePair.id));
}

/** The same of many users, in no order. */
export async function standingPairsOf(db: Queries, userIds: readonly string[]): Promise<PairRow[]> {
  return db
    .select()
    .from(hedgePair)
    .where(and(inArray(hedgePair.userId, [...userIds]), isNull(hedgePair.removedAt)));
}

/** One of the user's standing pairs; `null` for any other id, also for what is no id at all. */
export async function findPair(db: Queries, userId: string, id: string): Promise<PairRow | null> {
  const [row] = await db
    .select()
    .from(hedgePair)
    // Compared as text: what a caller sends need not be a uuid. A user's pairs are few.
    .where(and(eq(hedgePair.userId, userId), isNull(hedgePair.removedAt), sql`${hedgePair.id}::text = ${id}`));
  return row ?? null;
}

export async function insertPair(
  tx: Queries,
  row: Pick<PairRow, 'userId' | 'source' | 'long' | 'short' | 'createdAt' | 'armedAt' | 'block'>,
): Promise<string> {
  const [made] = await tx.insert(hedgePair).values(row).returning({ id: hedgePair.id });
  if (made === undefined) throw new Error('an inserted pair came back without its id');
  return made.id;
}

export async function changePair(
  tx: Queries,
  id: string,
  change: Partial<Pick<PairRow, 'removedAt' | 'armedAt'>>,
): Promise<void> {
  await tx.update(hedgePair).set(change).where(eq(hedgePair.id, id));
}

/** What the engine notes of a pair. */
export async function markPair(
  tx: Queries,
  id: string,
  mark: Partial<Pick<PairRow, 'usedArmAt' | 'triggeredAt' | 'block'>>,
): Promise<void> {
  await tx.update(hedgePair).set(mark).where(eq(hedgePair.id, id));
}
