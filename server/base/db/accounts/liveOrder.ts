import { and, eq, sql } from 'drizzle-orm';
import type { Queries } from '../client';
import { liveOrder } from '../schema';
import type { VenueReport } from './venueRecord';

type LiveOrderRow = typeof liveOrder.$inferSelect;

/** An order that ended is part of what is held after so long, whoever is asked for that. */
const HELD_WITHIN_MS = 60_000;

/**
 * An order that is about to be sent. Of one account one after the other, whichever process sends it, so that all that is
 * on its way counts.
 * @param room how much may be on its way, this one included, USDT; null where it is not limited
 * @returns `taken`: it was sent, or nobody may send it any more
 */
export async function claimLiveOrder(
  db: Queries,
  order: Pick<LiveOrderRow, 'clientId' | 'accountId' | 'source' | 'symbol' | 'deadline' | 'notional'>,
  room: string | null,
): Promise<'claimed' | 'taken' | 'noRoom'> {
  return db.transaction(async (tx) => {
    await tx.execute(sql`select 1 from live_journal where account_id = ${order.accountId} for update`);
    if (room !== null) {
      const isUnderWay = sql`(report is null or report ->> 'state' = 'open'
        or (report ->> 'at')::bigint > ${order.deadline - HELD_WITHIN_MS})`;
      const { rows } = await tx.execute<{ isTooMuch: boolean }>(sql`
        select coalesce(sum(notional), 0) + ${order.notional}::numeric > ${room}::numeric as "isTooMuch"
        from live_order where account_id = ${order.accountId} and notional > 0 and ${isUnderWay}`);
      if (rows[0]?.isTooMuch !== false) return 'noRoom';
    }
    const claimed = await tx
      .insert(liveOrder)
      .values(order)
      .onConflictDoNothing()
      .returning({ id: liveOrder.clientId });
    return claimed.length > 0 ? 'claimed' : 'taken';
  });
}

/** An order that was vouched for takes no room any more. */
export async function freeRoom(db: Queries, clientId: string): Promise<void> {
  await db.update(liveOrder).set({ notional: '0' }).where(eq(liveOrder.clientId, clientId));
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
    .set({ report: sql`case when ${isOlder} then ${JSON.stringify(report)}::text::jsonb else ${liveOrder.report} end` })
    .where(eq(liveOrder.clientId, clientId))
    .returning({ report: liveOrder.report });
  return (kept?.report ?? report) as VenueReport;
}
