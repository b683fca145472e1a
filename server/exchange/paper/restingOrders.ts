import Big from 'big.js';
import type { PaperOrder } from '../../db/paperOrder';
import { plain, smaller } from '../../maths/decimal';
import type { OrderBook } from '../exchange';
import type { AccountChange } from './accountChange';
import { remainingOf } from './margin';
import { type Boards, type Listed, listedOn } from './marketFeed';
import { bestPrice, depthWithin } from './orderBook';
import { heldIn, type PaperAccount } from './paperAccount';
import { reducibleOf } from './placeOrder';

/**
 * Whether a resting order would be filled or ended now.
 * @param lookedAt up to when the path of prices was followed before, UTC ms
 */
export function restingMoves(account: PaperAccount, boards: Boards, lookedAt: number): boolean {
  for (const resting of account.resting.values()) {
    if (resting.order.reduceOnly && !reduces(account, resting.order)) return true;
    const listed = listedOn(boards, resting.order);
    if (listed?.isDelisted) return true;
    if (listed && bookThatMeets(resting, listed, lookedAt)) return true;
  }
  return false;
}

/** The book of now where it meets the order, else the first one that did since it was looked at. */
function bookThatMeets({ order, report }: PaperOrder, listed: Listed, lookedAt: number): OrderBook | undefined {
  const { book } = listed;
  const best = book && bestPrice(book, order.side);
  if (best && (order.side === 'buy' ? best.lte(order.limitPrice) : best.gte(order.limitPrice))) return book;
  return book && listed.metSince(order.side, Number(order.limitPrice), Math.max(report.at, lookedAt));
}

const reduces = (account: PaperAccount, order: PaperOrder['order']): boolean =>
  order.side === 'buy' ? heldIn(account, order).lt(0) : heldIn(account, order).gt(0);

/**
 * Fills what the market has come to meet since it was looked at, at the order's own price, as far as what rests beyond it reaches.
 * A reducing order with nothing left to reduce ends.
 */
export function fillResting(change: AccountChange, boards: Boards, lookedAt: number): void {
  for (const resting of [...change.resting.values()]) {
    const { order } = resting;
    const remaining = remainingOf(resting);
    const wanted = order.reduceOnly ? smaller(remaining, reducibleOf(change, order)) : remaining;
    if (wanted.eq(0)) {
      change.endOrder(resting);
      continue;
    }
    const listed = listedOn(boards, order);
    const book = listed && bookThatMeets(resting, listed, lookedAt);
    if (!book) continue;
    const price = new Big(order.limitPrice);
    const quantity = smaller(wanted, depthWithin(book, order.side, price));
    if (quantity.eq(0)) continue;
    const { kind, makerFee } = listed.terms;
    change.fill({ ...order, kind, quantity, price, feeRate: new Big(makerFee), maker: true });
    const filled = quantity.plus(resting.report.filledQuantity);
    change.moveOrder(resting, {
      filledQuantity: plain(filled),
      state: filled.eq(order.quantity) ? 'filled' : 'open',
    });
  }
}
