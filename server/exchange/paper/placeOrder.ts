import Big from 'big.js';
import { plain, positive, smaller, ZERO } from '../../maths/decimal';
import type { OrderBook } from '../exchange';
import { type VenueOrder, VenueRefused, type VenueReport } from '../venue';
import type { AccountChange } from './accountChange';
import { marginOf } from './margin';
import { type Boards, type Listed, listedOn } from './marketFeed';
import { bestPrice, takeFromBook } from './orderBook';
import { heldIn } from './paperAccount';

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
  const before = marginOf(change, boards);
  const report = order.type === 'maker' ? rest(change, order, asked, book) : take(change, order, asked, listed, book);
  const after = marginOf(change, boards);
  // What frees margin is always allowed; what binds more of it has to be covered after costs.
  if (after.initial.gt(before.initial) && after.equity.lt(after.initial)) throw new VenueRefused('insufficientMargin');
  return report;
}

function checkTerms(change: AccountChange, order: VenueOrder, { terms, mark }: Listed): Asked {
  const wanted = positive(order.quantity);
  const limit = positive(order.limitPrice);
  if (!wanted || !limit || !(order.leverage >= 1)) throw new VenueRefused('rejected');
  if (order.leverage > terms.maxLeverage) throw new VenueRefused('tooMuchLeverage');
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
    change.fill({ ...order, ...taken, feeRate, maker: false });
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
