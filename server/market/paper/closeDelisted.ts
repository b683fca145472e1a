import Big from 'big.js';
import { ZERO } from '../../base/maths/decimal';
import type { VenueFill } from '../venue';
import type { AccountChange } from './accountChange';
import { type Boards, type Listed, listedOn } from './marketFeed';

interface End {
  forced: VenueFill['forced'];
  price: number;
  feeRate: Big;
}

/** How the venue ends what is held in a symbol that is not traded any more; null while it is. */
function endOf({ deliveredAt, isDelisted, terms, ticker }: Listed): End | null {
  if (deliveredAt !== null) return { forced: 'delivery', price: deliveredAt, feeRate: new Big(terms.deliveryFee) };
  return isDelisted ? { forced: 'delisting', price: ticker.price, feeRate: ZERO } : null;
}

/**
 * Ends what an account has in symbols that were taken off the exchange, at the last price and without a fee, and in
 * futures that were delivered.
 */
export function closeDelisted(change: AccountChange, boards: Boards): void {
  for (const resting of [...change.resting.values()]) {
    const listed = listedOn(boards, resting.order);
    if (listed && endOf(listed) !== null) change.endOrder(resting);
  }
  for (const position of [...change.positions.values()]) {
    const listed = listedOn(boards, position);
    const end = listed && endOf(listed);
    if (!end) continue;
    change.fill({
      ...position,
      kind: listed.terms.kind,
      clientId: null,
      forced: end.forced,
      side: position.quantity.gt(0) ? 'sell' : 'buy',
      quantity: position.quantity.abs(),
      price: new Big(end.price),
      feeRate: end.feeRate,
      maker: false,
    });
  }
}
