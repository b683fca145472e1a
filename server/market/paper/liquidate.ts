import Big from 'big.js';
import { ZERO } from '../../base/maths/decimal';
import type { OrderBook } from '../exchange';
import type { Side } from '../venue';
import type { AccountChange } from './accountChange';
import { marginOf } from './margin';
import { type Boards, type Listed, listedOn } from './marketFeed';
import { takeFromBook, worstPrice } from './orderBook';
import type { PaperPosition } from './paperAccount';

/** On top of the taker's fee, fraction of the notional. */
const LIQUIDATION_FEE = 0.005;

/**
 * Closes the account's trades when what backs them no longer exceeds what its positions must keep: orders are
 * ended, derivatives closed at the book, coins sold where a debt remains, and what remains then is paid by the venue.
 */
export function liquidate(change: AccountChange, boards: Boards): void {
  const hasDerivatives = [...change.positions.values()].some((position) => !isSpot(position, boards));
  if (!hasDerivatives) return;
  const { marginBalance, maintenance } = marginOf(change, boards);
  if (marginBalance.gt(maintenance)) return;
  for (const resting of [...change.resting.values()]) change.endOrder(resting);
  const coinsLast = (position: PaperPosition) => Number(isSpot(position, boards));
  for (const position of [...change.positions.values()].sort((a, b) => coinsLast(a) - coinsLast(b))) {
    const listed = listedOn(boards, position);
    if (listed && !(listed.terms.kind === 'spot' && change.cash.gte(0))) closeAtBook(change, position, listed);
  }
  if (change.cash.lt(0) && change.positions.size === 0) change.bailOut(change.cash.neg());
}

const isSpot = (position: PaperPosition, boards: Boards): boolean => listedOn(boards, position)?.terms.kind === 'spot';

function closeAtBook(change: AccountChange, position: PaperPosition, { book, terms, ticker }: Listed): void {
  const { kind } = terms;
  const side: Side = position.quantity.gt(0) ? 'sell' : 'buy';
  const feeRate = new Big(terms.takerFee).plus(LIQUIDATION_FEE);
  for (const taken of takeAll(book, side, position.quantity.abs(), new Big(ticker.price))) {
    change.fill({ ...position, ...taken, kind, clientId: null, forced: 'liquidation', side, feeRate, maker: false });
  }
}

/** Takes all of it: what the book cannot bear goes at its last level, or at the last price where there is no book. */
function takeAll(book: OrderBook | undefined, side: Side, quantity: Big, lastPrice: Big) {
  const taken = book ? takeFromBook(book, side, quantity) : [];
  const rest = taken.reduce((left, one) => left.minus(one.quantity), quantity);
  if (rest.lte(ZERO)) return taken;
  return [...taken, { price: (book && worstPrice(book, side)) ?? lastPrice, quantity: rest }];
}
