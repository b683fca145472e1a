import { type AnyColumn, and, eq, gt, gte, inArray, isNull, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { OrderPurpose, OrderState } from '#contract/lifecycle';
import { isId } from '../hedges/hedge';
import { deal, fill, tradeOrder } from '../schema';

/** What fills, and the orders behind them, are chosen by; instants in UTC ms. */
export interface TradeFilter {
  start?: number;
  end?: number;
  userId?: string;
  accountId?: string;
  strategyId?: string;
  source?: string;
  symbols?: string[];
  side?: 'buy' | 'sell';
  type?: 'market' | 'maker';
  purpose?: OrderPurpose;
  maker?: boolean;
  reduceOnly?: boolean;
  search?: string;
}

export interface OrderFilter extends TradeFilter {
  view?: 'live' | 'ended' | 'all';
  state?: OrderState;
  refused?: boolean;
}

/** A stretch of time that sums are read over, beside the filter's own: from `from` on, before `before`; UTC ms. */
export interface Stretch {
  from?: number;
  before?: number;
}

const o = tradeOrder;
const f = fill;

/** Written out, so that the index of live orders serves it. */
const isLive = sql`${o.state} in ('registered', 'open', 'inDoubt')`;
const NOBODY = sql`false`;

/** A condition where a value is asked for. */
const when = <T>(value: T | undefined, condition: (value: T) => SQL | undefined): SQL | undefined =>
  value === undefined ? undefined : condition(value);

const VIEWS = { live: isLive, ended: sql`not (${isLive})`, all: undefined } as const;

/** Orders that the filter lets through. */
export function chosenOrders(filter: OrderFilter, { from, before }: Stretch = {}): SQL | undefined {
  return and(
    VIEWS[filter.view ?? 'all'],
    when(filter.start, (start) => gte(o.createdAt, Math.ceil(start))),
    when(filter.end, (end) => lte(o.createdAt, Math.floor(end))),
    when(from, (start) => gte(o.createdAt, start)),
    when(before, (end) => lt(o.createdAt, end)),
    when(filter.userId, (id) => (isId(id) ? eq(o.userId, id) : NOBODY)),
    when(filter.accountId, (id) => (isId(id) ? eq(o.accountId, id) : NOBODY)),
    when(filter.strategyId, (id) => ofStrategy(o.dealId, id)),
    when(filter.source, (source) => eq(o.source, source)),
    when(filter.symbols, (symbols) => inArray(o.symbol, symbols)),
    when(filter.side, (side) => eq(o.side, side)),
    ofOrder(filter),
    when(filter.maker, (maker) => and(gt(o.filledQuantity, '0'), eq(o.type, maker ? 'maker' : 'market'))),
    when(filter.state, (state) => eq(o.state, state)),
    when(filter.refused, (refused) => (refused ? eq(o.state, 'refused') : ne(o.state, 'refused'))),
    when(filter.search, (id) => or(eq(o.id, id), eq(o.exchangeId, id), isId(id) ? eq(o.dealId, id) : undefined)),
  );
}

/** Rows of the deals that a strategy had. */
const ofStrategy = (column: AnyColumn, id: string): SQL =>
  isId(id) ? sql`${column} in (select ${deal.id} from ${deal} where ${deal.strategyId} = ${id})` : NOBODY;

/** What only an order knows of itself. */
const ofOrder = ({ type, purpose, reduceOnly }: TradeFilter): SQL | undefined =>
  and(
    when(type, (word) => eq(o.type, word)),
    when(purpose, (word) => eq(o.purpose, word)),
    when(reduceOnly, (flag) => eq(o.reduceOnly, flag)),
  );

/** Whether fills are chosen by what only their orders know. */
export const asksOrder = ({ type, purpose, reduceOnly }: TradeFilter): boolean =>
  [type, purpose, reduceOnly].some((value) => value !== undefined);

/** Fills that the filter lets through; their orders are joined where it asks for them. */
export function chosenFills(filter: TradeFilter, { from, before }: Stretch = {}): SQL | undefined {
  return and(
    when(filter.start, (start) => gte(f.at, Math.ceil(start))),
    when(filter.end, (end) => lte(f.at, Math.floor(end))),
    when(from, (start) => gte(f.at, start)),
    when(before, (end) => lt(f.at, end)),
    when(filter.userId, (id) => (isId(id) ? eq(f.userId, id) : NOBODY)),
    when(filter.accountId, (id) => (isId(id) ? eq(f.accountId, id) : NOBODY)),
    when(filter.strategyId, (id) => ofStrategy(f.dealId, id)),
    when(filter.source, (source) => eq(f.source, source)),
    when(filter.symbols, (symbols) => inArray(f.symbol, symbols)),
    when(filter.side, (side) => eq(f.side, side)),
    ofOrder(filter),
    when(filter.maker, (maker) => eq(f.maker, maker)),
    when(filter.search, (id) =>
      or(eq(f.id, id), eq(f.orderId, id), ofExchangeId(id), isId(id) ? eq(f.dealId, id) : undefined),
    ),
  );
}

/** Found first, so that the index of fills by their orders serves it beside the others. */
const ofExchangeId = (id: string): SQL =>
  sql`${f.orderId} = any(array(select ${o.id} from ${o} where ${o.exchangeId} = ${id}))`;

/** Rows that belong to no hedge. */
export const isLoose = (table: typeof tradeOrder | typeof fill): SQL => isNull(table.dealId);
