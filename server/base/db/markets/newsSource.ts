import {
  and,
  asc,
  eq,
  exists,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  notExists,
  type SQL,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { HedgeEventKind, PairBlock } from '#contract/lifecycle';
import type { Queries } from '../client';
import { databaseNow } from '../connection/statements';
import {
  account,
  audit,
  auditResult,
  book,
  deal,
  dealEvent,
  dealLeg,
  fill,
  killSwitch,
  ledger,
  loginAttempt,
  notificationProgress,
  strategy,
  strategyEvent,
  tradeOrder,
  user,
} from '../schema';
import { placesOfLegs } from '../strategies/deal';
import { entersOnce } from '../strategies/strategy';

const ALL = 'all';
/** A transaction that took a number has ended after so long: numbers are given out before they can be seen. */
const SETTLED_MS = 30_000;
/** Before anything was ever told, so many of the newest records are looked at. */
const FIRST_LOOK = 5_000;
/** Records looked at in one pass; the next one goes on. */
const MOST_EVENTS = 2_000;

const p = notificationProgress;

type Progress = typeof notificationProgress.$inferSelect;

/** Up to where everything is told. Before anything was, a little before the newest records. */
export async function progressOf(db: Queries): Promise<Progress> {
  const [row] = await db.select().from(p).where(eq(p.id, ALL));
  if (row !== undefined) return row;
  const newest = await newestRecords(db);
  const eventId = Math.max(0, newest.eventId - FIRST_LOOK);
  const ledgerId = Math.max(0, newest.ledgerId - FIRST_LOOK);
  const first = { eventId, ledgerId, seenEventId: eventId, seenLedgerId: ledgerId };
  await db
    .insert(p)
    .values({ id: ALL, ...first, seenAt: sql`${databaseNow}` })
    .onConflictDoNothing();
  return progressOf(db);
}

/**
 * Notes what was seen, now and then; what was noted a while ago counts as told for good. Written together with the news
 * that were seen, or after them, it never runs ahead of them.
 */
export async function moveProgress(tx: Queries, seen: { eventId: number; ledgerId: number }): Promise<void> {
  const { eventId, ledgerId } = seen;
  const isSettled = sql`${databaseNow} - ${p.seenAt} >= ${SETTLED_MS}`;
  const moves = sql`(${p.eventId}, ${p.ledgerId}) <> (${eventId}::bigint, ${ledgerId}::bigint)`;
  await tx
    .update(p)
    .set({
      eventId: sql`${p.seenEventId}`,
      ledgerId: sql`${p.seenLedgerId}`,
      seenEventId: eventId,
      seenLedgerId: ledgerId,
      seenAt: sql`${databaseNow}`,
    })
    .where(and(eq(p.id, ALL), isSettled, moves));
}

/** What happened to deals after a place in their record, of some kinds, since an instant. */
export async function dealNews(db: Queries, after: number, kinds: readonly HedgeEventKind[], since: number) {
  const legs = db
    .select({
      places: placesOfLegs.as('places'),
      net: sql<string>`sum(${dealLeg.realised} + ${dealLeg.funding} - ${dealLeg.fees})`.as('net'),
    })
    .from(dealLeg)
    .where(eq(dealLeg.dealId, dealEvent.dealId))
    .as('legs');
  return db
    .select({
      id: dealEvent.id,
      kind: sql<HedgeEventKind>`${dealEvent.kind}`,
      detail: dealEvent.detail,
      /** What was too little to be sold, a line each. */
      writtenOff: sql<string[]>`array(select own.detail from deal_event own
        where own.deal_id = ${dealEvent.dealId} and own.kind = 'writtenOff' order by own.id)`,
      at: dealEvent.at,
      dealId: dealEvent.dealId,
      strategy: strategy.kind,
      strategyId: strategy.id,
      mode: strategy.mode,
      userId: deal.userId,
      user: user.name,
      places: legs.places,
      net: legs.net,
    })
    .from(dealEvent)
    .innerJoin(deal, eq(deal.id, dealEvent.dealId))
    .innerJoin(strategy, eq(strategy.id, deal.strategyId))
    .innerJoin(user, eq(user.id, deal.userId))
    .leftJoinLateral(legs, sql`true`)
    .where(and(gt(dealEvent.id, after), inArray(dealEvent.kind, [...kinds]), gte(dealEvent.at, since)))
    .orderBy(asc(dealEvent.id))
    .limit(MOST_EVENTS);
}

/** The newest places in the records of deals and money. */
export async function newestRecords(db: Queries): Promise<{ eventId: number; ledgerId: number }> {
  const { rows } = await db.execute<{ event: string | number; ledger: string | number }>(sql`
    select (select coalesce(max(id), 0) from deal_event) as event, (select coalesce(max(id), 0) from ledger) as ledger`);
  return { eventId: Number(rows[0]?.event ?? 0), ledgerId: Number(rows[0]?.ledger ?? 0) };
}

/**
 * Tells whether anything was written that news are made of: it is another text then. Of rows that are changed in place it
 * goes by the transaction that wrote them last.
 */
export async function newsStamp(db: Queries): Promise<string> {
  const { rows } = await db.execute<{ stamp: string }>(sql`
    select json_build_array(
      (select max(id) from deal_event), (select max(id) from ledger), (select max(id) from strategy_event),
      (select max(id) from strategy_alert), (select max(id) from login_attempt), (select max(at) from flatten),
      (select sum(position) from audit_chain), (select max(xmin::text) from kill_switch),
      (select sum(coalesce(failing_since, 0) + coalesce(failing_until, 0) + coalesce(paused_at, 0)) from book),
      (select sum(xmin::text::bigint) from api_key), (select count(*) from api_key),
      (select sum(coalesce(troubled_at, 0) + coalesce(recovered_at, 0)) from live_journal)
    )::text as stamp`);
  return rows[0]?.stamp ?? '';
}

/** What each settlement of funding that was booked after a place came to for each user, USDT, all positions together. What an exchange pays once several deals share. */
export async function fundingNews(db: Queries, after: number, { since, until }: { since: number; until: number }) {
  const { rows } = await db.execute<{
    user_id: string;
    at: string | number;
    amount: string;
    positions: string | number;
  }>(sql`
    with settled as (
      select distinct user_id, at from ledger
      where id > ${after} and kind = 'funding' and at >= ${since} and at <= ${until}
    )
    select l.user_id, l.at, sum(l.amount)::text as amount,
      count(distinct (l.account_id, l.symbol)) as positions
    from settled s join ledger l on l.user_id = s.user_id and l.at = s.at and l.kind = 'funding'
    group by l.user_id, l.at`);
  return rows.map(({ user_id, at, amount, positions }) => ({
    userId: user_id,
    at: Number(at),
    amount,
    positions: Number(positions),
  }));
}

/**
 * What was traded in real accounts for no deal, booked after a place, since an instant; signed base quantities. What an
 * account is opened with was not traded just now. `isLate`: an order of a deal was filled that had ended by then.
 */
export async function outsideNews(db: Queries, after: number, since: number) {
  const { userId, source, symbol, quantity, price, at } = ledger;
  const isBegunWith = sql`${ledger.reference} = 'fill:' || ${account.id} || ':open:' || ${symbol}`;
  return db
    .select({
      ...{ userId, accountId: account.id, account: account.name, source, symbol, quantity, price, at },
      isLate: sql<boolean>`${tradeOrder.dealId} is not null`,
    })
    .from(ledger)
    .innerJoin(account, eq(account.id, ledger.accountId))
    .leftJoin(fill, eq(fill.id, sql`substr(${ledger.reference}, ${'fill:'.length + 1})`))
    .leftJoin(tradeOrder, eq(tradeOrder.id, fill.orderId))
    .where(
      and(
        ...[gt(ledger.id, after), gte(at, since), eq(ledger.kind, 'fill')],
        ...[isNull(ledger.dealId), eq(account.mode, 'live'), sql`not ${isBegunWith}`],
      ),
    )
    .orderBy(asc(ledger.id))
    .limit(MOST_EVENTS);
}

/** What venues paid of losses beyond an account's equity, booked after a place, USDT. */
export async function bailoutNews(db: Queries, after: number, since: number) {
  const { id, userId, amount, at } = ledger;
  return db
    .select({ id, userId, user: user.name, account: account.name, amount, at })
    .from(ledger)
    .innerJoin(user, eq(user.id, userId))
    .innerJoin(account, eq(account.id, ledger.accountId))
    .where(and(gt(id, after), eq(ledger.kind, 'bailout'), gte(at, since)))
    .orderBy(asc(id));
}

/** Books that somebody else than their owner has paused, since an instant. */
export async function pausesByOthers(db: Queries, since: number) {
  return db
    .select({ userId: book.userId, at: book.pausedAt, by: book.pausedBy, reason: book.pauseReason })
    .from(book)
    .innerJoin(user, eq(user.id, book.userId))
    .where(and(isNotNull(book.pausedAt), gte(book.pausedAt, since), ne(book.pausedBy, user.name)));
}

/** Strategies that a person who is not their owner has switched, since an instant. */
export async function switchesByOthers(db: Queries, since: number) {
  const { id, at, by, detail } = strategyEvent;
  const isPerson = sql`${by} in (select p.name from app_user p)`;
  return db
    .select({
      ...{ id, at, by, detail, userId: user.id },
      ...{ name: strategy.name, mode: strategy.mode, kind: strategy.kind, strategyId: strategy.id },
    })
    .from(strategyEvent)
    .innerJoin(strategy, eq(strategy.id, strategyEvent.strategyId))
    .innerJoin(user, eq(user.id, strategy.userId))
    .where(and(gte(at, since), eq(strategyEvent.kind, 'switched'), ne(by, user.name), isPerson))
    .orderBy(asc(id));
}

/** Single deals that came to nothing by themselves since an instant; what a person called off he knows of. */
export async function unopenedSingles(db: Queries, since: number) {
  const refused = sql<PairBlock>`${strategy.single} ->> 'refused'`;
  return db
    .select({
      ...{ strategyId: strategy.id, userId: strategy.userId, name: strategy.name, mode: strategy.mode },
      ...{ kind: strategy.kind, at: sql<number>`${strategy.switchedAt}`.mapWith(Number), refused },
    })
    .from(strategy)
    .where(and(gte(strategy.switchedAt, since), entersOnce, sql`${refused} <> ${'closedByHand' satisfies PairBlock}`));
}

/** That entries are stopped for everybody, if it was said since an instant. */
export async function pauseOfAll(db: Queries, since: number) {
  const [row] = await db.select().from(killSwitch).where(gte(killSwitch.pausedAt, since));
  return row ?? null;
}

/** Users who may sign in, and those of them who look after everybody. */
export async function listeners(db: Queries): Promise<{ all: string[]; masters: string[] }> {
  const rows = await db.select({ id: user.id, role: user.role }).from(user).where(eq(user.blocked, false));
  return { all: rows.map(({ id }) => id), masters: rows.filter(({ role }) => role === 'master').map(({ id }) => id) };
}

/** Writes of these actions that were done to users by others, since an instant. */
export async function doneToOthers(db: Queries, actions: readonly string[], since: number) {
  return db
    .select({
      id: audit.id,
      at: audit.at,
      userId: user.id,
      actor: audit.actor,
      action: audit.action,
      before: auditResult.before,
      after: auditResult.after,
    })
    .from(audit)
    .innerJoin(auditResult, and(eq(auditResult.auditId, audit.id), lt(auditResult.code, 300)))
    .innerJoin(user, eq(sql`${user.id}::text`, audit.object))
    .where(and(gte(audit.at, since), inArray(audit.action, [...actions]), ne(audit.actor, user.name)))
    .orderBy(asc(audit.id));
}

/** Logins since an instant from an address that their user never came from before, of who came from another one. */
export async function newPlaces(db: Queries, since: number) {
  const earlier = alias(loginAttempt, 'earlier');
  const before = (rest?: SQL) =>
    db
      .select({ one: sql`1` })
      .from(earlier)
      .where(
        and(eq(earlier.userId, loginAttempt.userId), eq(earlier.result, 'ok'), lt(earlier.id, loginAttempt.id), rest),
      );
  const { id, at, address } = loginAttempt;
  const rows = await db
    .select({ id, at, userId: loginAttempt.userId, address })
    .from(loginAttempt)
    .where(
      and(
        gte(at, since),
        eq(loginAttempt.result, 'ok'),
        exists(before()),
        notExists(before(eq(earlier.address, address))),
      ),
    )
    .orderBy(asc(id));
  return rows.flatMap(({ userId, ...row }) => (userId === null ? [] : [{ ...row, userId }]));
}
