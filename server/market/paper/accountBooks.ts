import {
  activePaperAccounts,
  changedPaperAccounts,
  commitPaperChange,
  paperAccountOf,
  paperRevision,
  type StoredAccount,
} from '../../base/db/accounts/paperAccount';
import type { Queries } from '../../base/db/client';
import type { Clock } from '../exchange';
import { TaskQueues } from '../taskQueues';
import { VenueRefused } from '../venue';
import { AccountChange } from './accountChange';
import { accountOf, hourOf, nextDueOf, type PaperAccount, sourcesOf } from './margin';
import type { MarketFeed } from './marketFeed';

interface Dependencies {
  db: Queries;
  clock: Clock;
  feed: MarketFeed;
  /** Other processes change accounts too: what is in memory is compared before it is used. */
  shared: () => boolean;
}

/** How often a change that met another process's is worked out anew. */
const ATTEMPTS = 5;

/** All accounts in memory, as they were committed last, and the only way to change one: one change after the other. */
export class AccountBooks {
  readonly #deps: Dependencies;
  readonly #accounts = new Map<string, PaperAccount>();
  readonly #queues = new TaskQueues();
  /** The newest event of an account that this process did itself, or took note of. */
  readonly #own = new Map<string, number>();
  /** Accounts that others may have changed since that event. */
  readonly #others = new Map<string, number>();
  #active: Promise<void> | undefined;
  /** Every source that an account had to do with so far: collecting them each second would cost more than it saves. */
  readonly sources = new Set<string>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Runs after everything that was asked of the account before. */
  inTurn<T>(account: string, task: () => Promise<T>): Promise<T> {
    return this.#queues.run(account, task);
  }

  /** The event after which another process may have done more to the account than is taken note of; undefined: none did. */
  othersSince(account: string): number | undefined {
    return this.#others.get(account);
  }

  /** What others did to it up to an event is taken note of. */
  noteOthers({ account, sequence }: PaperAccount): void {
    this.#own.set(account, sequence);
    this.#others.delete(account);
  }

  /** The account as it was committed last. @throws VenueRefused when it was never opened. */
  async read(account: string): Promise<PaperAccount> {
    const known = this.#accounts.get(account);
    if (known && !this.#deps.shared()) return known;
    return this.inTurn(account, () => this.#current(account));
  }

  /** Of the accounts that are asked for, or of all, those that time can change. */
  async active(asked?: ReadonlySet<string>): Promise<PaperAccount[]> {
    this.#active ??= this.#loadActive();
    await this.#active;
    if (this.#deps.shared()) await this.#readChanged(asked);
    const all = [...this.#accounts.values()].filter(({ account }) => asked?.has(account) ?? true);
    return all.filter(
      ({ positions, resting, awaitsFunding }) => positions.size > 0 || resting.size > 0 || awaitsFunding,
    );
  }

  /**
   * Works a change out and commits it; to be called in turn. What `work` answers counts once the change is
   * committed; where another process was faster it is called again with the newer account.
   * @throws whatever `work` throws: then nothing happened.
   */
  async change<T>(account: string, work: (change: AccountChange) => Promise<T>): Promise<T> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const before = await this.#current(account);
      const change = new AccountChange(before, this.#deps.clock());
      const answer = await work(change);
      if (await this.#commit(change)) return answer;
      this.#accounts.delete(account);
    }
    throw new Error('the account keeps changing under the venue');
  }

  /** @returns false when the account was not any more as the change began. */
  async #commit(change: AccountChange): Promise<boolean> {
    const { before, cash, sequence, fundedUntil, awaitsFunding, positions, resting } = change;
    if (!change.isEmpty) {
      const commit = await this.#write(change);
      if (commit === 'known') throw new VenueRefused('duplicateClientId');
      if (commit === 'stale') return false;
    }
    const after = { account: before.account, cash, sequence, fundedUntil, awaitsFunding, positions, resting };
    const boards = await this.#deps.feed.boards(sourcesOf({ ...before, ...after })).catch(() => new Map());
    // A settlement may have passed since the change began; the boards announce only those to come.
    this.#own.set(after.account, after.sequence);
    const isSameHour = hourOf(change.now) === hourOf(this.#deps.clock());
    this.#keep({
      ...after,
      revision: change.isEmpty ? before.revision : before.revision + 1,
      dueAt: isSameHour ? nextDueOf(after, boards, change.now) : 0,
    });
    return true;
  }

  /** Takes up an account as the database has it: nobody knows who brought it there. */
  #take(stored: StoredAccount): PaperAccount {
    const loaded = accountOf(stored);
    if (!this.#others.has(loaded.account)) this.#others.set(loaded.account, this.#own.get(loaded.account) ?? 0);
    this.#keep(loaded);
    return loaded;
  }

  #keep(account: PaperAccount): void {
    this.#accounts.set(account.account, account);
    for (const source of sourcesOf(account)) this.sources.add(source);
  }

  async #write(change: AccountChange) {
    try {
      return await commitPaperChange(this.#deps.db, change);
    } catch (error) {
      // Nobody knows whether it was written: the database is asked before the next word.
      this.#accounts.delete(change.before.account);
      this.#active = undefined;
      throw error;
    }
  }

  async #current(account: string): Promise<PaperAccount> {
    const known = this.#accounts.get(account);
    const { db, shared } = this.#deps;
    if (known && (!shared() || (await paperRevision(db, account)) === known.revision)) return known;
    const stored = await paperAccountOf(db, account);
    // Never opened: for certain nothing happens to it.
    if (!stored) throw new VenueRefused('rejected');
    return this.#take(stored);
  }

  async #loadActive(): Promise<void> {
    try {
      for (const stored of await activePaperAccounts(this.#deps.db)) {
        if (!this.#accounts.has(stored.account)) this.#take(stored);
      }
    } catch (error) {
      this.#active = undefined;
      throw error;
    }
  }

  /** What other processes changed. */
  async #readChanged(asked: ReadonlySet<string> | undefined): Promise<void> {
    const known = new Map([...this.#accounts].map(([account, { revision }]) => [account, revision]));
    if (asked) for (const account of known.keys()) if (!asked.has(account)) known.delete(account);
    for (const stored of await changedPaperAccounts(this.#deps.db, known, asked)) {
      const own = this.#accounts.get(stored.account);
      // One that was changed here meanwhile is newer than what was read.
      if (own === undefined || own.revision < stored.revision) this.#take(stored);
    }
  }
}
