import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Database, Queries } from '../db/client';
import { book } from '../db/schema';

/** A lease that is not renewed ends after this long, by the database's clock. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** By its own clock a holder stops this much before its lease may have run out. */
const MARGIN_MS = 3_000;

const databaseNow = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Somebody else writes this book now, or may: nothing more goes out for it from here. */
export class LeaseLost extends Error {
  constructor(readonly userId: string) {
    super(`the lease of book ${userId} is not held any more`);
    this.name = 'LeaseLost';
  }
}

interface Held {
  token: number;
  /** By this process's monotonic clock, ms. */
  until: number;
}

interface LeaseOptions {
  /** Names the process. */
  holder: string;
  /** A clock that never goes back, ms. */
  monotonic?: (() => number) | undefined;
  /** The users whose books are wanted; those of all when it is not given. */
  only?: (() => ReadonlySet<string>) | undefined;
}

/** One writer a book: leases by the database's clock with a fencing token that moves on with each change of holder. */
export class Leases {
  readonly #db: Database;
  readonly #holder: string;
  readonly #monotonic: () => number;
  readonly #only: (() => ReadonlySet<string>) | undefined;
  readonly #held = new Map<string, Held>();
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(db: Database, { holder, monotonic = () => performance.now(), only }: LeaseOptions) {
    this.#db = db;
    this.#holder = holder;
    this.#monotonic = monotonic;
    this.#only = only;
  }

  /** Takes what is free and renews what is held, when it is time to. @returns whether it asked the database. */
  async keep(): Promise<boolean> {
    const asked = this.#monotonic();
    if (asked - this.#renewedAt < RENEW_MS) return false;
    const wanted = this.#only ? inArray(book.userId, [...this.#only()]) : sql`true`;
    const rows = await this.#db.execute<{ user_id: string; lease_token: string | number }>(sql`
      update ${book} set
        lease_token = case when lease_holder = ${this.#holder} and lease_until > ${databaseNow} then lease_token else lease_token + 1 end,
        lease_holder = ${this.#holder},
        lease_until = ${databaseNow} + ${LEASE_MS}
      where ${wanted} and (lease_holder = ${this.#holder} or lease_holder is null or lease_until <= ${databaseNow})
      returning user_id, lease_token`);
    this.#renewedAt = asked;
    this.#held.clear();
    for (const row of rows.rows) {
      this.#held.set(row.user_id, { token: Number(row.lease_token), until: asked + LEASE_MS - MARGIN_MS });
    }
    return true;
  }

  /** Asks again at the next `keep`, for instance for a book that was just made. */
  hurry(): void {
    this.#renewedAt = Number.NEGATIVE_INFINITY;
  }

  holds(userId: string): boolean {
    const held = this.#held.get(userId);
    return held !== undefined && this.#monotonic() < held.until;
  }

  /** The token of a lease that is held; it moves on when somebody else held the book in between. */
  tokenOf(userId: string): number | undefined {
    return this.holds(userId) ? this.#held.get(userId)?.token : undefined;
  }

  get users(): string[] {
    return [...this.#held.keys()].filter((userId) => this.holds(userId));
  }

  /** Within a transaction: goes on only while this process is the one writer. @throws LeaseLost */
  async fence(tx: Queries, userId: string): Promise<void> {
    const held = this.#held.get(userId);
    if (held === undefined || this.#monotonic() >= held.until) throw new LeaseLost(userId);
    const rows = await tx
      .select({ token: book.leaseToken })
      .from(book)
      .where(and(eq(book.userId, userId), eq(book.leaseHolder, this.#holder), eq(book.leaseToken, held.token)))
      .for('update');
    if (rows.length === 0) throw new LeaseLost(userId);
  }

  /** Gives everything back, so that the next holder need not wait. */
  async release(): Promise<void> {
    this.#held.clear();
    await this.#db.update(book).set({ leaseHolder: null, leaseUntil: 0 }).where(eq(book.leaseHolder, this.#holder));
  }
}
