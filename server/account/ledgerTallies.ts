import Big from 'big.js';
import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '#contract/duration';
import { ledgerAfter } from '../db/account';
import type { Database } from '../db/client';
import { type SourceSymbol, symbolKey } from '../exchange/symbolKey';

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
/** After so long it is cheaper to add up one ledger than to look through what everybody booked since. */
const KEPT_MS = HOUR_MS;
const KEPT = 1_000;

const COLUMNS = ['cash', 'quantity', 'transfers', 'moved', 'funding', 'fees'] as const;

const keyOf = (row: SourceSymbol & { accountId: string }): string => `${row.accountId} ${symbolKey(row)}`;

/**
 * Sums over whole ledgers, kept so that a reading every few seconds adds only what is new: ledger rows are only ever
 * added, a user's by one writer at a time.
 */
export class LedgerTallies {
  readonly #db: Database;
  readonly #kept = new LRUCache<string, Tally>({ max: KEPT, ttl: KEPT_MS });

  constructor(db: Database) {
    this.#db = db;
  }

  async of(userId: string): Promise<LedgerSums[]> {
    const known = this.#kept.get(userId) ?? NOTHING;
    const rows = await ledgerAfter(this.#db, userId, known.lastId);
    const byKey = new Map(known.byKey);
    for (const row of rows) byKey.set(keyOf(row), added(byKey.get(keyOf(row)), row));
    const lastId = rows.reduce((last, row) => Math.max(last, row.lastId), known.lastId);
    // Another reading may have come further meanwhile.
    if (lastId >= (this.#kept.get(userId)?.lastId ?? 0)) this.#kept.set(userId, { lastId, byKey });
    return [...byKey.values()];
  }
}

type Row = Awaited<ReturnType<typeof ledgerAfter>>[number];

function added(before: LedgerSums | undefined, row: Row): LedgerSums {
  const sums = Object.fromEntries(COLUMNS.map((name) => [name, new Big(row[name]).plus(before?.[name] ?? 0)]));
  return {
    accountId: row.accountId,
    source: row.source,
    symbol: row.symbol,
    ...(sums as Record<(typeof COLUMNS)[number], Big>),
  };
}
