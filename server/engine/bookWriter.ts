import Big from 'big.js';
import { LEGS, type Leg, type PairBlock, TAKES_DOWN } from '#contract/lifecycle';
import { type EquityPointRow, insertPoints } from '../base/db/accounts/dayLedger';
import { insertFills, insertLedger } from '../base/db/accounts/ledger';
import { type TransferProgress, writeTransfer } from '../base/db/accounts/transfer';
import { writeSequence } from '../base/db/accounts/venueAccount';
import { moveBook } from '../base/db/books/book';
import { beginFailing, endFailing, pauseBook, writeBookProgress } from '../base/db/books/bookProgress';
import type { Database, Queries } from '../base/db/client';
import { together } from '../base/db/connection/statements';
import { filledBy, insertOrders, type OrderProgress, writeOrderProgress } from '../base/db/orders/orderProgress';
import {
  changeDeal,
  type DealFigures,
  type DealProgress,
  insertDeal,
  insertLines,
  keepLimits,
  type LegProgress,
  moveDealTo,
  writeDealProgress,
  writeExit,
  writeFigures,
} from '../base/db/strategies/deal';
import { changeStrategy, refuseSingle, strategyById, switchStrategy } from '../base/db/strategies/strategy';
import { type Alerted, writeAlerts } from '../base/db/strategies/strategyAlert';
import { changeGuard, noteStrategy, tripStrategy } from '../base/db/strategies/strategyGuard';
import { type Held, holdTargets, markTarget, replaceTarget } from '../base/db/strategies/target';
import { plain } from '../base/maths/decimal';
import type { Booked, LedgerRow } from './booking';
import { IntentsMoved, type Leases } from './lease';
import {
  type AccountBook,
  type BookOrder,
  type DealBook,
  isRunning,
  type LegBook,
  type Line,
  type PauseBook,
  type StrategyBook,
  type TargetBook,
  type TargetHeld,
  type TransferBook,
  takeBack,
  type UserBook,
} from './tradingBook';
import { BREAKER, ENGINE, KEPT_LIMITS, lineOf } from './words';

type OrderStamps = Pick<OrderProgress, 'sentAt' | 'answeredAt' | 'exchangeId' | 'reason'>;

interface Registration {
  /** Whether an order adds to its leg: then no intent may have been written since the book was read. */
  adds: boolean;
  lines: Line[];
  at: number;
}

/** Writes what the engine decided, under the lease of the book. Knows no rules. */
export class BookWriter {
  readonly #db: Database;
  readonly #leases: Leases;

  constructor(db: Database, leases: Leases) {
    this.#db = db;
    this.#leases = leases;
  }

  /** Writes under the lease: refused when it is not held any more. @throws LeaseLost */
  async #write({ userId, token }: UserBook, write: (tx: Queries) => Promise<void>): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await this.#leases.fence(tx as unknown as Queries, userId, token);
      await write(tx as unknown as Queries);
    });
  }

  /** Writes under the lease and only while no intent was written since the book was read. @throws IntentsMoved */
  async #enter(book: UserBook, write: (tx: Queries) => Promise<void>): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const now = await this.#leases.fence(tx as unknown as Queries, book.userId, book.token);
      const isKnown = now.blocked === book.blocked && now.pausedForAll === (book.pausedForAll !== null);
      if (now.revision !== book.revision || !isKnown) throw new IntentsMoved(book.userId);
      await write(tx as unknown as Queries);
    });
  }

  /** Writes many books in one statement, those whose leases are held. */
  async #writeMany(books: readonly UserBook[], write: (tx: Queries, held: ReadonlySet<string>) => Promise<void>) {
    await this.#db.transaction(async (tx) => {
      const tokens = new Map(books.map(({ userId, token }) => [userId, token]));
      const held = await this.#leases.fenceMany(tx as unknown as Queries, tokens);
      if (held.size > 0) await write(tx as unknown as Queries, held);
    });
  }

  async createDeal(book: UserBook, deal: DealBook, target: TargetBook, at: number, line: Line): Promise<void> {
    await this.#enter(book, async (tx) => {
      const { usedArmAt, seen, block } = target;
      await insertDeal(tx, newDealRow(book.userId, deal), newLegRows(book.userId, deal));
      await together(
        markTarget(tx, target.id, { usedArmAt, seen, block, triggeredAt: at }),
        insertLines(tx, [line], at),
      );
    });
  }

  /** A deal that begins with what its account held for no deal, both legs or none. @throws IntentsMoved */
  async createTaken(
    book: UserBook,
    deal: DealBook,
    { id, usedArmAt, rounds, block, triggeredAt }: TargetBook,
    rows: (LedgerRow & { accountId: string })[],
    lines: Line[],
    at: number,
  ): Promise<void> {
    await this.#enter(book, async (tx) => {
      await insertDeal(tx, newDealRow(book.userId, deal), newLegRows(book.userId, deal));
      await together(
        insertLedger(
          tx,
          rows.map((row) => ({ ...row, userId: book.userId })),
        ),
        markTarget(tx, id, { usedArmAt, rounds, block, triggeredAt }),
        insertLines(tx, lines, at),
      );
    });
  }

  /** Commits orders before they go out, all or none. @throws IntentsMoved where they add. */
  async register(
    book: UserBook,
    deal: DealBook,
    orders: BookOrder[],
    { adds, lines, at }: Registration,
  ): Promise<void> {
    const write = async (tx: Queries) => {
      const rows = orders.map((order) => newOrderRow(book.userId, order));
      await together(insertOrders(tx, rows), updateDeals(tx, [deal]), insertLines(tx, lines, at));
    };
    await (adds ? this.#enter(book, write) : this.#write(book, write));
  }

  async saveOrder(
    book: UserBook,
    order: BookOrder,
    stamps: OrderStamps,
    deals: DealBook[],
    lines: Line[],
    at: number,
  ): Promise<void> {
    await this.#write(book, async (tx) => {
      const row = await writeOrderProgress(tx, order.id, { ...orderProgress(order), ...stamps });
      // A person may have cancelled it at the same time.
      order.cancelAskedAt = row?.cancelAskedAt ?? order.cancelAskedAt;
      for (const deal of deals) takeBack(deal, order, at);
      await together(updateDeals(tx, deals), insertLines(tx, lines, at));
    });
  }

  /**
   * @param of.held what is not to be opened again by itself
   * @param of.opened what has done another round
   */
  async saveDeal(
    book: UserBook,
    deal: DealBook,
    lines: Line[],
    at: number,
    of: { held?: TargetHeld | null; opened?: TargetBook | null } = {},
  ): Promise<void> {
    const { held = null, opened = null } = of;
    await this.#write(book, async (tx) => {
      await together(
        updateDeals(tx, [deal]),
        ...(held === null ? [] : [holdTargets(tx, [held.target.id], { hold: held.hold, at, by: held.by })]),
        ...(opened === null ? [] : [markTarget(tx, opened.id, { rounds: opened.rounds + 1 })]),
        insertLines(tx, lines, at),
      );
      if (!isRunning(deal)) await storeExits(tx, deal);
    });
  }

  /** A deal of the next expiry; its strategy does not change yet. @throws IntentsMoved */
  async createFollower(book: UserBook, deal: DealBook, earlier: DealBook, lines: Line[], at: number): Promise<void> {
    await this.#enter(book, async (tx) => {
      await insertDeal(tx, newDealRow(book.userId, deal), newLegRows(book.userId, deal));
      await updateDeals(tx, [earlier]);
      await insertLines(tx, lines, at);
    });
  }

  /** What a deal took over from the earlier expiry; its strategy goes on with the new legs. */
  async saveTakenOver(
    book: UserBook,
    [deal, earlier]: [DealBook, DealBook],
    rows: (LedgerRow & { accountId: string })[],
    lines: Line[],
    { paramsAfter, at }: { paramsAfter: (own: object) => object; at: number },
  ): Promise<void> {
    const { legs, strategyId } = deal;
    await this.saveHandedOver(book, [deal, earlier], rows, lines, at, async (tx) => {
      const places = LEGS.map((leg) => ({ leg, source: legs[leg].source, symbol: legs[leg].symbol }));
      deal.targetId = await replaceTarget(tx, deal.targetId, places, at);
      await moveDealTo(tx, deal.id, deal.targetId);
      if (await keepLimits(tx, deal.id, earlier.id)) await insertLines(tx, [lineOf(deal, 'limits', KEPT_LIMITS)], at);
      const own = await strategyById(tx, strategyId);
      if (own !== null) {
        const version = own.version + 1;
        // As they are saved now: a person may have changed them since the book was read.
        const params = paramsAfter(own.params as object);
        await changeStrategy(tx, strategyId, { params, version, updatedAt: at, updatedBy: ENGINE });
        const detail = `移仓到 ${legs.long.symbol} / ${legs.short.symbol}，第 ${version} 版`;
        await noteStrategy(tx, { strategyId, at, kind: 'config', detail, by: ENGINE });
      }
      await moveBook(tx, book.userId);
    });
  }

  /** Positions that left deals without an order. */
  async saveHandedOver(
    book: UserBook,
    deals: readonly DealBook[],
    rows: (LedgerRow & { accountId: string })[],
    lines: Line[],
    at: number,
    also: (tx: Queries) => Promise<void> = async () => {},
  ): Promise<void> {
    await this.#write(book, async (tx) => {
      const own = rows.map((row) => ({ ...row, userId: book.userId }));
      await together(insertLedger(tx, own), updateDeals(tx, deals), insertLines(tx, lines, at));
      await also(tx);
    });
  }

  /** Coin of the account that a deal begins with instead of a purchase. @throws IntentsMoved */
  async saveCoinTaken(
    book: UserBook,
    deal: DealBook,
    rows: (LedgerRow & { accountId: string })[],
    line: Line,
    { entryNote, at }: { entryNote: DealBook['entryNote']; at: number },
  ): Promise<void> {
    await this.#enter(book, async (tx) => {
      await insertLedger(
        tx,
        rows.map((row) => ({ ...row, userId: book.userId })),
      );
      await updateDeals(tx, [deal]);
      await changeDeal(tx, deal.id, { opening: entryNote });
      await insertLines(tx, [line], at);
    });
  }

  /** Only what is watched between two orders, of the deals of many books in one statement. */
  async saveFigures(books: readonly UserBook[]): Promise<void> {
    const dirty = books.filter(({ deals }) => [...deals.values()].some((deal) => deal.dirty));
    if (dirty.length === 0) return;
    await this.#writeMany(dirty, async (tx, held) => {
      const kept = dirty
        .filter(({ userId }) => held.has(userId))
        .flatMap(({ deals }) => [...deals.values()].filter((deal) => deal.dirty));
      await writeFigures(tx, kept.map(dealFigures));
      for (const deal of kept) deal.dirty = false;
    });
  }

  async saveBlocks(book: UserBook, targets: TargetBook[]): Promise<void> {
    await this.#write(book, async (tx) => {
      await together(...targets.map(({ id, block, seen }) => markTarget(tx, id, { block, seen })));
    });
  }

  /** Keeps a target from being opened until a person confirms it. @throws IntentsMoved */
  async holdBack(book: UserBook, { id, seen }: TargetBook, held: Held): Promise<void> {
    await this.#enter(book, async (tx) => {
      await holdTargets(tx, [id], held);
      await markTarget(tx, id, { block: 'unconfirmed', seen });
    });
  }

  async saveAlerts(book: UserBook, alerts: readonly Alerted[]): Promise<void> {
    await this.#write(book, (tx) => writeAlerts(tx, alerts));
  }

  /** A target that was used up is armed again by the engine itself. */
  async rearm(book: UserBook, target: TargetBook): Promise<void> {
    await this.#write(book, async (tx) => {
      await markTarget(tx, target.id, { usedArmAt: target.usedArmAt });
    });
  }

  /** Events of an account's venue, in one transaction with the place up to which they were read. */
  async saveBooked(
    book: UserBook,
    { id: accountId, sequence }: AccountBook,
    booked: Booked,
    at: number,
    helds: readonly TargetHeld[] = [],
  ): Promise<void> {
    const { userId } = book;
    await this.#write(book, async (tx) => {
      const { newOrders, fills, ledger: rows, orders, deals, transfers, lines } = booked;
      const own = <T>(rows: readonly T[]) => rows.map((row) => ({ ...row, userId, accountId }));
      const moved = [...orders].filter((order) => !newOrders.includes(order));
      const placed = newOrders.map((order) => newOrderRow(userId, order));
      await insertOrders(tx, placed);
      await together(
        ...moved.map((order) => writeOrderProgress(tx, order.id, orderProgress(order))),
        insertFills(tx, own(fills)),
        insertLedger(tx, own(rows)),
        ...[...transfers].map((transfer) => writeTransfer(tx, transfer.id, transferProgress(transfer))),
        updateDeals(tx, [...deals]),
        ...helds.map(({ target, hold, by }) => holdTargets(tx, [target.id], { hold, at, by })),
        insertLines(tx, lines, at),
        writeSequence(tx, accountId, sequence),
        writeBookProgress(tx, userId, dayEquitiesOf(book)),
      );
    });
  }

  async saveTransfer(book: UserBook, transfer: TransferBook): Promise<void> {
    await this.#write(book, (tx) => writeTransfer(tx, transfer.id, transferProgress(transfer)));
  }

  /** A strategy in state `closing` that is flat is stopped. */
  async stopStrategy(book: UserBook, strategy: StrategyBook, at: number): Promise<void> {
    await this.#enter(book, (tx) => switchStrategy(tx, strategy.id, 'stopped', { at, by: ENGINE }));
    strategy.state = 'stopped';
  }

  /** A strategy of one deal has nothing more to do: its deal has ended, or it was never begun and `refused` says why. */
  async endSingle(book: UserBook, strategy: StrategyBook, refused: PairBlock | null, at: number): Promise<void> {
    const single = { ...strategy.single!, refused };
    await this.#enter(book, async (tx) => {
      if (refused !== null) await refuseSingle(tx, strategy.id, single);
      await switchStrategy(tx, strategy.id, 'stopped', { at, by: ENGINE });
    });
    Object.assign(strategy, { state: 'stopped', single });
  }

  async saveDay(book: UserBook): Promise<void> {
    await this.#write(book, (tx) => writeBookProgress(tx, book.userId, { day: book.day, ...dayEquitiesOf(book) }));
  }

  /** Notes that passes over a book fail one after another. @param what a class name and a code */
  async noteFailing(book: UserBook, what: string, at: number): Promise<void> {
    await this.#write(book, (tx) => beginFailing(tx, book.userId, what, at));
  }

  /** Notes that they succeed again. */
  async noteRecovered(book: UserBook, at: number): Promise<void> {
    await this.#write(book, (tx) => endFailing(tx, book.userId, at));
    book.isFailing = false;
  }

  /** Symbols of the book without a price, on paper and real. */
  async saveUnvalued(book: UserBook, unvalued: Pick<UserBook, 'unvalued' | 'unvaluedLive'>): Promise<void> {
    await this.#write(book, (tx) => writeBookProgress(tx, book.userId, unvalued));
  }

  /** Pauses a book at its daily loss limit; a pause that is set already stays. @throws IntentsMoved */
  async pause(book: UserBook, pause: PauseBook): Promise<void> {
    await this.#enter(book, (tx) => pauseBook(tx, book.userId, pause));
  }

  /** Ends the entries of a strategy at its limit of the day's loss, until a person resumes it. @throws IntentsMoved */
  async trip(book: UserBook, strategy: StrategyBook, reason: string, at: number): Promise<void> {
    await this.#enter(book, async (tx) => {
      await tripStrategy(tx, strategy.id, { reason, limit: 'dailyLoss', at, by: BREAKER });
      await moveBook(tx, book.userId);
    });
    strategy.state = 'tripped';
  }

  /** From where the loss of a strategy's day is counted. */
  async saveLossBase(
    book: UserBook,
    { id }: StrategyBook,
    base: Record<'lossFrom' | 'lossBase', number>,
  ): Promise<void> {
    await this.#write(book, (tx) => changeGuard(tx, id, base));
  }

  /** @returns whose points were written; the others are asked for again. */
  async addPoints(points: { book: UserBook; point: EquityPointRow }[]): Promise<ReadonlySet<string>> {
    let written: ReadonlySet<string> = new Set();
    if (points.length === 0) return written;
    await this.#writeMany(
      points.map(({ book }) => book),
      async (tx, held) => {
        const kept = points.filter(({ book }) => held.has(book.userId)).map(({ point }) => point);
        await insertPoints(tx, kept);
        written = held;
      },
    );
    return written;
  }
}

const transferProgress = ({ state, leftAt, arrivedAt, reason, price }: TransferBook): TransferProgress => ({
  state,
  leftAt,
  arrivedAt,
  reason,
  price: price && plain(price),
});

const dayEquitiesOf = ({ dayEquity, dayEquityLive }: UserBook) => ({
  dayEquity: dayEquity === null ? null : String(dayEquity),
  dayEquityLive: dayEquityLive === null ? null : String(dayEquityLive),
});

async function updateDeals(db: Queries, deals: readonly DealBook[]): Promise<void> {
  await together(...deals.map((deal) => writeDealProgress(db, deal.id, dealProgress(deal), legsProgress(deal))));
  for (const deal of deals) deal.dirty = false;
}

/** Average exit prices, from the orders that took the legs down. */
async function storeExits(tx: Queries, { id }: DealBook): Promise<void> {
  const rows = await filledBy(tx, id, TAKES_DOWN);
  for (const leg of LEGS) {
    const row = rows.find((each) => each.leg === leg);
    await writeExit(tx, id, leg, row ? plain(new Big(row.notional).div(row.quantity).round(12)) : null);
  }
}

const dealProgress = (deal: DealBook): DealProgress => ({
  state: deal.state,
  stateAt: deal.stateAt,
  openedAt: deal.openedAt,
  closedAt: deal.closedAt,
  closeReason: deal.closeReason,
  entryCancelledAt: deal.entryCancelledAt,
  rollTriedAt: deal.rollTriedAt,
  reducedAt: deal.reducedAt,
  unfreezeTriedAt: deal.unfreezeTriedAt,
  frozen: deal.frozen,
  signalOpen: deal.signalOpen,
  signalClose: deal.signalClose,
  mae: deal.mae,
  mfe: deal.mfe,
  naked: deal.unhedged,
  oneLegSince: deal.oneLegSince,
  nakedAt: deal.unhedgedAt,
  attempts: deal.attempts,
});

/** What is watched of a deal between two orders. */
const dealFigures = ({ id, mae, mfe, unhedged, unhedgedAt, oneLegSince }: DealBook): DealFigures => ({
  ...{ id, mae, mfe, oneLegSince },
  naked: unhedged,
  nakedAt: unhedgedAt,
});

const legProgress = (dealId: string, name: Leg, leg: LegBook): LegProgress => ({
  dealId,
  leg: name,
  midOpen: leg.midOpen,
  quantity: plain(leg.quantity),
  cost: plain(leg.cost),
  opened: plain(leg.opened),
  notional: plain(leg.notional),
  realised: plain(leg.realised),
  funding: plain(leg.funding),
  fees: plain(leg.fees),
  slippage: plain(leg.slippage),
});

const legsProgress = ({ id, legs }: DealBook): LegProgress[] => LEGS.map((name) => legProgress(id, name, legs[name]));

/** A deal before its first order. */
const newDealRow = (userId: string, deal: DealBook) => {
  const { id, strategyId, targetId, createdAt, params, entryNote: opening, rolledFrom } = deal;
  return { id, userId, strategyId, targetId, createdAt, params, opening, rolledFrom, ...dealProgress(deal) };
};

/** The legs of a deal before its first order. */
const newLegRows = (userId: string, { id, legs }: DealBook) =>
  LEGS.map((name) => {
    const { accountId, source, symbol, weight } = legs[name];
    return { ...legProgress(id, name, legs[name]), userId, accountId, source, symbol, weight, side: name };
  });

const orderProgress = (order: BookOrder) => ({
  state: order.state,
  filledQuantity: plain(order.filledQuantity),
  filledNotional: plain(order.filledNotional),
  fee: plain(order.fee),
  reportedQuantity: plain(order.reportedQuantity),
  reportedState: order.reportedState,
  endedAt: order.endedAt,
});

const newOrderRow = (userId: string, order: BookOrder) => ({
  id: order.id,
  userId,
  accountId: order.accountId,
  dealId: order.dealId,
  source: order.source,
  symbol: order.symbol,
  leg: order.leg,
  slot: order.slot,
  side: order.side,
  type: order.type,
  purpose: order.purpose,
  reduceOnly: order.reduceOnly,
  quantity: plain(order.quantity),
  limitPrice: plain(order.limitPrice),
  decisionMid: order.decisionMid,
  createdAt: order.createdAt,
  ...orderProgress(order),
});
