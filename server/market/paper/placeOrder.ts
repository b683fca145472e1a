import Big from 'big.js';
import { plain, positive, signedBy, smaller, ZERO } from '../../base/maths/decimal';
import { bracketFor } from '../brackets';
import type { OrderBook } from '../exchange';
import { type VenueOrder, VenueRefused, type VenueReport } from '../venue';
import type { AccountChange } from './accountChange';
import { heldIn, marginOf, sellableOf } from './margin';
import { type Boards, type Listed, listedOn } from './marketFeed';
import { bestPrice, takeFromBook } from './orderBook';

interface Asked {
  quantity: Big;
  limit: Big;
}

const onGrid = (value: Big, step: string): boolean => value.mod(step).eq(0);

/**
 * Does an order: fills it from the book, or lets it rest.
 * @throws VenueRefused
 */
export function placeOrder(change: AccountChange, order: VenueOrder, boards: Boards): VenueReport {
  const listed = listedOn(boards, order);
  if (!listed) throw new VenueRefused('unknownSymbol');
  const { book } = listed;
  if (!book) throw new VenueRefused('noLiquidity');
  const asked = checkTerms(change, order, listed);
  const isSpot = listed.terms.kind === 'spot';
  if (isSpot) checkSpot(change, order, asked);
  const before = marginOf(change, boards);
  const cashBefore = change.cash;
  const report = order.type === 'maker' ? rest(change, order, asked, book) : take(change, order, asked, listed, book);
  const after = marginOf(change, boards);
  if (isSpot && order.side === 'buy') {
    const paid = cashBefore.minus(change.cash).plus(after.initial.minus(before.initial));
    if (paid.gt(before.spendable)) throw new VenueRefused('insufficientBalance');
  }
  // What frees margin is always allowed; what binds more of it has to be covered after costs.
  else if (after.initial.gt(before.initial) && after.marginBalance.lt(after.initial)) {
    throw new VenueRefused('insufficientMargin');
  }
  return report;
}

/** Spot has no leverage and nothing to reduce, and nobody sells more of a coin than he has. */
function checkSpot(change: AccountChange, order: VenueOrder, { quantity }: Asked): void {
  if (order.reduceOnly) throw new VenueRefused('rejected');
  if (order.side === 'sell' && quantity.gt(sellableOf(change, order))) throw new VenueRefused('insufficientBalance');
}

function checkTerms(change: AccountChange, order: VenueOrder, { terms, mark }: Listed): Asked {
  const wanted = positive(order.quantity);
  const limit = positive(order.limitPrice);
  if (!wanted || !limit || !(order.leverage >= 1)) throw new VenueRefused('rejected');
  const held = heldIn(change, order);
  const after = held.plus(signedBy(order.side, wanted)).abs();
  // What makes a position smaller can always go.
  if (!order.reduceOnly && after.gt(held.abs())) {
    const { maxLeverage } = bracketFor(terms, after.times(mark).toNumber());
    if (order.leverage > maxLeverage) throw new VenueRefused('tooMuchLeverage');
  }
  const reducible = reducibleOf(change, order);
  const quantity = order.reduceOnly ? smaller(wanted, reducible) : wanted;
  if (quantity.eq(0)) throw new VenueRefused('nothingToReduce');
  // A whole position may be closed whatever the steps are by now.
  const closesAll = order.reduceOnly && quantity.eq(reducible);
  if (!onGrid(limit, terms.tickSize) || !(closesAll || onGrid(quantity, terms.lotSize))) {
    throw new VenueRefused('badStep');
  }
  const price = order.type === 'maker' ? limit : new Big(mark);
  if (!order.reduceOnly && quantity.times(price).lt(terms.minNotional)) throw new VenueRefused('belowMinNotional');
  return { quantity, limit };
}

/** How much of the position an order of this side can close. */
export function reducibleOf(holdings: AccountChange, order: VenueOrder): Big {
  const held = heldIn(holdings, order);
  const against = order.side === 'buy' ? held.lt(0) : held.gt(0);
  return against ? held.abs() : ZERO;
}

function rest(change: AccountChange, order: VenueOrder, { quantity, limit }: Asked, book: OrderBook): VenueReport {
  const best = bestPrice(book, order.side);
  if (best && (order.side === 'buy' ? limit.gte(best) : limit.lte(best))) throw new VenueRefused('wouldCross');
  const report = reportOf(order, 'open', ZERO, change.now);
  change.place({ ...order, quantity: plain(quantity) }, report);
  return report;
}

function take(
  change: AccountChange,
  order: VenueOrder,
  { quantity, limit }: Asked,
  { terms }: Listed,
  book: OrderBook,
): VenueReport {
  const feeRate = new Big(terms.takerFee);
  let filled = ZERO;
  for (const taken of takeFromBook(book, order.side, quantity, limit)) {
    change.fill({ ...order, ...taken, kind: terms.kind, feeRate, maker: false });
    filled = filled.plus(taken.quantity);
  }
  const report = reportOf(order, filled.eq(quantity) ? 'filled' : 'expired', filled, change.now);
  change.place({ ...order, quantity: plain(quantity) }, report);
  return report;
}

const reportOf = ({ clientId }: VenueOrder, state: VenueReport['state'], filled: Big, at: number): VenueReport => ({
  clientId,
  exchangeId: `paper-${clientId}`,
  state,
  filledQuantity: plain(filled),
  at,
});
