import { LRUCache } from 'lru-cache';
import { MINUTE_MS } from '#contract/duration';
import type { QueryOf } from '#contract/endpoint';
import { LISTED_ROWS } from '#contract/list';
import type { order } from '#contract/order';
import type { Database } from '../../base/db/client';
import {
  findOrders,
  isOrderSortField,
  type OrderSums,
  oldestLive,
  ordersThrough,
  sumOrders,
} from '../../base/db/orders/order';
import { type FillSums, fillsThrough, findFills, isFillSortField, sumFills } from '../../base/db/orders/orderFill';
import type { OrderFilter, TradeFilter } from '../../base/db/orders/orderFilter';
import { invalid } from '../../base/http/refusal';
import type { DeskDeps } from '../deps';
import { fillRow, fillTotals, orderRow, orderTotals } from './orderRow';
import { settledSums } from './settledSums';

type Db = DeskDeps['db'];
type OrderQuery = QueryOf<typeof order.list>;
type FillQuery = QueryOf<typeof order.fills>;
type Asked = Omit<Partial<FillQuery>, 'current' | 'pageSize' | 'sort' | 'grouped'>;

function tradeFilter({ symbol, ...given }: Asked): TradeFilter {
  const { start, end, userId, accountId, strategyId, source, side, type, purpose, maker, reduceOnly, search } = given;
  const symbols = symbol?.split(',').filter((name) => name !== '');
  const all = {
    start,
    end,
    userId,
    accountId,
    strategyId,
    source,
    symbols,
    side,
    type,
    purpose,
    maker,
    reduceOnly,
    search: search?.trim(),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)) as TradeFilter;
}

/** The filter of a query or a body, without paging. */
export function orderFilter(asked: Asked & Pick<Partial<OrderQuery>, 'view' | 'state' | 'refused'>): OrderFilter {
  const { view = 'all', state, refused } = asked;
  return {
    ...tradeFilter(asked),
    view,
    ...(state === undefined ? {} : { state }),
    ...(refused === undefined ? {} : { refused }),
  };
}

function sortOf<F extends string>(sort: string, isField: (name: string) => name is F) {
  const descending = sort.startsWith('-');
  const field = descending ? sort.slice(1) : sort;
  if (!isField(field)) throw invalid('sort', `不能按 ${field} 排序`);
  return { field, descending };
}

interface Paging {
  current: number;
  pageSize: number;
}

/** A page of rows that belong to hedges, the others behind them. @param inHedges how many there are of the first. */
async function groupedPage<R>(
  { current, pageSize }: Paging,
  inHedges: number,
  read: (sort: 'grouped' | 'loose', page: { offset: number; limit: number }) => Promise<R[]>,
): Promise<R[]> {
  const offset = (current - 1) * pageSize;
  const rows = offset < inHedges ? await read('grouped', { offset, limit: pageSize }) : [];
  const rest = pageSize - rows.length;
  if (rest === 0) return rows;
  return [...rows, ...(await read('loose', { offset: Math.max(0, offset - inHedges), limit: rest }))];
}

/**
 * Orders of everybody: a page, without the steps of their prices, and totals over all that the filter lets through; of more than `most` over the newest ones.
 * @throws 400 at `sort`.
 */
export async function orderListing(db: Db, query: OrderQuery, now: number, most = LISTED_ROWS) {
  const sort = sortOf(query.sort ?? '-createdAt', isOrderSortField);
  const asked = orderFilter(query);
  const { filter, about } = asked.view === 'live' ? { filter: asked } : await within(db, asked, most, ordersThrough);
  const sums = await orderSums(db, filter, now);
  const page = { offset: (query.current - 1) * query.pageSize, limit: query.pageSize };
  const records = query.grouped
    ? await groupedPage(query, sums.hedged, (way, part) => findOrders(db, filter, way, part))
    : await findOrders(db, filter, sort, page);
  return { list: records.map(orderRow), total: sums.count, about, totals: orderTotals(sums), at: now };
}

/** The filter as it is, or since when there are so many rows of it, and how many there are about in all. */
async function within<F extends TradeFilter>(
  db: Db,
  filter: F,
  most: number,
  through: typeof ordersThrough | typeof fillsThrough,
): Promise<{ filter: F; about?: number | undefined }> {
  const newest = await newestRows(db, JSON.stringify([through.name, most, filter]), most, through(db, filter));
  return newest === null ? { filter } : { filter: { ...filter, start: newest.start }, about: newest.about };
}

/** Live orders are few and change; of the others the old ones are added up once. */
async function orderSums(db: Db, filter: OrderFilter, now: number): Promise<OrderSums> {
  if (filter.view === 'live') return sumOrders(db, filter);
  const key = JSON.stringify(['orders', filter]);
  return settledSums(db, key, now, await oldestLive(db), (stretch) => sumOrders(db, filter, stretch));
}

/** Fills of everybody, as `orderListing`. */
export async function fillListing(db: Db, query: FillQuery, now: number, most = LISTED_ROWS) {
  const sort = sortOf(query.sort ?? '-at', isFillSortField);
  const { filter, about } = await within(db, tradeFilter(query), most, fillsThrough);
  const key = JSON.stringify(['fills', filter]);
  const sums: FillSums = await settledSums(db, key, now, null, (stretch) => sumFills(db, filter, stretch));
  const page = { offset: (query.current - 1) * query.pageSize, limit: query.pageSize };
  const records = query.grouped
    ? await groupedPage(query, sums.hedged, (way, part) => findFills(db, filter, way, part))
    : await findFills(db, filter, sort, page);
  return { list: records.map(fillRow), total: sums.count, about, totals: fillTotals(sums), at: now };
}

/** The newest rows of a filter that lets too many through. */
interface Newest {
  /** Since when, UTC ms. */
  start: number;
  /** How many the filter lets through, estimated. */
  about: number;
}

interface Rows {
  estimated(): Promise<number>;
  /** When the row that so many newer ones follow came; `null` where there are fewer. */
  behind(newer: number): Promise<number | null>;
}

const KEPT_MS = 10 * MINUTE_MS;
const kept = new WeakMap<Database, LRUCache<string, Newest>>();

/**
 * Since when there are about so many rows of a filter: nobody pages through more, and to sort or add up millions would
 * take as many reads. The instant stays for a while, so that pages do not move and sums need not be taken anew.
 * @param key names the filter.
 * @returns `null` where the filter lets no more through.
 */
async function newestRows(db: Database, key: string, most: number, rows: Rows): Promise<Newest | null> {
  const cache = kept.get(db) ?? new LRUCache<string, Newest>({ max: 200, ttl: KEPT_MS });
  kept.set(db, cache);
  const known = cache.get(key);
  if (known) return known;
  const about = await rows.estimated();
  const start = about > most ? await rows.behind(most) : null;
  if (start === null) return null;
  const newest = { start, about: Math.round(about) };
  cache.set(key, newest);
  return newest;
}
