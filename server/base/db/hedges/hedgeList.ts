import { type AnyColumn, and, asc, eq, inArray, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import { DAY_MS, YEARLY_FROM_MS } from '#contract/duration';
import type { HedgeRow } from '#contract/kinds/hedge/desk';
import { type CloseReason, HEDGE_ENDS } from '#contract/lifecycle';
import type { StrategyMode } from '#contract/strategy';
import type { Queries } from '../client';
import { account } from '../schema';
import { HEDGE_FIELDS, type HedgeRecord, isId, recordOf } from './hedge';
import { hedge } from './hedgeView';

/** What rows of the records are chosen by; instants in UTC ms. */
export interface HedgeFilter {
  start?: number;
  end?: number;
  pairId?: string;
  symbol?: string;
  side?: 'long' | 'short';
  reason?: CloseReason;
  pnl?: 'profit' | 'loss';
  hasNote?: boolean;
}

const h = hedge;
const number = (figure: SQL): SQL => sql`(${figure})::double precision`;
/** Text in the order that the server's own comparison has. */
const plain = (column: AnyColumn): SQL => sql`nullif(${column}, '') collate "C"`;

const notional = sql`${h.longNotional} + ${h.shortNotional}`;
const net = sql`${h.longRealised} + ${h.shortRealised} + ${h.funding} - ${h.fees}`;
const heldMs = sql`coalesce(${h.closedAt}, ${h.stateAt}) - ${h.openedAt}`;
const leverage = sql`(${h.settings} ->> 'leverage')::numeric`;
const netReturn = sql`(${net}) / nullif(${notional}, 0)`;
const margin = sql`(${notional}) / ${leverage}`;
/** F12. */
const marginReturn = sql`(${net}) / nullif(${margin}, 0)`;
const YEAR_MS = 365 * DAY_MS;

/** What has ended has no such figure. */
const NONE = sql`null::double precision`;

/** What a row that has ended sorts by, for every field that can be sorted by. */
const SORT_KEYS = {
  createdAt: sql`${h.createdAt}`,
  stateAt: sql`${h.stateAt}`,
  openedAt: sql`${h.openedAt}`,
  closedAt: sql`${h.closedAt}`,
  noteAt: sql`${h.noteAt}`,
  long: plain(h.long),
  short: plain(h.short),
  state: plain(h.state),
  closeReason: plain(h.closeReason),
  note: plain(h.note),
  longQuantity: number(sql`${h.longOpened}`),
  shortQuantity: number(sql`- ${h.shortOpened}`),
  ratioOpen: number(
    sql`nullif((${h.longNotional} / nullif(${h.longOpened}, 0)) / nullif(${h.shortNotional} / nullif(${h.shortOpened}, 0), 0), 0)`,
  ),
  ratioNow: number(sql`nullif(${h.longExit} / nullif(${h.shortExit}, 0), 0)`),
  zOpen: sql`${h.zOpen}`,
  z: sql`${h.zClose}`,
  notional: number(notional),
  closedPart: NONE,
  realised: number(sql`${h.longRealised} + ${h.shortRealised}`),
  neutrality: NONE,
  netClosed: NONE,
  gross: NONE,
  exposure: NONE,
  longPnl: number(sql`${h.longRealised}`),
  shortPnl: number(sql`${h.shortRealised}`),
  funding: number(sql`${h.funding}`),
  fees: number(sql`${h.fees}`),
  slippage: number(sql`${h.slippage}`),
  net: number(net),
  netReturn: number(netReturn),
  marginReturn: number(marginReturn),
  annualised: number(
    sql`case when ${heldMs} >= ${YEARLY_FROM_MS}::bigint then (${marginReturn}) * ${YEAR_MS}::numeric / (${heldMs}) end`,
  ),
  mae: sql`${h.mae}`,
  mfe: sql`${h.mfe}`,
  // How far the rules that close it are, while it runs.
  stop: NONE,
  target: NONE,
  longest: NONE,
  exit: NONE,
  heldHours: number(sql`(${heldMs}) / 3600000.0`),
  naked: sql`${h.naked}`,
} satisfies Partial<Record<keyof HedgeRow, SQL>>;

export type HedgeSortField = keyof typeof SORT_KEYS;
export const isHedgeSortField = (name: string): name is HedgeSortField => Object.hasOwn(SORT_KEYS, name);

/** Never null, so that an index serves the order whichever way it is read. */
const NEVER_NULL: ReadonlySet<HedgeSortField> = new Set(['createdAt', 'stateAt']);

const TEXTS: ReadonlySet<HedgeSortField> = new Set(['long', 'short', 'state', 'closeReason', 'note']);

/** As a JavaScript number or text: one driver would give an instant as text. */
const keyOf = (field: HedgeSortField) =>
  sql<string | number | null>`${TEXTS.has(field) ? SORT_KEYS[field] : number(SORT_KEYS[field])}`;

export interface HedgeSort {
  field: HedgeSortField;
  descending: boolean;
}

/** An ended hedge and what it was sorted by; a missing figure comes last, whichever way. */
export interface SortedRecord {
  record: HedgeRecord;
  key: string | number | null;
}

const endedOf = (userId: string) => and(eq(h.userId, userId), inArray(h.state, [...HEDGE_ENDS]));

function chosen(filter: HedgeFilter): SQL | undefined {
  const { start, end, pairId, symbol, side, reason, pnl, hasNote } = filter;
  const from = sql`coalesce(${h.openedAt}, ${h.createdAt})`;
  return and(
    start === undefined ? undefined : sql`${from} >= ${start}::numeric`,
    // Nothing is opened before it is created: the second condition says no more, but an index serves it.
    end === undefined ? undefined : and(sql`${from} <= ${end}::numeric`, lte(h.createdAt, Math.floor(end))),
    pairId === undefined ? undefined : isId(pairId) ? eq(h.pairId, pairId) : sql`false`,
    symbol === undefined ? undefined : holds(symbol, side),
    reason === undefined ? undefined : eq(h.closeReason, reason),
    pnl === undefined ? undefined : pnl === 'profit' ? sql`${net} > 0` : sql`${net} < 0`,
    hasNote === undefined ? undefined : hasNote ? ne(h.note, '') : eq(h.note, ''),
  );
}

const holds = (symbol: string, side: HedgeFilter['side']): SQL | undefined => {
  if (side !== undefined) return eq(side === 'long' ? h.long : h.short, symbol);
  return or(eq(h.long, symbol), eq(h.short, symbol));
};

function ordered({ field, descending }: HedgeSort): SQL[] {
  const key: SQL = SORT_KEYS[field];
  const way = descending ? sql`${key} desc` : sql`${key} asc`;
  return [NEVER_NULL.has(field) ? way : sql`${way} nulls last`, asc(h.id)];
}

/** Ended hedges of one user in order, some of them. `user` is the user's name. */
export async function endedPage(
  db: Queries,
  { userId, user }: { userId: string; user: string },
  filter: HedgeFilter,
  sort: HedgeSort,
  { offset, limit }: { offset: number; limit: number },
): Promise<SortedRecord[]> {
  // Only id and key go through the sorting: whole rows cost it twice the time.
  const page = db
    .select({ id: h.id, key: keyOf(sort.field).as('key') })
    .from(h)
    .where(and(endedOf(userId), chosen(filter)))
    .orderBy(...ordered(sort))
    .limit(limit)
    .offset(offset)
    .as('page');
  const rows = await db
    .select({ hedge: HEDGE_FIELDS, key: page.key })
    .from(page)
    .innerJoin(h, eq(h.id, page.id))
    .orderBy(...ordered(sort));
  return rows.map((row) => ({ record: recordOf({ hedge: row.hedge, user }), key: row.key }));
}

/** Sums over ended hedges of one mode. USDT; `won` and `lost` over those that were held and closed. */
export interface EndedSums {
  /** How many there are, on paper and real. */
  rows: number;
  hedges: number;
  notional: number;
  margin: number;
  longPnl: number;
  shortPnl: number;
  funding: number;
  fees: number;
  slippage: number;
  net: number;
  /** USDT x seconds. */
  naked: number;
  closed: number;
  wins: number;
  losses: number;
  won: number;
  /** Negative. */
  lost: number;
  heldMs: number;
}

const isClosed = sql`${h.state} = 'closed'`;
const isWin = sql`${isClosed} and ${net} > 0`;
const isLoss = sql`${isClosed} and ${net} < 0`;

/** Sums over a user's ended hedges that the filter lets through, of those on paper or those that are real: never of both. */
export async function endedSums(
  db: Queries,
  userId: string,
  filter: HedgeFilter,
  mode: StrategyMode,
): Promise<EndedSums> {
  const isOfMode = sql`${h.mode} = ${mode}`;
  const sum = (figure: SQL, only = sql`true`) =>
    sql<number>`coalesce(sum(${figure}) filter (where ${isOfMode} and ${only}), 0)::double precision`;
  const counted = (only = sql`true`) => sql<number>`(count(*) filter (where ${isOfMode} and ${only}))::integer`;
  const [row] = await db
    .select({
      rows: sql<number>`count(*)::integer`,
      hedges: counted(),
      notional: sum(notional),
      margin: sum(margin),
      longPnl: sum(sql`${h.longRealised}`),
      shortPnl: sum(sql`${h.shortRealised}`),
      funding: sum(sql`${h.funding}`),
      fees: sum(sql`${h.fees}`),
      slippage: sum(sql`${h.slippage}`),
      net: sum(net),
      naked: sum(sql`${h.naked}`),
      closed: counted(isClosed),
      wins: counted(isWin),
      losses: counted(isLoss),
      won: sum(net, isWin),
      lost: sum(net, isLoss),
      heldMs: sum(heldMs, isClosed),
    })
    .from(h)
    .where(and(endedOf(userId), chosen(filter)));
  if (row === undefined) throw new Error('sums came back without a row');
  return row;
}

/**
 * Differs after any change to what has ended, for one look into two indexes: the newest change of a state, and the
 * newest event of the venue that was booked, should clocks have gone back.
 */
export async function endedStamp(db: Queries, userId: string): Promise<string> {
  const [row] = await db
    .select({
      at: sql<number | null>`max(${h.stateAt})::double precision`,
      sequence: sql<
        number | null
      >`(select sum(${account.sequence}) from ${account} where ${account.userId} = ${userId})::double precision`,
    })
    .from(h)
    .where(eq(h.userId, userId));
  return `${row?.at} ${row?.sequence}`;
}
