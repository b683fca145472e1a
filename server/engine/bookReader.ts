import { MINUTE_MS } from '#contract/duration';
import type { HedgeSettings } from '#contract/hedgeConfig';
import type { Leg } from '#contract/lifecycle';
import type { BookRow } from '../db/book';
import { bookRevisions, ownedBooks } from '../db/bookProgress';
import type { Database } from '../db/client';
import { type DayLedger, dayLedger } from '../db/dayLedger';
import { newestPoints } from '../db/equityPoint';
import { type PairRow, STORED_KIND, settingsOf, standingPairsOf } from '../db/hedgeConfig';
import { askedOfHedges, hedgeSums, runningOf } from '../db/hedgeProgress';
import { killSwitchOf } from '../db/killSwitch';
import { bookedFills, ledgerPositions, ledgerSums } from '../db/ledger';
import { askedOfOrders, liveOrdersOf, orderColumnsOf, sendsSince } from '../db/orderProgress';
import { symbolKey } from '../exchange/symbolKey';
import { ZERO } from '../maths/decimal';
import { big, bookOrder, hedgeBook, pairBook } from './bookRows';
import type { Book, BookOrder, PauseBook } from './tradingBook';

const pauseOf = (row: { pausedAt: number | null; pausedBy: string | null } | null, reason: string | null) =>
  row?.pausedAt == null ? null : { at: row.pausedAt, by: row.pausedBy ?? '', reason: reason ?? '' };

/** The intents of a book, which calls write and the engine only reads. */
function takeIntents(
  book: Book,
  row: BookRow,
  { blocked, pausedForAll }: Pick<Book, 'blocked' | 'pausedForAll'>,
  settings: HedgeSettings | null,
  pairs: PairRow[],
): void {
  book.revision = row.revision;
  book.blocked = blocked;
  book.pausedForAll = pausedForAll;
  book.enabled = row.enabled;
  book.paused = pauseOf(row, row.pauseReason);
  book.lossLiftedDay = row.lossLiftedDay;
  book.dayBoundary = row.dayBoundary;
  book.settings = settings;
  book.pairs = pairs.map(pairBook);
}

/** Reads books, and what calls wrote into them since. */
export class BookReader {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Whole books of these users. */
  async load(tokens: ReadonlyMap<string, number>, now: number): Promise<Book[]> {
    if (tokens.size === 0) return [];
    const users = [...tokens.keys()];
    const db = this.#db;
    // The revision before what it stands for: what comes in between is read again, not missed.
    const pausedForAll = await this.#pausedForAll();
    const rows = await ownedBooks(db, users);
    const [settings, pairs, hedges, orders, sends, sums, positions, ended, points] = await Promise.all([
      settingsOf(db, users),
      standingPairsOf(db, users),
      runningOf(db, users),
      liveOrdersOf(db, users),
      sendsSince(db, users, now - MINUTE_MS),
      ledgerSums(db, users),
      ledgerPositions(db, users),
      hedgeSums(db, users),
      newestPoints(db, users),
    ]);
    return rows.map(({ row, user, blocked }) => {
      const of = <T extends { userId: string }>(list: T[]) => list.filter(({ userId }) => userId === row.userId);
      const amounts = of(sums);
      const amountOf = (kind: string) => big(amounts.find((sum) => sum.kind === kind)?.amount);
      const [endedSums] = of(ended);
      const result: Book = {
        userId: row.userId,
        token: tokens.get(row.userId) ?? 0,
        user,
        blocked,
        revision: row.revision,
        kind: STORED_KIND,
        enabled: row.enabled,
        paused: null,
        pausedForAll,
        lossLiftedDay: null,
        settings: null,
        pairs: [],
        hedges: new Map(of(hedges).map((hedge) => [hedge.id, hedgeBook(hedge)])),
        orders: new Map(of(orders).map((order) => [order.id, bookOrder(order)])),
        positions: new Map(
          of(positions).map(({ source, symbol, quantity }) => [symbolKey({ source, symbol }), big(quantity)]),
        ),
        cash: amounts.reduce((cash, { amount }) => cash.plus(amount), ZERO),
        sums: {
          transfers: amountOf('transfer'),
          funding: amountOf('funding'),
          fees: amountOf('fee').neg(),
          slippage: big(endedSums?.slippage),
          traded: big(amounts.find(({ kind }) => kind === 'fill')?.traded),
          endedLong: big(endedSums?.long),
          endedShort: big(endedSums?.short),
        },
        sequence: row.sequence,
        dayBoundary: 0,
        day: row.day,
        dayEquity: row.dayEquity === null ? null : Number(row.dayEquity),
        lastPointAt: points.get(row.userId) ?? 0,
        midnightAt: 0,
      };
      takeIntents(result, row, result, settings.get(row.userId) ?? null, of(pairs));
      for (const { hedgeId, leg, at } of sends) result.hedges.get(hedgeId ?? '')?.sends.push({ leg: leg as Leg, at });
      return result;
    });
  }

  /** Revisions of books, whose owners may trade, and the switch for everybody: what to look at each tick. */
  async pulse(userIds: readonly string[]) {
    const [revisions, pausedForAll] = await Promise.all([bookRevisions(this.#db, userIds), this.#pausedForAll()]);
    return { revisions, pausedForAll };
  }

  async #pausedForAll(): Promise<PauseBook | null> {
    const all = await killSwitchOf(this.#db);
    return pauseOf(all, all?.reason ?? null);
  }

  /** Takes up what calls wrote since. */
  async refresh(book: Book): Promise<void> {
    const { userId } = book;
    // The switch first: one that is thrown in between moves the book on.
    const pausedForAll = await this.#pausedForAll();
    // The revision before what it stands for, as well.
    const [found] = await ownedBooks(this.#db, [userId]);
    if (!found) return;
    const [settings, pairs, asked] = await Promise.all([
      settingsOf(this.#db, [userId]),
      standingPairsOf(this.#db, [userId]),
      askedOfHedges(this.#db, userId),
    ]);
    const { row, blocked } = found;
    takeIntents(book, row, { blocked, pausedForAll }, settings.get(userId) ?? null, pairs);
    for (const { id, ...intents } of asked) {
      const hedge = book.hedges.get(id);
      if (hedge) Object.assign(hedge, intents);
    }
    for (const { id, cancelAskedAt } of await askedOfOrders(this.#db, userId)) {
      const order = book.orders.get(id);
      if (order) order.cancelAskedAt = cancelAskedAt;
    }
  }

  knownFills(ids: readonly string[]): Promise<Set<string>> {
    return bookedFills(this.#db, ids);
  }

  async orders(ids: readonly string[]): Promise<BookOrder[]> {
    return (await orderColumnsOf(this.#db, ids)).map(bookOrder);
  }

  /** The book as an instant (UTC ms) found it. */
  ledgerAt(book: Book, at: number): Promise<DayLedger> {
    return dayLedger(this.#db, book.userId, at, book);
  }
}
