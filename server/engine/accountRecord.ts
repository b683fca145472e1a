import type { DayLedger } from '../db/dayLedger';
import type { Clock } from '../exchange/exchange';
import { dayStartAt, runningDay } from '../maths/dayBoundary';
import { dayEquityOf } from '../maths/dayResult';
import type { BookReader } from './bookReader';
import type { BookWriter } from './bookWriter';
import { duePoint, pastPoint, sourcesIn, valued, valuedBy } from './figures';
import type { Outlook } from './outlook';
import type { Book } from './tradingBook';
import type { Marks } from './view';

interface AccountRecordOptions {
  reader: BookReader;
  writer: BookWriter;
  outlook: Outlook;
  clock: Clock;
}

type AccountThen = { at: number; found: DayLedger; source: string; marks: Marks; worth: ReturnType<typeof valuedBy> };

/** What accounts were worth: when their days began, at each 00:00 UTC, and every few minutes. */
export class AccountRecord {
  readonly #o: AccountRecordOptions;

  constructor(options: AccountRecordOptions) {
    this.#o = options;
  }

  /**
   * Remembers what the account was worth when its day began, by the ledger and the marks of that instant, whenever this
   * process came to look; the record of the account has it as its point of that instant.
   */
  async openDay(book: Book): Promise<void> {
    const { writer, outlook, clock } = this.#o;
    const { start } = runningDay(book, clock());
    if (book.day === start) return;
    const then = await this.#accountAt(book, start);
    const { found, worth } = then;
    // Without a mark of then the present stands in for it.
    const present = worth === null ? valued(book, outlook.views) : null;
    const dayEquity = worth === null ? present?.equity : dayEquityOf(worth.equity, found.transfers.toNumber());
    if (dayEquity === undefined) return;
    book.day = start;
    book.dayEquity = dayEquity;
    await writer.saveDay(book);
    await this.#addPointOf(book, then);
  }

  /** The statistics of all accounts go by UTC days, whatever the accounts' own days are: the record has each 00:00. */
  async recordMidnight(book: Book): Promise<void> {
    const midnight = dayStartAt(this.#o.clock(), 0);
    if (book.midnightAt === midnight) return;
    book.midnightAt = midnight;
    if (book.lastPointAt < midnight) await this.#addPointOf(book, await this.#accountAt(book, midnight));
  }

  /** Draws the points that are due, of many accounts in one statement. */
  async drawPoints(books: readonly Book[]): Promise<void> {
    const { writer, outlook, clock } = this.#o;
    const now = clock();
    const points = books.flatMap((book) => {
      const bitcoin = outlook.bitcoinOf(book.settings?.source ?? '');
      const point = duePoint(book, outlook.views, bitcoin, now);
      return point ? [{ book, point }] : [];
    });
    const written = await writer.addPoints(points);
    for (const { book, point } of points) if (written.has(book.userId)) book.lastPointAt = point.at;
  }

  /** The account as an instant found it; `worth` is null where a mark of then is missing. */
  async #accountAt(book: Book, at: number): Promise<AccountThen> {
    const { reader, outlook } = this.#o;
    const found = await reader.ledgerAt(book, at);
    const source = book.settings?.source ?? '';
    const marks = await outlook.marksAt(at, sourcesIn(found.positions).add(source));
    return { at, found, source, marks, worth: valuedBy(found, marks) };
  }

  async #addPointOf(book: Book, { at, found, source, marks, worth }: AccountThen): Promise<void> {
    const { writer, outlook } = this.#o;
    const point = worth && pastPoint(book, found, worth, marks, at);
    if (point === null) return;
    const [own] = await writer.addPoints([{ book, point: { ...point, btc: outlook.bitcoinIn(marks, source) } }]);
    if (own !== undefined) book.lastPointAt = Math.max(book.lastPointAt, at);
  }
}
