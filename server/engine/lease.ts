import {
  type Fenced,
  giveLeasesBack,
  LEASE_MS,
  lockAllHeld,
  lockHeld,
  type TakenLease,
  takeLeases,
} from '../base/db/books/lease';
import type { Database, Queries } from '../base/db/client';

const RENEW_MS = 1_500;
/** How often free leases are looked for. */
const CHECK_MS = 900;
/** A holder stops this much before its lease may run out, by its own clock. */
const MARGIN_MS = 1_500;

/** The lease of a book is not held any more: another process may write it. */
export class LeaseLost extends Error {
  constructor(readonly userId: string) {
    super(`the lease of book ${userId} is not held any more`);
    this.name = 'LeaseLost';
  }
}

/** An intent was written since the book was read: the entry was decided without it. */
export class IntentsMoved extends Error {
  constructor(readonly userId: string) {
    super(`the intents of book ${userId} have moved on`);
    this.name = 'IntentsMoved';
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
  #checkedAt = Number.NEGATIVE_INFINITY;

  constructor(db: Database, { holder, monotonic = () => performance.now(), only }: LeaseOptions) {
    this.#db = db;
    this.#holder = holder;
    this.#monotonic = monotonic;
    this.#only = only;
  }

  /**
   * Takes what is free and renews what is held, when it is time to. A book that somebody writes at this moment is left
   * for the next time: waiting for it would let the others run out.
   * @returns the users whose books another process held until it fell silent.
   */
  async keep(): Promise<string[]> {
    const asked = this.#monotonic();
    if (asked - this.#checkedAt < CHECK_MS) return [];
    const renews = asked - this.#renewedAt >= RENEW_MS;
    // Set before the query, so that concurrent callers do not ask too.
    this.#checkedAt = asked;
    if (renews) this.#renewedAt = asked;
    const rows = await this.#ask(renews).catch((error) => {
      this.hurry();
      throw error;
    });
    for (const { user_id, lease_token } of rows) {
      this.#held.set(user_id, { token: Number(lease_token), until: asked + LEASE_MS - MARGIN_MS });
    }
    for (const userId of this.#held.keys()) if (!this.holds(userId)) this.#held.delete(userId);
    // A book that was being written is asked for again next time.
    if (renews && rows.length < this.#held.size) this.#renewedAt = Number.NEGATIVE_INFINITY;
    return rows.flatMap(({ user_id, before }) => (before === null || before === this.#holder ? [] : [user_id]));
  }

  #ask(renews: boolean): Promise<TakenLease[]> {
    return takeLeases(this.#db, { holder: this.#holder, leaseMs: LEASE_MS, renews, only: this.#only?.() });
  }

  /** Asks again at the next `keep`, for instance for a book that was just made. */
  hurry(): void {
    this.#renewedAt = Number.NEGATIVE_INFINITY;
    this.#checkedAt = Number.NEGATIVE_INFINITY;
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

  /**
   * Within a transaction: locks the book and goes on only while this process is its one writer.
   * @param token of the lease under which the writer has read it: another one, taken since, vouches for nothing.
   * @throws LeaseLost
   */
  async fence(tx: Queries, userId: string, token = this.tokenOf(userId)): Promise<Fenced> {
    if (token === undefined || token !== this.tokenOf(userId)) throw new LeaseLost(userId);
    const row = await lockHeld(tx, { userId, holder: this.#holder, token });
    if (row === undefined) throw new LeaseLost(userId);
    return row;
  }

  /** The same for many books at once; those that are not held, or are written at this moment, are left out. */
  async fenceMany(tx: Queries, tokens: ReadonlyMap<string, number>): Promise<Set<string>> {
    const asked = [...tokens].flatMap(([userId, token]) => (token === this.tokenOf(userId) ? [userId] : []));
    if (asked.length === 0) return new Set();
    const rows = await lockAllHeld(tx, asked, this.#holder);
    return new Set(rows.filter(({ userId, token }) => tokens.get(userId) === token).map(({ userId }) => userId));
  }

  /** Gives everything back, so that the next holder need not wait. */
  async release(): Promise<void> {
    this.#held.clear();
    await giveLeasesBack(this.#db, this.#holder);
  }
}
