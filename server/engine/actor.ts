import Big from 'big.js';
import { MINUTE_MS } from '#contract/duration';
import { HEDGE_STEPS } from '#contract/lifecycle';
import { symbolKey } from '../exchange/symbolKey';
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
  type Book,
  type BookOrder,
  entrySide,
  exitSide,
  type HedgeBook,
  isRunning,
  type Line,
  settleOrder,
} from './tradingBook';
import { AGREES, MISMATCH, SHRUNK, STOPPED, VENUE_WORDS } from './words';
import { writeOffRows } from './writeOff';

export interface ActorOptions {
  writer: BookWriter;
  venue: Venue;
  clock: () => number;
  /** Whether this process is still the book's one writer, by its own clock. */
  holds: (book: Book) => boolean;
  /** What an order of a hedge at a price is held against. */
  groundOf: (book: Book, hedge: HedgeBook, price: number) => Ground;
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
  async act(book: Book, hedge: HedgeBook, wish: Wish, sight: Sight): Promise<boolean> {
    switch (wish.do) {
      case 'send':
        return this.#send(book, hedge, wish, sight.terms[wish.leg]);
      case 'cancel':
        return this.cancel(book, wish.order);
      case 'look':
        return this.#look(book, hedge, wish.order);
      case 'move':
        return this.#move(book, hedge, wish, sight);
      case 'writeOff':
        return this.#writeOff(book, hedge, wish);
      case 'freeze':
        return this.#freeze(book, hedge, 'frozen', wish.reason);
      case 'verify':
        return this.#verify(book, hedge, sight);
      case 'recheck':
        return this.#recheck(book, hedge);
    }
  }

  async #send(book: Book, hedge: HedgeBook, wish: Send, terms: TradingTerms | undefined): Promise<boolean> {
    const { writer, venue, clock, newId } = this.#o;
    const leg = hedge.legs[wish.leg];
    const quote = await venue.quote(hedge.source, leg.symbol);
    if (terms === undefined || quote === undefined || !(quote.bid > 0) || !(quote.ask > 0)) {
      missed(hedge, clock());
      return false;
    }
    const side = wish.adds ? entrySide(wish.leg) : exitSide(leg.quantity);
    const stop = stopOf({ ...wish, side }, this.#o.groundOf(book, hedge, midOf(quote)));
    if (stop !== null) return this.#freeze(book, hedge, 'governed', `${STOPPED}：${stop}`);
    const order: BookOrder = {
      id: newId(),
      hedgeId: hedge.id,
      source: hedge.source,
      symbol: leg.symbol,
      leg: wish.leg,
      side,
      type: wish.maker ? 'maker' : 'market',
      purpose: wish.purpose,
      reduceOnly: !wish.adds && reduces(book, hedge.source, leg.symbol, wish.quantity, side),
      quantity: wish.quantity,
      limitPrice: wish.maker ? restPrice(quote, side, terms) : capPrice(quote, side, wish.capBps, terms),
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
    const lines = [lineOf(hedge, 'registered', orderText(order))];
    await writer.register(book, hedge, order, { adds: wish.adds, lines, at: order.createdAt });
    hedge.lastSentAt = order.createdAt;
    hedge.sends = hedge.sends.filter(({ at }) => order.createdAt - at < MINUTE_MS);
    hedge.sends.push({ leg: wish.leg, at: order.createdAt });
    book.orders.set(order.id, order);
    await this.#transmit(book, hedge, order);
    return true;
  }

  /** The order's row is committed; from here on its fate is written down, whatever it is. */
  async #transmit(book: Book, hedge: HedgeBook, order: BookOrder): Promise<void> {
    const { venue, clock, holds } = this.#o;
    // Registering took so long that another may have looked for the order already and found nothing.
    if (!holds(book)) throw new LeaseLost(book.userId);
    const sentAt = clock();
    const { id, source, symbol, side, type, quantity, limitPrice, reduceOnly } = order;
    let report: VenueReport;
    try {
      report = await venue.submit({
        clientId: id,
        account: book.userId,
        source,
        symbol,
        side,
        type,
        quantity: plain(quantity),
        limitPrice: plain(limitPrice),
        reduceOnly,
        leverage: hedge.settings.leverage,
      });
    } catch (error) {
      await this.#unanswered(book, hedge, order, sentAt, error);
      return;
    }
    await this.#reported(book, hedge, order, report, 'sent', { sentAt, answeredAt: clock() });
  }

  async #unanswered(book: Book, hedge: HedgeBook, order: BookOrder, sentAt: number, error: unknown): Promise<void> {
    const at = this.#o.clock();
    const refusal = error instanceof VenueRefused && error.reason !== 'duplicateClientId' ? error.reason : null;
    if (refusal !== null) {
      missed(hedge, at);
      order.state = 'refused';
      order.endedAt = at;
      const lines = [lineOf(hedge, 'refused', `${order.symbol} ${VENUE_WORDS[refusal] ?? refusal}`)];
      await this.#o.writer.saveOrder(book, order, { sentAt, answeredAt: at, reason: refusal }, [hedge], lines, at);
    } else {
      order.state = 'inDoubt';
      doubt(hedge);
      await this.#o.writer.saveOrder(
        book,
        order,
        { sentAt },
        [hedge],
        [lineOf(hedge, 'inDoubt', orderText(order))],
        at,
      );
    }
    this.#tell(book, hedge, order);
  }

  async #reported(
    book: Book,
    hedge: HedgeBook | undefined,
    order: BookOrder,
    report: VenueReport,
    kind: Line['kind'],
    stamps: { sentAt?: number; answeredAt?: number },
  ): Promise<void> {
    const at = this.#o.clock();
    const shrunk = order.filledQuantity.gt(report.filledQuantity);
    const ended = report.state !== 'open';
    order.state = 'open';
    // A report that shrank is not believed: what is booked stays, and the hedge waits until both agree.
    order.reportedQuantity = shrunk ? order.filledQuantity : new Big(report.filledQuantity);
    order.reportedState = report.state === 'open' ? null : report.state;
    settleOrder(order, report.at);
    const lines = hedge ? [lineOf(hedge, kind, orderText(order))] : [];
    if (hedge) {
      const fell = order.quantity.gt(report.filledQuantity);
      // A resting order that was taken back to be placed anew is no failure.
      if (ended && fell && order.type !== 'maker') missed(hedge, at);
      else if (ended && !fell) hedge.attempts = 0;
      dispel(book, hedge);
      if (shrunk) {
        hedge.frozen = SHRUNK;
        lines.push(lineOf(hedge, 'frozen', SHRUNK));
      }
    }
    const named = { ...stamps, exchangeId: report.exchangeId };
    await this.#o.writer.saveOrder(book, order, named, hedge ? [hedge] : [], lines, at);
    this.#tell(book, hedge, order);
    if (hedge && shrunk) this.#alarm(book, hedge, SHRUNK);
  }

  /** Takes a resting order back. */
  async cancel(book: Book, order: BookOrder): Promise<boolean> {
    const hedge = order.hedgeId === null ? undefined : book.hedges.get(order.hedgeId);
    try {
      const report = await this.#o.venue.cancel(book.userId, order.id);
      await this.#reported(book, hedge, order, report, 'cancelled', {});
      return true;
    } catch {
      // Whether it still rests is not known: look before anything else is done.
      order.state = 'inDoubt';
      if (hedge) doubt(hedge);
      const at = this.#o.clock();
      const lines = hedge ? [lineOf(hedge, 'inDoubt', orderText(order))] : [];
      await this.#o.writer.saveOrder(book, order, {}, hedge ? [hedge] : [], lines, at);
      return false;
    }
  }

  /** Asks what became of an order; never sends it again. */
  async #look(book: Book, hedge: HedgeBook, order: BookOrder): Promise<boolean> {
    const { venue, writer, clock } = this.#o;
    const answer = await venue.lookup(book.userId, order.id).catch(() => null);
    if (answer?.found) {
      await this.#reported(book, hedge, order, answer.report, 'found', { answeredAt: clock() });
      return true;
    }
    if (answer === null || !answer.covered) {
      if (hedge.frozen === null) {
        doubt(hedge);
        order.state = 'inDoubt';
        await writer.saveOrder(book, order, {}, [hedge], [lineOf(hedge, 'inDoubt', orderText(order))], clock());
      }
      return false;
    }
    const at = clock();
    order.state = 'lost';
    order.endedAt = at;
    missed(hedge, at);
    dispel(book, hedge);
    await writer.saveOrder(book, order, {}, [hedge], [lineOf(hedge, 'lost', orderText(order))], at);
    this.#tell(book, hedge, order);
    return true;
  }

  async #move(book: Book, hedge: HedgeBook, { to, reason }: Move, sight: Sight): Promise<boolean> {
    const { writer, venue, clock, notify } = this.#o;
    const at = clock();
    if (!HEDGE_STEPS[hedge.state].includes(to)) throw new Error(`a hedge cannot go from ${hedge.state} to ${to}`);
    if (to === 'opening') {
      for (const leg of Object.values(hedge.legs)) {
        const quote = await venue.quote(hedge.source, leg.symbol);
        leg.midOpen = quote === undefined ? null : midOf(quote);
      }
    }
    if (to === 'open') hedge.openedAt = at;
    if (to === 'closing') hedge.zClose = sight.z;
    if (reason !== null) hedge.closeReason = reason;
    hedge.state = to;
    hedge.stateAt = at;
    hedge.attempts = 0;
    if (!isRunning(hedge)) {
      hedge.closedAt = at;
      hedge.frozen = null;
    }
    const event = EVENT_OF_STATE[to];
    // Of an entry that begins its orders tell.
    await writer.saveHedge(book, hedge, to === 'opening' ? [] : [lineOf(hedge, event, reason ?? '')], at);
    if (!isRunning(hedge)) {
      book.hedges.delete(hedge.id);
      book.sums.endedLong = book.sums.endedLong.plus(hedge.legs.long.realised);
      book.sums.endedShort = book.sums.endedShort.plus(hedge.legs.short.realised);
    }
    // Its creation was told already.
    if (to !== 'opening') notify({ kind: 'deal', userId: book.userId, hedge, event });
    return true;
  }

  /** Nothing more goes out for the hedge; its owner and the masters hear of it once. */
  async #freeze(book: Book, hedge: HedgeBook, kind: 'frozen' | 'governed', reason: string): Promise<boolean> {
    const { writer, clock, notify } = this.#o;
    const at = clock();
    const isNew = hedge.frozen !== reason;
    hedge.frozen = reason;
    missed(hedge, at);
    await writer.saveHedge(book, hedge, isNew ? [lineOf(hedge, kind, reason)] : [], at);
    if (!isNew) return false;
    notify({ kind: 'deal', userId: book.userId, hedge, event: kind });
    this.#alarm(book, hedge, reason);
    return false;
  }

  #alarm({ userId, user }: Book, { legs: { long, short } }: HedgeBook, reason: string): void {
    const text = `${user} 的对冲单 ${long.symbol} / ${short.symbol} 已冻结：${reason}`;
    this.#o.notify({ kind: 'alarm', userId, level: 'error', text });
  }

  /** What is too little for an order leaves the hedge for the account at the mark; no money moves. */
  async #writeOff(book: Book, hedge: HedgeBook, { leg, price }: WriteOff): Promise<boolean> {
    const { writer, clock, notify } = this.#o;
    const at = clock();
    const { rows, detail } = writeOffRows(hedge, leg, price, at);
    await writer.saveWriteOff(book, hedge, rows, [lineOf(hedge, 'writtenOff', detail)], at);
    notify({ kind: 'deal', userId: book.userId, hedge, event: 'writtenOff' });
    return true;
  }

  /** Both legs are flat by our books; closed is what the venue says too. */
  async #verify(book: Book, hedge: HedgeBook, sight: Sight): Promise<boolean> {
    const agrees = await this.#agrees(book, hedge);
    if (agrees) {
      const to = hedge.openedAt === null ? 'failed' : 'closed';
      return this.#move(book, hedge, { do: 'move', to, reason: hedge.closeReason }, sight);
    }
    const at = this.#o.clock();
    missed(hedge, at);
    if (agrees === false && hedge.attempts === 1) {
      await this.#o.writer.saveHedge(book, hedge, [lineOf(hedge, 'frozen', MISMATCH)], at);
    }
    return false;
  }

  /** What was frozen over a contradiction goes on once the venue holds what the books say. */
  async #recheck(book: Book, hedge: HedgeBook): Promise<boolean> {
    const { writer, clock, notify } = this.#o;
    const at = clock();
    if (!(await this.#agrees(book, hedge))) {
      missed(hedge, at);
      return false;
    }
    hedge.frozen = null;
    hedge.attempts = 0;
    await writer.saveHedge(book, hedge, [lineOf(hedge, 'thawed', AGREES)], at);
    notify({ kind: 'deal', userId: book.userId, hedge, event: 'thawed' });
    return true;
  }

  /** Whether the venue's positions in both symbols are those of the books; null when it cannot be asked. */
  async #agrees(book: Book, { source, legs }: HedgeBook): Promise<boolean | null> {
    const positions = await this.#o.venue.positions(book.userId).catch(() => null);
    if (positions === null) return null;
    return Object.values(legs).every(({ symbol }) => {
      const there = positions.find((row) => row.source === source && row.symbol === symbol)?.quantity ?? '0';
      return (book.positions.get(symbolKey({ source, symbol })) ?? ZERO).eq(there);
    });
  }

  #tell({ userId }: Book, hedge: HedgeBook | undefined, order: BookOrder): void {
    this.#o.notify({ kind: 'order', userId, order });
    if (hedge) this.#o.notify({ kind: 'deal', userId, hedge, event: EVENT_OF_ORDER[order.state] });
  }
}

/** Whether the order only takes from the account's whole position: other hedges may hold the symbol the other way round. */
function reduces({ positions }: Book, source: string, symbol: string, quantity: Big, side: 'buy' | 'sell'): boolean {
  const held = positions.get(symbolKey({ source, symbol })) ?? ZERO;
  return side === 'sell' ? held.gte(quantity) : held.neg().gte(quantity);
}
