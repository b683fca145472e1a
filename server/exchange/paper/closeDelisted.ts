import Big from 'big.js';
import { ZERO } from '../../maths/decimal';
import type { AccountChange } from './accountChange';
import { type Boards, listedOn } from './marketFeed';

/** Ends what an account has in symbols that were taken off the exchange: at the last price and without a fee. */
export function closeDelisted(change: AccountChange, boards: Boards): void {
  for (const resting of [...change.resting.values()]) {
    if (listedOn(boards, resting.order)?.isDelisted) change.endOrder(resting);
  }
  for (const position of [...change.positions.values()]) {
    const listed = listedOn(boards, position);
    if (!listed?.isDelisted) continue;
    change.fill({
      ...position,
      clientId: null,
      forced: 'delisting',
      side: position.quantity.gt(0) ? 'sell' : 'buy',
      quantity: position.quantity.abs(),
      price: new Big(listed.ticker.price),
      feeRate: ZERO,
      maker: false,
    });
  }
}
