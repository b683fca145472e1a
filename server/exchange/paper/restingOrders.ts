import Big from 'big.js';
import type { PaperOrder } from '../../db/paperOrder';
import { plain, smaller } from '../../maths/decimal';
import type { AccountChange } from './accountChange';
import { remainingOf } from './margin';
import { type Boards, listedOn } from './marketFeed';
import { bestPrice, depthWithin } from './orderBook';
import { heldIn, type PaperAccount } from './paperAccount';
import { reducibleOf } from './placeOrder';

/** Whether a resting order would be filled or ended now. */
export function restingMoves(account: PaperAccount, boards: Boards): boolean {
  for (const { order } of account.resting.values()) {
    if (order.reduceOnly && !reduces(account, order)) return true;
    const listed = listedOn(boards, order);
    if (listed?.isDelisted) return true;
    const book = listed?.book;
    const best = book && bestPrice(book, order.side);
    if (best && (order.side === 'buy' ? best.lte(order.limitPrice) : best.gte(order.limitPrice))) return true;
  }
  return false;
}

const reduces = (account: PaperAccount, order: PaperOrder['order']): boolean =>
  order.side === 'buy' ? heldIn(account, order).lt(0) : heldIn(account, order).gt(0);

/**
 * Fills what the market has come to meet, at the order's own price, as far as what rests beyond it reaches.
 * A reducing order with nothing left to reduce ends.
 */
export function fillResting(change: AccountChange, boards: Boards): void {
  for (const resting of [...change.resting.values()]) {
    const { order } = resting;
    const remaining = remainingOf(resting);
    const wanted = order.reduceOnly ? smaller(remaining, reducibleOf(change, order)) : remaining;
    if (wanted.eq(0)) {
      change.endOrder(resting);
      continue;
    }
    const listed = listedOn(boards, order);
    if (!listed?.book) continue;
    const price = new Big(order.limitPrice);
    const quantity = smaller(wanted, depthWithin(listed.book, order.side, price));
    if (quantity.eq(0)) continue;
    change.fill({ ...order, quantity, price, feeRate: new Big(listed.terms.makerFee), maker: true });
    const filled = quantity.plus(resting.report.filledQuantity);
    change.moveOrder(resting, {
      filledQuantity: plain(filled),
      state: filled.eq(order.quantity) ? 'filled' : 'open',
    });
  }
}
