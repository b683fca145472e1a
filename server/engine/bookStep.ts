import { type Leg, ORDER_LIVE } from '#contract/lifecycle';
import type { Clock } from '../exchange/exchange';
import { symbolKey } from '../exchange/symbolKey';
import type { PaperVenue } from '../exchange/venue';
import { ZERO } from '../maths/decimal';
import type { AccountRecord } from './accountRecord';
import { Actor } from './actor';
import { type Booked, bookEvents } from './booking';
import type { BookReader } from './bookReader';
import type { BookWriter } from './bookWriter';
import { dispel } from './doubt';
import type { Entering } from './entering';
import { isOff } from './entries';
import { valued, watch } from './figures';
import { type Ground, headroomOf, roomOf } from './governor';
import { RUNNERS } from './kinds';
import type { Sight } from './kinds/runner';
import { IntentsMoved } from './lease';
import type { EngineNotice } from './notice';
import type { Outlook } from './outlook';
import { type Book, type HedgeBook, isSettling, isTakenBack } from './tradingBook';

interface BookStepOptions {
  reader: BookReader;
  writer: BookWriter;
  outlook: Outlook;
  record: AccountRecord;
  entering: Entering;
  venue: PaperVenue;
  clock: Clock;
  newId: () => string;
  notify: (notice: EngineNotice) => void;
  keepLeases: () => Promise<boolean>;
  /** Whether this process is still the book's one writer, by its own clock. */
  holds: (book: Book) => boolean;
  /** Begins a book's turn. @returns what says that it is over. */
  turn: () => () => boolean;
}

/** One change on the wire a hedge and round; a hedge that is in on both legs needs about five. */
const ROUNDS = 24;
/** An account in which nothing but prices moves is published this often: its margin costs more than the tick. */
const TELL_EVERY_MS = 5_000;
/** Plans ask for a little less than the governor allows. */
const PLAN_SHARE = 0.99;

/** What one book has to do now: what happened is booked, exits and hedges that run come next, entries last. */
export class BookStep {
  readonly #o: BookStepOptions;
  readonly #actor: Actor;
  readonly #toldAt = new Map<string, number>();

  constructor(options: BookStepOptions) {
    this.#o = options;
    const { writer, venue, clock, newId, notify, holds } = options;
    const groundOf = (book: Book, hedge: HedgeBook, price: number) => this.#groundOf(book, hedge, price);
    this.#actor = new Actor({ writer, venue, clock, newId, notify, holds, groundOf });
  }

  async take(book: Book): Promise<void> {
    const { record, clock, turn } = this.#o;
    const changed = await this.#pull(book);
    await record.openDay(book);
    await record.recordMidnight(book);
    const isOver = turn();
    for (let round = 0; round < ROUNDS && !isOver(); round += 1) {
      if (!(await this.#move(book, isOver))) break;
      await this.#pull(book);
    }
    const due = clock() - (this.#toldAt.get(book.userId) ?? 0) >= TELL_EVERY_MS;
    if (changed || (due && book.hedges.size > 0)) await this.#tellAccount(book);
  }

  /** One round over the book. @returns whether anything changed. */
  async #move(book: Book, isOver: () => boolean): Promise<boolean> {
    try {
      // Exits before entries, also where they have to wait for the next turn.
      return (await this.#actOnHedges(book, isOver)) || (!isOver() && (await this.#o.entering.enter(book)));
    } catch (error) {
      if (!(error instanceof IntentsMoved)) throw error;
      // Nothing was written: it is decided again, by what is wanted now.
      await this.#o.reader.refresh(book);
      return true;
    }
  }

  /** Books what happened at the venue since, and looks at the hedges. @returns whether something did. */
  async #pull(book: Book, hedges: Iterable<HedgeBook> = book.hedges.values()): Promise<boolean> {
    const { reader, writer, venue, clock, outlook } = this.#o;
    const events = await venue.events(book.userId, book.sequence);
    if (events.length > 0) {
      const fills = events.flatMap((event) => (event.kind === 'fill' ? [event] : []));
      const strangers = fills.flatMap(({ clientId }) =>
        clientId !== null && !book.orders.has(clientId) ? [clientId] : [],
      );
      for (const order of await reader.orders(strangers)) book.orders.set(order.id, order);
      const known = await reader.knownFills(fills.map(({ fillId }) => fillId));
      const cashIn = book.sums.transfers;
      const booked = bookEvents(book, events, known);
      if (book.dayEquity !== null) book.dayEquity += book.sums.transfers.minus(cashIn).toNumber();
      this.#noteEnds(book, booked);
      await writer.saveBooked(book, booked, clock());
      this.#tellBooked(book, booked);
    }
    for (const order of book.orders.values()) if (!ORDER_LIVE.includes(order.state)) book.orders.delete(order.id);
    const now = clock();
    for (const hedge of hedges) watch(hedge, outlook.views, now);
    return events.length > 0;
  }

  /** What orders that ended by what was booked mean for their hedges. */
  #noteEnds(book: Book, { orders, hedges }: Booked): void {
    for (const order of orders) {
      const hedge = order.hedgeId === null ? undefined : book.hedges.get(order.hedgeId);
      if (hedge === undefined) continue;
      if (isTakenBack(order)) hedge.entryCancelledAt ??= this.#o.clock();
      if (order.state === 'filled') hedge.attempts = 0;
      dispel(book, hedge);
      hedges.add(hedge);
    }
  }

  async #actOnHedges(book: Book, isOver: () => boolean): Promise<boolean> {
    let moved = false;
    for (const order of [...book.orders.values()]) {
      if (order.state === 'open' && order.cancelAskedAt !== null && !isSettling(order))
        moved = (await this.#actor.cancel(book, order)) || moved;
    }
    for (const hedge of [...book.hedges.values()]) {
      // One leg that is alone does not wait for its book's next turn.
      if (isOver() && hedge.oneLegSince === null) continue;
      await this.#o.keepLeases();
      moved = (await this.#actOn(book, hedge)) || moved;
    }
    return moved;
  }

  /** As far as it goes at once: the second leg follows the first before another hedge has its turn. */
  async #actOn(book: Book, hedge: HedgeBook): Promise<boolean> {
    for (let round = 0; round < ROUNDS; round += 1) {
      const live = [...book.orders.values()].filter(
        ({ hedgeId, state }) => hedgeId === hedge.id && ORDER_LIVE.includes(state),
      );
      const sight = await this.#sightOf(book, hedge);
      const wish = RUNNERS[book.kind].plan(hedge, live, sight);
      if (wish === null || !(await this.#actor.act(book, hedge, wish, sight))) return round > 0;
      await this.#pull(book, [hedge]);
      if (!book.hedges.has(hedge.id)) break;
    }
    return true;
  }

  async #sightOf(book: Book, hedge: HedgeBook): Promise<Sight> {
    const { outlook, clock } = this.#o;
    const { source, legs } = hedge;
    const pair = { source, long: legs.long.symbol, short: legs.short.symbol };
    const views = outlook.of(pair);
    const isOpening = hedge.state === 'opening';
    const of = <T>(figure: (leg: Leg) => T): Record<Leg, T> => ({ long: figure('long'), short: figure('short') });
    const positionOf = (leg: Leg) => book.positions.get(symbolKey({ source, symbol: legs[leg].symbol })) ?? ZERO;
    return {
      now: clock(),
      ...views,
      terms: await outlook.termsOf(pair),
      delisted: await outlook.delistedOf(pair),
      z: await outlook.zOf(pair, hedge.settings),
      off: isOff(book),
      // Only what is being entered asks for room.
      room: of((leg) => (isOpening ? roomOf(this.#groundOf(book, hedge, views[leg]?.price ?? 0), leg, PLAN_SHARE) : 0)),
      headroom: isOpening ? headroomOf(this.#groundOf(book, hedge, 0), PLAN_SHARE) : 0,
      account: of(positionOf),
    };
  }

  #groundOf(book: Book, hedge: HedgeBook, price: number): Ground {
    const { positions, orders, hedges, sums } = book;
    const present = valued(book, this.#o.outlook.views);
    return {
      hedge,
      live: [...orders.values()],
      positionOf: (symbol) => positions.get(symbolKey({ source: hedge.source, symbol })) ?? ZERO,
      // Where a price is missing the account counts at what its legs cost and what was paid in.
      gross: present?.gross ?? costOf(book),
      capital: present?.equity ?? sums.transfers.toNumber(),
      leverage: Math.max(...[hedge, ...hedges.values()].map(({ settings }) => settings.leverage)),
      price,
      now: this.#o.clock(),
    };
  }

  /** Each thing once, whatever caused it. */
  #tellBooked({ userId, hedges: running }: Book, { orders, newOrders, lines }: Booked): void {
    const { notify } = this.#o;
    for (const order of new Set([...orders, ...newOrders])) notify({ kind: 'order', userId, order });
    const told = new Set<string>();
    for (const { hedgeId, kind } of lines) {
      const hedge = running.get(hedgeId);
      if (hedge === undefined || told.has(`${hedgeId} ${kind}`)) continue;
      told.add(`${hedgeId} ${kind}`);
      notify({ kind: 'deal', userId, hedge, event: kind });
    }
  }

  async #tellAccount(book: Book): Promise<void> {
    const { venue, outlook, clock, notify } = this.#o;
    const { userId } = book;
    const present = valued(book, outlook.views);
    if (present === null) return;
    this.#toldAt.set(userId, clock());
    const { equity, initialMargin } = await venue.margin(userId);
    const cost = [...book.hedges.values()].reduce(
      (sum, { legs }) => sum + legs.long.cost.toNumber() + legs.short.cost.toNumber(),
      0,
    );
    const available = Math.max(0, Number(equity) - Number(initialMargin));
    notify({ kind: 'account', userId, equity: present.equity, available, unrealised: present.net - cost });
  }
}

/** What the legs of all hedges that run have cost, USDT. */
const costOf = ({ hedges }: Book): number =>
  [...hedges.values()].reduce((sum, { legs }) => sum + legs.long.cost.abs().plus(legs.short.cost.abs()).toNumber(), 0);
