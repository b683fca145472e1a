import { and, asc, eq, inArray, isNotNull } from 'drizzle-orm';
import { ORDER_LIVE } from '#contract/lifecycle';
import type { Queries } from '../client';
import { fill, ledger, tradeOrder } from '../schema';

/** Every fill of these deals with the slot it was for, ascending in time. */
export async function slotFillsOf(db: Queries, dealIds: readonly string[]) {
  if (dealIds.length === 0) return [];
  return db
    .select({
      dealId: fill.dealId,
      slot: tradeOrder.slot,
      at: fill.at,
      side: fill.side,
      quantity: fill.quantity,
      price: fill.price,
      fee: fill.fee,
      feeInBase: fill.feeInBase,
    })
    .from(fill)
    .innerJoin(tradeOrder, eq(tradeOrder.id, fill.orderId))
    .where(inArray(fill.dealId, [...dealIds]))
    .orderBy(asc(fill.at), asc(fill.id));
}

/** What a deal was paid in funding (received is positive, USDT), ascending in time. */
export async function fundingOfDeal(db: Queries, dealId: string) {
  const rows = await db
    .select({ at: ledger.at, amount: ledger.amount })
    .from(ledger)
    .where(and(eq(ledger.dealId, dealId), eq(ledger.kind, 'funding')))
    .orderBy(asc(ledger.at));
  return rows.map(({ at, amount }) => ({ at, amount: Number(amount) }));
}

/** The slots of these deals for which orders live, once for each order. */
export async function liveSlotsOf(db: Queries, dealIds: readonly string[]) {
  if (dealIds.length === 0) return [];
  const { dealId, slot, state } = tradeOrder;
  return db
    .select({ dealId, slot })
    .from(tradeOrder)
    .where(and(inArray(dealId, [...dealIds]), inArray(state, [...ORDER_LIVE]), isNotNull(slot)));
}
