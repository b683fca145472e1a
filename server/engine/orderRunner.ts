import Big from 'big.js';
import { MINUTE_MS } from '#contract/duration';
import { LEGS, type Leg } from '#contract/lifecycle';
import { plain, ZERO } from '../base/maths/decimal';
import { type Quote, type Side, type TradingTerms, type Venue, VenueRefused, type VenueReport } from '../market/venue';
import type { BookWriter } from './bookWriter';
import type { EngineNotice } from './desk';
import { positionOf } from './holdings';
import { LeaseLost } from './lease';
import { capPrice, midOf, noWorse, type RiskContext, restPrice, stopOf } from './preTradeRisk';
import type { NextAction, PlanContext } from './runner';
import {
  type BookOrder,
  type DealBook,
  entrySide,
  exitSide,
  type Line,
  leverageOf,
  settleOrder,
  slotOf,
  type UserBook,
} from './tradingBook';
import { EVENT_OF_ORDER, lineOf, ORDER_IN_DOUBT, orderText, SHRUNK, STOPPED, VENUE_WORDS } from './words';

/** What got less of its order than this part is to reach further. */
const GOOD_PART = 0.1;

/** An order did not do: the pause before the next one grows. */
export function backOff(deal: DealBook, at: number): void {
  deal.attempts += 1;
  deal.isMoving = false;
  deal.lastSentAt = at;
  deal.dirty = true;
}

/**
 * What an order that has ended got. A part of it is no failure: what is left follows after the shortest pause, not into the
 * same book at once; after a crumb it reaches further.
 */
export function noteFilled(deal: DealBook, filled: Big, quantity: Big, at: number): void {
  if (filled.eq(0)) {
    backOff(deal, at);
    return;
  }
  deal.attempts = filled.gte(quantity.times(GOOD_PART)) ? 0 : deal.attempts + 1;
  deal.isMoving = filled.lt(quantity);
  deal.dirty = true;
}

/** Freezes a deal over an order in doubt; another reason for a freeze stays. */
function freezeInDoubt(deal: DealBook): void {
  deal.frozen ??= ORDER_IN_DOUBT;
}

/** Unfreezes a deal without orders in doubt. */
export function liftDoubt({ orders }: UserBook, deal: DealBook): void {
  if (deal.frozen !== ORDER_IN_DOUBT) return;
  const isStillInDoubt = [...orders.values()].some(({ dealId, state }) => dealId === deal.id && state === 'inDoubt');
  if (!isStillInDoubt) deal.frozen = null;
}

interface OrderRunnerOptions {
  writer: BookWriter;
  venue: Venue;
  clock: () => number;
  /** Whether this process is still the book's one writer, by its own clock. */
  holds: (book: UserBook) => boolean;
  /** What the pre-trade risk check holds an order of a deal at a price against. */
  riskContextOf: (book: UserBook, deal: DealBook, leg: Leg, price: number) => RiskContext;
  newId: () => string;
  notify: (notice: EngineNotice) => void;
}

type Send = Extract<NextAction, { do: 'send' }>;

/** An order before it is registered. */
interface Draft {
  action: Send;
  side: Side;
  quote: Quote;
  terms: TradingTerms;
}

const isQuoted = (quote: Quote | undefined): quote is Quote => quote !== undefined && quote.bid > 0 && quote.ask > 0;

/** A registered order and the trading terms of its symbol. */
interface Sent {
  order: BookOrder;
  adds: boolean;
  terms: TradingTerms;
}

/** Orders of deals: the row first, then the wire, then what became of it. A deal whose orders contradict is frozen. */
export class OrderRunner {
  readonly #o: OrderRunnerOptions;

  constructor(options: OrderRunnerOptions) {
    this.#o = options;
  }

  /** Registers all or none, and sends them without one waiting for another. */
  async send(book: UserBook, deal: DealBook, actions: readonly Send[], { terms, gone }: PlanContext): Promise<boolean> {
    const { writer, venue, clock } = this.#o;
    const orders: Sent[] = [];
    // Nothing was asked for: the next look is the next try.
    if (!actions.some(({ adds }) => adds) && (await this.#wouldStandAlone(deal, gone))) return false;
    for (const action of actions) {
      const leg = deal.legs[action.leg];
      const quote = await venue.quote(leg.source, leg.symbol);
      const own = terms[action.leg];
      if (own === undefined || !isQuoted(quote)) {
        backOff(deal, clock());
        return false;
      }
      const side = action.adds ? entrySide(action.leg) : exitSide(leg.quantity);
      const stop = stopOf({ ...action, side }, this.#riskContextAfter(book, deal, orders, action, midOf(quote)));
      if (stop !== null) return this.freeze(book, deal, 'governed', `${STOPPED}：${stop}`);
      const order = this.#orderOf(book, deal, { action, side, quote, terms: own });
      orders.push({ order, adds: action.adds, terms: own });
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

  /**
   * Whether what is taken from one leg would leave another one that nobody can close: it has no book. For one that is
   * gone for good nobody waits: no book of it comes back, and what is beside it hedges nothing that can be sold.
   */
  async #wouldStandAlone({ legs }: DealBook, gone: PlanContext['gone']): Promise<boolean> {
    const held = LEGS.filter((leg) => !legs[leg].quantity.eq(0)).map((leg) => legs[leg]);
    if (held.length < 2 || LEGS.some((leg) => gone[leg] !== null)) return false;
    const quotes = await Promise.all(held.map(({ source, symbol }) => this.#o.venue.quote(source, symbol)));
    return !quotes.every(isQuoted);
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
    const limitPrice = limitOf({ action, side, quote, terms }, confirmedOf(book, deal));
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
      limitPrice,
      // What rests at a level of its own wants that price, whatever the market is at now.
      decisionMid: action.price === undefined ? midOf(quote) : limitPrice.toNumber(),
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
      orders.map(async ({ order, adds, terms }) => {
        const { id, accountId, source, symbol, side, type, quantity, limitPrice, reduceOnly } = order;
        const sentAt = clock();
        const sent = {
          ...{ clientId: id, account: accountId, source, symbol, side, type, reduceOnly },
          ...(!adds && { isExit: true }),
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
      if (ended && (order.type !== 'maker' || !fell))
        noteFilled(deal, new Big(report.filledQuantity), order.quantity, at);
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
  async lookUp(book: UserBook, deal: DealBook, order: BookOrder): Promise<boolean> {
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

  /** Freezes a deal: no further orders. Its owner and the masters are told once. */
  async freeze(book: UserBook, deal: DealBook, kind: 'frozen' | 'governed', reason: string): Promise<boolean> {
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

  #notifyOrder({ userId }: UserBook, deal: DealBook | undefined, order: BookOrder): void {
    this.#o.notify({ kind: 'order', userId, order });
    if (deal) this.#o.notify({ kind: 'deal', userId, deal, event: EVENT_OF_ORDER[order.state] });
  }
}

/**
 * What a person confirmed as the worst prices of the entry that a deal is in; undefined where nobody did. Legs of another
 * expiry that it rolls to are none of that, nor is what a person asks for once it is open.
 */
const confirmedOf = ({ strategies }: UserBook, { state, strategyId, rolledFrom }: DealBook) =>
  state === 'opening' && rolledFrom === null ? (strategies.get(strategyId)?.single?.worst ?? undefined) : undefined;

/** How far an order may go; every order of an entry within what was confirmed for its leg. */
function limitOf({ action, side, quote, terms }: Draft, confirmed: Record<Leg, number> | undefined): Big {
  const limit = action.maker ? restPrice(quote, side, terms, action.price) : capPrice(quote, side, action, terms);
  return confirmed && action.adds ? noWorse(limit, side, confirmed[action.leg], terms) : limit;
}

/** Whether the order only reduces the position of the account, in which other deals may hold the other side. */
const reduces = (held: Big, quantity: Big, side: 'buy' | 'sell'): boolean =>
  side === 'sell' ? held.gte(quantity) : held.neg().gte(quantity);
