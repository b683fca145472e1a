import { and, eq, sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/duration';
import type { Queries } from '../client';
import { json } from '../connection/statements';
import { liveJournal, liveOrder } from '../schema';
import type { VenueReport } from './venueRecord';

type LiveOrderRow = typeof liveOrder.$inferSelect;

/** An order that may still be filled, or whose fills may not be written yet. */
export interface UnreadOrder {
  symbol: string;
  /** Signed, base currency; exact. */
  quantity: string;
  /** USDT; none where it only takes away. */
  notional: string;
  report: VenueReport | null;
  /** What is written of its fills, base currency. */
  written: string;
}

/** What an account holds: by its journal, and what orders change of that. */
export interface Exposure {
  /** Signed quantities by symbol. */
  held: Readonly<Record<string, string>>;
  orders: readonly UnreadOrder[];
}

/**
 * An order that is about to be sent. Of one account one after the other, whichever process sends it, so that all that is
 * on its way counts.
 * @param fits whether it may go beside what is held and on its way; null where nothing is to be asked
 * @returns `taken`: it was sent, or nobody may send it any more
 */
export async function claimLiveOrder(
  db: Queries,
  order: Pick<
    LiveOrderRow,
    'clientId' | 'accountId' | 'source' | 'symbol' | 'deadline' | 'quantity' | 'notional' | 'rests'
  >,
  fits: ((exposure: Exposure) => boolean) | null,
): Promise<'claimed' | 'taken' | 'noRoom'> {
  return db.transaction(async (tx) => {
    const [journal] = await tx
      .select({ held: liveJournal.held })
      .from(liveJournal)
      .where(eq(liveJournal.accountId, order.accountId))
      .for('update');
    const held = (journal?.held ?? {}) as Exposure['held'];
    if (fits && !fits({ held, orders: await unreadOrders(tx, order.accountId, order.deadline) })) return 'noRoom';
    const claimed = await tx
      .insert(liveOrder)
      .values(order)
      .onConflictDoNothing()
      .returning({ id: liveOrder.clientId });
    return claimed.length > 0 ? 'claimed' : 'taken';
  });
}

/** @param now UTC ms by the exchange's clock: fills of an order that ended a day before are written */
async function unreadOrders(db: Queries, accountId: string, now: number): Promise<UnreadOrder[]> {
  const { rows } = await db.execute<{ [K in keyof UnreadOrder]: UnreadOrder[K] }>(sql`
    select o.symbol, o.quantity::text as quantity, o.notional::text as notional, o.report, coalesce((
      select sum((e.event ->> 'quantity')::numeric) from live_event e
      where e.event ->> 'clientId' = o.client_id::text and e.event ->> 'kind' = 'fill'), 0)::text as written
    from live_order o where o.account_id = ${accountId} and o.quantity <> 0 and (o.report is null
      or o.report ->> 'state' = 'open' or (o.report ->> 'at')::bigint > ${now - DAY_MS}::bigint)`);
  return rows;
}

/** Orders of an account that were sent to rest and are not told to have ended. */
export async function restingOrders(
  db: Queries,
  accountId: string,
): Promise<(Pick<LiveOrderRow, 'clientId' | 'source'> & Omit<UnreadOrder, 'written'>)[]> {
  const { clientId, source, symbol, quantity, notional, report } = liveOrder;
  const rows = await db
    .select({ clientId, source, symbol, quantity, notional, report })
    .from(liveOrder)
    .where(and(eq(liveOrder.accountId, accountId), liveOrder.rests))
    .orderBy(symbol, clientId);
  return rows.map((row) => ({ ...row, report: row.report as VenueReport | null }));
}

/** An order that was vouched for is on its way no more. */
export async function forgetOrder(db: Queries, clientId: string): Promise<void> {
  await db
    .update(liveOrder)
    .set({ quantity: '0', notional: '0', rests: false })
    .where(eq(liveOrder.clientId, clientId));
}

/** The order of an account, if somebody is to send it or did. */
export async function liveOrderOf(
  db: Queries,
  accountId: string,
  clientId: string,
): Promise<(Omit<LiveOrderRow, 'report'> & { report: VenueReport | null }) | undefined> {
  const [row] = await db
    .select()
    .from(liveOrder)
    .where(and(eq(liveOrder.accountId, accountId), eq(liveOrder.clientId, clientId)));
  return row && { ...row, report: row.report as VenueReport | null };
}

/** Takes an id, so that no process sends an order under it any more; one that is taken stays as it is. */
export async function voidLiveOrder(db: Queries, accountId: string, clientId: string): Promise<void> {
  await db.insert(liveOrder).values({ clientId, accountId }).onConflictDoNothing();
}

/**
 * Keeps what was told of an order unless something newer was: exchanges answer from copies that lag behind.
 * @returns the newest
 */
export async function keepNewest(db: Queries, report: VenueReport): Promise<VenueReport> {
  const { clientId, filledQuantity, state } = report;
  const filled = sql`(${liveOrder.report} ->> 'filledQuantity')::numeric`;
  const isOlder = sql`${liveOrder.report} is null or ${filled} < ${filledQuantity}::numeric
    or (${filled} = ${filledQuantity}::numeric and ${liveOrder.report} ->> 'state' = 'open' and ${state} <> 'open')`;
  const [kept] = await db
    .update(liveOrder)
    .set({
      report: sql`case when ${isOlder} then ${json(report)} else ${liveOrder.report} end`,
      rests: sql`${liveOrder.rests} and ${state} <> 'filled'`,
    })
    .where(eq(liveOrder.clientId, clientId))
    .returning({ report: liveOrder.report });
  return (kept?.report ?? report) as VenueReport;
}
