import { Mutex } from 'async-mutex';
import type { Clock } from '../exchange/exchange';
import { TaskQueues } from '../exchange/taskQueues';
import type { BookReader } from './bookReader';
import { runnerOf } from './kinds';
import { LeaseLost, type Leases } from './lease';
import type { EngineNotice } from './notice';
import type { UserBook } from './tradingBook';

interface HeldBooksOptions {
  leases: Leases;
  reader: BookReader;
  clock: Clock;
  notify: (notice: EngineNotice) => void;
  /** Told of what went wrong: a class name and a code, never a message of a library. */
  onTrouble: ((what: string, userId: string | null) => void) | undefined;
}

/** The books whose leases this process holds, as it read them; one piece of work at a time on each. */
export class HeldBooks {
  readonly #o: HeldBooksOptions;
  readonly #books = new Map<string, UserBook>();
  readonly #queues = new TaskQueues();
  readonly #taking = new Mutex();

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

  /** One after the other: a book that was read twice would be traded from what the second reading did not see yet. */
  take(): Promise<void> {
    return this.#taking.runExclusive(() => this.#read());
  }

  /** Takes the lease of a user's book now, if it is free. */
  async takeSoon(userId: string): Promise<void> {
    const { leases } = this.#o;
    if (leases.holds(userId)) return;
    leases.hurry();
    await this.take();
  }

  /** Asked again and again: a tick may be longer than a lease. @returns whether books of another process were taken. */
  async keepLeases(): Promise<boolean> {
    const taken = await this.#o.leases.keep();
    for (const userId of taken) this.#o.notify({ kind: 'takenOver', userId });
    return taken.length > 0;
  }

  /** Runs `work` when nothing else works on this book. */
  async alone(userId: string, work: () => Promise<void>): Promise<void> {
    await this.#queues.run(userId, () => work().catch((error) => this.trouble(error, userId)));
  }

  /** After an error the book in memory may differ from the one in the database: the next tick reads it again. */
  trouble(error: unknown, userId: string | null): void {
    if (userId !== null) this.#books.delete(userId);
    if (error instanceof LeaseLost) this.#o.leases.hurry();
    const { name, code } = error as { name?: string; code?: string };
    this.#o.onTrouble?.([name ?? 'Error', code].filter(Boolean).join(' '), userId);
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
    const sources = new Set<string>();
    for (const { strategies, deals } of this.#books.values()) {
      for (const { kind, params, targets } of strategies.values()) {
        if (params) for (const source of runnerOf(kind).sources(params)) sources.add(source);
        for (const { source } of targets.flatMap(({ legs }) => legs)) sources.add(source);
      }
      for (const { legs } of deals.values()) for (const { source } of Object.values(legs)) sources.add(source);
    }
    return sources;
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
    // What still works on the book as it was before is written first.
    await Promise.all(missing.map((userId) => this.#queues.idle(userId)));
    // By the lease of before the reading: one that is taken anew meanwhile asks for another.
    const tokens = new Map(missing.map((userId) => [userId, leases.tokenOf(userId)] as const));
    const held = new Map([...tokens].flatMap(([userId, token]) => (token === undefined ? [] : [[userId, token]])));
    for (const book of await reader.load(held, clock())) this.#books.set(book.userId, book);
    if (users.length === 0) return;
    const { revisions, pausedForAll } = await reader.pulse(users);
    for (const { userId, revision, blocked } of revisions) {
      const book = this.#books.get(userId);
      const isMoved = book?.revision !== revision || book.blocked !== blocked;
      if (book && (isMoved || book.pausedForAll?.at !== pausedForAll?.at)) {
        await this.alone(userId, () => reader.refresh(book));
      }
    }
  }
}
