import type { DealBook, UserBook } from './tradingBook';
import { ORDER_IN_DOUBT } from './words';

/** An order did not do all it was to: the next one waits longer. */
export function backOff(deal: DealBook, at: number): void {
  deal.attempts += 1;
  deal.lastSentAt = at;
  deal.dirty = true;
}

/** Freezes a deal over an order of unknown fate; what was frozen for another reason stays so. */
export function freezeInDoubt(deal: DealBook): void {
  deal.frozen ??= ORDER_IN_DOUBT;
}

/** Lets a deal go on that no order of unknown fate keeps any more. */
export function liftDoubt({ orders }: UserBook, deal: DealBook): void {
  if (deal.frozen !== ORDER_IN_DOUBT) return;
  const isStillInDoubt = [...orders.values()].some(({ dealId, state }) => dealId === deal.id && state === 'inDoubt');
  if (!isStillInDoubt) deal.frozen = null;
}
