import { randomUUID } from 'node:crypto';
import type { Database } from '../base/db/client';
import type { Clock, Markets } from '../market/exchange';
import type { PaperVenue } from '../market/venue';
import { AccountRecord } from './accountRecord';
import { Alerting } from './alerting';
import { BookReader } from './bookReader';
import { BookStep } from './bookStep';
import { BookWriter } from './bookWriter';
import type { Desk, EngineNotice } from './desk';
import { EntryRunner } from './entryRunner';
import { FailureStreaks, HeldBooks } from './heldBooks';

import { Leases } from './lease';
import { Limits } from './limits';
import { MarketSnapshot } from './marketSnapshot';

import type { PairModels } from './pairModel';
import { TransferRunner } from './transferRunner';
import { isUrgent } from './turns';

export interface EngineOptions {
  db: Database;
  clock: Clock;
  markets: Markets;
  venue: PaperVenue;
  pairModels: PairModels;
  /** Names this process among the holders of leases. */
  holder?: string;
  /** Trades the books of these users alone. */
  only?: () => ReadonlySet<string>;
  newId?: () => string;
  monotonic?: () => number;
  /** Books processed concurrently: one waits for its venue while another goes on. 1 replays a seed in order. */
  sideBySide?: number;
  /** How long one book may act in one tick, ms of the monotonic clock; what is left to do comes with the next tick. */
  turnMs?: number;
  /** How often MAE, MFE and unhedged exposure are saved while nothing else happens, ms. */
  figuresEveryMs?: number;
  notify?: (notice: EngineNotice) => void;
  /** Told how long each tick took, ms. */
  onTick?: (ms: number) => void;
  /** Told of what went wrong: a class name and a code, never a message of a library. */
  onTrouble?: (what: string, userId: string | null) => void;
}

const TICK_MS = 1000;
const FIGURES_EVERY_MS = 60_000;
/** An engine that has finished no tick for so long cannot be relied on. */
const LATE_MS = 3 * TICK_MS;

/**
 * Trades the books whose lease this process holds. Clock, ids and market come from outside, so that a seed replays a
 * run.
 */
export class Engine implements Desk {
  readonly #o: EngineOptions;
  readonly #books: HeldBooks;
  readonly #failures: FailureStreaks;
  readonly #reader: BookReader;
  readonly #writer: BookWriter;
  readonly #snapshot: MarketSnapshot;
  readonly #record: AccountRecord;
  readonly #entryRunner: EntryRunner;
  readonly #step: BookStep;
  /** Users whose books the last tick has reached. */
  readonly #visited = new Set<string>();
  #figuresAt = 0;
  /** When a tick was finished last, by a clock that never goes back; undefined before the engine was started. */
  #finishedAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #ticking: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: EngineOptions) {
    this.#o = options;
    const { db, venue, clock, newId = randomUUID, holder = randomUUID(), notify = () => {}, onTrouble } = options;
    const leases = new Leases(db, { holder, monotonic: options.monotonic, only: options.only });
    const reader = new BookReader(db);
    const writer = new BookWriter(db, leases);
    const snapshot = new MarketSnapshot(options);
    const failures = new FailureStreaks({ writer, clock, notify });
    const books = new HeldBooks({ leases, reader, clock, failures, notify, onTrouble });
    const keepLeases = () => books.keepLeases();
    const record = new AccountRecord({ reader, writer, snapshot, clock });
    const alerting = new Alerting({ writer, clock });
    const shared = { writer, snapshot, venue, clock, newId, notify, keepLeases, alerting };
    const tradedSince = reader.tradedSince.bind(reader);
    const entryRunner = new EntryRunner({ ...shared, tradedSince });
    this.#books = books;
    this.#failures = failures;
    this.#reader = reader;
    this.#writer = writer;
    this.#snapshot = snapshot;
    this.#record = record;
    this.#entryRunner = entryRunner;
    this.#step = new BookStep({
      ...shared,
      reader,
      record,
      entryRunner,
      limits: new Limits({ reader, writer, snapshot, clock }),
      transferRunner: new TransferRunner({ writer, venue, clock, markets: options.markets }),
      holds: ({ userId, token }) => leases.tokenOf(userId) === token,
      turn: () => this.#turn(),
    });
  }

  /** Ticks once a second from now on; a slow tick delays the next one, none is caught up on. */
  start(): void {
    this.#finishedAt = performance.now();
    const loop = async () => {
      const began = performance.now();
      this.#ticking = this.tick();
      await this.#ticking;
      const took = performance.now() - began;
      this.#o.onTick?.(took);
      if (this.#stopped) return;
      this.#timer = setTimeout(() => void loop(), Math.max(0, TICK_MS - took));
      this.#timer.unref();
    };
    void loop();
  }

  /** Ends after the tick that runs, stores what is not stored yet and gives the leases back. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#ticking;
    await this.#books.idle();
    await this.#flushFigures();
    await this.#books.release();
  }

  /** Whether some deal is between two states, so that the next second matters. */
  get busy(): boolean {
    return this.#books.all.some(({ deals }) => [...deals.values()].some(({ state }) => state !== 'open'));
  }

  /** Whether it was started and has finished no tick for three intervals. */
  get isLate(): boolean {
    return this.#finishedAt !== undefined && performance.now() - this.#finishedAt > LATE_MS;
  }

  async tick(): Promise<void> {
    try {
      await this.#books.acquire();
      this.#entryRunner.allowAnew();
      await this.#snapshot.refresh(this.#books.sources());
      // An account that the paper venue cannot advance does not hold up the others.
      await this.#o.venue.advance(this.#books.accounts()).catch((error) => this.#books.report(error, null));
      await this.#stepAll();
      await this.#record.drawPoints(this.#books.all);
      const { clock, figuresEveryMs = FIGURES_EVERY_MS } = this.#o;
      if (clock() - this.#figuresAt >= figuresEveryMs) await this.#flushFigures();
      if (this.#finishedAt !== undefined) this.#finishedAt = performance.now();
    } catch (error) {
      this.#books.report(error, null);
    }
  }

  async wake(userId: string): Promise<void> {
    if (this.#stopped) return;
    await this.#books.acquireNow(userId);
    await this.#books.exclusively(userId, async () => {
      const book = this.#books.get(userId);
      if (!book) return;
      await this.#reader.refresh(book);
      await this.#snapshot.refresh(this.#books.sources());
      await this.#stepOf(userId);
    });
  }

  /** One pass over every book: urgent ones first, then those the last tick did not reach, then by the oldest entry. */
  async #stepAll(): Promise<void> {
    const users = this.#entryRunner.inOrder(this.#books.users.sort());
    const now = this.#o.clock();
    const isUrgentOf = (userId: string) => {
      const book = this.#books.get(userId);
      return book !== undefined && isUrgent(book, now);
    };
    const rank = (userId: string) => (isUrgentOf(userId) ? 0 : this.#visited.has(userId) ? 2 : 1);
    const ranked = users.map((userId) => ({ userId, rank: rank(userId) })).sort((a, b) => a.rank - b.rank);
    const waiting = ranked.map(({ userId }) => userId);
    this.#visited.clear();
    const seen = new Set(waiting);
    const work = async () => {
      for (let userId = waiting.shift(); userId !== undefined; userId = waiting.shift()) {
        const turn = userId;
        // Books taken over from another process come first.
        if (await this.#books.keepLeases()) {
          await this.#books.acquire();
          waiting.unshift(...this.#books.users.filter((each) => !seen.has(each)));
          for (const each of waiting) seen.add(each);
        }
        this.#visited.add(turn);
        await this.#books.exclusively(turn, () => this.#stepOf(turn));
      }
    };
    await Promise.all(Array.from({ length: this.#o.sideBySide ?? 1 }, work));
  }

  async #stepOf(userId: string): Promise<void> {
    const book = this.#books.get(userId);
    if (!book || !this.#books.isCurrent(userId)) return;
    await this.#step.pass(book);
    await this.#failures.succeeded(book);
  }

  /** Begins the turn of a book. @returns a function that says whether the turn is over */
  #turn(): () => boolean {
    const { monotonic = () => performance.now(), turnMs = Number.POSITIVE_INFINITY } = this.#o;
    const until = monotonic() + turnMs;
    return () => monotonic() >= until;
  }

  async #flushFigures(): Promise<void> {
    this.#figuresAt = this.#o.clock();
    await this.#writer.saveFigures(this.#books.all);
  }
}
