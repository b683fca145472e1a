import Big from 'big.js';
import { LEGS, type Leg } from '#contract/lifecycle';
import { isLaddered } from '#contract/strategy';
import { larger, money, plain, signedBy, ZERO } from '../base/maths/decimal';
import { movedBy } from '../base/maths/heldCost';
import { symbolKey } from '../base/symbolKey';
import type {
  VenueBailout,
  VenueEvent,
  VenueFill,
  VenueFunding,
  VenueMove,
  VenueOrderEnd,
  VenueTransfer,
} from '../market/venue';
import { countUnhedged, timeOneLeg } from './figures';
import { SETTLE_ASSET } from './holdings';
import {
  type AccountBook,
  type BookOrder,
  type DealBook,
  type LegBook,
  type Line,
  settleOrder,
  slotOf,
  type TransferBook,
  type UserBook,
} from './tradingBook';

interface FillRow {
  id: string;
  orderId: string;
  dealId: string | null;
  source: string;
  symbol: string;
  side: 'buy' | 'sell';
  quantity: string;
  price: string;
  fee: string;
  feeInBase: string;
  maker: boolean;
  realised: string;
  at: number;
}

export interface LedgerRow {
  dealId: string | null;
  kind: 'fill' | 'fee' | 'funding' | 'transfer' | 'bailout' | 'move' | 'coin' | 'writeOff' | 'inventory';
  source: string;
  symbol: string;
  amount: string;
  quantity: string | null;
  price: string | null;
  rate: string | null;
  reference: string;
  at: number;
}

/** What a batch of venue events changes: rows to insert, and records of the book to update. */
export interface Booked {
  fills: FillRow[];
  ledger: LedgerRow[];
  newOrders: BookOrder[];
  orders: Set<BookOrder>;
  deals: Set<DealBook>;
  transfers: Set<TransferBook>;
  lines: Line[];
}

/**
 * Moves a leg by a signed quantity at a price (USDT).
 * @returns price PnL realised, USDT.
 */
export function moveLeg(leg: LegBook, signed: Big, price: Big): Big {
  const before = leg.quantity;
  const { quantity, cost, realised } = movedBy(leg, signed, price);
  const grown = before.times(signed).gte(0) ? signed.abs() : larger(signed.abs().minus(before.abs()), ZERO);
  leg.quantity = quantity;
  leg.cost = cost;
  leg.realised = leg.realised.plus(realised);
  leg.notional = leg.notional.plus(grown.times(price));
  if (grown.gt(0)) leg.opened = larger(leg.opened, quantity.abs());
  return realised;
}

/** Where events are booked: an account of a user's book. */
interface Books {
  book: UserBook;
  account: AccountBook;
  since: FilledSince;
}

/** What deals were filled, took over and handed over after a settlement, by `settlementKey` and deal, signed: it may be told late. */
export type FilledSince = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Identifies a funding settlement of an account, whatever its sequence number. */
export const settlementKey = ({ source, symbol, at }: Pick<VenueFunding, 'source' | 'symbol' | 'at'>): string =>
  `funding:${source}:${symbol}:${at}`;

/**
 * Books events of an account's venue in their order.
 * @param known ids of fills and keys of settlements that are booked already: told again, they change nothing.
 */
export function bookEvents(books: Books, events: readonly VenueEvent[], known: ReadonlySet<string>): Booked {
  const booked: Booked = {
    fills: [],
    ledger: [],
    newOrders: [],
    orders: new Set(),
    deals: new Set(),
    transfers: new Set(),
    lines: [],
  };
  const { account } = books;
  const seen = new Set(known);
  for (const event of events) {
    if (event.sequence > account.sequence) account.sequence = event.sequence;
    else if (event.kind !== 'fill') continue;
    const name = nameOf(event);
    if (seen.has(name)) continue;
    seen.add(name);
    bookEvent(books, event, booked);
  }
  return booked;
}

/** Identifies an event, so that a duplicate is booked once. */
function nameOf(event: VenueEvent): string {
  if (event.kind === 'fill') return event.fillId;
  return event.kind === 'funding' ? settlementKey(event) : `event:${event.sequence}`;
}

function bookEvent(books: Books, event: VenueEvent, booked: Booked): void {
  const { account } = books;
  if (event.kind === 'fill') bookFill(books, event, booked);
  else if (event.kind === 'funding') bookFunding(books, event, booked);
  else if (event.kind === 'transfer') bookTransfer(account, event, booked);
  else if (event.kind === 'bailout') bookBailout(account, event, booked);
  else if (event.kind === 'move') bookMove(books, event, booked);
  else endOrder(books.book, event, booked);
}

function pay({ cash }: AccountBook, booked: Booked, row: Omit<LedgerRow, 'amount'>, amount: Big): void {
  cash.set(SETTLE_ASSET, (cash.get(SETTLE_ASSET) ?? ZERO).plus(amount));
  booked.ledger.push({ ...row, amount: plain(amount) });
}

/** A row of an account's money alone. */
const OF_ACCOUNT = { dealId: null, source: '', symbol: '', quantity: null, price: null, rate: null } as const;

function bookTransfer(account: AccountBook, { amount, sequence, at }: VenueTransfer, booked: Booked): void {
  account.sums.transfers = account.sums.transfers.plus(amount);
  const reference = `transfer:${sequence}`;
  pay(account, booked, { ...OF_ACCOUNT, kind: 'transfer', reference, at }, new Big(amount));
}

/** A bailout is part of the result, not a deposit. */
function bookBailout(account: AccountBook, { amount, sequence, at }: VenueBailout, booked: Booked): void {
  pay(account, booked, { ...OF_ACCOUNT, kind: 'bailout', reference: `bailout:${sequence}`, at }, new Big(amount));
}

/** One end of a transfer between the user's accounts. */
function bookMove({ book, account }: Books, event: VenueMove, booked: Booked): void {
  const { moveId, amount, fee = '0', at, coin } = event;
  const row = { ...OF_ACCOUNT, at } as const;
  account.sums.moved = account.sums.moved.plus(amount);
  pay(account, booked, { ...row, kind: 'move', reference: `move:${moveId}` }, new Big(amount));
  if (coin) bookCoin(account, event, coin, booked);
  if (!new Big(fee).eq(0)) {
    account.sums.fees = account.sums.fees.plus(fee);
    pay(account, booked, { ...row, kind: 'fee', reference: `moveFee:${moveId}` }, new Big(fee).neg());
  }
  const transfer = book.transfers.get(moveId);
  if (transfer === undefined) return;
  const change = new Big(amount).lt(0) ? { state: 'transit', leftAt: at } : { state: 'arrived', arrivedAt: at };
  Object.assign(transfer, change, { reason: null, ...(coin && { price: new Big(coin.price) }) });
  booked.transfers.add(transfer);
}

/** Offsets the `move` row of a coin transfer, which is in USDT, with the value of the coin. */
function bookCoin(
  account: AccountBook,
  { moveId, amount, source, symbol, at }: VenueMove,
  { quantity, price }: NonNullable<VenueMove['coin']>,
  booked: Booked,
): void {
  const key = symbolKey({ source, symbol });
  account.positions.set(key, (account.positions.get(key) ?? ZERO).plus(quantity));
  const row = { dealId: null, kind: 'coin', source, symbol, quantity, price, rate: null, at } as const;
  pay(account, booked, { ...row, reference: `coin:${moveId}` }, new Big(amount).neg());
}

/** An order that the venue ended by itself. */
function endOrder(book: UserBook, { report }: VenueOrderEnd, booked: Booked): void {
  const order = book.orders.get(report.clientId);
  // What was told to have ended has, and what is in doubt is looked up.
  if (order?.state !== 'open' || order.reportedState !== null || report.state === 'open') return;
  order.reportedState = report.state;
  if (order.reportedQuantity.lt(report.filledQuantity)) order.reportedQuantity = new Big(report.filledQuantity);
  settleOrder(order, report.at);
  booked.orders.add(order);
  if (order.dealId)
    booked.lines.push({ dealId: order.dealId, kind: 'cancelled', detail: `${order.symbol} 被交易所撤销` });
}

function bookFill(books: Books, fill: VenueFill, booked: Booked): void {
  const { book } = books;
  const order = fill.clientId === null ? undefined : book.orders.get(fill.clientId);
  if (order) {
    const deal = order.dealId === null ? undefined : book.deals.get(order.dealId);
    bookPart(
      books,
      {
        ...{ fill, order, deal, id: fill.fillId },
        ...{ quantity: new Big(fill.quantity), fee: new Big(fill.fee), feeInBase: new Big(fill.feeInBase ?? 0) },
      },
      booked,
    );
    return;
  }
  bookForced(books, fill, booked);
}

interface Part {
  fill: VenueFill;
  order: BookOrder;
  deal: DealBook | undefined;
  quantity: Big;
  fee: Big;
  /** What of a purchase the fee has taken, base currency. F28. */
  feeInBase: Big;
  id: string;
}

/** Books one fill, or the part of a forced closing that falls on one deal. */
function bookPart({ account }: Books, part: Part, booked: Booked): void {
  const { fill, order, deal, quantity, fee, feeInBase, id } = part;
  const { source, symbol, side, at } = fill;
  const price = new Big(fill.price);
  // The coin received is booked at its price, the fee in coin at its value: together they are what was paid.
  const signed = signedBy(side, quantity).minus(feeInBase);
  const notional = quantity.times(price);
  const key = symbolKey({ source, symbol });
  account.positions.set(key, (account.positions.get(key) ?? ZERO).plus(signed));
  if (deal) countUnhedged(deal, at);
  const leg = deal?.legs[order.leg];
  const realised = leg ? moveLeg(leg, signed, price) : ZERO;
  const slip = price.minus(order.decisionMid).times(signed);
  if (deal && leg) {
    timeOneLeg(deal, at);
    leg.fees = leg.fees.plus(fee);
    leg.slippage = leg.slippage.plus(slip);
    if (order.slot !== null && isLaddered(deal.kind)) {
      const slot = slotOf(deal, order.slot);
      slot.quantity = slot.quantity.plus(signed);
      deal.slotFills.push({ slot: order.slot, at, signed, price, fee });
    }
    booked.deals.add(deal);
    booked.lines.push({ dealId: deal.id, kind: 'filled', detail: fillText(fill, plain(quantity)) });
  }
  order.filledQuantity = order.filledQuantity.plus(quantity);
  order.filledNotional = order.filledNotional.plus(notional);
  order.fee = order.fee.plus(fee);
  if (order.reportedQuantity.lt(order.filledQuantity)) order.reportedQuantity = order.filledQuantity;
  // A resting order that is filled has ended, without a report of the venue.
  settleOrder(order, at);
  booked.orders.add(order);
  const { sums } = account;
  sums.fees = sums.fees.plus(fee);
  sums.slippage = sums.slippage.plus(slip);
  sums.traded = sums.traded.plus(signed.times(price).abs());
  const dealId = deal?.id ?? null;
  const row = { dealId, source, symbol, rate: null, at };
  pay(
    account,
    booked,
    { ...row, kind: 'fill', quantity: plain(signed), price: fill.price, reference: `fill:${id}` },
    signed.times(price).neg(),
  );
  if (!fee.eq(0))
    pay(account, booked, { ...row, kind: 'fee', quantity: null, price: null, reference: `fee:${id}` }, fee.neg());
  booked.fills.push({
    id,
    orderId: order.id,
    dealId,
    source,
    symbol,
    side,
    quantity: plain(quantity),
    price: fill.price,
    fee: plain(fee),
    feeInBase: plain(feeInBase),
    maker: fill.maker,
    realised: plain(realised),
    at,
  });
}

const fillText = ({ symbol, side, price }: VenueFill, quantity: string): string =>
  `${symbol} ${side === 'buy' ? '买入' : '卖出'} ${quantity} @ ${price}`;

/**
 * A forced fill by the venue (liquidation, delisting, delivery), shared out over the deals that hold the symbol. What
 * somebody else traded on the account is no deal's.
 */
function bookForced(books: Books, fill: VenueFill, booked: Booked): void {
  // By the side of the position, not by the name of the leg.
  const { book, account } = books;
  const holders = (fill.isOutside ? [] : [...book.deals.values()]).flatMap((deal) =>
    LEGS.filter((leg) => {
      const { accountId, source, symbol, quantity } = deal.legs[leg];
      return (
        accountId === account.id &&
        source === fill.source &&
        symbol === fill.symbol &&
        (fill.side === 'sell' ? quantity.gt(0) : quantity.lt(0))
      );
    }).map((leg) => ({ deal, leg })),
  );
  const whole = new Big(fill.quantity);
  let left = whole;
  let feeLeft = new Big(fill.fee);
  const parts: { deal: DealBook | undefined; leg: Leg; quantity: Big }[] = [];
  for (const { deal, leg } of holders) {
    const held = deal.legs[leg].quantity.abs();
    const quantity = held.lt(left) ? held : left;
    if (quantity.gt(0)) parts.push({ deal, leg, quantity });
    left = left.minus(quantity);
  }
  if (left.gt(0)) parts.push({ deal: undefined, leg: fill.side === 'sell' ? 'long' : 'short', quantity: left });
  parts.forEach(({ deal, leg, quantity }, i) => {
    const fee = i === parts.length - 1 ? feeLeft : money(new Big(fill.fee).times(quantity).div(whole));
    feeLeft = feeLeft.minus(fee);
    const id = i === 0 ? fill.fillId : `${fill.fillId}/${i}`;
    const order = forcedOrder(id, fill, { leg, accountId: account.id }, deal, quantity);
    booked.newOrders.push(order);
    if (deal) booked.lines.push(forcedLine(deal, fill, plain(quantity)));
    // What somebody bought by hand may have cost coin; what a venue takes from deals never does.
    const feeInBase = deal === undefined ? new Big(fill.feeInBase ?? 0) : ZERO;
    bookPart(books, { fill, order, deal, quantity, fee, feeInBase, id }, booked);
  });
}

const forcedLine = ({ id }: DealBook, { symbol, forced }: VenueFill, quantity: string): Line => ({
  dealId: id,
  ...FORCED[forced ?? 'liquidation'](symbol, quantity),
});

type Forced = NonNullable<VenueFill['forced']>;

const FORCED: Record<Forced, (symbol: string, quantity: string) => Omit<Line, 'dealId'>> = {
  delisting: (symbol, quantity) => ({ kind: 'delisted', detail: `${symbol} 已下架，按最后价格了结 ${quantity}` }),
  delivery: (symbol, quantity) => ({ kind: 'delivered', detail: `${symbol} 到期交割 ${quantity}` }),
  liquidation: (symbol, quantity) => ({ kind: 'liquidated', detail: `${symbol} 被强平 ${quantity}` }),
  adl: (symbol, quantity) => ({ kind: 'deleveraged', detail: `${symbol} 被自动减仓（ADL）${quantity}` }),
};

const purposeOf = ({ forced = 'liquidation', isOutside }: VenueFill): BookOrder['purpose'] =>
  isOutside ? 'outside' : forced;

function forcedOrder(
  id: string,
  fill: VenueFill,
  { leg, accountId }: { leg: Leg; accountId: string },
  deal: DealBook | undefined,
  quantity: Big,
): BookOrder {
  const { source, symbol, side, price, at } = fill;
  return {
    id: `venue-${id}`,
    accountId,
    dealId: deal?.id ?? null,
    source,
    symbol,
    leg,
    slot: null,
    side,
    type: 'market',
    purpose: purposeOf(fill),
    reduceOnly: !fill.isOutside,
    quantity,
    limitPrice: new Big(price),
    decisionMid: Number(price),
    state: 'filled',
    filledQuantity: ZERO,
    filledNotional: ZERO,
    fee: ZERO,
    reportedQuantity: quantity,
    reportedState: 'filled',
    createdAt: at,
    cancelAskedAt: null,
    endedAt: at,
  };
}

/** F2, shared out over the legs that held the symbol; what rounding leaves goes to the last one. */
function bookFunding({ book, account, since }: Books, event: VenueFunding, booked: Booked): void {
  const { source, symbol, rate, mark, at } = event;
  const later = since.get(settlementKey(event));
  const isHere = (leg: LegBook) => leg.accountId === account.id && leg.source === source && leg.symbol === symbol;
  const holders = [...book.deals.values()].flatMap((deal) => {
    const names = LEGS.filter((name) => isHere(deal.legs[name]));
    // Of a deal that holds it with both legs rows do not say which one they are of.
    const filled = names.length === 1 ? (later?.get(deal.id) ?? ZERO) : ZERO;
    return names
      .map((name) => ({ deal, name, leg: deal.legs[name], quantity: deal.legs[name].quantity.minus(filled) }))
      .filter(({ quantity }) => !quantity.eq(0));
  });
  const explained = holders.reduce((sum, { quantity }) => sum.plus(quantity), ZERO).eq(event.quantity);
  let left = new Big(event.amount);
  const row = { kind: 'funding', source, symbol, price: mark, rate, at } as const;
  const charge = (holder: (typeof holders)[number] | undefined, quantity: Big, amount: Big) => {
    left = left.minus(amount);
    account.sums.funding = account.sums.funding.plus(amount);
    const dealId = holder?.deal.id ?? null;
    // One deal may hold the symbol with both its legs.
    const reference = [settlementKey(event), ...(holder ? [dealId, holder.name] : [''])].join(':');
    pay(account, booked, { ...row, dealId, quantity: plain(quantity), reference }, amount);
    if (!holder) return;
    const { deal, leg } = holder;
    leg.funding = leg.funding.plus(amount);
    booked.deals.add(deal);
    booked.lines.push({ dealId: deal.id, kind: 'funding', detail: `${symbol} ${plain(amount)} USDT` });
  };
  holders.forEach((holder, i) => {
    const { quantity } = holder;
    const last = explained && i === holders.length - 1;
    charge(holder, quantity, last ? left : money(quantity.neg().times(mark).times(rate)));
  });
  // Funding of a position that no deal holds belongs to the account.
  if (!explained || holders.length === 0) charge(undefined, new Big(event.quantity), left);
}
