import Big from 'big.js';
import { LRUCache } from 'lru-cache';
import { type BookedSince, ledgerAfter } from '../../base/db/accounts/account';
import type { Database } from '../../base/db/client';
import { grouped } from '../../base/db/strategies/statistic';
import { type SourceSymbol, symbolKey } from '../../base/symbolKey';

/** The sums of an account's ledger in one symbol (without a symbol: transfers); exact. */
export interface LedgerSums extends SourceSymbol {
  accountId: string;
  cash: Big;
  quantity: Big;
  transfers: Big;
  /** Came from other accounts of the user less what went there. */
  moved: Big;
  funding: Big;
  /** Negative, as booked. */
  fees: Big;
}

interface Tally {
  lastId: number;
  byKey: ReadonlyMap<string, LedgerSums>;
}

const NOTHING: Tally = { lastId: 0, byKey: new Map() };
const KEPT = 5_000;

const COLUMNS = ['cash', 'quantity', 'transfers', 'moved', 'funding', 'fees'] as const;

const keyOf = (row: SourceSymbol & { accountId: string }): string => `${row.accountId} ${symbolKey(row)}`;

/**
 * Sums over whole ledgers, kept so that a reading every few seconds adds only what is new: ledger rows are only ever
 * added, a user's by one writer at a time.
 */
export class LedgerTallies {
  readonly #db: Database;
  readonly #kept = new LRUCache<string, Tally>({ max: KEPT });

  constructor(db: Database) {
    this.#db = db;
  }

  async of(userId: string): Promise<LedgerSums[]> {
    return (await this.ofAll([userId])).get(userId)!;
  }

  /** Of each of these users, in one statement. */
  async ofAll(userIds: readonly string[]): Promise<Map<string, LedgerSums[]>> {
    const known = new Map(userIds.map((userId) => [userId, this.#kept.get(userId) ?? NOTHING]));
    const places = [...known].map(([userId, { lastId }]) => ({ userId, after: lastId }));
    const booked = grouped(await ledgerAfter(this.#db, places), ({ userId }) => userId);
    return new Map([...known].map(([userId, tally]) => [userId, this.#moved(userId, tally, booked.get(userId) ?? [])]));
  }

  /** What is known of a user with what was booked since. */
  #moved(userId: string, known: Tally, rows: readonly BookedSince[]): LedgerSums[] {
    const byKey = new Map(known.byKey);
    for (const row of rows) byKey.set(keyOf(row), added(byKey.get(keyOf(row)), row));
    const lastId = rows.reduce((last, row) => Math.max(last, row.lastId), known.lastId);
    // Another reading may have come further meanwhile.
    if (lastId >= (this.#kept.get(userId)?.lastId ?? 0)) this.#kept.set(userId, { lastId, byKey });
    return [...byKey.values()];
  }
}

function added(before: LedgerSums | undefined, row: BookedSince): LedgerSums {
  const sums = Object.fromEntries(COLUMNS.map((name) => [name, new Big(row[name]).plus(before?.[name] ?? 0)]));
  return {
    accountId: row.accountId,
    source: row.source,
    symbol: row.symbol,
    ...(sums as Record<(typeof COLUMNS)[number], Big>),
  };
}
