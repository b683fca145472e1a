import { SECOND_MS } from '#contract/duration';
import { LEGS, type Leg, ORDER_LIVE } from '#contract/lifecycle';
import { isLaddered, keepsStock } from '#contract/strategy';
import type { Clock } from '../market/exchange';
import type { PaperVenue } from '../market/venue';
import type { AccountRecord } from './accountRecord';
import { Actor } from './actor';
import type { Alerting } from './alerting';
import { type Booked, bookEvents } from './booking';
import type { BookReader } from './bookReader';
import type { BookWriter } from './bookWriter';
import { haltAlerts, takenAlerts } from './dealLegs';
import type { EngineNotice } from './desk';
import { areEntriesDisabled, isTaking, singleEnd } from './entries';
import type { EntryRunner } from './entryRunner';
import { isRealAccount, ownCoin, updateFigures, valued, valuedAccount } from './figures';
import { Rolling, TakingOver } from './handover';
import { accountOf, offsetOf, positionOf } from './holdings';
import { IntentsMoved } from './lease';
import { rebalanceWayOf } from './legs';
import type { Limits } from './limits';
import type { MarketSnapshot } from './marketSnapshot';
import { liftDoubt, noteFilled, OrderRunner } from './orderRunner';
import { headroomOf, ORDERS_A_SECOND, PLAN_SHARE, type RiskContext, roomOf } from './preTradeRisk';
import { type PlanContext, runnerOf } from './runner';
import {
  type AccountBook,
  type DealBook,
  isSettling,
  keptShare,
  leverageOf,
  type StrategyBook,
  type TargetHeld,
  takeBack,
  targetOf,
  type UserBook,
} from './tradingBook';
import type { TransferRunner } from './transferRunner';
import { isToBeCancelled, isUnguarded, RoundRobin, type Turn, urgentIn } from './turns';
import { APART, ENGINE, TAKEN } from './words';

interface BookStepOptions {
  reader: BookReader;
  writer: BookWriter;
  snapshot: MarketSnapshot;
  record: AccountRecord;
  entryRunner: EntryRunner;
  limits: Limits;
  transferRunner: TransferRunner;
  alerting: Alerting;
  venue: PaperVenue;
  clock: Clock;
  newId: () => string;
  notify: (notice: EngineNotice) => void;
  keepLeases: () => Promise<boolean>;
  /** Whether this process is still the book's one writer, by its own clock. */
  holds: (book: UserBook) => boolean;
  /** Begins the turn of a book. @returns a function that says whether the turn is over */
  turn: () => () => boolean;
}

/** A deal sends one batch per round; entering both legs takes about five rounds. */
const ROUNDS = 24;
/** How often an account is published in which only prices move: computing its margin costs more than the tick. */
const TELL_EVERY_MS = 5_000;
/** Part of the target notional that the accounts of a deal must have margin for. */
const ENOUGH = 0.9;

/** One pass over a book: venue events are booked, then running deals act, exits first, then entries. */
export class BookStep {
  readonly #o: BookStepOptions;
  readonly #orders: OrderRunner;
  readonly #actor: Actor;
  readonly #taking: TakingOver;
  readonly #toldAt = new Map<string, number>();
  /** By user. */
  readonly #roundRobins = new Map<string, RoundRobin>();
  /** Users whose last turn ended before all their deals and targets had theirs. */
  readonly #short = new Set<string>();

  constructor(options: BookStepOptions) {
    this.#o = options;
    const { reader, writer, venue, clock, newId, notify, holds } = options;
    const riskContextOf = (book: UserBook, deal: DealBook, leg: Leg, price: number) =>
      this.#riskContextOf(book, deal, leg, price);
    this.#orders = new OrderRunner({ writer, venue, clock, newId, notify, holds, riskContextOf });
    this.#actor = new Actor({
      orders: this.#orders,
      ...{ reader, writer, venue, clock, notify },
      rolling: new Rolling(options),
    });
    this.#taking = new TakingOver(options);
  }

  async pass(book: UserBook): Promise<void> {
    const { record, clock } = this.#o;
    let changed = await this.#bookNewEvents(book);
    if (await this.#o.transferRunner.act(book)) changed = (await this.#bookNewEvents(book)) || changed;
    await record.openDay(book);
    await record.recordMidnight(book);
    await this.#giveTurns(book);
    await this.#o.alerting.flush(book);
    const due = clock() - (this.#toldAt.get(book.userId) ?? 0) >= TELL_EVERY_MS;
    if (changed || (due && book.deals.size > 0)) await this.#tellAccount(book);
  }

  /** Urgent deals first, in a turn of their own; then everything else while the turn lasts. */
  async #giveTurns(book: UserBook): Promise<void> {
    const roundRobin = this.#roundRobins.get(book.userId) ?? new RoundRobin();
    this.#roundRobins.set(book.userId, roundRobin);
    roundRobin.keep(new Set([...book.deals.keys(), ...targetsOf(book), ...book.strategies.keys()]));
    if (await this.#withFreshIntents(book, () => this.#actOnUrgent(book, roundRobin))) await this.#bookNewEvents(book);
    const isOver = this.#o.turn();
    for (let lap = 0; lap < ROUNDS && !isOver(); lap += 1) {
      if (!(await this.#withFreshIntents(book, () => this.#round(book, roundRobin, isOver)))) break;
      await this.#bookNewEvents(book);
    }
    // A leg may have become unhedged by the fills that were booked last.
    if (isOver())
      await this.#withFreshIntents(book, () => this.#visitAll(book, roundRobin, urgentIn(book, this.#o.clock()).alone));
  }

  /** @returns whether anything changed. */
  async #withFreshIntents(book: UserBook, work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof IntentsMoved)) throw error;
      // Nothing was written: decide again by the intents of now.
      await this.#o.reader.refresh(book);
      return true;
    }
  }

  /** Cancels, unhedged deals and what a person asked for. @returns whether anything changed */
  async #actOnUrgent(book: UserBook, roundRobin: RoundRobin): Promise<boolean> {
    const { turn, clock } = this.#o;
    let moved = false;
    for (const order of [...book.orders.values()].filter(isToBeCancelled))
      moved = (await this.#orders.cancel(book, order)) || moved;
    for (const deal of [...book.deals.values()])
      if (isUnguarded(book, deal)) moved = (await this.#cancelOrdersOf(book, deal)) || moved;
    const { alone, byHand, ofMany } = urgentIn(book, clock());
    moved = (await this.#visitAll(book, roundRobin, alone)) || moved;
    const isOver = turn();
    moved = (await this.#visitAll(book, roundRobin, byHand, isOver)) || moved;
    return (await this.#visitAll(book, roundRobin, ofMany, isOver)) || moved;
  }

  /** Visits deals in the order of their turns. */
  async #visitAll(
    book: UserBook,
    roundRobin: RoundRobin,
    deals: readonly DealBook[],
    isOver = () => false,
  ): Promise<boolean> {
    let moved = false;
    for (const each of roundRobin.order(deals.map((deal) => ({ ...turnOf(deal), deal })))) {
      if (isOver()) break;
      roundRobin.serve(each);
      moved = (await this.#visit(book, each.deal)) || moved;
    }
    return moved;
  }

  /** One round over the book: deals before entries. @returns whether anything changed */
  async #round(book: UserBook, roundRobin: RoundRobin, isOver: () => boolean): Promise<boolean> {
    await this.#o.limits.judge(book);
    const entries = this.#o.entryRunner.begin(book);
    const deals = [...book.deals.values()]
      .filter((deal) => !isUnguarded(book, deal))
      .map((deal) => ({ ...turnOf(deal), act: () => this.#visit(book, deal, isOver) }));
    const targets = [...entries.targets, ...this.#takings(book)];
    let moved = false;
    /** @returns whether the turn was over before all had been served */
    const lap = async (turns: readonly (Turn & { act: () => Promise<boolean> })[]): Promise<boolean> => {
      for (const each of roundRobin.order(turns)) {
        if (isOver()) return true;
        // Served before it acts, so that the next pass does not begin with what fails.
        roundRobin.serve(each);
        moved = (await each.act()) || moved;
      }
      return false;
    };
    // Where the last turn was too short, entries take turns with deals by strategy instead of waiting for all deals.
    const isShort = this.#short.has(book.userId)
      ? await lap([...deals, ...targets])
      : (await lap(deals)) || (!moved && (await lap(targets)));
    if (isShort) this.#short.add(book.userId);
    else this.#short.delete(book.userId);
    await entries.end();
    return (await this.#stopEmpty(book)) || moved;
  }

  /** What is to be taken over from accounts: it sends nothing, so that no pause keeps it out. */
  #takings(book: UserBook): (Turn & { act: () => Promise<boolean> })[] {
    const own = [...book.strategies.values()].filter(isTaking);
    return own.map((strategy) => ({
      ...{ id: strategy.id, group: strategy.id },
      act: () => this.#taking.act(book, strategy),
    }));
  }

  /** Books new venue events and updates the running figures of deals. @returns whether there were any */
  async #bookNewEvents(book: UserBook, deals: Iterable<DealBook> = book.deals.values()): Promise<boolean> {
    const { clock, snapshot } = this.#o;
    let happened = false;
    for (const account of book.accounts.values()) happened = (await this.#bookEventsOf(book, account)) || happened;
    for (const order of book.orders.values()) if (!ORDER_LIVE.includes(order.state)) book.orders.delete(order.id);
    for (const { id, state } of book.transfers.values()) if (state === 'arrived') book.transfers.delete(id);
    const now = clock();
    for (const deal of deals) updateFigures(deal, snapshot.views, now);
    return happened;
  }

  async #bookEventsOf(book: UserBook, account: AccountBook): Promise<boolean> {
    const { reader, writer, venue, clock } = this.#o;
    const events = await venue.events(account.id, account.sequence);
    account.trouble = await venue.tend(account.id);
    if (events.length > 0) {
      const fills = events.flatMap((event) => (event.kind === 'fill' ? [event] : []));
      const strangers = fills.flatMap(({ clientId }) =>
        clientId !== null && !book.orders.has(clientId) ? [clientId] : [],
      );
      for (const order of await reader.orders(strangers)) book.orders.set(order.id, order);
      const known = await reader.known(account, events);
      const cashIn = account.sums.transfers;
      const booked = bookEvents({ book, account, since: await reader.filledSince(account, events) }, events, known);
      const cameIn = account.sums.transfers.minus(cashIn).toNumber();
      const began = isRealAccount(account) ? 'dayEquityLive' : 'dayEquity';
      if (book[began] !== null) book[began] += cameIn;
      this.#noteEnds(book, booked);
      const helds = liquidatedBeside(book, booked);
      await writer.saveBooked(book, account, booked, clock(), helds);
      for (const { target, hold } of helds) target.hold = hold;
      this.#tellBooked(book, booked);
    }
    return events.length > 0;
  }

  /** Applies the ends of orders that were booked to their deals. */
  #noteEnds(book: UserBook, { orders, deals }: Booked): void {
    for (const order of orders) {
      const deal = order.dealId === null ? undefined : book.deals.get(order.dealId);
      if (deal === undefined) continue;
      takeBack(deal, order, this.#o.clock());
      if (order.state === 'filled') noteFilled(deal, order.quantity, order.quantity, this.#o.clock());
      liftDoubt(book, deal);
      deals.add(deal);
    }
  }

  /** Stops strategies in state `closing` that hold nothing any more, and those of one deal that have nothing more to do. */
  async #stopEmpty(book: UserBook): Promise<boolean> {
    const { writer, clock } = this.#o;
    let moved = false;
    for (const strategy of book.strategies.values()) {
      const isClosing = strategy.state === 'closing';
      const end = isClosing ? undefined : singleEnd(strategy, clock());
      if ((!isClosing && end === undefined) || holds(book, strategy)) continue;
      if (end === undefined) await writer.stopStrategy(book, strategy, clock());
      else await writer.endSingle(book, strategy, end, clock());
      moved = true;
    }
    return moved;
  }

  /** Cancels what rests for an unguarded deal. */
  async #cancelOrdersOf(book: UserBook, deal: DealBook): Promise<boolean> {
    let moved = false;
    for (const order of [...book.orders.values()]) {
      if (order.dealId !== deal.id || order.state !== 'open' || isSettling(order)) continue;
      moved = (await this.#orders.cancel(book, order)) || moved;
    }
    return moved;
  }

  async #visit(book: UserBook, deal: DealBook, isOver = () => false): Promise<boolean> {
    await this.#o.keepLeases();
    return book.deals.has(deal.id) && this.#actOn(book, deal, isOver);
  }

  /**
   * Acts until nothing is left to do now, so that the second leg follows the first before another deal has its turn.
   */
  async #actOn(book: UserBook, deal: DealBook, isOver: () => boolean): Promise<boolean> {
    for (let round = 0; round < ROUNDS; round += 1) {
      // A deal with an unhedged leg goes on after the end of the turn.
      if (round > 0 && isOver() && deal.oneLegSince === null) break;
      const live = [...book.orders.values()].filter(
        ({ dealId, state }) => dealId === deal.id && ORDER_LIVE.includes(state),
      );
      const context = await this.#contextOf(book, deal);
      const runner = runnerOf(deal.kind);
      // Alerts describe the deal before it acts.
      if (round === 0) {
        const found = [
          ...haltAlerts(deal, { ...context, outAt: this.#o.snapshot.outAtOf(deal.legs) }),
          ...takenAlerts(deal, context),
          ...(runner.alerts?.(deal, context) ?? []),
        ];
        const about = { strategyId: deal.strategyId, subject: deal.id };
        const isUnread = LEGS.some((leg) => accountOf(book, deal.legs[leg].accountId).trouble === 'journalBehind');
        // Without its lots nobody can tell what is too much of a difference.
        const isUntold = LEGS.some((leg) => context.terms[leg] === undefined);
        this.#o.alerting.note(book, about, found, isUntold ? [TAKEN, APART] : isUnread ? [TAKEN] : []);
      }
      const action = runner.plan(deal, live, context);
      if (action === null || !(await this.#actor.act(book, deal, action, context))) return round > 0;
      await this.#bookNewEvents(book, [deal]);
      if (!book.deals.has(deal.id)) break;
    }
    return true;
  }

  async #contextOf(book: UserBook, deal: DealBook): Promise<PlanContext> {
    const { snapshot, clock } = this.#o;
    const { legs, kind, params } = deal;
    const views = snapshot.of(legs);
    const runner = runnerOf(kind);
    const observed = await runner.observe(snapshot, legs, params, 'deal');
    const isFilledUp = deal.state === 'open' && rebalanceWayOf({ deal, now: clock() }) === 'complete';
    const mayGrow =
      deal.state === 'opening' || isFilledUp || (deal.state === 'open' && (isLaddered(kind) || keepsStock(kind)));
    const of = <T>(figure: (leg: Leg) => T): Record<Leg, T> => ({ long: figure('long'), short: figure('short') });
    const isBarred = areEntriesDisabled(book, book.strategies.get(deal.strategyId));
    const troubles = LEGS.flatMap((leg) => accountOf(book, legs[leg].accountId).trouble ?? []);
    return {
      now: clock(),
      ...views,
      terms: await snapshot.termsOf(legs),
      gone: await snapshot.goneOf(legs),
      observed,
      signal: runner.signal(observed, views),
      entriesDisabled: isBarred || troubles.length > 0,
      isBehind: !isBarred && troubles.length > 0 && troubles.every((trouble) => trouble === 'journalBehind'),
      targetNotional: of((leg) => targetNotionalOf(deal, leg)),
      // Only a deal that may still grow needs to know its room.
      room: of((leg) =>
        mayGrow ? roomOf(this.#riskContextOf(book, deal, leg, views[leg]?.price ?? 0), leg, PLAN_SHARE) : 0,
      ),
      stock: ownCoin(book, deal.strategyId, legs.long, snapshot),
      orders: isLaddered(kind) ? ordersLeft(book, deal, clock()) : 0,
      // Of what is filled up only a part is missing, for which there has to be room.
      hasMargin: isFilledUp || (mayGrow && this.#hasMargin(book, deal)),
      account: of((leg) => positionOf(book, legs[leg])),
      offset: of((leg) => offsetOf(book, legs[leg])),
      venueDown: snapshot.venueDownOf(legs),
      unfollowed: of((leg) => snapshot.isUnfollowed(legs[leg].source)),
      earlier: earlierOf(book, deal),
      isFollowed: [...book.deals.values()].some(({ rolledFrom }) => rolledFrom === deal.id),
    };
  }

  /** Whether each account has margin for the target notional of its legs of the deal; what is taken over has it already. */
  #hasMargin(book: UserBook, deal: DealBook): boolean {
    const held = earlierOf(book, deal)?.legs;
    const entered = LEGS.filter((leg) => {
      const { source, symbol } = deal.legs[leg];
      return held?.[leg].source !== source || held[leg].symbol !== symbol;
    });
    return LEGS.every((leg) => {
      const own = entered.filter((other) => deal.legs[other].accountId === deal.legs[leg].accountId);
      const targetNotional = own.reduce((sum, each) => sum + targetNotionalOf(deal, each), 0);
      return headroomOf(this.#riskContextOf(book, deal, leg, 0), PLAN_SHARE) >= ENOUGH * targetNotional;
    });
  }

  /** The risk context of an order for a leg at a price: its account and all deals that trade in it. */
  #riskContextOf(book: UserBook, deal: DealBook, leg: Leg, price: number): RiskContext {
    const account = accountOf(book, deal.legs[leg].accountId);
    const deals = [deal, ...book.deals.values()].filter(({ legs }) =>
      Object.values(legs).some(({ accountId }) => accountId === account.id),
    );
    const present = valuedAccount(account, this.#o.snapshot.views);
    return {
      deal,
      live: [...book.orders.values()].filter(({ accountId }) => accountId === account.id),
      positionOf: (of) => positionOf(book, of),
      // Where a price is missing, cost and deposits stand for gross and capital.
      gross: present?.gross ?? costOf(book, account),
      capital: present?.equity ?? account.sums.transfers.plus(account.sums.moved).toNumber(),
      targetNotionalOf: (each) => targetNotionalOf(deal, each),
      leverage: Math.max(...deals.map(leverageOf)),
      price,
      now: this.#o.clock(),
    };
  }

  /** Notifies each order and each event of a deal once. */
  #tellBooked({ userId, deals: running }: UserBook, { orders, newOrders, lines }: Booked): void {
    const { notify } = this.#o;
    for (const order of new Set([...orders, ...newOrders])) notify({ kind: 'order', userId, order });
    const told = new Set<string>();
    for (const { dealId, kind } of lines) {
      const deal = running.get(dealId);
      if (deal === undefined || told.has(`${dealId} ${kind}`)) continue;
      told.add(`${dealId} ${kind}`);
      notify({ kind: 'deal', userId, deal, event: kind });
    }
  }

  async #tellAccount(book: UserBook): Promise<void> {
    const { venue, snapshot, clock, notify } = this.#o;
    const { userId } = book;
    const present = valued(book, snapshot.views);
    if (present === null) return;
    this.#toldAt.set(userId, clock());
    let available = 0;
    const isPlay = (id: string) => !isRealAccount(accountOf(book, id));
    for (const id of [...book.accounts.keys()].filter(isPlay)) {
      const { marginBalance, initialMargin } = await venue.margin(id);
      available += Math.max(0, Number(marginBalance) - Number(initialMargin));
    }
    const legs = [...book.deals.values()].flatMap((deal) => LEGS.map((leg) => deal.legs[leg]));
    const cost = legs.filter(({ accountId }) => isPlay(accountId)).reduce((sum, { cost }) => sum + cost.toNumber(), 0);
    notify({ kind: 'account', userId, equity: present.equity, available, unrealised: present.net - cost });
  }
}

/**
 * Targets of deals that the venue has just liquidated while they were entered, or closed for another reason, which they
 * keep: nothing of their end would say so. One that was held is told by the reason that it closes for.
 */
const liquidatedBeside = (book: UserBook, { lines }: Booked): TargetHeld[] => {
  const ids = new Set(lines.flatMap(({ dealId, kind }) => (kind === 'liquidated' ? [dealId] : [])));
  return [...ids].flatMap((id) => {
    const deal = book.deals.get(id);
    const target = deal && deal.state !== 'open' ? targetOf(book, deal) : null;
    return target === null || target.hold !== null ? [] : [{ target, hold: 'confirm' as const, by: ENGINE }];
  });
};

/** Orders that the accounts of a deal may still be sent in this second, by all their deals. */
function ordersLeft({ deals }: UserBook, { legs }: DealBook, now: number): number {
  const accounts = new Set(LEGS.map((leg) => legs[leg].accountId));
  let sent = 0;
  for (const other of deals.values())
    for (const { leg, at } of other.sends)
      if (now - at < SECOND_MS && accounts.has(other.legs[leg].accountId)) sent += 1;
  return Math.max(0, ORDERS_A_SECOND - sent);
}

/** What a leg of a deal is to be worth, USDT; less where a part of it was closed. */
const targetNotionalOf = (deal: DealBook, leg: Leg): number =>
  runnerOf(deal.kind).targetNotional?.(deal, leg) ??
  deal.params.legNotional * deal.legs[leg].weight * keptShare(deal, leg);

const turnOf = ({ id, strategyId }: DealBook): Turn => ({ id, group: strategyId });

const targetsOf = ({ strategies }: UserBook): string[] =>
  [...strategies.values()].flatMap(({ targets }) => targets.map(({ id }) => id));

const holds = ({ deals }: UserBook, { id }: StrategyBook): boolean =>
  [...deals.values()].some(({ strategyId }) => strategyId === id);

function earlierOf({ deals }: UserBook, { rolledFrom }: DealBook): DealBook | null {
  const found = rolledFrom === null ? undefined : deals.get(rolledFrom);
  return found?.state === 'open' ? found : null;
}

/** What the legs of all deals that run in an account have cost, USDT. */
const costOf = ({ deals }: UserBook, { id }: AccountBook): number =>
  [...deals.values()]
    .flatMap(({ legs }) => Object.values(legs))
    .reduce((sum, { accountId, cost }) => (accountId === id ? sum + cost.abs().toNumber() : sum), 0);
