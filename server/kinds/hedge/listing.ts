import { LRUCache } from 'lru-cache';
import type { DataOf, QueryOf } from '#contract/endpoint';
import type { HedgeRow, hedge } from '#contract/kinds/hedge/desk';
import type { User } from '#contract/user';
import { type HedgeRecord, runningHedges } from '../../base/db/hedges/hedge';
import {
  type EndedSums,
  endedPage,
  endedStamp,
  endedSums,
  type HedgeFilter,
  type HedgeSort,
  isHedgeSortField,
} from '../../base/db/hedges/hedgeList';
import { invalid } from '../../base/http/refusal';
import type { DeskDeps } from '../../desk/deps';
import { liveRows } from './liveRows';
import { type Keyed, mergedPage, sortKeyOf } from './mergedPage';
import { hedgeRow } from './row';
import { hedgeTotals } from './totals';

type Query = QueryOf<typeof hedge.list>;
type Needs = Pick<DeskDeps, 'db' | 'markets' | 'pairModels'>;

const NO_SUMS: EndedSums = {
  hedges: 0,
  notional: 0,
  margin: 0,
  longPnl: 0,
  shortPnl: 0,
  funding: 0,
  fees: 0,
  slippage: 0,
  net: 0,
  naked: 0,
  closed: 0,
  wins: 0,
  losses: 0,
  won: 0,
  lost: 0,
  heldMs: 0,
};
/** What has ended needs no price. */
const NO_PRICE = { long: undefined, short: undefined };

function sortOf(sort = '-createdAt'): HedgeSort {
  const descending = sort.startsWith('-');
  const field = descending ? sort.slice(1) : sort;
  if (!isHedgeSortField(field)) throw invalid('sort', `不能按 ${field} 排序`);
  return { field, descending };
}

const filterOf = ({ start, end, pairId, symbol, side, reason, pnl, hasNote }: Query): HedgeFilter => ({
  ...(start === undefined ? {} : { start }),
  ...(end === undefined ? {} : { end }),
  ...(pairId === undefined ? {} : { pairId }),
  ...(symbol === undefined ? {} : { symbol }),
  ...(side === undefined ? {} : { side }),
  ...(reason === undefined ? {} : { reason }),
  ...(pnl === undefined ? {} : { pnl }),
  ...(hasNote === undefined ? {} : { hasNote }),
});

/** The same choice as the database makes of ended ones, for rows whose figures live. */
function passes(row: HedgeRow, { start, end, pairId, symbol, side, reason, pnl, hasNote }: HedgeFilter): boolean {
  const from = row.openedAt ?? row.createdAt;
  const symbols = side === undefined ? [row.long, row.short] : [row[side]];
  return (
    (start === undefined || from >= start) &&
    (end === undefined || from <= end) &&
    (pairId === undefined || row.pairId === pairId.toLowerCase()) &&
    (symbol === undefined || symbols.includes(symbol)) &&
    (reason === undefined || row.closeReason === reason) &&
    (pnl === undefined || (row.net !== null && (pnl === 'profit' ? row.net > 0 : row.net < 0))) &&
    (hasNote === undefined || (row.note !== '') === hasNote)
  );
}

/** Sums of what has ended stay as they are until another hedge ends; only notes are written afterwards. */
const kept = new WeakMap<DeskDeps['db'], LRUCache<string, EndedSums>>();

async function sumsOf(db: DeskDeps['db'], userId: string, filter: HedgeFilter, runningIds: string): Promise<EndedSums> {
  if (filter.hasNote !== undefined) return endedSums(db, userId, filter);
  const cache = kept.get(db) ?? new LRUCache<string, EndedSums>({ max: 500 });
  kept.set(db, cache);
  // A hedge that ends leaves the running ones; one that came and went meanwhile moved the stamp.
  const key = JSON.stringify([userId, filter, runningIds, await endedStamp(db, userId)]);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const sums = await endedSums(db, userId, filter);
  cache.set(key, sums);
  return sums;
}

/** Margin of the running rows that the filter lets through, USDT. */
function marginOf(records: readonly HedgeRecord[], live: readonly HedgeRow[]): number {
  const leverages = new Map(records.map(({ id, settings }) => [id, settings.leverage]));
  return live.reduce((sum, { id, notional }) => sum + notional / (leverages.get(id) ?? 1), 0);
}

/**
 * A page of a user's records with totals over all that the filter lets through. Ended hedges are filtered, sorted and
 * cut by the database; the running ones, which are few and whose figures live, are put between them here.
 * @throws 400 at `sort` for a field that cannot be sorted by.
 */
export async function hedgeListing(
  { db, markets, pairModels }: Needs,
  user: User,
  query: Query,
  now: number,
): Promise<DataOf<typeof hedge.list>> {
  const sort = sortOf(query.sort);
  const filter = filterOf(query);
  const records = await runningHedges(db, user.id);
  const all = query.state === 'ended' ? [] : await liveRows({ markets, pairModels }, records, now);
  const live = all.filter((row) => passes(row, filter));
  const withEnded = query.state !== 'running';
  const runningIds = records.map(({ id }) => id).join();
  const sums = withEnded ? await sumsOf(db, user.id, filter, runningIds) : NO_SUMS;
  const first = (query.current - 1) * query.pageSize;
  const read = async (offset: number, limit: number): Promise<Keyed<HedgeRow>[]> => {
    if (!withEnded || offset >= sums.hedges) return [];
    const found = await endedPage(db, { userId: user.id, user: user.name }, filter, sort, { offset, limit });
    return found.map(({ record, key }) => ({ id: record.id, key, row: hedgeRow(record, NO_PRICE, null, now) }));
  };
  const between = live.map((row) => ({ id: row.id, key: sortKeyOf(row, sort.field), row }));
  return {
    list: await mergedPage(between, read, sort.descending, first, query.pageSize),
    total: sums.hedges + live.length,
    totals: hedgeTotals(sums, live, marginOf(records, live)),
    at: now,
  };
}
