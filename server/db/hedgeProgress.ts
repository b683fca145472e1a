import { and, eq, inArray, sql } from 'drizzle-orm';
import type { HedgeEventKind } from '#contract/lifecycle';
import type { Queries } from './client';
import { running } from './hedge';
import { hedge, hedgeEvent } from './schema';

export type HedgeColumns = typeof hedge.$inferSelect;

/** What the intents of calls and the notes of people leave alone. */
export type HedgeProgress = Omit<
  HedgeColumns,
  | 'id'
  | 'userId'
  | 'pairId'
  | 'source'
  | 'long'
  | 'short'
  | 'createdAt'
  | 'settings'
  | 'ratio'
  | 'closeAskedAt'
  | 'closeAskedBy'
  | 'flattenAskedAt'
  | 'longExit'
  | 'shortExit'
  | 'note'
  | 'noteBy'
  | 'noteAt'
>;

/** Hedges of these users that have not ended. */
export async function runningOf(db: Queries, userIds: readonly string[]): Promise<HedgeColumns[]> {
  return db
    .select()
    .from(hedge)
    .where(and(inArray(hedge.userId, [...userIds]), running));
}

/** What was asked of a user's running hedges. */
export async function askedOfHedges(db: Queries, userId: string) {
  return db
    .select({ id: hedge.id, closeAskedAt: hedge.closeAskedAt, flattenAskedAt: hedge.flattenAskedAt })
    .from(hedge)
    .where(and(eq(hedge.userId, userId), running));
}

/** Price PnL that hedges which ended have realised, by leg, and slippage of all, USDT, exact. */
export async function hedgeSums(db: Queries, userIds: readonly string[]) {
  return db
    .select({
      userId: hedge.userId,
      long: sql<string>`coalesce(sum(${hedge.longRealised}) filter (where not (${running})), 0)`,
      short: sql<string>`coalesce(sum(${hedge.shortRealised}) filter (where not (${running})), 0)`,
      slippage: sql<string>`sum(${hedge.slippage})`,
    })
    .from(hedge)
    .where(inArray(hedge.userId, [...userIds]))
    .groupBy(hedge.userId);
}

export async function insertHedge(tx: Queries, row: typeof hedge.$inferInsert): Promise<void> {
  await tx.insert(hedge).values(row);
}

export async function writeHedgeProgress(tx: Queries, id: string, state: HedgeProgress): Promise<void> {
  await tx.update(hedge).set(state).where(eq(hedge.id, id));
}

/** Average prices at which the legs were taken down; null for one that never was. */
export async function writeExits(
  tx: Queries,
  id: string,
  exits: Pick<HedgeColumns, 'longExit' | 'shortExit'>,
): Promise<void> {
  await tx.update(hedge).set(exits).where(eq(hedge.id, id));
}

/** What is watched of a hedge between two orders. */
export type HedgeFigures = Pick<HedgeColumns, 'id' | 'mae' | 'mfe' | 'naked' | 'oneLegSince' | 'nakedAt'>;

/** Those of many hedges in one statement. */
export async function writeFigures(tx: Queries, figures: readonly HedgeFigures[]): Promise<void> {
  const rows = figures.map(
    ({ id, mae, mfe, naked, oneLegSince, nakedAt }) =>
      sql`(${id}::uuid, ${mae}::float8, ${mfe}::float8, ${naked}::float8, ${oneLegSince}::bigint, ${nakedAt}::bigint)`,
  );
  await tx.execute(sql`
    update ${hedge} set mae = v.mae, mfe = v.mfe, naked = v.naked, one_leg_since = v.since, naked_at = v.counted
    from (values ${sql.join(rows, sql`, `)}) as v(id, mae, mfe, naked, since, counted) where ${hedge.id} = v.id`);
}

interface HedgeLine {
  hedgeId: string;
  kind: HedgeEventKind;
  detail: string;
}

/** Adds lines to the timelines of hedges. @param at UTC ms */
export async function insertLines(tx: Queries, lines: readonly HedgeLine[], at: number): Promise<void> {
  if (lines.length > 0) await tx.insert(hedgeEvent).values(lines.map((line) => ({ ...line, at })));
}
