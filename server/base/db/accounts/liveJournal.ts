import Big from 'big.js';
import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import { plain, signedBy } from '../../maths/decimal';
import type { Queries } from '../client';
import { json } from '../connection/statements';
import { liveEvent, liveJournal, liveOrder } from '../schema';
import type { VenueEvent } from './venueRecord';

/** How far an exchange was read, by its clock (UTC ms) and its numbers. */
export interface JournalCursors {
  /** What moved money, until then. */
  income: number;
  /** Trades by symbol: the newest number, and from when on they are read where there is none. */
  trades: Record<string, { id: number | null; from: number }>;
}

export interface StoredJournal {
  accountId: string;
  since: number;
  sequence: number;
  cursors: JournalCursors;
  /** Signed quantities that the events come to, exact, by symbol. */
  held: Readonly<Record<string, string>>;
  revision: number;
}

/** An event before it has its place, under a name that is its own for ever. */
export interface NamedEvent {
  name: string;
  event: VenueEvent;
}

export async function journalOf(db: Queries, accountId: string): Promise<StoredJournal | undefined> {
  const [row] = await db.select().from(liveJournal).where(eq(liveJournal.accountId, accountId));
  return row && { ...row, cursors: row.cursors as JournalCursors, held: row.held as StoredJournal['held'] };
}

/** Opens a journal with what was there; one that is open stays as it is. */
export async function openJournal(
  db: Queries,
  { accountId, since }: Pick<StoredJournal, 'accountId' | 'since'>,
  events: readonly NamedEvent[],
): Promise<void> {
  const cursors: JournalCursors = { income: since, trades: {} };
  await db.execute(sql`
    with opened as (
      insert into live_journal (account_id, since, sequence, cursors, held)
      values (${accountId}, ${since}, ${events.length}, ${json(cursors)}, ${json(heldAfter({}, events))}) on conflict do nothing returning account_id
    )
    ${told('opened', events)}`);
}

/** Adds events and moves on, all or nothing. @returns false where somebody else did so since it was read */
export async function growJournal(
  db: Queries,
  { accountId, revision, held }: StoredJournal,
  { events, cursors }: { events: readonly NamedEvent[]; cursors: JournalCursors },
): Promise<boolean> {
  const { rows } = await db.execute(sql`
    with moved as (
      update live_journal set sequence = sequence + ${events.length}, cursors = ${json(cursors)},
        held = ${json(heldAfter(held, events))}, revision = revision + 1
      where account_id = ${accountId} and revision = ${revision} returning account_id
    ), told as (${told('moved', events)}), ended as (
      update live_order set rests = false from moved
      where client_id in (select jsonb_array_elements_text(${json(endedBy(events))})::uuid)
    )
    select account_id from moved`);
  return rows.length > 0;
}

const endedBy = (events: readonly NamedEvent[]): string[] =>
  events.flatMap(({ event }) => (event.kind === 'orderEnd' ? [event.report.clientId] : []));

function heldAfter(held: StoredJournal['held'], events: readonly NamedEvent[]): StoredJournal['held'] {
  const all = { ...held };
  for (const { event } of events) {
    if (event.kind !== 'fill') continue;
    const { symbol, side, quantity, feeInBase = '0' } = event;
    const signed = signedBy(side, new Big(quantity)).minus(feeInBase);
    all[symbol] = plain(signed.plus(all[symbol] ?? 0));
    if (all[symbol] === '0') delete all[symbol];
  }
  return all;
}

const told = (of: 'opened' | 'moved', events: readonly NamedEvent[]): SQL => sql`
  insert into live_event (account_id, sequence, name, event)
  select o.account_id, (e -> 'event' ->> 'sequence')::bigint, e ->> 'name', e -> 'event'
  from ${sql.raw(of)} o, jsonb_array_elements(${json(events)}) e`;

/** Of these names those that are written already. */
export async function toldNames(db: Queries, accountId: string, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const rows = await db
    .select({ name: liveEvent.name })
    .from(liveEvent)
    .where(and(eq(liveEvent.accountId, accountId), inArray(liveEvent.name, [...names])));
  return new Set(rows.map(({ name }) => name));
}

export async function journalEvents(
  db: Queries,
  accountId: string,
  after: number,
  most?: number,
): Promise<VenueEvent[]> {
  const all = db
    .select({ event: liveEvent.event })
    .from(liveEvent)
    .where(and(eq(liveEvent.accountId, accountId), gt(liveEvent.sequence, after)))
    .orderBy(asc(liveEvent.sequence));
  const rows = await (most === undefined ? all : all.limit(most));
  return rows.map(({ event }) => event as VenueEvent);
}

/** What the fills of an account from an instant on (UTC ms) come to by its journal, signed, exact, by symbol. */
export async function tradedSince(db: Queries, accountId: string, at: number): Promise<Map<string, string>> {
  const { rows } = await db.execute<{ symbol: string; quantity: string }>(sql`
    select event ->> 'symbol' as symbol, sum(
      (event ->> 'quantity')::numeric * case event ->> 'side' when 'buy' then 1 else -1 end
      - coalesce((event ->> 'feeInBase')::numeric, 0))::text as quantity
    from live_event where account_id = ${accountId} and (event ->> 'at')::bigint >= ${at}::bigint
      and event ->> 'kind' = 'fill' group by 1`);
  return new Map(rows.map(({ symbol, quantity }) => [symbol, quantity]));
}

/** What was filled of orders by an account's journal, exact, by client id. */
export async function filledByJournal(
  db: Queries,
  accountId: string,
  clientIds: readonly string[],
): Promise<Map<string, string>> {
  if (clientIds.length === 0) return new Map();
  const clientId = sql<string>`${liveEvent.event} ->> 'clientId'`;
  const rows = await db
    .select({ clientId, quantity: sql<string>`sum((${liveEvent.event} ->> 'quantity')::numeric)::text` })
    .from(liveEvent)
    .where(and(eq(liveEvent.accountId, accountId), inArray(clientId, [...clientIds])))
    .groupBy(clientId);
  return new Map(rows.map((row) => [row.clientId, row.quantity]));
}

/** Whether a settlement of a symbol at an instant (UTC ms) is among the events. */
export async function isSettledInJournal(db: Queries, accountId: string, symbol: string, at: number): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from live_event
    where account_id = ${accountId} and event ->> 'kind' = 'funding' and event ->> 'symbol' = ${symbol}
      and (event ->> 'at')::bigint = ${at} limit 1`);
  return rows.length > 0;
}

/** Orders of an account that may have been filled since: those that are not told to have ended, and the newest. */
export async function restlessOrders(
  db: Queries,
  accountId: string,
  since: number,
): Promise<{ symbol: string; deadline: number }[]> {
  const isRestless = sql`(${liveOrder.rests} or ${liveOrder.report} is null or ${liveOrder.report} ->> 'state' = 'open'
    or (${liveOrder.report} ->> 'at')::bigint >= ${since})`;
  return db
    .select({ symbol: liveOrder.symbol, deadline: liveOrder.deadline })
    .from(liveOrder)
    .where(
      and(
        eq(liveOrder.accountId, accountId),
        sql`${liveOrder.symbol} <> '' and (${liveOrder.quantity} <> 0 or ${liveOrder.report} is not null)`,
        isRestless,
      ),
    );
}

/** Ours by the exchange's numbers of orders, which it counts by symbol. */
export async function ownOrders(
  db: Queries,
  accountId: string,
  symbol: string,
  numbers: readonly string[],
): Promise<Map<string, string>> {
  if (numbers.length === 0) return new Map();
  const number = sql<string>`${liveOrder.report} ->> 'exchangeId'`;
  const rows = await db
    .select({ clientId: liveOrder.clientId, number })
    .from(liveOrder)
    .where(and(eq(liveOrder.accountId, accountId), eq(liveOrder.symbol, symbol), inArray(number, [...numbers])));
  return new Map(rows.map((row) => [row.number, row.clientId]));
}
