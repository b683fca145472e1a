import Big from 'big.js';
import { ZERO } from '../../base/maths/decimal';
import type { OrderBook } from '../exchange';
import type { Side, VenueFill } from '../venue';
import type { AccountChange } from './accountChange';
import { marginOf, mayBeLiquidated } from './margin';
import { type Boards, type Listed, listedOn, type MarketFeed } from './marketFeed';
import { takeFromBook, worstPrice } from './orderBook';
import { type PaperAccount, type PaperPosition, sourcesOf } from './paperAccount';
import { fillResting, restingMoves } from './restingOrders';
import { settleFunding } from './settleFunding';
import type { TakenDepth } from './takenDepth';

/** Whether time and prices may have done something to the account; cheap, and never wrong when it says no. */
export function isDue(account: PaperAccount, boards: Boards, now: number, lookedAt: number): boolean {
  return account.dueAt <= now || mayBeLiquidated(account, boards) || restingMoves(account, boards, lookedAt, now);
}

/**
 * What time and prices did to the account: settlements first, they belong to the past.
 * @param taken as of `fillResting` @returns what puts back what was taken from the books, should nothing come of it.
 */
export async function advanceAccount(
  change: AccountChange,
  feed: MarketFeed,
  lookedAt: number,
  taken: TakenDepth | null,
): Promise<() => void> {
  await settleFunding(change, feed);
  const boards = await feed.boards(sourcesOf(change.before));
  closeDelisted(change, boards);
  const takeBack = fillResting(change, boards, lookedAt, taken);
  liquidate(change, boards);
  return takeBack;
}

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
function closeDelisted(change: AccountChange, boards: Boards): void {
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

/** On top of the taker's fee, fraction of the notional. */
const LIQUIDATION_FEE = 0.005;

/**
 * Closes the account's trades when what backs them no longer exceeds what its positions must keep: orders are
 * ended, derivatives closed at the book, coins sold where a debt remains, and what remains then is paid by the venue.
 */
function liquidate(change: AccountChange, boards: Boards): void {
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
