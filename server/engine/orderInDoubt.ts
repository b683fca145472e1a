import type { DealBook, UserBook } from './tradingBook';
import { ORDER_IN_DOUBT } from './words';

/** An order was not filled whole: the pause before the next one grows. */
export function backOff(deal: DealBook, at: number): void {
  deal.attempts += 1;
  deal.lastSentAt = at;
  deal.dirty = true;
}

/** Freezes a deal over an order in doubt; another reason for a freeze stays. */
export function freezeInDoubt(deal: DealBook): void {
  deal.frozen ??= ORDER_IN_DOUBT;
}

/** Unfreezes a deal without orders in doubt. */
export function liftDoubt({ orders }: UserBook, deal: DealBook): void {
  if (deal.frozen !== ORDER_IN_DOUBT) return;
  const isStillInDoubt = [...orders.values()].some(({ dealId, state }) => dealId === deal.id && state === 'inDoubt');
  if (!isStillInDoubt) deal.frozen = null;
}
