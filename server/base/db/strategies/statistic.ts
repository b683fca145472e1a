import { and, desc, eq, gt, gte, inArray, notInArray, type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/duration';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { type CloseReason, HEDGE_ENDS } from '#contract/lifecycle';
import type { StrategyMode } from '#contract/strategy';
import type { Queries } from '../client';
import { isHedgeStrategy } from '../hedges/hedgeConfig';
import { hedge } from '../hedges/hedgeView';
import { deal, ledger, strategy, target, user } from '../schema';

/** A user's paper accounts taken together, or the one of them that was chosen, and the transfer that opened it. */
export interface OpenedAccount {
  userId: string;
  name: string;
  /** UTC ms. */
  openedAt: number;
  /** USDT. */
  capital: number;
  /** The accounts at venues that it is made of. */
  parts: { id: string; openedAt: number }[];
  /** Money from the user's other accounts comes from outside of it. */
  isOne: boolean;
}

/** Which accounts: those of play money unless real ones are asked for, at one venue, or one alone. */
interface AccountFilter {
  mode?: StrategyMode;
  source?: string;
  accountId?: string;
}

/** Everybody who has an account that is chosen, by name. */
export async function openedAccounts(
  db: Queries,
  { mode = 'paper', source, accountId }: AccountFilter = {},
): Promise<OpenedAccount[]> {
  const { rows } = await db.execute<Record<'userId' | 'name' | 'id' | 'at' | 'amount', string | number>>(sql`
    select u.id as "userId", u.name, a.id, first.at, first.amount::double precision as amount
    from app_user u join account a on a.user_id = u.id
    cross join lateral (
      select at, amount, id from ledger where user_id = u.id and account_id = a.id and kind = 'transfer'
      order by at, id limit 1
    ) first
    where ${source === undefined ? sql`true` : sql`a.venue = ${source}`}
      and ${accountId === undefined ? sql`a.mode = ${mode}` : sql`a.id::text = ${accountId}`}
    order by lower(u.name), first.at, first.id`);
  const isOne = source !== undefined || accountId !== undefined;
  const byUser = new Map<string, OpenedAccount>();
  for (const { userId, name, id, at, amount } of rows) {
    const part = { id: String(id), openedAt: Number(at) };
    const known = byUser.get(String(userId));
    if (known) known.parts.push(part);
    else {
      const opened = { userId: String(userId), name: String(name), openedAt: Number(at), capital: Number(amount) };
      byUser.set(String(userId), { ...opened, parts: [part], isOne });
    }
  }
  return [...byUser.values()];
}

/** An account as it stood at a UTC midnight: its newest point at or before it. Sums run since it was opened, USDT. */
export interface MidnightPoint {
  userId: string;
  midnight: number;
  /** When it was recorded, UTC ms. */
  at: number;
  equity: number;
  transfers: number;
  funding: number;
  fees: number;
  slippage: number;
  traded: number;
  longPnl: number;
  shortPnl: number;
  net: number;
  gross: number;
  btc: number | null;
  /** Every part of it has a point of that midnight itself. */
  isExact: boolean;
}

const POINT = sql`p.account_id as "accountId", p.at, p.equity, p.transfers, p.moved, p.funding, p.fees, p.slippage, p.traded,
  p.long_pnl as "longPnl", p.short_pnl as "shortPnl", p.net, p.gross, p.btc`;
/** A point of one account at a venue. */
type PartPoint = Omit<MidnightPoint, 'userId' | 'isExact'> & { accountId: string; moved: number };
type PointRow = Record<keyof PartPoint, string | number | null>;

function pointOf({ accountId, btc, ...row }: PointRow): PartPoint {
  const numbers = Object.fromEntries(Object.entries(row).map(([key, value]) => [key, Number(value)]));
  return { ...numbers, accountId: String(accountId), btc: btc === null ? null : Number(btc) } as PartPoint;
}

const ADDED = [
  'equity',
  'transfers',
  'funding',
  'fees',
  'slippage',
  'traded',
  'longPnl',
  'shortPnl',
  'net',
  'gross',
] as const;

/** The parts of an account at one midnight as one: what is on its way between them is part of the whole. */
function together({ userId, isOne, parts }: OpenedAccount, points: readonly PartPoint[]): MidnightPoint {
  const whole = points.map(({ moved, ...point }) =>
    isOne ? { ...point, transfers: point.transfers + moved } : { ...point, equity: point.equity - moved },
  );
  const [first, ...rest] = whole;
  const { accountId: _, ...sum } = first!;
  for (const point of rest) {
    for (const name of ADDED) sum[name] += point[name];
    sum.at = Math.max(sum.at, point.at);
    sum.btc ??= point.btc;
  }
  const opened = parts.filter(({ openedAt }) => openedAt < sum.midnight);
  const isExact = points.length === opened.length && points.every(({ at, midnight }) => at === midnight);
  return { ...sum, userId, isExact };
}

/**
 * The accounts at each UTC midnight from `from` to `to`, both midnights; an account that had no point yet is left out.
 * Nearly every midnight has a point of its own, which one index gives for all accounts at once; only what is missing is
 * looked up one by one.
 */
export async function midnightPoints(
  db: Queries,
  accounts: readonly OpenedAccount[],
  { from, to }: { from: number; to: number },
): Promise<MidnightPoint[]> {
  if (accounts.length === 0 || to < from) return [];
  const { rows } = await db.execute<PointRow>(sql`
    select p.at as midnight, ${POINT}
    from generate_series(${from}::bigint, ${to}::bigint, ${DAY_MS}::bigint) as grid(at)
    join equity_point p on p.at = grid.at and p.at % ${DAY_MS}::bigint = 0
    where p.account_id in ${accounts.flatMap(({ parts }) => parts.map(({ id }) => id))}`);
  const exact = rows.map(pointOf);
  const found = new Set(exact.map(({ accountId, midnight }) => `${accountId} ${midnight}`));
  const missing: { accountId: string; midnight: number }[] = [];
  for (const { id, openedAt } of accounts.flatMap(({ parts }) => parts)) {
    for (let midnight = from; midnight <= to; midnight += DAY_MS) {
      if (midnight > openedAt && !found.has(`${id} ${midnight}`)) missing.push({ accountId: id, midnight });
    }
  }
  const byPart = grouped([...exact, ...(await newestBefore(db, missing))], ({ accountId }) => accountId);
  return accounts.flatMap((account) => {
    const own = account.parts.flatMap(({ id }) => byPart.get(id) ?? []);
    return [...grouped(own, ({ midnight }) => midnight).values()].map((points) => together(account, points));
  });
}

export function grouped<T, K>(rows: readonly T[], keyOf: (row: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group) group.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}

/** The newest point at or before each of the midnights, where there is one. */
async function newestBefore(db: Queries, wanted: readonly { accountId: string; midnight: number }[]) {
  if (wanted.length === 0) return [];
  const { rows } = await db.execute<PointRow>(sql`
    select wanted.midnight, ${POINT}
    from jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) as wanted("accountId" uuid, midnight bigint)
    cross join lateral (
      select * from equity_point where account_id = wanted."accountId" and at <= wanted.midnight order by at desc limit 1
    ) p`);
  return rows.map(pointOf);
}

/** Each account at an instant of its own, by its user; absent without a point at or before it. */
export async function standings(
  db: Queries,
  wanted: readonly { account: OpenedAccount; at: number }[],
): Promise<Map<string, MidnightPoint>> {
  const parts = wanted.flatMap(({ account, at }) => account.parts.map(({ id }) => ({ accountId: id, midnight: at })));
  const byPart = grouped(await newestBefore(db, parts), ({ accountId }) => accountId);
  const found = wanted.map(({ account }) => ({
    account,
    points: account.parts.flatMap(({ id }) => byPart.get(id) ?? []),
  }));
  return new Map(
    found.flatMap(({ account, points }) => (points.length === 0 ? [] : [[account.userId, together(account, points)]])),
  );
}

/** Whose hedges, where, which pair, and when they ended; UTC ms, `to` excluded. */
export interface EndedFilter extends AccountFilter {
  from?: number;
  to?: number;
  userId?: string;
  strategyId?: string;
  pair?: { long: string; short: string };
}

const endedAt = sql<number>`coalesce(${hedge.closedAt}, ${hedge.stateAt})::double precision`;
const figure = (column: SQL | typeof hedge.funding) => sql<number>`(${column})::double precision`;

/** Ends of a hedge lie at or before the instant of its last state, which an index serves. */
function ended({ from, to, ...rest }: EndedFilter): SQL | undefined {
  return and(
    inArray(hedge.state, [...HEDGE_ENDS]),
    from === undefined ? undefined : and(gte(hedge.stateAt, from), sql`${endedAt} >= ${from}`),
    to === undefined ? undefined : sql`${endedAt} < ${to}`,
    ...whose(rest),
  );
}

type Whose = Omit<EndedFilter, 'from' | 'to'>;

const whose = ({ userId, pair, source, accountId, strategyId, mode = 'paper' }: Whose) => [
  userId === undefined ? undefined : eq(hedge.userId, userId),
  source === undefined && accountId === undefined ? undefined : hasLegIn({ source, accountId }),
  // Real money is added to nothing that is on paper.
  accountId === undefined && strategyId === undefined ? eq(hedge.mode, mode) : undefined,
  strategyId === undefined
    ? undefined
    : sql`${hedge.id} in (select ${deal.id} from ${deal} where ${deal.strategyId} = ${strategyId})`,
  pair === undefined ? undefined : and(eq(hedge.long, pair.long), eq(hedge.short, pair.short)),
];

/** An ended hedge as the statistics need it; money in USDT, instants in UTC ms. */
const ENDED_HEDGE = {
  id: hedge.id,
  user: user.name,
  long: hedge.long,
  short: hedge.short,
  reason: sql<CloseReason | null>`${hedge.closeReason}`,
  openedAt: hedge.openedAt,
  endedAt: endedAt.mapWith(Number),
  longPrice: figure(hedge.longRealised),
  shortPrice: figure(hedge.shortRealised),
};

/** A leg of it lies in an account that is chosen. */
const hasLegIn = ({ source, accountId }: { source: string | undefined; accountId: string | undefined }): SQL =>
  sql`exists (select 1 from deal_leg g join account a on a.id = g.account_id where g.deal_id = ${hedge.id}
    and ${source === undefined ? sql`true` : sql`a.venue = ${source}`}
    and ${accountId === undefined ? sql`true` : sql`a.id = ${accountId}`})`;

/** Hedges that one statement reads: a longer one would keep everybody else waiting for the database, and for its rows. */
const HEDGES_AT_ONCE = 500;

/** Ended hedges in which something was filled, in the order in which they ended. */
export async function filledHedges(db: Queries, filter: EndedFilter) {
  const found: Awaited<ReturnType<typeof filledAfter>> = [];
  for (let after: string | undefined; ; after = found.at(-1)!.id) {
    const some = await filledAfter(db, filter, after);
    found.push(...some);
    if (some.length < HEDGES_AT_ONCE) break;
  }
  return found.sort((a, b) => a.endedAt - b.endedAt || (a.id < b.id ? -1 : 1));
}
export type EndedHedge = Awaited<ReturnType<typeof filledHedges>>[number];

/** Some of them, by their ids. */
async function filledAfter(db: Queries, filter: EndedFilter, after: string | undefined) {
  const filled = sql`${hedge.longOpened} + ${hedge.shortOpened} > 0`;
  return db
    .select(ENDED_HEDGE)
    .from(hedge)
    .innerJoin(user, eq(user.id, hedge.userId))
    .where(and(ended(filter), filled, after === undefined ? undefined : gt(hedge.id, after)))
    .orderBy(hedge.id)
    .limit(HEDGES_AT_ONCE);
}

const ofKind = (kind: string, amount = sql`${ledger.amount}`) =>
  sql<number>`coalesce(sum(${amount}) filter (where ${ledger.kind} = ${kind}), 0)::double precision`;

/** What the ledger says of the legs of hedges: funding (received positive), fees (negative), notional traded; USDT. */
export async function bookedLegs(db: Queries, hedgeIds: readonly string[]) {
  const found: Awaited<ReturnType<typeof legsOf>> = [];
  for (let from = 0; from < hedgeIds.length; from += HEDGES_AT_ONCE) {
    found.push(...(await legsOf(db, hedgeIds.slice(from, from + HEDGES_AT_ONCE))));
  }
  return found;
}
export type EndedLeg = Awaited<ReturnType<typeof bookedLegs>>[number];

/** The ids are one parameter: writing a statement with hundreds of them takes longer than a slice. */
async function legsOf(db: Queries, hedgeIds: readonly string[]) {
  return db
    .select({
      hedgeId: sql<string>`${ledger.dealId}`,
      symbol: ledger.symbol,
      funding: ofKind('funding'),
      fees: ofKind('fee'),
      traded: ofKind('fill', sql`abs(${ledger.amount})`),
    })
    .from(ledger)
    .where(sql`${ledger.dealId} = any(${sql.param([...hedgeIds])}::uuid[])`)
    .groupBy(ledger.dealId, ledger.symbol);
}

/** Hedges of the filter that have not ended. */
export async function runningCount(db: Queries, filter: Whose): Promise<number> {
  const [row] = await db
    .select({ count: sql<number>`count(*)::integer` })
    .from(hedge)
    .where(and(notInArray(hedge.state, [...HEDGE_ENDS]), ...whose(filter)));
  return row?.count ?? 0;
}

/** Pairs that were ever traded, by name. */
export async function tradedPairs(db: Queries): Promise<{ long: string; short: string }[]> {
  // The deals' targets have them: far fewer rows than deals.
  const long = sql<string>`${target.legs} -> 0 ->> 'symbol'`;
  const short = sql<string>`${target.legs} -> 1 ->> 'symbol'`;
  return db
    .selectDistinct({ long, short })
    .from(target)
    .innerJoin(strategy, and(eq(strategy.id, target.strategyId), isHedgeStrategy))
    .where(sql`${target.id} in (select ${deal.targetId} from ${deal})`)
    .orderBy(long, short);
}

/** The desks of all users. */
export async function deskStrategies(db: Queries) {
  return db
    .select({ id: strategy.id, userId: strategy.userId, name: strategy.name })
    .from(strategy)
    .where(isHedgeStrategy)
    .orderBy(strategy.createdAt);
}

/** Transfers in a period but those that opened the accounts, as whose they are counted: how many. */
export async function transferCount(
  db: Queries,
  accounts: readonly OpenedAccount[],
  { from, to }: { from: number; to: number },
): Promise<number> {
  if (accounts.length === 0) return 0;
  const ids = accounts.flatMap(({ parts }) => parts.map(({ id }) => id));
  // Of one account alone what came from the user's others, or went there, is a transfer as well.
  const kinds = accounts.some(({ isOne }) => isOne) ? ['transfer', 'move'] : ['transfer'];
  const first = accounts.some(({ isOne }) => isOne) ? sql`f.account_id = l.account_id` : sql`true`;
  const { rows } = await db.execute<{ count: number }>(sql`
    select count(*)::integer as count from ledger l
    where l.kind in ${kinds} and l.at > ${from} and l.at <= ${to} and l.account_id in ${ids}
      and l.user_id in ${accounts.map(({ userId }) => userId)}
      and l.id <> (select id from ledger f where f.user_id = l.user_id and ${first} and f.kind = 'transfer'
        order by at, id limit 1)`);
  return Number(rows[0]?.count ?? 0);
}

const COMPARABLE = {
  ...ENDED_HEDGE,
  source: hedge.source,
  ratio: hedge.ratio,
  settings: sql<HedgeSettings>`${hedge.settings}`,
  longNotional: figure(hedge.longNotional),
  shortNotional: figure(hedge.shortNotional),
  funding: figure(hedge.funding),
  fees: figure(hedge.fees),
  slippage: figure(hedge.slippage),
  traded: sql<number>`(select coalesce(sum(abs(amount)), 0) from ledger
    where ledger.deal_id = "hedge"."id" and ledger.kind = 'fill')::double precision`,
};

/** The newest hedges that stood on both legs and were closed, and how many there are. */
export async function comparableHedges(db: Queries, filter: EndedFilter, limit: number) {
  const where = and(
    ended(filter),
    eq(hedge.state, 'closed'),
    sql`${hedge.openedAt} is not null`,
    gt(hedge.longNotional, '0'),
    gt(hedge.shortNotional, '0'),
  );
  const [list, [all]] = await Promise.all([
    db
      .select(COMPARABLE)
      .from(hedge)
      .innerJoin(user, eq(user.id, hedge.userId))
      .where(where)
      .orderBy(desc(endedAt), hedge.id)
      .limit(limit),
    db.select({ count: sql<number>`count(*)::integer` }).from(hedge).where(where),
  ]);
  return { list, total: all?.count ?? 0 };
}
export type ComparableHedge = Awaited<ReturnType<typeof comparableHedges>>['list'][number];
