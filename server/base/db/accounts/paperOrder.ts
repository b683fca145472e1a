import { and, asc, eq, gt } from 'drizzle-orm';
import type { Queries } from '../client';
import { paperEvent, paperOrder } from '../schema';
import type { VenueEvent, VenueOrder, VenueReport } from './venueRecord';

/** An order and its state. */
export interface PaperOrder {
  order: VenueOrder;
  report: VenueReport;
}

export async function findPaperOrder(
  db: Queries,
  clientId: string,
): Promise<(PaperOrder & { account: string }) | undefined> {
  const [row] = await db
    .select({ account: paperOrder.account, order: paperOrder.order, report: paperOrder.report })
    .from(paperOrder)
    .where(eq(paperOrder.clientId, clientId));
  // Only `commitPaperChange` writes the columns; without them no such order will ever be.
  if (row?.report == null) return undefined;
  return { account: row.account, order: row.order as VenueOrder, report: row.report as VenueReport };
}

/** Whether an id belongs to an order, or was taken so that none can have it. */
export async function isPaperIdTaken(db: Queries, clientId: string): Promise<boolean> {
  const rows = await db.select({ id: paperOrder.clientId }).from(paperOrder).where(eq(paperOrder.clientId, clientId));
  return rows.length > 0;
}

/** Takes an id for good. @returns false where an order has it already. */
export async function voidPaperOrder(db: Queries, account: string, clientId: string): Promise<boolean> {
  const [taken] = await db
    .insert(paperOrder)
    .values({ clientId, account, resting: false })
    .onConflictDoNothing()
    .returning({ id: paperOrder.clientId });
  if (taken) return true;
  return (await findPaperOrder(db, clientId)) === undefined;
}

export async function paperEvents(db: Queries, account: string, after: number, most?: number): Promise<VenueEvent[]> {
  const all = db
    .select({ event: paperEvent.event })
    .from(paperEvent)
    .where(and(eq(paperEvent.account, account), gt(paperEvent.sequence, after)))
    .orderBy(asc(paperEvent.sequence));
  const rows = await (most === undefined ? all : all.limit(most));
  return rows.map(({ event }) => event as VenueEvent);
}
