import Big from 'big.js';
import { type CloseReason, HEDGE_STEPS, LEGS, type Leg } from '#contract/lifecycle';
import { keepsStock } from '#contract/strategy';
import { plain, ZERO } from '../base/maths/decimal';
import type { Venue } from '../market/venue';
import type { BookReader } from './bookReader';
import type { BookWriter } from './bookWriter';
import type { EngineNotice } from './desk';
import { cashOfDeal } from './figures';
import { type HandOverReason, inventoryEntries, type Rolling, takenEntries } from './handover';
import { accountOf, addStock, agreesAt, spareOf } from './holdings';
import { backOff, type OrderRunner } from './orderRunner';
import { midOf } from './preTradeRisk';
import type { NextAction, PlanContext } from './runner';
import { type DealBook, isRunning, type TargetBook, type TargetHeld, targetOf, type UserBook } from './tradingBook';
import { AGREES, DISAGREES, ENGINE, EVENT_OF_STATE, lineOf, MISMATCH, notUnfrozen, reducedText } from './words';

interface ActorOptions {
  orders: OrderRunner;
  reader: BookReader;
  writer: BookWriter;
  venue: Venue;
  clock: () => number;
  notify: (notice: EngineNotice) => void;
  rolling: Rolling;
}

type Move = Extract<NextAction, { do: 'move' }>;
type Take = Extract<NextAction, { do: 'takeCoin' }>;

/** Carries out the next action of a plan; what became of a deal is written before anybody hears of it. */
export class Actor {
  readonly #o: ActorOptions;
  /** Those that are flat in the books alone, which was told. */
  readonly #mismatched = new WeakSet<DealBook>();

  constructor(options: ActorOptions) {
    this.#o = options;
  }

  /** @returns whether anything changed, so that planning again makes sense at once. */
  async act(book: UserBook, deal: DealBook, action: NextAction, context: PlanContext): Promise<boolean> {
    const { orders } = this.#o;
    switch (action.do) {
      case 'send':
        return orders.send(book, deal, [action], context);
      case 'cancel':
        return orders.cancel(book, action.order);
      case 'lookup':
        return orders.lookUp(book, deal, action.order);
      case 'move':
        return this.#move(book, deal, action, context);
      case 'sendAll':
        return orders.send(book, deal, action.sends, context);
      case 'writeOff':
        return this.#handOver(book, deal, [action.leg], action.price, action.why);
      case 'handOver':
        return this.#handOver(book, deal, LEGS, action.price, 'inventory');
      case 'takeCoin':
        return this.#takeCoin(book, deal, action);
      case 'roll':
        return this.#o.rolling.begin(book, deal, action.next);
      case 'takeOver':
        return this.#o.rolling.takeOver(book, deal, action);
      case 'reduced':
        return this.#reduced(book, deal);
      case 'freeze':
        return orders.freeze(book, deal, 'frozen', action.reason);
      case 'verify':
        return this.#verify(book, deal, context);
      case 'recheck':
        return this.#recheck(book, deal);
      case 'unfreeze':
        return this.#unfreeze(book, deal, action.wrong);
    }
  }

  async #move(book: UserBook, deal: DealBook, { to, reason: planned }: Move, context: PlanContext): Promise<boolean> {
    const { writer, venue, clock, notify } = this.#o;
    const reason = await this.#reasonOf(deal, planned);
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
    const held = to === 'opening' || to === 'open' ? null : heldAfter(book, deal, reason);
    const opened = to === 'open' ? roundOf(book, deal) : null;
    const lines = to === 'opening' ? [] : [lineOf(deal, event, reason ?? '')];
    await writer.saveDeal(book, deal, lines, at, { held, opened });
    if (held !== null) held.target.hold = held.hold;
    if (opened !== null) opened.rounds += 1;
    if (!isRunning(deal)) takeOut(book, deal);
    // The creation of the deal was notified already.
    if (to !== 'opening') notify({ kind: 'deal', userId: book.userId, deal, event });
    return true;
  }

  /** By its legs alone a plan cannot tell why the venue took one. */
  #reasonOf(deal: DealBook, planned: CloseReason | null): Promise<CloseReason | null> | CloseReason | null {
    return planned === 'liquidation' ? this.#o.reader.takenFor(deal) : planned;
  }

  /** Puts on record that both legs have come down to what was asked for. */
  async #reduced(book: UserBook, deal: DealBook): Promise<boolean> {
    const { writer, clock, notify } = this.#o;
    deal.reducedAt = deal.reduction?.at ?? null;
    deal.attempts = 0;
    await writer.saveDeal(book, deal, [lineOf(deal, 'reduced', reducedText(deal))], clock());
    notify({ kind: 'deal', userId: book.userId, deal, event: 'reduced' });
    return true;
  }

  /** Hands what legs hold over to the account, without an order and without money. */
  async #handOver(
    book: UserBook,
    deal: DealBook,
    legs: readonly Leg[],
    price: number,
    why: HandOverReason,
  ): Promise<boolean> {
    const { writer, clock, notify } = this.#o;
    const at = clock();
    const event = why === 'inventory' ? 'handedOver' : 'writtenOff';
    const held = legs.filter((leg) => !deal.legs[leg].quantity.eq(0));
    const left = held.map((leg) => inventoryEntries(why, deal, leg, price, at));
    const lines = left.map(({ detail }) => lineOf(deal, event, detail));
    const rows = left.flatMap((leg) => leg.rows);
    await writer.saveHandedOver(book, [deal], rows, lines, at);
    if (keepsStock(deal.kind) && why !== 'gone') {
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
    const { rows, detail } = takenEntries(deal, leg, { quantity, price }, at, '账户库存');
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
    const agrees = (await this.#isSettled(book, deal)) ? await this.#agrees(book, deal) : null;
    if (agrees) {
      const to = deal.openedAt === null ? 'failed' : 'closed';
      return this.#move(book, deal, { do: 'move', to, reason: deal.closeReason }, context);
    }
    const at = this.#o.clock();
    backOff(deal, at);
    if (agrees === false && !this.#mismatched.has(deal)) {
      this.#mismatched.add(deal);
      await this.#o.writer.saveDeal(book, deal, [lineOf(deal, 'frozen', MISMATCH)], at);
    }
    return false;
  }

  /** Unfreezes a deal that was frozen over a contradiction once the venue's positions match the books. */
  async #recheck(book: UserBook, deal: DealBook): Promise<boolean> {
    const at = this.#o.clock();
    if (!(await this.#agrees(book, deal))) {
      backOff(deal, at);
      return false;
    }
    // A request to unfreeze that came meanwhile is used up: it does not apply to the next freeze.
    await this.#thaw(book, deal, AGREES, at);
    return true;
  }

  /**
   * Unfreezes a deal at a person's request, where the venue's positions match the books and no leg is on the wrong
   * side.
   */
  async #unfreeze(book: UserBook, deal: DealBook, wrong: string | null): Promise<boolean> {
    const agrees = wrong === null ? await this.#agrees(book, deal) : false;
    const at = this.#o.clock();
    if (agrees === null) {
      backOff(deal, at);
      return false;
    }
    if (!agrees) {
      deal.unfreezeTriedAt = deal.unfreezeAskedAt;
      await this.#tell(book, deal, 'frozen', notUnfrozen(wrong ?? DISAGREES), at);
      return false;
    }
    await this.#thaw(book, deal, `${deal.unfreezeAskedBy}：${deal.unfreezeReason}`, at);
    return true;
  }

  /** Sends orders of a deal again. Marks a request for it as checked, by the clock of the process that wrote it. */
  async #thaw(book: UserBook, deal: DealBook, words: string, at: number): Promise<void> {
    deal.frozen = null;
    deal.attempts = 0;
    deal.unfreezeTriedAt = deal.unfreezeAskedAt;
    await this.#tell(book, deal, 'thawed', words, at);
  }

  /** Saves a deal with a line of its timeline, and notifies of it. */
  async #tell(book: UserBook, deal: DealBook, event: 'frozen' | 'thawed', words: string, at: number): Promise<void> {
    await this.#o.writer.saveDeal(book, deal, [lineOf(deal, event, words)], at);
    this.#o.notify({ kind: 'deal', userId: book.userId, deal, event });
  }

  /** Whether nothing that it held may still be told: a settlement comes late where the exchange tells it late. */
  async #isSettled({ accounts }: UserBook, { legs }: DealBook): Promise<boolean> {
    for (const { accountId, source } of Object.values(legs)) {
      const until = await this.#o.venue.settled(accountId, source).catch(() => null);
      if (until === null || (accounts.get(accountId)?.sequence ?? 0) < until) return false;
    }
    return true;
  }

  /** Whether the venue's positions in both symbols are those of the books; null when it cannot be asked. */
  #agrees(book: UserBook, { legs }: DealBook): Promise<boolean | null> {
    return agreesAt(this.#o.venue, book, Object.values(legs));
  }
}

/** Takes a deal that ended out of its book, which keeps its sums. */
function takeOut(book: UserBook, deal: DealBook): void {
  book.deals.delete(deal.id);
  book.ended.set(deal.strategyId, (book.ended.get(deal.strategyId) ?? ZERO).plus(cashOfDeal(deal)));
  const { short } = deal.legs;
  const { sums } = accountOf(book, short.accountId);
  sums.endedShort = sums.endedShort.plus(short.realised);
}

/** The target of which a deal is a round, once both legs stand: what was refused raises no bar, a roll goes on with its round. */
const roundOf = (book: UserBook, deal: DealBook): TargetBook | null =>
  deal.rolledFrom === null ? targetOf(book, deal) : null;

/**
 * Why the target of a deal is opened by nobody but a person from now on: its entry was cancelled before it was complete,
 * and it was not armed since; or the venue has just taken a leg of it. Null for any other.
 */
function heldAfter(book: UserBook, deal: DealBook, reason: CloseReason | null): TargetHeld | null {
  const { entryCancelledAt, openedAt, state } = deal;
  const target = targetOf(book, deal);
  // What a person closed stays so.
  if (target === null || target.hold === 'closed') return null;
  // Once: a person may let it go on while the rest is still being closed.
  if ((reason === 'liquidation' || reason === 'deleveraged') && state === 'closing')
    return { target, hold: 'confirm', by: ENGINE };
  const isTakenBack = entryCancelledAt !== null && openedAt === null && target.armedAt <= entryCancelledAt;
  return isTakenBack ? { target, hold: 'closed', by: null } : null;
}
