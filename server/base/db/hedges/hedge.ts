import { and, asc, count, desc, eq, getViewSelectedFields, gt, isNotNull, lt, notInArray, or, sql } from 'drizzle-orm';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { type CloseReason, HEDGE_ENDS, type HedgeState } from '#contract/lifecycle';
import type { StrategyMode } from '#contract/strategy';
import type { Queries } from '../client';
import { deal, dealEvent, fill, ledger, tradeOrder, user } from '../schema';
import { hedge } from './hedgeView';

/** A hedge with its owner's name. */
export type HedgeRecord = Omit<typeof hedge.$inferSelect, 'mode' | 'state' | 'closeReason' | 'settings'> & {
  mode: StrategyMode;
  state: HedgeState;
  closeReason: CloseReason | null;
  settings: HedgeSettings;
  user: string;
};

/** States, reasons, modes and settings are written by the engine, in words of the contract. */
export const recordOf = (row: { hedge: typeof hedge.$inferSelect; user: string }): HedgeRecord =>
  ({ ...row.hedge, user: row.user }) as HedgeRecord;

const running = notInArray(hedge.state, [...HEDGE_ENDS]);
const isRunning = notInArray(deal.state, [...HEDGE_ENDS]);

/** All that a hedge's row says. */
export const HEDGE_FIELDS = getViewSelectedFields(hedge);

/** Hedges that have not ended, of a user or of everybody, the newest first. */
export async function runningHedges(db: Queries, userId?: string): Promise<HedgeRecord[]> {
  const rows = await db
    .select({ hedge: HEDGE_FIELDS, user: user.name })
    .from(hedge)
    .innerJoin(user, eq(user.id, hedge.userId))
    .where(and(userId === undefined ? undefined : eq(hedge.userId, userId), running))
    .orderBy(desc(hedge.createdAt), asc(hedge.id));
  return rows.map(recordOf);
}

/** A leg holds what belongs to the other side. */
const isOnWrongSide = or(lt(hedge.longQuantity, '0'), gt(hedge.shortQuantity, '0'));

/** Everybody's running hedges that are frozen, on a wrong side, or of a blocked user; the oldest first. */
export async function hedgesInNeed(
  db: Queries,
): Promise<{ record: HedgeRecord; blocked: boolean; wrongSide: boolean }[]> {
  const rows = await db
    .select({
      hedge: HEDGE_FIELDS,
      user: user.name,
      blocked: user.blocked,
      wrongSide: sql<boolean>`(${isOnWrongSide})`,
    })
    .from(hedge)
    .innerJoin(user, eq(user.id, hedge.userId))
    .where(and(running, or(isNotNull(hedge.frozen), isOnWrongSide, eq(user.blocked, true))))
    .orderBy(asc(hedge.createdAt), asc(hedge.id));
  return rows.map(({ blocked, wrongSide, ...row }) => ({ record: recordOf(row), blocked, wrongSide }));
}

/** How many hedges have not ended: of one user, or of all. */
export async function countRunning(db: Queries, userId?: string): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(hedge)
    .where(and(userId === undefined ? undefined : eq(hedge.userId, userId), running));
  return row?.total ?? 0;
}

export async function countRunningOfPair(db: Queries, userId: string, pairId: string): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(hedge)
    .where(and(eq(hedge.userId, userId), eq(hedge.pairId, pairId), running));
  return row?.total ?? 0;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Whether a text may be asked for as an id: PostgreSQL refuses to compare any other with one. */
export const isId = (text: string): boolean => UUID.test(text);

/** A hedge of any user by its id; `null` also for what is no id at all. */
export async function findHedge(db: Queries, id: string): Promise<HedgeRecord | null> {
  if (!isId(id)) return null;
  const [row] = await db
    .select({ hedge: HEDGE_FIELDS, user: user.name })
    .from(hedge)
    .innerJoin(user, eq(user.id, hedge.userId))
    .where(eq(hedge.id, id));
  return row ? recordOf(row) : null;
}

/** Asks for it to be closed; who asked first stays. A hedge that has ended is left alone. */
export async function askClose(tx: Queries, id: string, { at, by }: { at: number; by: string }): Promise<void> {
  await tx
    .update(deal)
    .set({
      closeAskedAt: sql`coalesce(${deal.closeAskedAt}, ${at})`,
      closeAskedBy: sql`coalesce(${deal.closeAskedBy}, ${by})`,
    })
    .where(and(eq(deal.id, id), isRunning));
}

export async function writeNote(
  db: Queries,
  id: string,
  note: { note: string; noteBy: string; noteAt: number },
): Promise<void> {
  await db.update(deal).set(note).where(eq(deal.id, id));
}

/** What the hedge traded, oldest first. */
export async function fillsOf(db: Queries, hedgeId: string) {
  return db
    .select({ fill, leg: tradeOrder.leg, purpose: tradeOrder.purpose })
    .from(fill)
    .innerJoin(tradeOrder, eq(tradeOrder.id, fill.orderId))
    .where(eq(fill.dealId, hedgeId))
    .orderBy(asc(fill.at), asc(fill.id));
}

export const fundingsOf = (db: Queries, hedgeId: string) => bookedAs(db, hedgeId, 'funding');

/** What came to the hedge or left it without a trade, oldest first. */
export const movedOf = (db: Queries, hedgeId: string) => bookedAs(db, hedgeId, 'inventory');

async function bookedAs(db: Queries, hedgeId: string, kind: string) {
  return db
    .select()
    .from(ledger)
    .where(and(eq(ledger.dealId, hedgeId), eq(ledger.kind, kind)))
    .orderBy(asc(ledger.at), asc(ledger.id));
}

export async function eventsOf(db: Queries, hedgeId: string) {
  return db.select().from(dealEvent).where(eq(dealEvent.dealId, hedgeId)).orderBy(asc(dealEvent.id));
}

export async function ordersOf(db: Queries, hedgeId: string) {
  return db
    .select()
    .from(tradeOrder)
    .where(eq(tradeOrder.dealId, hedgeId))
    .orderBy(asc(tradeOrder.createdAt), asc(tradeOrder.id));
}
