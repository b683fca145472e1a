import { Mutex } from 'async-mutex';
import type { Clock } from '../market/exchange';
import { TaskQueues } from '../market/taskQueues';
import type { BookReader } from './bookReader';
import type { BookWriter } from './bookWriter';
import type { EngineNotice } from './desk';
import { sourcesIn } from './figures';
import { SETTLE_ASSET } from './holdings';
import { LeaseLost, type Leases } from './lease';
import { runnerOf } from './runner';
import type { UserBook } from './tradingBook';

interface HeldBooksOptions {
  leases: Leases;
  reader: BookReader;
  clock: Clock;
  failures: FailureStreaks;
  notify: (notice: EngineNotice) => void;
  /** Told of what went wrong: a class name and a code, never a message of a library. */
  onTrouble: ((what: string, userId: string | null) => void) | undefined;
}

/** Sources of a book: what it may trade, and what its accounts hold or receive. */
export const sourcesOfBook = (book: UserBook): Set<string> => new Set([...tradedBy(book), ...heldBy(book)]);

/** The books whose leases this process holds, as it read them; one piece of work at a time on each. */
export class HeldBooks {
  readonly #o: HeldBooksOptions;
  readonly #books = new Map<string, UserBook>();
  readonly #queues = new TaskQueues();
  readonly #acquiring = new Mutex();

  constructor(options: HeldBooksOptions) {
    this.#o = options;
  }

  get all(): UserBook[] {
    return [...this.#books.values()];
  }

  get users(): string[] {
    return [...this.#books.keys()];
  }

  get(userId: string): UserBook | undefined {
    return this.#books.get(userId);
  }

  /** One after the other: a book must not be read twice at once. */
  acquire(): Promise<void> {
    return this.#acquiring.runExclusive(() => this.#read());
  }

  /** Takes the lease of a user's book now, if it is free. */
  async acquireNow(userId: string): Promise<void> {
    const { leases } = this.#o;
    if (leases.holds(userId)) return;
    leases.hurry();
    await this.acquire();
  }

  /**
   * Renews leases when due; called often, as a tick may be longer than a lease.
   * @returns whether books of another process were taken over
   */
  async keepLeases(): Promise<boolean> {
    const taken = await this.#o.leases.keep();
    for (const userId of taken) this.#o.notify({ kind: 'takenOver', userId });
    return taken.length > 0;
  }

  /** Runs `work` when nothing else works on this book. */
  async exclusively(userId: string, work: () => Promise<void>): Promise<void> {
    await this.#queues.run(userId, () => work().catch((error) => this.#failed(error, userId)));
  }

  /** Reports an error. @returns a class name and a code */
  report(error: unknown, userId: string | null): string {
    if (error instanceof LeaseLost) this.#o.leases.hurry();
    const { name, code, cause } = error as { name?: string; code?: string; cause?: { code?: string } };
    const what = [name ?? 'Error', code ?? cause?.code].filter(Boolean).join(' ');
    this.#o.onTrouble?.(what, userId);
    return what;
  }

  /** After an error the book in memory may differ from the one in the database: the next tick reads it again. */
  async #failed(error: unknown, userId: string): Promise<void> {
    const book = this.#books.get(userId);
    this.#books.delete(userId);
    const what = this.report(error, userId);
    if (book) await this.#o.failures.failed(book, error, what).catch((unwritten) => this.report(unwritten, userId));
  }

  /** Whether nobody else can have written the book since it was read. */
  isCurrent(userId: string): boolean {
    const token = this.#o.leases.tokenOf(userId);
    return token !== undefined && token === this.#books.get(userId)?.token;
  }

  /** Ids of the accounts of all books. */
  accounts(): Set<string> {
    return new Set(this.all.flatMap(({ accounts }) => [...accounts.keys()]));
  }

  /** Sources that some book has to do with. */
  sources(): Set<string> {
    return new Set(this.all.flatMap((book) => [...sourcesOfBook(book)]));
  }

  /** Resolves when nothing works on any book. */
  idle(): Promise<void> {
    return this.#queues.idle();
  }

  /** Gives the books and their leases back. */
  async release(): Promise<void> {
    this.#books.clear();
    await this.#o.leases.release();
  }

  async #read(): Promise<void> {
    const { leases, reader, clock } = this.#o;
    await this.keepLeases();
    const users = leases.users;
    for (const userId of this.#books.keys()) if (!this.isCurrent(userId)) this.#books.delete(userId);
    const missing = users.filter((userId) => !this.#books.has(userId));
    // Work on the book as read before finishes first.
    await Promise.all(missing.map((userId) => this.#queues.idle(userId)));
    // By the lease from before the reading: one that is taken anew meanwhile needs another reading.
    const tokens = new Map(missing.map((userId) => [userId, leases.tokenOf(userId)] as const));
    const held = new Map([...tokens].flatMap(([userId, token]) => (token === undefined ? [] : [[userId, token]])));
    for (const book of await reader.load(held, clock())) this.#books.set(book.userId, book);
    if (users.length === 0) return;
    const { revisions, pausedForAll } = await reader.pulse(users);
    for (const { userId, revision, blocked } of revisions) {
      const book = this.#books.get(userId);
      const isMoved = book?.revision !== revision || book.blocked !== blocked;
      if (book && (isMoved || book.pausedForAll?.at !== pausedForAll?.at)) {
        await this.exclusively(userId, () => reader.refresh(book));
      }
    }
  }
}

/** Where the strategies and the deals of a book trade. */
function tradedBy({ strategies, deals }: UserBook): string[] {
  const named = [...strategies.values()].flatMap(({ kind, params, targets }) => [
    ...(params === null ? [] : runnerOf(kind).sources(params)),
    ...targets.flatMap(({ legs }) => legs.map(({ source }) => source)),
  ]);
  return [...named, ...[...deals.values()].flatMap(({ legs }) => Object.values(legs).map(({ source }) => source))];
}

/** Where its accounts hold something, and where a coin is on its way from and to. */
function heldBy({ accounts, transfers }: UserBook): string[] {
  const coins = [...transfers.values()].filter(({ asset }) => asset !== SETTLE_ASSET);
  const ends = coins.flatMap(({ fromId, toId }) => [accounts.get(fromId), accounts.get(toId)]);
  return [
    ...[...accounts.values()].flatMap(({ positions }) => [...sourcesIn(positions)]),
    ...ends.flatMap((end) => (end === undefined ? [] : [end.venue])),
  ];
}

interface FailureStreaksOptions {
  writer: BookWriter;
  clock: Clock;
  notify: (notice: EngineNotice) => void;
}

/** Failed passes in a row until an alarm is raised, and successful ones until it ends. */
const STREAK = 3;

/**
 * Counts failed passes per book, outside the book, which is read anew after each failure. The alarm is saved where
 * every process reads it.
 */
export class FailureStreaks {
  readonly #o: FailureStreaksOptions;
  /** Positive: failures in a row; negative: successes in a row since the alarm. */
  readonly #rows = new Map<string, number>();

  constructor(options: FailureStreaksOptions) {
    this.#o = options;
  }

  /** A pass over a book has failed. @param what a class name and a code */
  async failed(book: UserBook, error: unknown, what: string): Promise<void> {
    const { userId, user } = book;
    // The book is another process's now.
    if (error instanceof LeaseLost) return void this.#rows.delete(userId);
    const streak = Math.max(0, this.#rows.get(userId) ?? 0) + 1;
    this.#rows.set(userId, streak);
    if (streak < STREAK || book.isFailing) return;
    const { writer, clock, notify } = this.#o;
    await writer.noteFailing(book, what, clock());
    const text = `${user} 的账户连续 ${streak} 次处理失败（${what}）：不记账，不开仓也不平仓，止损不执行`;
    notify({ kind: 'alarm', userId, level: 'error', text });
  }

  async succeeded(book: UserBook): Promise<void> {
    const { userId } = book;
    const well = Math.min(0, this.#rows.get(userId) ?? 0) - 1;
    if (book.isFailing) this.#rows.set(userId, well);
    else this.#rows.delete(userId);
    if (!book.isFailing || -well < STREAK) return;
    await this.#o.writer.noteRecovered(book, this.#o.clock());
    this.#rows.delete(userId);
  }
}
