import type { Leg } from '#contract/lifecycle';
import { pauseBook, writeBookProgress } from '../db/bookProgress';
import type { Database, Queries } from '../db/client';
import { type EquityPointRow, insertPoints } from '../db/equityPoint';
import { markPair } from '../db/hedgeConfig';
import { insertHedge, insertLines, writeExits, writeFigures, writeHedgeProgress } from '../db/hedgeProgress';
import { insertFills, insertLedger } from '../db/ledger';
import { filledBy, insertOrders, type OrderProgress, writeOrderProgress } from '../db/orderProgress';
import { plain } from '../maths/decimal';
import type { Booked, LedgerRow } from './booking';
import { big, hedgeProgress, newOrderRow, orderProgress } from './bookRows';
import { IntentsMoved, type Leases } from './lease';
import {
  type Book,
  type BookOrder,
  type HedgeBook,
  isRunning,
  isTakenBack,
  type Line,
  type PairBook,
  type PauseBook,
} from './tradingBook';

type OrderStamps = Pick<OrderProgress, 'sentAt' | 'answeredAt' | 'exchangeId' | 'reason'>;

interface Registration {
  /** Whether it adds to its leg: then no intent may have been written that it does not know of. */
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
  async #write({ userId, token }: Book, write: (tx: Queries) => Promise<void>): Promise<void> {
    await this.#db.transaction(async (tx) => {
      await this.#leases.fence(tx as unknown as Queries, userId, token);
      await write(tx as unknown as Queries);
    });
  }

  /** The same, and only as long as no intent was written since the book was read. @throws IntentsMoved */
  async #enter(book: Book, write: (tx: Queries) => Promise<void>): Promise<void> {
    await this.#db.transaction(async (tx) => {
      const now = await this.#leases.fence(tx as unknown as Queries, book.userId, book.token);
      const isKnown = now.blocked === book.blocked && now.pausedForAll === (book.pausedForAll !== null);
      if (now.revision !== book.revision || !isKnown) throw new IntentsMoved(book.userId);
      await write(tx as unknown as Queries);
    });
  }

  /** Writes of many books in one statement, of those whose leases are held: the others are their holders' to write. */
  async #writeMany(books: readonly Book[], write: (tx: Queries, held: ReadonlySet<string>) => Promise<void>) {
    await this.#db.transaction(async (tx) => {
      const tokens = new Map(books.map(({ userId, token }) => [userId, token]));
      const held = await this.#leases.fenceMany(tx as unknown as Queries, tokens);
      if (held.size > 0) await write(tx as unknown as Queries, held);
    });
  }

  async createHedge(book: Book, hedge: HedgeBook, pair: PairBook, at: number, line: Line): Promise<void> {
    await this.#enter(book, async (tx) => {
      await insertHedge(tx, {
        id: hedge.id,
        userId: book.userId,
        pairId: hedge.pairId,
        source: hedge.source,
        long: hedge.legs.long.symbol,
        short: hedge.legs.short.symbol,
        createdAt: hedge.createdAt,
        settings: hedge.settings,
        ratio: hedge.ratio,
        ...hedgeProgress(hedge),
      });
      await markPair(tx, pair.id, { usedArmAt: pair.usedArmAt, triggeredAt: at, block: pair.block });
      await insertLines(tx, [line], at);
    });
  }

  /** Commits an order before it goes out. @throws IntentsMoved for one that adds. */
  async register(book: Book, hedge: HedgeBook, order: BookOrder, { adds, lines, at }: Registration): Promise<void> {
    const write = async (tx: Queries) => {
      await insertOrders(tx, [newOrderRow(book.userId, order)]);
      await updateHedges(tx, [hedge]);
      await insertLines(tx, lines, at);
    };
    await (adds ? this.#enter(book, write) : this.#write(book, write));
  }

  async saveOrder(
    book: Book,
    order: BookOrder,
    stamps: OrderStamps,
    hedges: HedgeBook[],
    lines: Line[],
    at: number,
  ): Promise<void> {
    await this.#write(book, async (tx) => {
      const row = await writeOrderProgress(tx, order.id, { ...orderProgress(order), ...stamps });
      // A person may have taken it back while the engine did.
      order.cancelAskedAt = row?.cancelAskedAt ?? order.cancelAskedAt;
      if (isTakenBack(order)) for (const hedge of hedges) hedge.entryCancelledAt ??= at;
      await updateHedges(tx, hedges);
      await insertLines(tx, lines, at);
    });
  }

  async saveHedge(book: Book, hedge: HedgeBook, lines: Line[], at: number): Promise<void> {
    await this.#write(book, async (tx) => {
      await updateHedges(tx, [hedge]);
      if (!isRunning(hedge)) await storeExits(tx, hedge);
      await insertLines(tx, lines, at);
    });
  }

  /** What a hedge held and now does not, without an order. */
  async saveWriteOff(book: Book, hedge: HedgeBook, rows: LedgerRow[], lines: Line[], at: number): Promise<void> {
    await this.#write(book, async (tx) => {
      await insertLedger(
        tx,
        rows.map((row) => ({ ...row, userId: book.userId })),
      );
      await updateHedges(tx, [hedge]);
      await insertLines(tx, lines, at);
    });
  }

  /** Only what is watched between two orders, of the hedges of many books in one statement. */
  async saveFigures(books: readonly Book[]): Promise<void> {
    const dirty = books.filter(({ hedges }) => [...hedges.values()].some((hedge) => hedge.dirty));
    if (dirty.length === 0) return;
    await this.#writeMany(dirty, async (tx, held) => {
      const kept = dirty
        .filter(({ userId }) => held.has(userId))
        .flatMap(({ hedges }) => [...hedges.values()].filter((hedge) => hedge.dirty));
      await writeFigures(tx, kept);
      for (const hedge of kept) hedge.dirty = false;
    });
  }

  async saveBlocks(book: Book, pairs: PairBook[]): Promise<void> {
    await this.#write(book, async (tx) => {
      for (const { id, block } of pairs) await markPair(tx, id, { block });
    });
  }

  /** An immediate pair is used up; a z pair is armed again by the engine itself. */
  async rearm(book: Book, pair: PairBook): Promise<void> {
    await this.#write(book, async (tx) => {
      await markPair(tx, pair.id, { usedArmAt: pair.usedArmAt });
    });
  }

  /** Events of the venue, in one transaction with the place up to which they were read. */
  async saveBooked(book: Book, booked: Booked, at: number): Promise<void> {
    const { userId } = book;
    await this.#write(book, async (tx) => {
      const { newOrders, fills, ledger: rows, orders, hedges, lines } = booked;
      const own = <T>(rows: readonly T[]) => rows.map((row) => ({ ...row, userId }));
      await insertOrders(
        tx,
        newOrders.map((order) => newOrderRow(userId, order)),
      );
      for (const order of orders) {
        if (!newOrders.includes(order)) await writeOrderProgress(tx, order.id, orderProgress(order));
      }
      await insertFills(tx, own(fills));
      await insertLedger(tx, own(rows));
      await updateHedges(tx, [...hedges]);
      await insertLines(tx, lines, at);
      await writeBookProgress(tx, userId, { sequence: book.sequence, dayEquity: dayEquityOf(book) });
    });
  }

  async saveDay(book: Book): Promise<void> {
    await this.#write(book, (tx) =>
      writeBookProgress(tx, book.userId, { day: book.day, dayEquity: dayEquityOf(book) }),
    );
  }

  /** The engine's own pause, at the daily loss limit; one that is set already stays. */
  async pause(book: Book, pause: PauseBook): Promise<void> {
    await this.#write(book, (tx) => pauseBook(tx, book.userId, pause));
  }

  /** @returns whose points were written; the others are asked for again. */
  async addPoints(points: { book: Book; point: EquityPointRow }[]): Promise<ReadonlySet<string>> {
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

const dayEquityOf = ({ dayEquity }: Book): string | null => (dayEquity === null ? null : String(dayEquity));

async function updateHedges(db: Queries, hedges: readonly HedgeBook[]): Promise<void> {
  for (const hedge of hedges) {
    await writeHedgeProgress(db, hedge.id, hedgeProgress(hedge));
    hedge.dirty = false;
  }
}

/** Average exit prices, from the orders that took the legs down. */
async function storeExits(tx: Queries, { id }: HedgeBook): Promise<void> {
  const rows = await filledBy(tx, id, ['exit', 'unwind', 'liquidation', 'delisting']);
  const priceOf = (leg: Leg) => {
    const row = rows.find((each) => each.leg === leg);
    return row ? plain(big(row.notional).div(row.quantity).round(12)) : null;
  };
  await writeExits(tx, id, { longExit: priceOf('long'), shortExit: priceOf('short') });
}
