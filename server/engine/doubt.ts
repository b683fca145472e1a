import type { Book, HedgeBook } from './tradingBook';
import { DOUBT } from './words';

/** An order did not do all it was to: the next one waits longer. */
export function missed(hedge: HedgeBook, at: number): void {
  hedge.attempts += 1;
  hedge.lastSentAt = at;
  hedge.dirty = true;
}

/** Freezes a hedge over an order of unknown fate; what was frozen for another reason stays so. */
export function doubt(hedge: HedgeBook): void {
  hedge.frozen ??= DOUBT;
}

/** Lets a hedge go on that no order of unknown fate keeps any more. */
export function dispel({ orders }: Book, hedge: HedgeBook): void {
  if (hedge.frozen !== DOUBT) return;
  const isLeft = [...orders.values()].some(({ hedgeId, state }) => hedgeId === hedge.id && state === 'inDoubt');
  if (!isLeft) hedge.frozen = null;
}
