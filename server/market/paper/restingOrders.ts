import Big from 'big.js';
import type { PaperOrder } from '../../base/db/accounts/paperOrder';
import { plain, smaller } from '../../base/maths/decimal';
import type { OrderBook } from '../exchange';
import type { Side } from '../venue';
import type { AccountChange } from './accountChange';
import { remainingOf } from './margin';
import { type Boards, type Listed, listedOn } from './marketFeed';
import { bestPrice, depthWithin } from './orderBook';
import { heldIn, type PaperAccount } from './paperAccount';
import { reducibleOf } from './placeOrder';
import { TakenDepth } from './takenDepth';

/**
 * Whether a resting order would be filled or ended now.
 * @param lookedAt up to when the path of prices was followed before, UTC ms
 */
export function restingMoves(account: PaperAccount, boards: Boards, lookedAt: number, now: number): boolean {
  for (const resting of account.resting.values()) {
    if (resting.order.reduceOnly && !reduces(account, resting.order)) return true;
    const listed = listedOn(boards, resting.order);
    if (listed?.isDelisted) return true;
    if (listed && bookThatMeets(resting, listed, lookedAt, now)) return true;
  }
  return false;
}

interface Met {
  book: OrderBook;
  /** UTC ms. */
  at: number;
}

/** The book of now where it meets the order, else the first one that did since it was looked at. */
function bookThatMeets({ order, report }: PaperOrder, listed: Listed, lookedAt: number, now: number): Met | undefined {
  const { book } = listed;
  const best = book && bestPrice(book, order.side);
  if (best && (order.side === 'buy' ? best.lte(order.limitPrice) : best.gte(order.limitPrice))) {
    return { book, at: now };
  }
  return book && listed.metSince(order.side, Number(order.limitPrice), Math.max(report.at, lookedAt));
}

const reduces = (account: PaperAccount, order: PaperOrder['order']): boolean =>
  order.side === 'buy' ? heldIn(account, order).lt(0) : heldIn(account, order).gt(0);

/** The better price first, whatever the symbol; of one price the older one, as they stand. */
function inTheirTurn(resting: Iterable<PaperOrder>): PaperOrder[] {
  const all = [...resting];
  const of = (side: Side, sign: 1 | -1) =>
    all
      .filter(({ order }) => order.side === side)
      .sort((one, other) => sign * (Number(one.order.limitPrice) - Number(other.order.limitPrice)));
  return [...of('buy', -1), ...of('sell', 1)];
}

/**
 * Fills what the market has come to meet since it was looked at, at the order's own price, as far as what rests beyond it
 * reaches and no better order has taken. A reducing order with nothing left to reduce ends.
 * @param taken what is missing from the books for everybody; null where they are whole again at the next look.
 * @returns what takes back that this is missing from them.
 */
export function fillResting(
  change: AccountChange,
  boards: Boards,
  lookedAt: number,
  taken: TakenDepth | null,
): () => void {
  // Of this look alone nothing comes back.
  const own = new TakenDepth(Number.POSITIVE_INFINITY);
  const back: (() => void)[] = [];
  for (const resting of inTheirTurn(change.resting.values())) {
    const { order } = resting;
    const remaining = remainingOf(resting);
    const wanted = order.reduceOnly ? smaller(remaining, reducibleOf(change, order)) : remaining;
    if (wanted.eq(0)) {
      change.endOrder(resting);
      continue;
    }
    const listed = listedOn(boards, order);
    const met = listed && bookThatMeets(resting, listed, lookedAt, change.now);
    if (!met) continue;
    const book = taken ? met.book : own.without(order, met.book, met.at);
    const price = new Big(order.limitPrice);
    const quantity = smaller(wanted, depthWithin(book, order.side, price));
    if (quantity.eq(0)) continue;
    const { kind, makerFee } = listed.terms;
    change.fill({ ...order, kind, quantity, price, feeRate: new Big(makerFee), maker: true });
    back.push((taken ?? own).take(order, order.side, quantity, met.book, met.at));
    const filled = quantity.plus(resting.report.filledQuantity);
    change.moveOrder(resting, {
      filledQuantity: plain(filled),
      state: filled.eq(order.quantity) ? 'filled' : 'open',
    });
  }
  return () => {
    for (const one of back) one();
  };
}
