import { LRUCache } from 'lru-cache';
import { HOUR_MS } from '#contract/duration';
import type { DataOf, QueryOf } from '#contract/endpoint';
import type { HedgeRow, HedgeTotals, hedge } from '#contract/kinds/hedge/desk';
import type { StrategyMode } from '#contract/strategy';
import type { User } from '#contract/user';
import { type HedgeRecord, hedgesInNeed, runningHedges } from '../../base/db/hedges/hedge';
import {
  type EndedSums,
  endedPage,
  endedStamp,
  endedSums,
  type HedgeFilter,
  type HedgeSort,
  type HedgeSortField,
  isHedgeSortField,
} from '../../base/db/hedges/hedgeList';
import { invalid } from '../../base/http/refusal';
import { returnOnCapital, returnOnNotional } from '../../base/maths/hedge';
import { FEWEST_TRADES } from '../../base/maths/performance';
import type { DeskDeps } from '../../desk/deps';
import { marketsNow } from '../../desk/symbol/marketNow';
import { liveRows, pairPrice } from './liveRows';
import { hedgeRow } from './row';
import { withStanding } from './standing';

type Query = QueryOf<typeof hedge.list>;
type Needs = Pick<DeskDeps, 'db' | 'markets' | 'pairModels' | 'venue'>;

const NO_SUMS: EndedSums = {
  rows: 0,
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

async function sumsOf(
  db: DeskDeps['db'],
  userId: string,
  filter: HedgeFilter,
  mode: StrategyMode,
  runningIds: string,
): Promise<EndedSums> {
  if (filter.hasNote !== undefined) return endedSums(db, userId, filter, mode);
  const cache = kept.get(db) ?? new LRUCache<string, EndedSums>({ max: 500 });
  kept.set(db, cache);
  // A hedge that ends leaves the running ones; one that came and went meanwhile moved the stamp.
  const key = JSON.stringify([userId, filter, mode, runningIds, await endedStamp(db, userId)]);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const sums = await endedSums(db, userId, filter, mode);
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
  { db, markets, pairModels, venue }: Needs,
  user: User,
  query: Query,
  now: number,
): Promise<DataOf<typeof hedge.list>> {
  const sort = sortOf(query.sort);
  const filter = filterOf(query);
  const records = await runningHedges(db, user.id);
  const all = query.state === 'ended' ? [] : await liveRows({ markets, pairModels }, records, now);
  const shown = all.filter((row) => passes(row, filter));
  // What closing would leave is asked of the venues' books: of all that run only where they are ordered by it.
  const standing = (rows: readonly HedgeRow[]) => withStanding({ db, venue, markets }, rows);
  const byStanding = sort.field === 'netClosed';
  const live = byStanding ? await standing(shown) : shown;
  const withEnded = query.state !== 'running';
  const runningIds = records.map(({ id }) => id).join();
  const sumsIn = async (mode: StrategyMode) => (withEnded ? sumsOf(db, user.id, filter, mode, runningIds) : NO_SUMS);
  const onPaper = await sumsIn('paper');
  const isReal = onPaper.hedges === 0 && live.every(({ mode }) => mode === 'live') && onPaper.rows + live.length > 0;
  const mode = isReal ? 'live' : 'paper';
  const sums = isReal ? await sumsIn(mode) : onPaper;
  const own = live.filter((row) => row.mode === mode);
  const first = (query.current - 1) * query.pageSize;
  const read = async (offset: number, limit: number): Promise<Keyed<HedgeRow>[]> => {
    if (!withEnded || offset >= sums.rows) return [];
    const found = await endedPage(db, { userId: user.id, user: user.name }, filter, sort, { offset, limit });
    return found.map(({ record, key }) => ({ id: record.id, key, row: hedgeRow(record, NO_PRICE, null, now) }));
  };
  const between = live.map((row) => ({ id: row.id, key: sortKeyOf(row, sort.field), row }));
  const page = await mergedPage(between, read, sort.descending, first, query.pageSize);
  return {
    list: byStanding ? page : await standing(page),
    total: sums.rows + live.length,
    totals: { mode, ...hedgeTotals(sums, own, marginOf(records, own)) },
    at: now,
  };
}

/** Everybody's running hedges that need a person, as they are now. */
export async function attentionList(
  { db, markets }: Pick<DeskDeps, 'db' | 'markets'>,
  now: number,
): Promise<DataOf<typeof hedge.attention>> {
  const found = await hedgesInNeed(db);
  const named = found.map(({ record }) => record.source);
  const sources = await marketsNow(markets, named, now);
  const list = found.map(({ record, blocked, wrongSide }) => {
    // What the pair's relation is does not matter here.
    const row = hedgeRow(record, pairPrice(sources.get(record.source), record), null, now);
    const { id, userId, user, source, long, short, state, frozen, notional, net, createdAt, stateAt } = row;
    const standing = { id, userId, user, blocked, source, long, short, state, frozen, wrongSide };
    return { ...standing, notional, net, createdAt, stateAt };
  });
  return { list, total: list.length };
}

type Key = string | number | null;

/** A row with what it is sorted by. */
interface Keyed<Row> {
  id: string;
  key: Key;
  row: Row;
}

const DECIMAL_FIELDS: ReadonlySet<HedgeSortField> = new Set(['longQuantity', 'shortQuantity']);

/** What a running row is sorted by: as the database sees an ended one. */
function sortKeyOf(row: HedgeRow, field: HedgeSortField): Key {
  const value = row[field];
  if (value !== null && typeof value === 'object') return value.left;
  if (DECIMAL_FIELDS.has(field)) return Number(value);
  return value === '' ? null : value;
}

function compareKeys(a: Key, b: Key, descending: boolean): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const order = a < b ? -1 : a > b ? 1 : 0;
  return descending ? -order : order;
}

const comparing =
  (descending: boolean) =>
  (a: Keyed<unknown>, b: Keyed<unknown>): number =>
    compareKeys(a.key, b.key, descending) || (a.id < b.id ? -1 : 1);

/**
 * One page out of two sorted lists, of which the long one is read only around the page.
 * @param few all rows of the short list, in any order.
 * @param read rows of the long list by their place in it, in order (missing keys last, ties by id).
 */
async function mergedPage<Row>(
  few: readonly Keyed<Row>[],
  read: (offset: number, limit: number) => Promise<Keyed<Row>[]>,
  descending: boolean,
  first: number,
  size: number,
): Promise<Row[]> {
  const compare = comparing(descending);
  // At most all of the short list comes before the page, so the page needs nothing before this place.
  const offset = Math.max(0, first - few.length);
  const many = await read(offset, size + first - offset);
  const head = many[0];
  const sorted = [...few].sort(compare);
  // Then both lists together end before the page.
  if (offset > 0 && head === undefined) return [];
  const before = offset === 0 || head === undefined ? [] : sorted.filter((one) => compare(one, head) < 0);
  const rest = [...sorted.slice(before.length), ...many].sort(compare);
  const from = first - offset - before.length;
  return rest.slice(from, from + size).map(({ row }) => row);
}

/** The footer of the records: ended hedges by their sums, running ones as they are now. A running figure that is unknown adds nothing. @param runningMargin of the running ones, USDT. */
function hedgeTotals(ended: EndedSums, running: readonly HedgeRow[], runningMargin: number): Omit<HedgeTotals, 'mode'> {
  const total = (field: 'notional' | 'longPnl' | 'shortPnl' | 'funding' | 'fees' | 'slippage' | 'net' | 'naked') =>
    running.reduce((all, row) => all + (row[field] ?? 0), ended[field]);
  const [net, notional] = [total('net'), total('notional')];
  return {
    hedges: ended.hedges + running.length,
    notional,
    longPnl: total('longPnl'),
    shortPnl: total('shortPnl'),
    funding: total('funding'),
    fees: total('fees'),
    slippage: total('slippage'),
    net,
    netReturn: returnOnNotional(net, notional),
    marginReturn: returnOnCapital(net, ended.margin + runningMargin, 1),
    naked: total('naked'),
    closed: ended.closed,
    fewest: FEWEST_TRADES,
    ...resultsOf(ended),
    averageHours: ended.closed === 0 ? null : ended.heldMs / ended.closed / HOUR_MS,
  };
}

/** F21 from sums; the same rules as `tradeStatistics`, which wants every result. */
function resultsOf({ closed, wins, losses, won, lost }: EndedSums) {
  if (closed < FEWEST_TRADES) return { winRate: null, profitFactor: null, expectancy: null };
  const winRate = wins / closed;
  const averageWin = wins === 0 ? 0 : won / wins;
  const averageLoss = losses === 0 ? 0 : Math.abs(lost) / losses;
  return {
    winRate,
    profitFactor: losses === 0 ? null : won / Math.abs(lost),
    expectancy: winRate * averageWin - (1 - winRate) * averageLoss,
  };
}
