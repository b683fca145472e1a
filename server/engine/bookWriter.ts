import { and, eq, gt, inArray, isNull, ne, not, sql } from 'drizzle-orm';
import { MINUTE_MS } from '#contract/duration';
import type { HedgeSettings } from '#contract/hedgeConfig';
import { LEGS, type Leg, ORDER_LIVE } from '#contract/lifecycle';
import type { Database, Queries } from '../db/client';
import { type DayLedger, dayLedger } from '../db/dayLedger';
import {
  book as bookTable,
  equityPoint,
  fill,
  hedgeConfig,
  hedgeEvent,
  hedgePair,
  hedge as hedgeTable,
  killSwitch,
  ledger,
  tradeOrder,
  user as userTable,
} from '../db/schema';
import { symbolKey } from '../exchange/symbolKey';
import { plain, ZERO } from '../maths/decimal';
import type { Booked, LedgerRow } from './booking';
import {
  big,
  bookOrder,
  hedgeBook,
  hedgeColumns,
  newOrderRow,
  type OrderRow,
  orderColumns,
  type PairRow,
  pairBook,
} from './bookRows';
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

type BookRow = typeof bookTable.$inferSelect;

const hasEnded = sql`${hedgeTable.state} in ('closed', 'failed')`;

const pauseOf = (row: { pausedAt: number | null; pausedBy: string | null } | undefined, reason: string | null) =>
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

export type EquityPointRow = typeof equityPoint.$inferInsert;
type OrderStamps = Partial<Pick<OrderRow, 'sentAt' | 'answeredAt' | 'exchangeId' | 'reason'>>;

interface Registration {
  /** Whether it adds to its leg: then no intent may have been written that it does not know of. */
  adds: boolean;
  lines: Line[];
  at: number;
}

/** The engine's hand on the database: reads books, writes what the engine decided. Knows no rules. */
export class EngineStore {
  readonly #db: Database;
  readonly #leases: Leases;

  constructor(db: Database, leases: Leases) {
    this.#db = db;
    this.#leases = leases;
  }

  /** Whole books of these users. */
  async load(tokens: ReadonlyMap<string, number>, now: number): Promise<Book[]> {
    if (tokens.size === 0) return [];
    const users = [...tokens.keys()];
    const db = this.#db;
    // The revision before what it stands for: what comes in between is read again, not missed.
    const pausedForAll = await this.#pausedForAll();
    const rows = await db
      .select({ book: bookTable, user: userTable.name, blocked: userTable.blocked })
      .from(bookTable)
      .innerJoin(userTable, eq(userTable.id, bookTable.userId))
      .where(inArray(bookTable.userId, users));
    const [configs, pairs, hedges, orders, sends, sums, positions, ended, points] = await Promise.all([
      db.select().from(hedgeConfig).where(inArray(hedgeConfig.userId, users)),
      db
        .select()
        .from(hedgePair)
        .where(and(inArray(hedgePair.userId, users), isNull(hedgePair.removedAt))),
      db
        .select()
        .from(hedgeTable)
        .where(and(inArray(hedgeTable.userId, users), not(hasEnded))),
      db
        .select()
        .from(tradeOrder)
        .where(and(inArray(tradeOrder.userId, users), inArray(tradeOrder.state, [...ORDER_LIVE]))),
      db
        .select({ hedgeId: tradeOrder.hedgeId, leg: tradeOrder.leg, at: tradeOrder.createdAt })
        .from(tradeOrder)
        .where(and(inArray(tradeOrder.userId, users), gt(tradeOrder.createdAt, now - MINUTE_MS))),
      db
        .select({
          userId: ledger.userId,
          kind: ledger.kind,
          amount: sql<string>`sum(${ledger.amount})`,
          traded: sql<string>`sum(abs(${ledger.amount}))`,
        })
        .from(ledger)
        .where(inArray(ledger.userId, users))
        .groupBy(ledger.userId, ledger.kind),
      db
        .select({
          userId: ledger.userId,
          source: ledger.source,
          symbol: ledger.symbol,
          quantity: sql<string>`sum(${ledger.quantity})`,
        })
        .from(ledger)
        .where(and(inArray(ledger.userId, users), eq(ledger.kind, 'fill')))
        .groupBy(ledger.userId, ledger.source, ledger.symbol),
      db
        .select({
          userId: hedgeTable.userId,
          long: sql<string>`coalesce(sum(${hedgeTable.longRealised}) filter (where ${hasEnded}), 0)`,
          short: sql<string>`coalesce(sum(${hedgeTable.shortRealised}) filter (where ${hasEnded}), 0)`,
          slippage: sql<string>`sum(${hedgeTable.slippage})`,
        })
        .from(hedgeTable)
        .where(inArray(hedgeTable.userId, users))
        .groupBy(hedgeTable.userId),
      db
        .select({ userId: equityPoint.userId, at: sql<string>`max(${equityPoint.at})` })
        .from(equityPoint)
        .where(inArray(equityPoint.userId, users))
        .groupBy(equityPoint.userId),
    ]);
    return rows.map(({ book: row, user, blocked }) => {
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
        lastPointAt: Number(of(points)[0]?.at ?? 0),
        midnightAt: 0,
      };
      const [config] = of(configs);
      takeIntents(result, row, result, (config?.settings as HedgeSettings | undefined) ?? null, of(pairs));
      for (const { hedgeId, leg, at } of sends) result.hedges.get(hedgeId ?? '')?.sends.push({ leg: leg as Leg, at });
      return result;
    });
  }

  /** Revisions of books, whose owners may trade, and the switch for everybody: what to look at each tick. */
  async pulse(userIds: readonly string[]) {
    const [revisions, pausedForAll] = await Promise.all([
      this.#db
        .select({ userId: bookTable.userId, revision: bookTable.revision, blocked: userTable.blocked })
        .from(bookTable)
        .innerJoin(userTable, eq(userTable.id, bookTable.userId))
        .where(inArray(bookTable.userId, [...userIds])),
      this.#pausedForAll(),
    ]);
    return { revisions, pausedForAll };
  }

  async #pausedForAll(): Promise<PauseBook | null> {
    const [all] = await this.#db.select().from(killSwitch);
    return pauseOf(all, all?.reason ?? null);
  }

  /** Takes up what calls wrote since. */
  async refresh(book: Book): Promise<void> {
    const { userId } = book;
    // The switch first: one that is thrown in between moves the book on.
    const pausedForAll = await this.#pausedForAll();
    // The revision before what it stands for, as well.
    const [found] = await this.#db
      .select({ row: bookTable, blocked: userTable.blocked })
      .from(bookTable)
      .innerJoin(userTable, eq(userTable.id, bookTable.userId))
      .where(eq(bookTable.userId, userId));
    if (!found) return;
    const [[config], pairs, asked] = await Promise.all([
      this.#db.select().from(hedgeConfig).where(eq(hedgeConfig.userId, userId)),
      this.#db
        .select()
        .from(hedgePair)
        .where(and(eq(hedgePair.userId, userId), isNull(hedgePair.removedAt))),
      this.#db
        .select({
          id: hedgeTable.id,
          closeAskedAt: hedgeTable.closeAskedAt,
          flattenAskedAt: hedgeTable.flattenAskedAt,
        })
        .from(hedgeTable)
        .where(and(eq(hedgeTable.userId, userId), not(hasEnded))),
    ]);
    const { row, blocked } = found;
    const settings = (config?.settings as HedgeSettings | undefined) ?? null;
    takeIntents(book, row, { blocked, pausedForAll }, settings, pairs);
    for (const { id, ...intents } of asked) {
      const hedge = book.hedges.get(id);
      if (hedge) Object.assign(hedge, intents);
    }
    const cancels = await this.#db
      .select({ id: tradeOrder.id, cancelAskedAt: tradeOrder.cancelAskedAt })
      .from(tradeOrder)
      .where(and(eq(tradeOrder.userId, userId), eq(tradeOrder.state, 'open')));
    for (const { id, cancelAskedAt } of cancels) {
      const order = book.orders.get(id);
      if (order) order.cancelAskedAt = cancelAskedAt;
    }
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
      await tx.insert(hedgeTable).values({
        id: hedge.id,
        userId: book.userId,
        pairId: hedge.pairId,
        source: hedge.source,
        long: hedge.legs.long.symbol,
        short: hedge.legs.short.symbol,
        createdAt: hedge.createdAt,
        settings: hedge.settings,
        ratio: hedge.ratio,
        ...hedgeColumns(hedge),
      });
      await tx
        .update(hedgePair)
        .set({ usedArmAt: pair.usedArmAt, triggeredAt: at, block: pair.block })
        .where(eq(hedgePair.id, pair.id));
      await insertLines(tx, [line], at);
    });
  }

  /** Commits an order before it goes out. @throws IntentsMoved for one that adds. */
  async register(book: Book, hedge: HedgeBook, order: BookOrder, { adds, lines, at }: Registration): Promise<void> {
    const write = async (tx: Queries) => {
      await tx.insert(tradeOrder).values(newOrderRow(book.userId, order));
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
      const [row] = await tx
        .update(tradeOrder)
        .set({ ...orderColumns(order), ...stamps })
        .where(eq(tradeOrder.id, order.id))
        .returning({ cancelAskedAt: tradeOrder.cancelAskedAt });
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
      if (!isRunning(hedge)) await writeExits(tx, hedge);
      await insertLines(tx, lines, at);
    });
  }

  /** What a hedge held and now does not, without an order. */
  async saveWriteOff(book: Book, hedge: HedgeBook, rows: LedgerRow[], lines: Line[], at: number): Promise<void> {
    await this.#write(book, async (tx) => {
      await tx.insert(ledger).values(rows.map((row) => ({ ...row, userId: book.userId })));
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
      const rows = kept.map(
        ({ id, mae, mfe, naked, oneLegSince, nakedAt }) =>
          sql`(${id}::uuid, ${mae}::float8, ${mfe}::float8, ${naked}::float8, ${oneLegSince}::bigint, ${nakedAt}::bigint)`,
      );
      await tx.execute(sql`
      update ${hedgeTable} set mae = v.mae, mfe = v.mfe, naked = v.naked, one_leg_since = v.since, naked_at = v.counted
      from (values ${sql.join(rows, sql`, `)}) as v(id, mae, mfe, naked, since, counted) where ${hedgeTable.id} = v.id`);
      for (const hedge of kept) hedge.dirty = false;
    });
  }

  async saveBlocks(book: Book, pairs: PairBook[]): Promise<void> {
    await this.#write(book, async (tx) => {
      for (const { id, block } of pairs) await tx.update(hedgePair).set({ block }).where(eq(hedgePair.id, id));
    });
  }

  /** An immediate pair is used up; a z pair is armed again by the engine itself. */
  async rearm(book: Book, pair: PairBook): Promise<void> {
    await this.#write(book, async (tx) => {
      await tx.update(hedgePair).set({ usedArmAt: pair.usedArmAt }).where(eq(hedgePair.id, pair.id));
    });
  }

  async knownFills(ids: readonly string[]): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const rows = await this.#db
      .select({ id: fill.id })
      .from(fill)
      .where(inArray(fill.id, [...ids]));
    return new Set(rows.map(({ id }) => id));
  }

  async orders(ids: readonly string[]): Promise<BookOrder[]> {
    if (ids.length === 0) return [];
    const rows = await this.#db
      .select()
      .from(tradeOrder)
      .where(inArray(tradeOrder.id, [...ids]));
    return rows.map(bookOrder);
  }

  /** Events of the venue, in one transaction with the place up to which they were read. */
  async saveBooked(book: Book, booked: Booked, at: number): Promise<void> {
    const { userId } = book;
    await this.#write(book, async (tx) => {
      const { newOrders, fills, ledger: rows, orders, hedges, lines } = booked;
      if (newOrders.length > 0) {
        await tx.insert(tradeOrder).values(newOrders.map((order) => newOrderRow(userId, order)));
      }
      for (const order of orders) {
        if (newOrders.includes(order)) continue;
        await tx.update(tradeOrder).set(orderColumns(order)).where(eq(tradeOrder.id, order.id));
      }
      if (fills.length > 0) await tx.insert(fill).values(fills.map((row) => ({ ...row, userId })));
      if (rows.length > 0) await tx.insert(ledger).values(rows.map((row) => ({ ...row, userId })));
      await updateHedges(tx, [...hedges]);
      await insertLines(tx, lines, at);
      await tx
        .update(bookTable)
        .set({ sequence: book.sequence, dayEquity: dayEquityOf(book) })
        .where(eq(bookTable.userId, userId));
    });
  }

  /** The book as an instant (UTC ms) found it. */
  ledgerAt(book: Book, at: number): Promise<DayLedger> {
    return dayLedger(this.#db, book.userId, at, book);
  }

  async saveDay(book: Book): Promise<void> {
    await this.#write(book, async (tx) => {
      await tx
        .update(bookTable)
        .set({ day: book.day, dayEquity: dayEquityOf(book) })
        .where(eq(bookTable.userId, book.userId));
    });
  }

  /** The engine's own pause, at the daily loss limit; one that is set already stays. */
  async pause(book: Book, { at, by, reason }: PauseBook): Promise<void> {
    await this.#write(book, async (tx) => {
      await tx
        .update(bookTable)
        .set({ pausedAt: at, pausedBy: by, pauseReason: reason, revision: sql`${bookTable.revision} + 1` })
        .where(and(eq(bookTable.userId, book.userId), isNull(bookTable.pausedAt)));
    });
  }

  /** @returns whose points were written; the others are asked for again. */
  async addPoints(points: { book: Book; point: EquityPointRow }[]): Promise<ReadonlySet<string>> {
    let written: ReadonlySet<string> = new Set();
    if (points.length === 0) return written;
    await this.#writeMany(
      points.map(({ book }) => book),
      async (tx, held) => {
        const kept = points.filter(({ book }) => held.has(book.userId)).map(({ point }) => point);
        await tx.insert(equityPoint).values(kept).onConflictDoNothing();
        written = held;
      },
    );
    return written;
  }
}

const dayEquityOf = ({ dayEquity }: Book): string | null => (dayEquity === null ? null : String(dayEquity));

async function updateHedges(db: Queries, hedges: readonly HedgeBook[]): Promise<void> {
  for (const hedge of hedges) {
    await db.update(hedgeTable).set(hedgeColumns(hedge)).where(eq(hedgeTable.id, hedge.id));
    hedge.dirty = false;
  }
}

async function insertLines(db: Queries, lines: readonly Line[], at: number): Promise<void> {
  if (lines.length > 0) await db.insert(hedgeEvent).values(lines.map((line) => ({ ...line, at })));
}

/** Average exit prices, from the orders that took the legs down. */
async function writeExits(tx: Queries, hedge: HedgeBook): Promise<void> {
  const rows = await tx
    .select({
      leg: tradeOrder.leg,
      quantity: sql<string>`sum(${tradeOrder.filledQuantity})`,
      notional: sql<string>`sum(${tradeOrder.filledNotional})`,
    })
    .from(tradeOrder)
    .where(
      and(
        eq(tradeOrder.hedgeId, hedge.id),
        inArray(tradeOrder.purpose, ['exit', 'unwind', 'liquidation', 'delisting']),
        ne(tradeOrder.filledQuantity, '0'),
      ),
    )
    .groupBy(tradeOrder.leg);
  const priceOf = (leg: Leg) => {
    const row = rows.find((each) => each.leg === leg);
    return row ? plain(big(row.notional).div(row.quantity).round(12)) : null;
  };
  const [longExit, shortExit] = LEGS.map(priceOf);
  await tx.update(hedgeTable).set({ longExit, shortExit }).where(eq(hedgeTable.id, hedge.id));
}
