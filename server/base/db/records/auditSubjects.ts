import { and, inArray, sql } from 'drizzle-orm';
import { HEDGE_ENDS } from '#contract/lifecycle';
import type { Queries } from '../client';
import { isId } from '../hedges/hedge';
import { isHedgeStrategy } from '../hedges/hedgeConfig';
import { ordersById } from '../orders/order';
import { account, accountTransfer, deal, dealLeg, flatten, flattenDeal, strategy, target, user } from '../schema';
import { dealsWhere } from '../strategies/deal';
import { targetsOfStrategies } from '../strategies/target';

const byId = <R extends { id: string }>(rows: readonly R[]): ReadonlyMap<string, R> =>
  new Map(rows.map((row) => [row.id, row]));

function grouped<R extends { strategyId: string }>(rows: readonly R[]): ReadonlyMap<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const row of rows) groups.set(row.strategyId, [...(groups.get(row.strategyId) ?? []), row]);
  return groups;
}

/** What ids of the audit log stand for, as it is now: deals, targets, strategies with their targets, accounts, orders, users. */
export async function auditSubjects(db: Queries, ids: readonly string[]) {
  const uuids = [...new Set(ids.filter(isId))];
  const none = uuids.length === 0;
  const [deals, targets, accounts, users, orders] = await Promise.all([
    none ? [] : dealsWhere(db, inArray(deal.id, uuids)),
    none ? [] : db.select().from(target).where(inArray(target.id, uuids)),
    none ? [] : db.select().from(account).where(inArray(account.id, uuids)),
    none ? [] : db.select({ id: user.id, name: user.name }).from(user).where(inArray(user.id, uuids)),
    ordersById(db, [...new Set(ids)]),
  ]);
  const strategyIds = [...uuids, ...[...deals, ...targets].map(({ strategyId }) => strategyId)];
  const [strategies, standing] = await Promise.all([
    none ? [] : db.select().from(strategy).where(inArray(strategy.id, strategyIds)),
    targetsOfStrategies(db, uuids),
  ]);
  return {
    deals: byId(deals),
    targets: byId(targets),
    accounts: byId(accounts),
    users: byId(users),
    orders: byId(orders),
    strategies: byId(strategies),
    targetsOf: grouped(standing),
  };
}
export type AuditSubjects = Awaited<ReturnType<typeof auditSubjects>>;

/** The desk strategies of these users, who name it by nothing. */
export async function desksOf(db: Queries, userIds: readonly string[]) {
  const rows =
    userIds.length === 0
      ? []
      : await db
          .select()
          .from(strategy)
          .where(and(inArray(strategy.userId, [...userIds]), isHedgeStrategy));
  return new Map(rows.map((row) => [row.userId, row]));
}

/** A row of the log after which something may have been opened. */
export interface Opener {
  auditId: number;
  /** UTC ms. */
  at: number;
  strategyId: string;
  /** Who did it, where nothing but the doer says whose it is; null where the row names the strategy. */
  actorId: string | null;
  /** What alone is meant of the strategy, each opened once by it; null for all of it, until the next such row about it. */
  targetIds: string[] | null;
}

/** Deals that were opened after it: how many, how many of them run, and what those that ended made, USDT. */
export interface Opened {
  auditId: number;
  deals: number;
  running: number;
  /** That never stood on both legs. */
  failed: number;
  net: string;
}

const netOf = sql`(select coalesce(sum(l.realised + l.funding - l.fees), 0) from ${dealLeg} l where l.deal_id = d.id)`;

/** @param switches actions that start or stop a strategy: what is opened after the next of them is not counted */
export async function openedAfter(db: Queries, openers: readonly Opener[], switches: readonly string[]) {
  if (openers.length === 0) return new Map<number, Opened>();
  const asked = openers.flatMap(({ targetIds, ...row }) =>
    (targetIds ?? [null]).map((targetId) => ({ ...row, targetId })),
  );
  const { rows } = await db.execute<{
    audit_id: string;
    deals: number;
    running: number;
    failed: number;
    net: string;
  }>(sql`
    select asked."auditId" as audit_id, count(d.id)::int as deals,
      count(d.id) filter (where d.state = 'failed')::int as failed,
      count(d.id) filter (where d.state not in ${[...HEDGE_ENDS]})::int as running,
      coalesce(sum(case when d.state in ${[...HEDGE_ENDS]} then ${netOf} end), 0)::text as net
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      as asked("auditId" bigint, at bigint, "strategyId" uuid, "actorId" uuid, "targetId" uuid)
    left join lateral (
      select min(next.at) as at from audit next
      where asked."targetId" is null and next.id > asked."auditId" and next.action in ${[...switches]}
        and (asked."actorId" is null and next.object = asked."strategyId"::text
          or next.object is null and next.actor_id = asked."actorId" and next.at >= asked.at)
    ) ended on true
    left join lateral (
      select id, state from ${deal} own
      where own.strategy_id = asked."strategyId" and own.created_at >= asked.at
        and (asked."targetId" is null or own.target_id = asked."targetId")
        and (ended.at is null or own.created_at < ended.at)
      order by own.created_at limit case when asked."targetId" is null then null else 1 end
    ) d on true
    group by asked."auditId"`);
  return new Map(rows.map(({ audit_id, ...row }) => [Number(audit_id), { ...row, auditId: Number(audit_id) }]));
}

/** Who did something and when, UTC ms. */
interface Doer {
  auditId: number;
  at: number;
  actorId: string;
}
/** What a call writes is written within this time of its row, ms. */
const WITHIN_MS = 60_000;

/**
 * What was asked to be closed at once by these rows, and what came of it; USDT.
 * @param doers of which strategy each was; null where of more than one
 */
export async function closedBy(db: Queries, doers: readonly (Doer & { strategyId: string | null })[]) {
  if (doers.length === 0) return new Map<number, Closed>();
  const { rows } = await db.execute<{ audit_id: string } & Closed>(
    sql`
    select asked."auditId" as audit_id, count(*)::int as deals, sum(f.notional)::text as notional,
      count(*) filter (where d.state not in ${[...HEDGE_ENDS]})::int as left,
      coalesce(sum(case when d.state in ${[...HEDGE_ENDS]} then ${netOf} end), 0)::text as net
    from jsonb_to_recordset(${JSON.stringify(doers)}::jsonb) 
      as asked("auditId" bigint, at bigint, "actorId" uuid, "strategyId" uuid)
    join lateral (
      select id from ${flatten} own
      where own.by_id = asked."actorId" and own.at between asked.at and asked.at + ${WITHIN_MS}
        and (asked."strategyId" is null or own.strategy_id = asked."strategyId")
      order by own.at limit 1
    ) request on true
    join ${flattenDeal} f on f.flatten_id = request.id
    join ${deal} d on d.id = f.deal_id
    group by asked."auditId"`,
  );
  return new Map(rows.map(({ audit_id, ...row }) => [Number(audit_id), row]));
}
/** The notional is null where no price of it was asked for. */
export type Closed = { deals: number; left: number; notional: string | null; net: string };

/** The states of transfers that these rows asked for. */
export async function transfersBy(db: Queries, doers: readonly (Doer & { from: string; to: string })[]) {
  if (doers.length === 0) return new Map<number, Moved>();
  const { rows } = await db.execute<{ audit_id: string } & Moved>(sql`
    select asked."auditId" as audit_id, moved.state, moved.fee
    from jsonb_to_recordset(${JSON.stringify(doers)}::jsonb)
      as asked("auditId" bigint, at bigint, "actorId" uuid, "from" uuid, "to" uuid)
    join lateral (
      select state, fee from ${accountTransfer} own
      where own.user_id = asked."actorId" and own.from_id = asked."from" and own.to_id = asked."to"
        and own.asked_at between asked.at and asked.at + ${WITHIN_MS}
      order by own.asked_at limit 1
    ) moved on true`);
  return new Map(rows.map(({ audit_id, ...row }) => [Number(audit_id), row]));
}
export type Moved = { state: string; fee: string };
