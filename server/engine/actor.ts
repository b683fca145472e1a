import Big from 'big.js';
import { MINUTE_MS } from '#contract/duration';
import { HEDGE_STEPS, LEGS, type Leg } from '#contract/lifecycle';
import { keepsStock } from '#contract/strategy';
import { plain, ZERO } from '../base/maths/decimal';
import { type Quote, type Side, type TradingTerms, type Venue, VenueRefused, type VenueReport } from '../market/venue';
import type { BookWriter } from './bookWriter';
import type { EngineNotice } from './desk';
import { coinEntries, inventoryEntries, type Rolling } from './handover';
import { LeaseLost } from './lease';
import { backOff, freezeInDoubt, liftDoubt } from './orderInDoubt';
import { capPrice, midOf, type RiskContext, restPrice, stopOf } from './preTradeRisk';

import type { NextAction, PlanContext } from './runner';
import {
  accountOf,
  addStock,
  type BookOrder,
  cashOfDeal,
  type DealBook,
  entrySide,
  exitSide,
  isRunning,
  type Line,
  leverageOf,
  positionOf,
  settleOrder,
  slotOf,
  spareOf,
  type TargetBook,
  type UserBook,
} from './tradingBook';
import {
  AGREES,
  DISAGREES,
  EVENT_OF_ORDER,
  EVENT_OF_STATE,
  lineOf,
  MISMATCH,
  notUnfrozen,
  orderText,
  SHRUNK,
  STOPPED,
  VENUE_WORDS,
} from './words';

interface ActorOptions {
  writer: BookWriter;
  venue: Venue;
  clock: () => number;
  /** Whether this process is still the book's one writer, by its own clock. */
  holds: (book: UserBook) => boolean;
  /** What the pre-trade risk check holds an order of a deal at a price against. */
  riskContextOf: (book: UserBook, deal: DealBook, leg: Leg, price: number) => RiskContext;
  newId: () => string;
  notify: (notice: EngineNotice) => void;
  rolling: Rolling;
}

type Send = Extract<NextAction, { do: 'send' }>;
type Move = Extract<NextAction, { do: 'move' }>;
type Take = Extract<NextAction, { do: 'takeCoin' }>;
/** Kind of the ledger rows of a hand-over, and its event in the timeline. */
const HANDED_OVER = {
  writeOff: { kind: 'writeOff', event: 'writtenOff' },
  inventory: { kind: 'inventory', event: 'handedOver' },
} as const;

/** An order before it is registered. */
interface Draft {
  action: Send;
  side: Side;
  quote: Quote;
  terms: TradingTerms;
}

/** A registered order and the trading terms of its symbol. */
interface Sent {
  order: BookOrder;
  terms: TradingTerms;
}

/** Carries out the next action of a plan: the row first, then the wire, then what became of it. */
export class Actor {
  readonly #o: ActorOptions;

  constructor(options: ActorOptions) {
    this.#o = options;
  }

  /** @returns whether anything changed, so that planning again makes sense at once. */
  async act(book: UserBook, deal: DealBook, action: NextAction, context: PlanContext): Promise<boolean> {
    switch (action.do) {
      case 'send':
        return this.#sendAll(book, deal, [action], context);
      case 'cancel':
        return this.cancel(book, action.order);
      case 'lookup':
        return this.#lookUp(book, deal, action.order);
      case 'move':
        return this.#move(book, deal, action, context);
      case 'sendAll':
        return this.#sendAll(book, deal, action.sends, context);
      case 'writeOff':
        return this.#handOver(book, deal, [action.leg], action.price, HANDED_OVER.writeOff);
      case 'handOver':
        return this.#handOver(book, deal, LEGS, action.price, HANDED_OVER.inventory);
      case 'takeCoin':
        return this.#takeCoin(book, deal, action);
      case 'roll':
        return this.#o.rolling.begin(book, deal, action.next);
      case 'takeOver':
        return this.#o.rolling.takeOver(book, deal, action);
      case 'freeze':
        return this.#freeze(book, deal, 'frozen', action.reason);
      case 'verify':
        return this.#verify(book, deal, context);
      case 'recheck':
        return this.#recheck(book, deal);
      case 'unfreeze':
        return this.#unfreeze(book, deal, action.wrong);
    }
  }

  /** Registers all or none, and sends them without one waiting for another. */
  async #sendAll(book: UserBook, deal: DealBook, actions: Send[], { terms }: PlanContext): Promise<boolean> {
    const { writer, venue, clock } = this.#o;
    const orders: Sent[] = [];
    for (const action of actions) {
      const leg = deal.legs[action.leg];
      const quote = await venue.quote(leg.source, leg.symbol);
      const own = terms[action.leg];
      if (own === undefined || quote === undefined || !(quote.bid > 0) || !(quote.ask > 0)) {
        backOff(deal, clock());
        return false;
      }
      const side = action.adds ? entrySide(action.leg) : exitSide(leg.quantity);
      const stop = stopOf({ ...action, side }, this.#riskContextAfter(book, deal, orders, action, midOf(quote)));
      if (stop !== null) return this.#freeze(book, deal, 'governed', `${STOPPED}：${stop}`);
      orders.push({ order: this.#orderOf(book, deal, { action, side, quote, terms: own }), terms: own });
    }
    const at = clock();
    const lines = orders.map(({ order }) => lineOf(deal, 'registered', orderText(order)));
    const rows = orders.map(({ order }) => order);
    await writer.register(book, deal, rows, { adds: actions.some(({ adds }) => adds), lines, at });
    deal.lastSentAt = at;
    deal.sends = deal.sends.filter((send) => at - send.at < MINUTE_MS);
    for (const { leg, slot } of actions) {
      deal.sends.push(slot === undefined ? { leg, at } : { leg, at, slot });
      if (slot !== undefined) slotOf(deal, slot);
    }
    for (const order of rows) book.orders.set(order.id, order);
    await this.#transmit(book, deal, orders);
    return true;
  }

  /** The risk context of an order that goes out together with earlier ones of the batch. */
  #riskContextAfter(
    book: UserBook,
    deal: DealBook,
    earlier: readonly Sent[],
    { leg }: Send,
    price: number,
  ): RiskContext {
    const risk = this.#o.riskContextOf(book, deal, leg, price);
    if (earlier.length === 0) return risk;
    const orders = earlier.map(({ order }) => order);
    const sends = orders.map(({ leg, slot, createdAt: at }) =>
      slot === null || slot === leg ? { leg, at } : { leg, at, slot },
    );
    return { ...risk, live: [...risk.live, ...orders], deal: { ...deal, sends: [...deal.sends, ...sends] } };
  }

  #orderOf(book: UserBook, deal: DealBook, { action, side, quote, terms }: Draft): BookOrder {
    const leg = deal.legs[action.leg];
    return {
      id: this.#o.newId(),
      accountId: leg.accountId,
      dealId: deal.id,
      source: leg.source,
      symbol: leg.symbol,
      leg: action.leg,
      slot: action.slot ?? action.leg,
      side,
      type: action.maker ? 'maker' : 'market',
      purpose: action.purpose,
      reduceOnly: !action.adds && terms.kind !== 'spot' && reduces(positionOf(book, leg), action.quantity, side),
      quantity: action.quantity,
      limitPrice: action.maker ? restPrice(quote, side, terms, action.price) : capPrice(quote, side, action, terms),
      decisionMid: midOf(quote),
      state: 'registered',
      filledQuantity: ZERO,
      filledNotional: ZERO,
      fee: ZERO,
      reportedQuantity: ZERO,
      reportedState: null,
      createdAt: this.#o.clock(),
      cancelAskedAt: null,
      endedAt: null,
    };
  }

  /** Sends orders whose rows are committed, side by side, and saves the outcome of each. */
  async #transmit(book: UserBook, deal: DealBook, orders: Sent[]): Promise<void> {
    const { venue, clock, holds } = this.#o;
    // The lease ran out while registering: another process may have looked the orders up already and found nothing.
    if (!holds(book)) throw new LeaseLost(book.userId);
    const answers = await Promise.all(
      orders.map(async ({ order, terms }) => {
        const { id, accountId, source, symbol, side, type, quantity, limitPrice, reduceOnly } = order;
        const sentAt = clock();
        const sent = {
          ...{ clientId: id, account: accountId, source, symbol, side, type, reduceOnly },
          quantity: plain(quantity),
          limitPrice: plain(limitPrice),
          leverage: terms.kind === 'spot' ? 1 : leverageOf(deal),
        };
        try {
          const report = await venue.submit(sent);
          return { order, report, stamps: { sentAt, answeredAt: clock() } };
        } catch (error) {
          return { order, error, stamps: { sentAt } };
        }
      }),
    );
    for (const { order, report, error, stamps } of answers) {
      if (report) await this.#reported(book, deal, order, report, 'sent', stamps);
      else await this.#unanswered(book, deal, order, stamps.sentAt, error);
    }
  }

  async #unanswered(book: UserBook, deal: DealBook, order: BookOrder, sentAt: number, error: unknown): Promise<void> {
    const at = this.#o.clock();
    const refusal = error instanceof VenueRefused && error.reason !== 'duplicateClientId' ? error.reason : null;
    if (refusal !== null) {
      backOff(deal, at);
      order.state = 'refused';
      order.endedAt = at;
      const lines = [lineOf(deal, 'refused', `${order.symbol} ${VENUE_WORDS[refusal] ?? refusal}`)];
      await this.#o.writer.saveOrder(book, order, { sentAt, answeredAt: at, reason: refusal }, [deal], lines, at);
    } else {
      order.state = 'inDoubt';
      freezeInDoubt(deal);
      await this.#o.writer.saveOrder(book, order, { sentAt }, [deal], [lineOf(deal, 'inDoubt', orderText(order))], at);
    }
    this.#notifyOrder(book, deal, order);
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
    // A cumulative quantity never shrinks: keep what is booked and freeze the deal until venue and books agree.
    order.reportedQuantity = shrunk ? order.filledQuantity : new Big(report.filledQuantity);
    order.reportedState = report.state === 'open' ? null : report.state;
    settleOrder(order, report.at);
    const lines = deal ? [lineOf(deal, kind, orderText(order))] : [];
    if (deal) {
      const fell = order.quantity.gt(report.filledQuantity);
      // Cancelling a resting order to place it anew is no failure.
      if (ended && fell && order.type !== 'maker') backOff(deal, at);
      else if (ended && !fell) deal.attempts = 0;
      liftDoubt(book, deal);
      if (shrunk) {
        deal.frozen = SHRUNK;
        lines.push(lineOf(deal, 'frozen', SHRUNK));
      }
    }
    const named = { ...stamps, exchangeId: report.exchangeId };
    await this.#o.writer.saveOrder(book, order, named, deal ? [deal] : [], lines, at);
    this.#notifyOrder(book, deal, order);
    if (deal && shrunk) this.#alarm(book, deal, SHRUNK);
  }

  /** Cancels a resting order. */
  async cancel(book: UserBook, order: BookOrder): Promise<boolean> {
    const deal = order.dealId === null ? undefined : book.deals.get(order.dealId);
    try {
      const report = await this.#o.venue.cancel(order.accountId, order.id);
      await this.#reported(book, deal, order, report, 'cancelled', {});
      return true;
    } catch {
      // Whether it still rests is not known: it is looked up before anything else is done.
      order.state = 'inDoubt';
      if (deal) freezeInDoubt(deal);
      const at = this.#o.clock();
      const lines = deal ? [lineOf(deal, 'inDoubt', orderText(order))] : [];
      await this.#o.writer.saveOrder(book, order, {}, deal ? [deal] : [], lines, at);
      return false;
    }
  }

  /** Looks an order up at the venue; never resends it. */
  async #lookUp(book: UserBook, deal: DealBook, order: BookOrder): Promise<boolean> {
    const { venue, writer, clock } = this.#o;
    const answer = await venue.lookup(order.accountId, order.id).catch(() => null);
    if (answer?.found) {
      await this.#reported(book, deal, order, answer.report, 'found', { answeredAt: clock() });
      return true;
    }
    if (answer === null || !answer.covered) {
      if (deal.frozen === null) {
        freezeInDoubt(deal);
        order.state = 'inDoubt';
        await writer.saveOrder(book, order, {}, [deal], [lineOf(deal, 'inDoubt', orderText(order))], clock());
      }
      return false;
    }
    const at = clock();
    order.state = 'lost';
    order.endedAt = at;
    backOff(deal, at);
    liftDoubt(book, deal);
    await writer.saveOrder(book, order, {}, [deal], [lineOf(deal, 'lost', orderText(order))], at);
    this.#notifyOrder(book, deal, order);
    return true;
  }

  async #move(book: UserBook, deal: DealBook, { to, reason }: Move, context: PlanContext): Promise<boolean> {
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
    if (to === 'closing') deal.signalClose = context.signal;
    if (reason !== null) deal.closeReason = reason;
    deal.state = to;
    deal.stateAt = at;
    deal.attempts = 0;
    if (!isRunning(deal)) {
      deal.closedAt = at;
      deal.frozen = null;
    }
    const event = EVENT_OF_STATE[to];
    // An entry that begins has no line of its own: its orders have.
    const taken = to === 'opening' || to === 'open' ? null : takenBackTarget(book, deal);
    const lines = to === 'opening' ? [] : [lineOf(deal, event, reason ?? '')];
    await writer.saveDeal(book, deal, lines, at, taken === null ? [] : [taken.id]);
    if (taken !== null) taken.hold = 'closed';
    if (!isRunning(deal)) {
      book.deals.delete(deal.id);
      book.ended.set(deal.strategyId, (book.ended.get(deal.strategyId) ?? ZERO).plus(cashOfDeal(deal)));
      const { short } = deal.legs;
      const { sums } = accountOf(book, short.accountId);
      sums.endedShort = sums.endedShort.plus(short.realised);
    }
    // The creation of the deal was notified already.
    if (to !== 'opening') notify({ kind: 'deal', userId: book.userId, deal, event });
    return true;
  }

  /** Freezes a deal: no further orders. Its owner and the masters are told once. */
  async #freeze(book: UserBook, deal: DealBook, kind: 'frozen' | 'governed', reason: string): Promise<boolean> {
    const { writer, clock, notify } = this.#o;
    const at = clock();
    const isNew = deal.frozen !== reason;
    deal.frozen = reason;
    backOff(deal, at);
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

  /** Hands what legs hold over to the account, without an order and without money. */
  async #handOver(
    book: UserBook,
    deal: DealBook,
    legs: readonly Leg[],
    price: number,
    { kind, event }: (typeof HANDED_OVER)[keyof typeof HANDED_OVER],
  ): Promise<boolean> {
    const { writer, clock, notify } = this.#o;
    const at = clock();
    const held = legs.filter((leg) => !deal.legs[leg].quantity.eq(0));
    const left = held.map((leg) => inventoryEntries(kind, deal, leg, price, at));
    const lines = left.map(({ detail }) => lineOf(deal, event, detail));
    const rows = left.flatMap((leg) => leg.rows);
    await writer.saveHandedOver(book, [deal], rows, lines, at);
    if (keepsStock(deal.kind)) {
      for (const { dealId, source, symbol, quantity, amount } of rows) {
        if (dealId === null || source === null || symbol === null) continue;
        addStock(book, deal.strategyId, {
          source,
          symbol,
          quantity: ZERO.minus(quantity ?? ZERO),
          cost: ZERO.plus(amount),
        });
      }
    }
    notify({ kind: 'deal', userId: book.userId, deal, event });
    return true;
  }

  /**
   * Takes coin of the account that no deal holds into a leg, without an order. Does nothing where there is too little.
   */
  async #takeCoin(book: UserBook, deal: DealBook, { leg, quantity, price }: Take): Promise<boolean> {
    const { writer, clock, notify } = this.#o;
    const at = clock();
    const own = deal.legs[leg];
    if (spareOf(book, own, accountOf(book, own.accountId)).lt(quantity)) {
      backOff(deal, at);
      return false;
    }
    const before = { ...own };
    const { rows, detail } = coinEntries(deal, leg, { quantity, price }, at);
    const taken = { quantity: plain(quantity), price: plain(new Big(price)), at };
    const entryNote = { ...deal.entryNote, taken } as DealBook['entryNote'];
    try {
      await writer.saveCoinTaken(book, deal, rows, lineOf(deal, 'takenIn', detail), { entryNote, at });
    } catch (error) {
      // Nothing was written: the leg is as it was before.
      Object.assign(own, before);
      throw error;
    }
    deal.entryNote = entryNote;
    notify({ kind: 'deal', userId: book.userId, deal, event: 'takenIn' });
    return true;
  }

  /** Both legs are flat by the books: the deal is closed once the venue's positions agree. */
  async #verify(book: UserBook, deal: DealBook, context: PlanContext): Promise<boolean> {
    const agrees = await this.#agrees(book, deal);
    if (agrees) {
      const to = deal.openedAt === null ? 'failed' : 'closed';
      return this.#move(book, deal, { do: 'move', to, reason: deal.closeReason }, context);
    }
    const at = this.#o.clock();
    backOff(deal, at);
    if (agrees === false && deal.attempts === 1) {
      await this.#o.writer.saveDeal(book, deal, [lineOf(deal, 'frozen', MISMATCH)], at);
    }
    return false;
  }

  /** Unfreezes a deal that was frozen over a contradiction once the venue's positions match the books. */
  async #recheck(book: UserBook, deal: DealBook): Promise<boolean> {
    const { writer, clock, notify } = this.#o;
    const at = clock();
    if (!(await this.#agrees(book, deal))) {
      backOff(deal, at);
      return false;
    }
    deal.frozen = null;
    deal.attempts = 0;
    // A request to unfreeze that came meanwhile is used up: it does not apply to the next freeze.
    deal.unfreezeTriedAt = deal.unfreezeAskedAt;
    await writer.saveDeal(book, deal, [lineOf(deal, 'thawed', AGREES)], at);
    notify({ kind: 'deal', userId: book.userId, deal, event: 'thawed' });
    return true;
  }

  /**
   * Unfreezes a deal at a person's request, where the venue's positions match the books and no leg is on the wrong
   * side.
   */
  async #unfreeze(book: UserBook, deal: DealBook, wrong: string | null): Promise<boolean> {
    const { writer, clock, notify } = this.#o;
    const agrees = wrong === null ? await this.#agrees(book, deal) : false;
    const at = clock();
    if (agrees === null) {
      backOff(deal, at);
      return false;
    }
    // Marks this request as checked, by the clock of the process that wrote it.
    deal.unfreezeTriedAt = deal.unfreezeAskedAt;
    if (!agrees) {
      await writer.saveDeal(book, deal, [lineOf(deal, 'frozen', notUnfrozen(wrong ?? DISAGREES))], at);
      notify({ kind: 'deal', userId: book.userId, deal, event: 'frozen' });
      return false;
    }
    deal.frozen = null;
    deal.attempts = 0;
    const words = `${deal.unfreezeAskedBy}：${deal.unfreezeReason}`;
    await writer.saveDeal(book, deal, [lineOf(deal, 'thawed', words)], at);
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

  #notifyOrder({ userId }: UserBook, deal: DealBook | undefined, order: BookOrder): void {
    this.#o.notify({ kind: 'order', userId, order });
    if (deal) this.#o.notify({ kind: 'deal', userId, deal, event: EVENT_OF_ORDER[order.state] });
  }
}

/**
 * The target of a deal whose entry a person cancelled before it was complete; null for any other, and where it was
 * armed since.
 */
function takenBackTarget({ strategies }: UserBook, { strategyId, targetId, ...deal }: DealBook): TargetBook | null {
  const { entryCancelledAt, openedAt } = deal;
  if (entryCancelledAt === null || openedAt !== null) return null;
  const target = strategies.get(strategyId)?.targets.find(({ id }) => id === targetId);
  return target !== undefined && target.armedAt <= entryCancelledAt ? target : null;
}

/** Whether the order only reduces the position of the account, in which other deals may hold the other side. */
const reduces = (held: Big, quantity: Big, side: 'buy' | 'sell'): boolean =>
  side === 'sell' ? held.gte(quantity) : held.neg().gte(quantity);
