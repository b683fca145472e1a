import Big from 'big.js';
import type { PaperOrder } from '../../base/db/accounts/paperAccount';
import { plain, smaller, ZERO } from '../../base/maths/decimal';
import { type SourceSymbol, symbolKey } from '../../base/symbolKey';
import type { OrderBook } from '../exchange';
import type { Side, VenueFill } from '../venue';
import type { AccountChange } from './accountChange';
import {
  heldIn,
  hourOf,
  marginOf,
  mayBeLiquidated,
  type PaperAccount,
  type PaperPosition,
  remainingOf,
  sourcesOf,
} from './margin';
import { type Boards, type Listed, listedOn, type MarketFeed } from './marketFeed';
import { bestPrice, depthWithin, takeFromBook, worstPrice } from './orderBook';
import { reducibleOf } from './placeOrder';
import { TakenDepth } from './takenDepth';

interface Held extends SourceSymbol {
  /** Signed. */
  quantity: Big;
}

/** What was held at a past instant: what is held now, without what came after it. */
type HeldThen = (of: SourceSymbol, at: number) => Big;

interface Due {
  of: SourceSymbol;
  /** UTC ms. */
  at: number;
  rate: number;
  quantity: Big;
}

/** Where prices and settlements come from, and what an account was filled after an instant (UTC ms). */
export interface Past {
  feed: MarketFeed;
  fillsSince: (account: string, at: number) => Promise<VenueFill[]>;
}

/**
 * Charges every settlement since the account was charged last, each once, in the order of time, at its own
 * rate, the mark of its instant and what was held then. Where a source tells them late nothing that comes after one that
 * may be missing is charged: it is waited for.
 */
export async function settleFunding(change: AccountChange, { feed, fillsSince }: Past): Promise<void> {
  const fills = (await mayBeLate(change, feed)) ? await fillsSince(change.before.account, change.fundedUntil) : [];
  const held = new Map<string, Held>();
  for (const fill of fills) held.set(symbolKey(fill), { source: fill.source, symbol: fill.symbol, quantity: ZERO });
  for (const position of change.positions.values()) held.set(symbolKey(position), position);
  const quantityAt: HeldThen = (of, at) =>
    fills
      .filter((fill) => fill.at > at && symbolKey(fill) === symbolKey(of))
      .reduce(
        (sum, { side, quantity }) => (side === 'buy' ? sum.minus(quantity) : sum.plus(quantity)),
        heldIn(change, of),
      );
  let until = change.now;
  const due: Due[] = [];
  for (const { source, symbol } of held.values()) {
    until = Math.min(until, await toldUntil(feed, { source, symbol }, change));
    const history = await feed.funding(source, symbol, { start: change.fundedUntil + 1, end: change.now + 1 });
    history?.time.forEach((at, i) => {
      due.push({ of: { source, symbol }, at, rate: history.rate[i]!, quantity: quantityAt({ source, symbol }, at) });
    });
  }
  // A stable sort: within one instant the positions keep their order.
  const marked = due.filter(({ quantity }) => !quantity.eq(0)).sort((a, b) => a.at - b.at);
  const settled: (Due & { mark: number })[] = [];
  for (const one of marked.filter(({ at }) => at <= until)) {
    const { source, symbol } = one.of;
    const mark = await feed.markAt(source, symbol, one.at);
    if (mark !== undefined) settled.push({ ...one, mark });
    else if ((await feed.settledUntil(source, symbol)) === undefined)
      throw new Error(`no mark for ${source} ${symbol} at ${one.at}`);
    else until = Math.min(until, one.at - 1);
  }
  for (const { of, ...one } of settled) if (one.at <= until) change.settle({ ...of, ...one });
  change.awaitsFunding = until < change.now;
  change.fundedUntil = Math.max(change.fundedUntil, until);
}

/** Settlements are on full hours: where none has passed since the account was charged nothing can be missing. */
const isPastHour = ({ fundedUntil, now }: AccountChange): boolean => hourOf(fundedUntil) < hourOf(now);

/** Whether a settlement may be told after what came later; of who holds nothing nobody knows where it was held. */
async function mayBeLate(change: AccountChange, feed: MarketFeed): Promise<boolean> {
  if (!isPastHour(change)) return false;
  for (const { source, symbol } of change.positions.values()) {
    if ((await feed.settledUntil(source, symbol)) !== undefined) return true;
  }
  return change.positions.size === 0;
}

/** Up to when all settlements of a symbol are known, UTC ms. */
async function toldUntil(feed: MarketFeed, { source, symbol }: SourceSymbol, change: AccountChange): Promise<number> {
  return isPastHour(change) ? ((await feed.settledUntil(source, symbol)) ?? change.now) : change.now;
}

/**
 * Whether a resting order would be filled or ended now.
 * @param lookedAt up to when the path of prices was followed before, UTC ms
 */
function restingMoves(account: PaperAccount, boards: Boards, lookedAt: number, now: number): boolean {
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
function fillResting(change: AccountChange, boards: Boards, lookedAt: number, taken: TakenDepth | null): () => void {
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
  past: Past,
  lookedAt: number,
  taken: TakenDepth | null,
): Promise<() => void> {
  await settleFunding(change, past);
  const boards = await past.feed.boards(sourcesOf(change.before));
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
  // Without the price of one of them nobody can say, nor before the venue has told what it must keep.
  const isUnknown = (listed: Listed | undefined) => !listed || listed.terms.brackets === null;
  if (!hasDerivatives || [...change.positions.values()].some((position) => isUnknown(listedOn(boards, position))))
    return;
  const { marginBalance, maintenance } = marginOf(change, boards);
  if (marginBalance.gt(maintenance)) return;
  const waits = (position: PaperPosition) => {
    const listed = listedOn(boards, position);
    return listed?.mayBeQuoted === true && listed.book === undefined;
  };
  for (const resting of [...change.resting.values()]) change.endOrder(resting);
  const coinsLast = (position: PaperPosition) => Number(isSpot(position, boards));
  for (const position of [...change.positions.values()].sort((a, b) => coinsLast(a) - coinsLast(b))) {
    const listed = listedOn(boards, position);
    // A book that is away for a moment is waited for: nothing is closed at a price that nobody offers.
    if (!listed || waits(position)) continue;
    if (!(listed.terms.kind === 'spot' && change.cash.gte(0))) closeAtBook(change, position, listed);
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
