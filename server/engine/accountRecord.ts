import type { DayLedger } from '../base/db/accounts/dayLedger';
import { dayEquityOf, dayStartAt, runningDay } from '../base/maths/dayBoundary';
import type { Clock } from '../market/exchange';
import type { BookReader } from './bookReader';
import type { BookWriter } from './bookWriter';
import { duePoint, hasReal, isRealAccount, pastPoint, valued, valuedBy } from './figures';
import type { MarketSnapshot, Marks } from './marketSnapshot';
import { runnerOf } from './runner';
import type { AccountBook, UserBook } from './tradingBook';

interface AccountRecordOptions {
  reader: BookReader;
  writer: BookWriter;
  snapshot: MarketSnapshot;
  clock: Clock;
}

type AccountThen = {
  account: AccountBook;
  at: number;
  found: DayLedger;
  source: string;
  marks: Marks;
  worth: ReturnType<typeof valuedBy>;
};

const NOTHING_KNOWN: Pick<UserBook, 'dayEquity' | 'dayEquityLive'> = { dayEquity: null, dayEquityLive: null };

/** The market whose bitcoin a user's record is held against. */
const sourceOf = ({ strategies }: UserBook): string => {
  for (const { kind, params } of strategies.values()) {
    const [first] = params === null ? [] : runnerOf(kind).sources(params);
    if (first !== undefined) return first;
  }
  return '';
};

/** What the real accounts, or the others, were worth together when their day began; null where a mark of then is missing. */
const wholeOf = (then: readonly AccountThen[], isReal: boolean): number | null =>
  then
    .filter(({ account }) => isRealAccount(account) === isReal)
    .map(({ account, found, worth }) => {
      // What was in transit then is in neither account's cash, and part of the total equity.
      const moved = account.sums.moved.minus(found.moved).toNumber();
      return worth && dayEquityOf(worth.equity, found.transfers.toNumber()) - moved;
    })
    .reduce<number | null>((sum, equity) => (sum === null || equity === null ? null : sum + equity), 0);

/** What accounts were worth: when their days began, at each 00:00 UTC, and every few minutes. */
export class AccountRecord {
  readonly #o: AccountRecordOptions;

  constructor(options: AccountRecordOptions) {
    this.#o = options;
  }

  /**
   * Remembers what the account was worth when its day began, by the ledger and the marks of that instant, whenever this
   * process came to look; the record of the account has it as its point of that instant. What is on paper and what is real
   * are known each on their own: where one is not, the other's day begins.
   */
  async openDay(book: UserBook): Promise<void> {
    const { writer, snapshot, clock } = this.#o;
    const { start } = runningDay(book, clock());
    const isNew = book.day !== start;
    const known = isNew ? NOTHING_KNOWN : book;
    if (known.dayEquity !== null && (known.dayEquityLive !== null || !hasReal(book))) return;
    const then: AccountThen[] = [];
    for (const account of book.accounts.values()) then.push(await this.#accountAt(book, account, start));
    // Where a mark of that instant is missing, the equity of now is used instead.
    const worth = (isReal: boolean) => wholeOf(then, isReal) ?? valued(book, snapshot.views, isReal)?.equity ?? null;
    const dayEquity = known.dayEquity ?? worth(false);
    const dayEquityLive = known.dayEquityLive ?? (hasReal(book) ? worth(true) : null);
    if (dayEquity === known.dayEquity && dayEquityLive === known.dayEquityLive) return;
    Object.assign(book, { day: start, dayEquity, dayEquityLive });
    await writer.saveDay(book);
    for (const each of then) await this.#addPointOf(book, each);
  }

  /** The statistics of all accounts go by UTC days, whatever the accounts' own days are: the record has each 00:00. */
  async recordMidnight(book: UserBook): Promise<void> {
    const midnight = dayStartAt(this.#o.clock(), 0);
    for (const account of book.accounts.values()) {
      if (account.midnightAt === midnight) continue;
      account.midnightAt = midnight;
      if (account.lastPointAt < midnight) await this.#addPointOf(book, await this.#accountAt(book, account, midnight));
    }
  }

  /** Draws the points that are due, of many accounts in one statement. */
  async drawPoints(books: readonly UserBook[]): Promise<void> {
    const { writer, snapshot, clock } = this.#o;
    const now = clock();
    const points = books.flatMap((book) => {
      const bitcoin = snapshot.bitcoinOf(sourceOf(book));
      return [...book.accounts.values()].flatMap((account) => {
        const point = duePoint(book, account, snapshot.views, bitcoin, now);
        return point ? [{ book, account, point }] : [];
      });
    });
    const written = await writer.addPoints(points);
    for (const { book, account, point } of points) if (written.has(book.userId)) account.lastPointAt = point.at;
  }

  /** An account as an instant found it; `worth` is null where a mark of then is missing. */
  async #accountAt(book: UserBook, account: AccountBook, at: number): Promise<AccountThen> {
    const { reader, snapshot } = this.#o;
    const found = await reader.ledgerAt(account, at);
    const source = sourceOf(book);
    const marks = await snapshot.marksAt(at, found.positions, source);
    return { account, at, found, source, marks, worth: valuedBy(found, marks) };
  }

  async #addPointOf(book: UserBook, { account, at, found, source, marks, worth }: AccountThen): Promise<void> {
    const { writer, snapshot } = this.#o;
    const point = worth && pastPoint(book, account, found, worth, marks, at);
    if (point === null) return;
    const [own] = await writer.addPoints([{ book, point: { ...point, btc: snapshot.bitcoinIn(marks, source) } }]);
    if (own !== undefined) account.lastPointAt = Math.max(account.lastPointAt, at);
  }
}
