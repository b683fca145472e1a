import { type SQL, sql } from 'drizzle-orm';
import type { Role } from '#contract/access';
import type { UserStatus } from '#contract/userAdmin';
import type { Queries } from '../client';
import { DESK_KIND } from '../hedges/hedgeConfig';
import type { SessionHorizon } from './session';

/** A user with what other tables know of it; money in USDT, instants UTC ms. */
export interface ListedUser {
  id: string;
  name: string;
  role: string;
  status: UserStatus;
  createdAt: number;
  binanceId: string | null;
  secondFactor: boolean;
  /** State of the hedge strategy; null before its settings were saved. */
  state: string | null;
  /** Whether nothing is opened in the user's book until somebody lets it go on. */
  paused: boolean;
  hedges: number;
  apiKeys: number;
  equity: number | null;
  pnl30d: number | null;
  /** Of the real accounts; null where there is none. */
  liveEquity: number | null;
  livePnl30d: number | null;
  sessions: number;
  lastLoginAt: number | null;
  lastLoginAddress: string | null;
  lastLoginAgent: string | null;
}

const SORTS = {
  name: sql`lower(name)`,
  role: sql`role`,
  status: sql`status`,
  createdAt: sql`"createdAt"`,
  hedges: sql`hedges`,
  apiKeys: sql`"apiKeys"`,
  equity: sql`equity`,
  pnl30d: sql`"pnl30d"`,
  sessions: sql`sessions`,
  lastLoginAt: sql`"lastLoginAt"`,
} satisfies Record<string, SQL>;

export type UserSort = keyof typeof SORTS;
export const isUserSort = (name: string): name is UserSort => Object.hasOwn(SORTS, name);

export interface UserFilter {
  /** Part of the name or of the exchange account id. */
  search?: string;
  role?: Role;
  status?: UserStatus;
}

interface Page {
  sort: UserSort;
  descending: boolean;
  offset: number;
  limit: number;
}

const STATUS = sql`case when u.blocked then 'blocked' when u.password_hash is null then 'pending' else 'active' end`;

function chosen({ search, role, status }: UserFilter): SQL {
  const part = search?.toLowerCase();
  const conditions = [
    part === undefined
      ? undefined
      : sql`(position(${part} in lower(u.name)) > 0 or position(${part} in coalesce(u.binance_id, '')) > 0)`,
    role === undefined ? undefined : sql`u.role = ${role}`,
    status === undefined ? undefined : sql`${STATUS} = ${status}`,
  ].filter((condition) => condition !== undefined);
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** What all accounts of a user and a mode were worth last, and what that is more than at an instant; deposits are no gain, and what is on its way between them counts. */
const worthSince = (instant: number, mode: 'paper' | 'live') => sql`
  select sum(n.equity - n.moved) as equity,
    sum(n.equity - n.moved - n.transfers - coalesce(o.equity - o.moved - o.transfers, 0)) as gain
  from account a
  cross join lateral (
    select equity, transfers, moved from equity_point where account_id = a.id order by at desc limit 1
  ) n
  left join lateral (
    select equity, transfers, moved from equity_point where account_id = a.id and at <= ${instant}::bigint order by at desc limit 1
  ) o on true
  where a.user_id = u.id and a.mode = ${mode}`;

/**
 * Users that the filter lets through. Sessions are counted that live by the horizon; gains begin at `since`, or with the
 * account where that is younger.
 */
export async function findUsers(
  db: Queries,
  filter: UserFilter,
  { openedBy, seenBy }: SessionHorizon,
  since: number,
  { sort, descending, offset, limit }: Page,
): Promise<ListedUser[]> {
  const { rows } = await db.execute<ListedUser & Record<string, unknown>>(sql`
    select * from (
      select u.id, u.name, u.role, ${STATUS} as status, u.created_at as "createdAt", u.binance_id as "binanceId",
        exists (select 1 from second_factor f where f.user_id = u.id and f.enabled_at is not null) as "secondFactor",
        case when s.params is null then null else s.state end as state,
        exists (select 1 from book b where b.user_id = u.id and b.paused_at is not null) as paused,
        (select count(*) from deal d where d.user_id = u.id and d.state not in ('closed', 'failed')) as hedges,
        (select count(*) from api_key k where k.user_id = u.id) as "apiKeys",
        worth.equity, worth.gain as "pnl30d", real.equity as "liveEquity", real.gain as "livePnl30d",
        (select count(*) from session e where e.user_id = u.id
          and e.created_at > ${openedBy}::bigint and e.seen_at > ${seenBy}::bigint) as sessions,
        u.last_login_at as "lastLoginAt", l.address as "lastLoginAddress", l.user_agent as "lastLoginAgent"
      from app_user u
      left join strategy s on s.user_id = u.id and s.kind = ${DESK_KIND} and s.single is null
      left join lateral (${worthSince(since, 'paper')}) worth on true
      left join lateral (${worthSince(since, 'live')}) real on true
      left join lateral (
        select address, user_agent from login_attempt a
        where a.user_id = u.id and a.result = 'ok' order by a.at desc limit 1
      ) l on true
      where ${chosen(filter)}
    ) listed
    order by ${SORTS[sort]} ${descending ? sql`desc` : sql`asc`} nulls last, lower(name)
    limit ${limit} offset ${offset}`);
  return rows.map((row) => ({
    ...row,
    createdAt: Number(row.createdAt),
    hedges: Number(row.hedges),
    apiKeys: Number(row.apiKeys),
    sessions: Number(row.sessions),
    lastLoginAt: row.lastLoginAt === null ? null : Number(row.lastLoginAt),
  }));
}

export async function countUsers(db: Queries, filter: UserFilter): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from app_user u where ${chosen(filter)}`,
  );
  return rows[0]?.total ?? 0;
}

/** How many users signed in or did something since an instant, UTC ms. */
export async function activeSince(db: Queries, since: number): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(sql`
    select count(*)::int as total from (
      select user_id from session where seen_at >= ${since}::bigint
      union select user_id from login_attempt where at >= ${since}::bigint and result = 'ok'
    ) active`);
  return rows[0]?.total ?? 0;
}

/** How many hedges run whose user may not sign in. */
export async function ownerlessHedges(db: Queries): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(sql`
    select count(*)::int as total from deal d join app_user u on u.id = d.user_id
    where u.blocked and d.state not in ('closed', 'failed')`);
  return rows[0]?.total ?? 0;
}

/** How many API keys end before an instant, UTC ms, or have ended. */
export async function keysExpiringBy(db: Queries, instant: number): Promise<number> {
  const { rows } = await db.execute<{ total: number }>(
    sql`select count(*)::int as total from api_key where (report ->> 'expiresAt')::bigint <= ${instant}::bigint`,
  );
  return rows[0]?.total ?? 0;
}
