import Big from 'big.js';
import { MINUTE_MS } from '#contract/duration';
import { HEDGE_STEPS, type Leg } from '#contract/lifecycle';
import { type TradingTerms, type Venue, VenueRefused, type VenueReport } from '../exchange/venue';
import { plain, ZERO } from '../maths/decimal';
import type { BookWriter } from './bookWriter';
import { dispel, doubt, missed } from './doubt';
import { type Ground, stopOf } from './governor';
import type { Sight, Wish } from './kinds/runner';
import { LeaseLost } from './lease';
import type { EngineNotice } from './notice';
import { capPrice, midOf, restPrice } from './pricing';
import { EVENT_OF_ORDER, EVENT_OF_STATE, lineOf, orderText } from './timeline';
import {
  accountOf,
  type BookOrder,
  type DealBook,
  entrySide,
  exitSide,
  isRunning,
  type Line,
  positionOf,
  settleOrder,
  slotOf,
  type UserBook,
} from './tradingBook';
import { AGREES, MISMATCH, SHRUNK, STOPPED, VENUE_WORDS } from './words';
import { writeOffRows } from './writeOff';

export interface ActorOptions {
  writer: BookWriter;
  venue: Venue;
  clock: () => number;
  /** Whether this process is still the book's one writer, by its own clock. */
  holds: (book: UserBook) => boolean;
  /** What an order of a deal at a price is held against. */
  groundOf: (book: UserBook, deal: DealBook, leg: Leg, price: number) => Ground;
  newId: () => string;
  notify: (notice: EngineNotice) => void;
}

type Send = Extract<Wish, { do: 'send' }>;
type Move = Extract<Wish, { do: 'move' }>;
type WriteOff = Extract<Wish, { do: 'writeOff' }>;

/** Carries out what a plan wishes: the row first, then the wire, then what became of it. */
export class Actor {
  readonly #o: ActorOptions;

  constructor(options: ActorOptions) {
    this.#o = options;
  }

  /** @returns whether anything changed, so that planning again makes sense at once. */
  async act(book: UserBook, deal: DealBook, wish: Wish, sight: Sight): Promise<boolean> {
    switch (wish.do) {
      case 'send':
        return this.#send(book, deal, wish, sight.terms[wish.leg]);
      case 'cancel':
        return this.cancel(book, wish.order);
      case 'look':
        return this.#look(book, deal, wish.order);
      case 'move':
        return this.#move(book, deal, wish, sight);
      case 'writeOff':
        return this.#writeOff(book, deal, wish);
      case 'freeze':
        return this.#freeze(book, deal, 'frozen', wish.reason);
      case 'verify':
        return this.#verify(book, deal, sight);
      case 'recheck':
        return this.#recheck(book, deal);
    }
  }

  async #send(book: UserBook, deal: DealBook, wish: Send, terms: TradingTerms | undefined): Promise<boolean> {
    const { writer, venue, clock, newId } = this.#o;
    const leg = deal.legs[wish.leg];
    const quote = await venue.quote(leg.source, leg.symbol);
    if (terms === undefined || quote === undefined || !(quote.bid > 0) || !(quote.ask > 0)) {
      missed(deal, clock());
      return false;
    }
    const side = wish.adds ? entrySide(wish.leg) : exitSide(leg.quantity);
    const stop = stopOf({ ...wish, side }, this.#o.groundOf(book, deal, wish.leg, midOf(quote)));
    if (stop !== null) return this.#freeze(book, deal, 'governed', `${STOPPED}：${stop}`);
    const order: BookOrder = {
      id: newId(),
      accountId: leg.accountId,
      dealId: deal.id,
      source: leg.source,
      symbol: leg.symbol,
      leg: wish.leg,
      slot: wish.slot ?? wish.leg,
      side,
      type: wish.maker ? 'maker' : 'market',
      purpose: wish.purpose,
      reduceOnly: !wish.adds && terms.kind !== 'spot' && reduces(positionOf(book, leg), wish.quantity, side),
      quantity: wish.quantity,
      limitPrice: wish.maker ? restPrice(quote, side, terms, wish.price) : capPrice(quote, side, wish.capBps, terms),
      decisionMid: midOf(quote),
      state: 'registered',
      filledQuantity: ZERO,
      filledNotional: ZERO,
      fee: ZERO,
      reportedQuantity: ZERO,
      reportedState: null,
      createdAt: clock(),
      cancelAskedAt: null,
      endedAt: null,
    };
    const lines = [lineOf(deal, 'registered', orderText(order))];
    await writer.register(book, deal, order, { adds: wish.adds, lines, at: order.createdAt });
    deal.lastSentAt = order.createdAt;
    deal.sends = deal.sends.filter(({ at }) => order.createdAt - at < MINUTE_MS);
    deal.sends.push({ leg: wish.leg, at: order.createdAt });
    book.orders.set(order.id, order);
    if (wish.slot !== undefined) slotOf(deal, wish.slot);
    await this.#transmit(book, deal, order, terms);
    return true;
  }

  /** The order's row is committed; from here on its fate is written down, whatever it is. */
  async #transmit(book: UserBook, deal: DealBook, order: BookOrder, terms: TradingTerms): Promise<void> {
    const { venue, clock, holds } = this.#o;
    // Registering took so long that another may have looked for the order already and found nothing.
    if (!holds(book)) throw new LeaseLost(book.userId);
    const sentAt = clock();
    const { id, accountId, source, symbol, side, type, quantity, limitPrice, reduceOnly } = order;
    let report: VenueReport;
    try {
      report = await venue.submit({
        clientId: id,
        account: accountId,
        source,
        symbol,
        side,
        type,
        quantity: plain(quantity),
        limitPrice: plain(limitPrice),
        reduceOnly,
        leverage: leverageOf(deal, terms),
      });
    } catch (error) {
      await this.#unanswered(book, deal, order, sentAt, error);
      return;
    }
    await this.#reported(book, deal, order, report, 'sent', { sentAt, answeredAt: clock() });
  }

  async #unanswered(book: UserBook, deal: DealBook, order: BookOrder, sentAt: number, error: unknown): Promise<void> {
    const at = this.#o.clock();
    const refusal = error instanceof VenueRefused && error.reason !== 'duplicateClientId' ? error.reason : null;
    if (refusal !== null) {
      missed(deal, at);
      order.state = 'refused';
      order.endedAt = at;
      const lines = [lineOf(deal, 'refused', `${order.symbol} ${VENUE_WORDS[refusal] ?? refusal}`)];
      await this.#o.writer.saveOrder(book, order, { sentAt, answeredAt: at, reason: refusal }, [deal], lines, at);
    } else {
      order.state = 'inDoubt';
      doubt(deal);
      await this.#o.writer.saveOrder(book, order, { sentAt }, [deal], [lineOf(deal, 'inDoubt', orderText(order))], at);
    }
    this.#tell(book, deal, order);
  }

  async #reported(
    book: UserBook,
    deal: DealBook | undefined,
    order: BookOrder,
    report: VenueReport,
    kind: Line['kind'],
    stamps: { sentAt?: number; answeredAt?: number },
  ): Promise<void> {
    const at = this.#o.clock();
    const shrunk = order.filledQuantity.gt(report.filledQuantity);
    const ended = report.state !== 'open';
    order.state = 'open';
    // A report that shrank is not believed: what is booked stays, and the deal waits until both agree.
    order.reportedQuantity = shrunk ? order.filledQuantity : new Big(report.filledQuantity);
    order.reportedState = report.state === 'open' ? null : report.state;
    settleOrder(order, report.at);
    const lines = deal ? [lineOf(deal, kind, orderText(order))] : [];
    if (deal) {
      const fell = order.quantity.gt(report.filledQuantity);
      // A resting order that was taken back to be placed anew is no failure.
      if (ended && fell && order.type !== 'maker') missed(deal, at);
      else if (ended && !fell) deal.attempts = 0;
      dispel(book, deal);
      if (shrunk) {
        deal.frozen = SHRUNK;
        lines.push(lineOf(deal, 'frozen', SHRUNK));
      }
    }
    const named = { ...stamps, exchangeId: report.exchangeId };
    await this.#o.writer.saveOrder(book, order, named, deal ? [deal] : [], lines, at);
    this.#tell(book, deal, order);
    if (deal && shrunk) this.#alarm(book, deal, SHRUNK);
  }

  /** Takes a resting order back. */
  async cancel(book: UserBook, order: BookOrder): Promise<boolean> {
    const deal = order.dealId === null ? undefined : book.deals.get(order.dealId);
    try {
      const report = await this.#o.venue.cancel(order.accountId, order.id);
      await this.#reported(book, deal, order, report, 'cancelled', {});
      return true;
    } catch {
      // Whether it still rests is not known: look before anything else is done.
      order.state = 'inDoubt';
      if (deal) doubt(deal);
      const at = this.#o.clock();
      const lines = deal ? [lineOf(deal, 'inDoubt', orderText(order))] : [];
      await this.#o.writer.saveOrder(book, order, {}, deal ? [deal] : [], lines, at);
      return false;
    }
  }

  /** Asks what became of an order; never sends it again. */
  async #look(book: UserBook, deal: DealBook, order: BookOrder): Promise<boolean> {
    const { venue, writer, clock } = this.#o;
    const answer = await venue.lookup(order.accountId, order.id).catch(() => null);
    if (answer?.found) {
      await this.#reported(book, deal, order, answer.report, 'found', { answeredAt: clock() });
      return true;
    }
    if (answer === null || !answer.covered) {
      if (deal.frozen === null) {
        doubt(deal);
        order.state = 'inDoubt';
        await writer.saveOrder(book, order, {}, [deal], [lineOf(deal, 'inDoubt', orderText(order))], clock());
      }
      return false;
    }
    const at = clock();
    order.state = 'lost';
    order.endedAt = at;
    missed(deal, at);
    dispel(book, deal);
    await writer.saveOrder(book, order, {}, [deal], [lineOf(deal, 'lost', orderText(order))], at);
    this.#tell(book, deal, order);
    return true;
  }

  async #move(book: UserBook, deal: DealBook, { to, reason }: Move, sight: Sight): Promise<boolean> {
    const { writer, venue, clock, notify } = this.#o;
    const at = clock();
    if (!HEDGE_STEPS[deal.state].includes(to)) throw new Error(`a deal cannot go from ${deal.state} to ${to}`);
    if (to === 'opening') {
      for (const leg of Object.values(deal.legs)) {
        const quote = await venue.quote(leg.source, leg.symbol);
        leg.midOpen = quote === undefined ? null : midOf(quote);
      }
    }
    if (to === 'open') deal.openedAt = at;
    if (to === 'closing') deal.signalClose = sight.signal;
    if (reason !== null) deal.closeReason = reason;
    deal.state = to;
    deal.stateAt = at;
    deal.attempts = 0;
    if (!isRunning(deal)) {
      deal.closedAt = at;
      deal.frozen = null;
    }
    const event = EVENT_OF_STATE[to];
    // Of an entry that begins its orders tell.
    await writer.saveDeal(book, deal, to === 'opening' ? [] : [lineOf(deal, event, reason ?? '')], at);
    if (!isRunning(deal)) {
      book.deals.delete(deal.id);
      const { long, short } = deal.legs;
      const ofLong = accountOf(book, long.accountId).sums;
      ofLong.endedLong = ofLong.endedLong.plus(long.realised);
      const ofShort = accountOf(book, short.accountId).sums;
      ofShort.endedShort = ofShort.endedShort.plus(short.realised);
    }
    // Its creation was told already.
    if (to !== 'opening') notify({ kind: 'deal', userId: book.userId, deal, event });
    return true;
  }

  /** Nothing more goes out for the deal; its owner and the masters hear of it once. */
  async #freeze(book: UserBook, deal: DealBook, kind: 'frozen' | 'governed', reason: string): Promise<boolean> {
    const { writer, clock, notify } = this.#o;
    const at = clock();
    const isNew = deal.frozen !== reason;
    deal.frozen = reason;
    missed(deal, at);
    await writer.saveDeal(book, deal, isNew ? [lineOf(deal, kind, reason)] : [], at);
    if (!isNew) return false;
    notify({ kind: 'deal', userId: book.userId, deal, event: kind });
    this.#alarm(book, deal, reason);
    return false;
  }

  #alarm({ userId, user }: UserBook, { legs: { long, short } }: DealBook, reason: string): void {
    const text = `${user} 的对冲单 ${long.symbol} / ${short.symbol} 已冻结：${reason}`;
    this.#o.notify({ kind: 'alarm', userId, level: 'error', text });
  }

  /** What is too little for an order leaves the deal for the account at the mark; no money moves. */
  async #writeOff(book: UserBook, deal: DealBook, { leg, price }: WriteOff): Promise<boolean> {
    const { writer, clock, notify } = this.#o;
    const at = clock();
    const { rows, detail } = writeOffRows(deal, leg, price, at);
    await writer.saveWriteOff(book, deal, rows, [lineOf(deal, 'writtenOff', detail)], at);
    notify({ kind: 'deal', userId: book.userId, deal, event: 'writtenOff' });
    return true;
  }

  /** Both legs are flat by our books; closed is what the venue says too. */
  async #verify(book: UserBook, deal: DealBook, sight: Sight): Promise<boolean> {
    const agrees = await this.#agrees(book, deal);
    if (agrees) {
      const to = deal.openedAt === null ? 'failed' : 'closed';
      return this.#move(book, deal, { do: 'move', to, reason: deal.closeReason }, sight);
    }
    const at = this.#o.clock();
    missed(deal, at);
    if (agrees === false && deal.attempts === 1) {
      await this.#o.writer.saveDeal(book, deal, [lineOf(deal, 'frozen', MISMATCH)], at);
    }
    return false;
  }

  /** What was frozen over a contradiction goes on once the venue holds what the books say. */
  async #recheck(book: UserBook, deal: DealBook): Promise<boolean> {
    const { writer, clock, notify } = this.#o;
    const at = clock();
    if (!(await this.#agrees(book, deal))) {
      missed(deal, at);
      return false;
    }
    deal.frozen = null;
    deal.attempts = 0;
    await writer.saveDeal(book, deal, [lineOf(deal, 'thawed', AGREES)], at);
    notify({ kind: 'deal', userId: book.userId, deal, event: 'thawed' });
    return true;
  }

  /** Whether the venue's positions in both symbols are those of the books; null when it cannot be asked. */
  async #agrees(book: UserBook, { legs }: DealBook): Promise<boolean | null> {
    for (const accountId of new Set(Object.values(legs).map((leg) => leg.accountId))) {
      const positions = await this.#o.venue.positions(accountId).catch(() => null);
      if (positions === null) return null;
      const own = Object.values(legs).filter((leg) => leg.accountId === accountId);
      const agrees = own.every((leg) => {
        const there = positions.find(({ source, symbol }) => source === leg.source && symbol === leg.symbol);
        return positionOf(book, leg).eq(there?.quantity ?? '0');
      });
      if (!agrees) return false;
    }
    return true;
  }

  #tell({ userId }: UserBook, deal: DealBook | undefined, order: BookOrder): void {
    this.#o.notify({ kind: 'order', userId, order });
    if (deal) this.#o.notify({ kind: 'deal', userId, deal, event: EVENT_OF_ORDER[order.state] });
  }
}

const leverageOf = ({ params }: DealBook, { kind }: TradingTerms): number => (kind === 'spot' ? 1 : params.leverage);

/** Whether the order only takes from the account's whole position: other deals may hold the symbol the other way round. */
const reduces = (held: Big, quantity: Big, side: 'buy' | 'sell'): boolean =>
  side === 'sell' ? held.gte(quantity) : held.neg().gte(quantity);
