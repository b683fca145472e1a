import Big from 'big.js';
import { LEGS, type Leg } from '#contract/lifecycle';
import { symbolKey } from '../exchange/symbolKey';
import type { VenueEvent, VenueFill, VenueFunding, VenueOrderEnd } from '../exchange/venue';
import { money, plain, ZERO } from '../maths/decimal';
import { countNaked, timeOneLeg } from './naked';
import { type Book, type BookOrder, type HedgeBook, type LegBook, type Line, settleOrder } from './tradingBook';

export interface FillRow {
  id: string;
  orderId: string;
  hedgeId: string | null;
  source: string;
  symbol: string;
  side: 'buy' | 'sell';
  quantity: string;
  price: string;
  fee: string;
  maker: boolean;
  realised: string;
  at: number;
}

export interface LedgerRow {
  hedgeId: string | null;
  kind: 'fill' | 'fee' | 'funding' | 'transfer' | 'writeOff';
  source: string;
  symbol: string;
  amount: string;
  quantity: string | null;
  price: string | null;
  rate: string | null;
  reference: string;
  at: number;
}

/** What a batch of the venue's events changes: rows to add, and what of the book to store again. */
export interface Booked {
  fills: FillRow[];
  ledger: LedgerRow[];
  newOrders: BookOrder[];
  orders: Set<BookOrder>;
  hedges: Set<HedgeBook>;
  lines: Line[];
}

/**
 * Moves a leg by a signed quantity at a price (USDT). Adding grows the cost; taking away realises its share of it, so
 * that realised + quantity x mark - cost stays equal to the cash that flowed plus quantity x mark.
 * @returns price PnL realised, USDT.
 */
export function moveLeg(leg: LegBook, signed: Big, price: Big): Big {
  const held = leg.quantity;
  if (held.times(signed).gte(0)) {
    leg.quantity = held.plus(signed);
    leg.cost = leg.cost.plus(signed.times(price));
    leg.notional = leg.notional.plus(signed.abs().times(price));
    if (leg.quantity.abs().gt(leg.opened)) leg.opened = leg.quantity.abs();
    return ZERO;
  }
  const whole = signed.abs().gte(held.abs());
  const taken = whole ? held.neg() : signed;
  const removed = whole ? leg.cost : money(leg.cost.times(taken.abs()).div(held.abs()));
  const realised = taken.neg().times(price).minus(removed);
  leg.quantity = held.plus(taken);
  leg.cost = leg.cost.minus(removed);
  leg.realised = leg.realised.plus(realised);
  const rest = signed.minus(taken);
  if (!rest.eq(0)) moveLeg(leg, rest, price);
  return realised;
}

/**
 * Books events of the venue in their order.
 * @param known ids of fills that are booked already: told again, they change nothing.
 */
export function bookEvents(book: Book, events: readonly VenueEvent[], known: ReadonlySet<string>): Booked {
  const booked: Booked = {
    fills: [],
    ledger: [],
    newOrders: [],
    orders: new Set(),
    hedges: new Set(),
    lines: [],
  };
  const seen = new Set(known);
  for (const event of events) {
    if (event.sequence > book.sequence) book.sequence = event.sequence;
    else if (event.kind !== 'fill') continue;
    if (event.kind === 'fill') {
      if (seen.has(event.fillId)) continue;
      seen.add(event.fillId);
      bookFill(book, event, booked);
    } else if (event.kind === 'funding') bookFunding(book, event, booked);
    else if (event.kind === 'transfer') bookTransfer(book, event.amount, event.sequence, event.at, booked);
    else endOrder(book, event, booked);
  }
  return booked;
}

function pay(book: Book, booked: Booked, row: Omit<LedgerRow, 'amount'>, amount: Big): void {
  book.cash = book.cash.plus(amount);
  booked.ledger.push({ ...row, amount: plain(amount) });
}

function bookTransfer(book: Book, amount: string, sequence: number, at: number, booked: Booked): void {
  book.sums.transfers = book.sums.transfers.plus(amount);
  const row = {
    hedgeId: null,
    kind: 'transfer',
    source: '',
    symbol: '',
    quantity: null,
    price: null,
    rate: null,
  } as const;
  pay(book, booked, { ...row, reference: `transfer:${sequence}`, at }, new Big(amount));
}

/** An order that the venue ended by itself. */
function endOrder(book: Book, { report }: VenueOrderEnd, booked: Booked): void {
  const order = book.orders.get(report.clientId);
  if (!order || report.state === 'open') return;
  order.reportedState = report.state;
  if (order.reportedQuantity.lt(report.filledQuantity)) order.reportedQuantity = new Big(report.filledQuantity);
  settleOrder(order, report.at);
  booked.orders.add(order);
  if (order.hedgeId)
    booked.lines.push({ hedgeId: order.hedgeId, kind: 'cancelled', detail: `${order.symbol} 被交易所撤销` });
}

function bookFill(book: Book, fill: VenueFill, booked: Booked): void {
  const order = fill.clientId === null ? undefined : book.orders.get(fill.clientId);
  if (order) {
    const hedge = order.hedgeId === null ? undefined : book.hedges.get(order.hedgeId);
    bookPart(
      book,
      { fill, order, hedge, quantity: new Big(fill.quantity), fee: new Big(fill.fee), id: fill.fillId },
      booked,
    );
    return;
  }
  bookForced(book, fill, booked);
}

interface Part {
  fill: VenueFill;
  order: BookOrder;
  hedge: HedgeBook | undefined;
  quantity: Big;
  fee: Big;
  id: string;
}

/** Books one fill, or the part of a forced closing that falls on one hedge. */
function bookPart(book: Book, { fill, order, hedge, quantity, fee, id }: Part, booked: Booked): void {
  const { source, symbol, side, at } = fill;
  const price = new Big(fill.price);
  const signed = side === 'buy' ? quantity : quantity.neg();
  const notional = quantity.times(price);
  const key = symbolKey({ source, symbol });
  book.positions.set(key, (book.positions.get(key) ?? ZERO).plus(signed));
  if (hedge) countNaked(hedge, at);
  const realised = hedge ? moveLeg(hedge.legs[order.leg], signed, price) : ZERO;
  const slip = price.minus(order.decisionMid).times(signed);
  if (hedge) {
    timeOneLeg(hedge, at);
    hedge.fees = hedge.fees.plus(fee);
    hedge.slippage = hedge.slippage.plus(slip);
    booked.hedges.add(hedge);
    booked.lines.push({ hedgeId: hedge.id, kind: 'filled', detail: fillText(fill, plain(quantity)) });
  }
  order.filledQuantity = order.filledQuantity.plus(quantity);
  order.filledNotional = order.filledNotional.plus(notional);
  order.fee = order.fee.plus(fee);
  if (order.reportedQuantity.lt(order.filledQuantity)) order.reportedQuantity = order.filledQuantity;
  // A resting order that the market has filled has ended, whether or not anybody asks the venue.
  settleOrder(order, at);
  booked.orders.add(order);
  book.sums.fees = book.sums.fees.plus(fee);
  book.sums.slippage = book.sums.slippage.plus(slip);
  book.sums.traded = book.sums.traded.plus(notional);
  const hedgeId = hedge?.id ?? null;
  const row = { hedgeId, source, symbol, rate: null, at };
  pay(
    book,
    booked,
    { ...row, kind: 'fill', quantity: plain(signed), price: fill.price, reference: `fill:${id}` },
    signed.times(price).neg(),
  );
  if (!fee.eq(0))
    pay(book, booked, { ...row, kind: 'fee', quantity: null, price: null, reference: `fee:${id}` }, fee.neg());
  booked.fills.push({
    id,
    orderId: order.id,
    hedgeId,
    source,
    symbol,
    side,
    quantity: plain(quantity),
    price: fill.price,
    fee: plain(fee),
    maker: fill.maker,
    realised: plain(realised),
    at,
  });
}

const fillText = ({ symbol, side, price }: VenueFill, quantity: string): string =>
  `${symbol} ${side === 'buy' ? '买入' : '卖出'} ${quantity} @ ${price}`;

/** A fill that no order of ours asked for: the venue closed. It falls on the hedges that hold the symbol, in their order. */
function bookForced(book: Book, fill: VenueFill, booked: Booked): void {
  // By what is held, not by what the leg is called.
  const holders = [...book.hedges.values()].flatMap((hedge) =>
    LEGS.filter((leg) => {
      const { symbol, quantity } = hedge.legs[leg];
      return (
        hedge.source === fill.source &&
        symbol === fill.symbol &&
        (fill.side === 'sell' ? quantity.gt(0) : quantity.lt(0))
      );
    }).map((leg) => ({ hedge, leg })),
  );
  const whole = new Big(fill.quantity);
  let left = whole;
  let feeLeft = new Big(fill.fee);
  const parts: { hedge: HedgeBook | undefined; leg: Leg; quantity: Big }[] = [];
  for (const { hedge, leg } of holders) {
    const held = hedge.legs[leg].quantity.abs();
    const quantity = held.lt(left) ? held : left;
    if (quantity.gt(0)) parts.push({ hedge, leg, quantity });
    left = left.minus(quantity);
  }
  if (left.gt(0)) parts.push({ hedge: undefined, leg: fill.side === 'sell' ? 'long' : 'short', quantity: left });
  parts.forEach(({ hedge, leg, quantity }, i) => {
    const fee = i === parts.length - 1 ? feeLeft : money(new Big(fill.fee).times(quantity).div(whole));
    feeLeft = feeLeft.minus(fee);
    const id = i === 0 ? fill.fillId : `${fill.fillId}/${i}`;
    const order = forcedOrder(id, fill, leg, hedge, quantity);
    booked.newOrders.push(order);
    if (hedge) booked.lines.push(forcedLine(hedge, fill, plain(quantity)));
    bookPart(book, { fill, order, hedge, quantity, fee, id }, booked);
  });
}

const forcedLine = ({ id }: HedgeBook, { symbol, forced }: VenueFill, quantity: string): Line =>
  forced === 'delisting'
    ? { hedgeId: id, kind: 'delisted', detail: `${symbol} 已下架，按最后价格了结 ${quantity}` }
    : { hedgeId: id, kind: 'liquidated', detail: `${symbol} 被强平 ${quantity}` };

function forcedOrder(
  id: string,
  { source, symbol, side, price, forced, at }: VenueFill,
  leg: Leg,
  hedge: HedgeBook | undefined,
  quantity: Big,
): BookOrder {
  return {
    id: `venue-${id}`,
    hedgeId: hedge?.id ?? null,
    source,
    symbol,
    leg,
    side,
    type: 'market',
    purpose: forced === 'delisting' ? 'delisting' : 'liquidation',
    reduceOnly: true,
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

/** F2, shared out over the legs that hold the symbol; what rounding leaves goes to the last one. */
function bookFunding(book: Book, event: VenueFunding, booked: Booked): void {
  const { source, symbol, rate, mark, at } = event;
  const holders = [...book.hedges.values()].flatMap((hedge) =>
    hedge.source === source
      ? (['long', 'short'] as const)
          .filter((leg) => hedge.legs[leg].symbol === symbol && !hedge.legs[leg].quantity.eq(0))
          .map((leg) => ({ hedge, quantity: hedge.legs[leg].quantity }))
      : [],
  );
  const explained = holders.reduce((sum, { quantity }) => sum.plus(quantity), ZERO).eq(event.quantity);
  let left = new Big(event.amount);
  const row = { kind: 'funding', source, symbol, price: mark, rate, at } as const;
  const reference = `funding:${source}:${symbol}:${at}`;
  const charge = (hedge: HedgeBook | undefined, quantity: Big, amount: Big) => {
    left = left.minus(amount);
    book.sums.funding = book.sums.funding.plus(amount);
    const hedgeId = hedge?.id ?? null;
    pay(
      book,
      booked,
      { ...row, hedgeId, quantity: plain(quantity), reference: `${reference}:${hedgeId ?? ''}` },
      amount,
    );
    if (!hedge) return;
    hedge.funding = hedge.funding.plus(amount);
    booked.hedges.add(hedge);
    booked.lines.push({ hedgeId: hedge.id, kind: 'funding', detail: `${symbol} ${plain(amount)} USDT` });
  };
  holders.forEach(({ hedge, quantity }, i) => {
    const last = explained && i === holders.length - 1;
    charge(hedge, quantity, last ? left : money(quantity.neg().times(mark).times(rate)));
  });
  // A position that no hedge explains pays for itself.
  if (!explained || holders.length === 0) charge(undefined, new Big(event.quantity), left);
}
