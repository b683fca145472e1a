import type Big from 'big.js';
import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import { plain } from '../../maths/decimal';
import type { Queries } from '../client';
import { json } from '../connection/statements';
import { paperAccount, paperEvent, paperOrder } from '../schema';
import type { VenueEvent, VenueFill, VenueOrder, VenueReport, VenueTransfer } from './venueRecord';

/** An order and its state. */
export interface PaperOrder {
  order: VenueOrder;
  report: VenueReport;
}

export async function findPaperOrder(
  db: Queries,
  clientId: string,
): Promise<(PaperOrder & { account: string }) | undefined> {
  const [row] = await db
    .select({ account: paperOrder.account, order: paperOrder.order, report: paperOrder.report })
    .from(paperOrder)
    .where(eq(paperOrder.clientId, clientId));
  // Only `commitPaperChange` writes the columns; without them no such order will ever be.
  if (row?.report == null) return undefined;
  return { account: row.account, order: row.order as VenueOrder, report: row.report as VenueReport };
}

/** Whether an id belongs to an order, or was taken so that none can have it. */
export async function isPaperIdTaken(db: Queries, clientId: string): Promise<boolean> {
  const rows = await db.select({ id: paperOrder.clientId }).from(paperOrder).where(eq(paperOrder.clientId, clientId));
  return rows.length > 0;
}

/** Takes an id for good. @returns false where an order has it already. */
export async function voidPaperOrder(db: Queries, account: string, clientId: string): Promise<boolean> {
  const [taken] = await db
    .insert(paperOrder)
    .values({ clientId, account, resting: false })
    .onConflictDoNothing()
    .returning({ id: paperOrder.clientId });
  if (taken) return true;
  return (await findPaperOrder(db, clientId)) === undefined;
}

export async function paperEvents(db: Queries, account: string, after: number, most?: number): Promise<VenueEvent[]> {
  const all = db
    .select({ event: paperEvent.event })
    .from(paperEvent)
    .where(and(eq(paperEvent.account, account), gt(paperEvent.sequence, after)))
    .orderBy(asc(paperEvent.sequence));
  const rows = await (most === undefined ? all : all.limit(most));
  return rows.map(({ event }) => event as VenueEvent);
}

/** Fills of an account after an instant, UTC ms. */
export async function paperFillsSince(db: Queries, account: string, at: number): Promise<VenueFill[]> {
  const isLater = sql`${paperEvent.event} ->> 'kind' = 'fill' and (${paperEvent.event} ->> 'at')::bigint > ${at}`;
  const rows = await db
    .select({ event: paperEvent.event })
    .from(paperEvent)
    .where(and(eq(paperEvent.account, account), isLater))
    .orderBy(asc(paperEvent.sequence));
  return rows.map(({ event }) => event as VenueFill);
}

const UNIQUE_VIOLATION = '23505';

/** How a commit ended; `stale`: the account is not any more what the change began with, `known`: the id of the order or the move is taken. */
type Commit = 'done' | 'stale' | 'known';

interface StoredPosition {
  source: string;
  symbol: string;
  /** Signed, exact. */
  quantity: string;
  /** Signed notional that it cost, exact, USDT. */
  cost: string;
  leverage: number;
}

/** An account with its positions and its resting orders, the oldest first. */
export interface StoredAccount {
  account: string;
  revision: number;
  /** USDT, exact. */
  cash: string;
  sequence: number;
  fundedUntil: number;
  positions: StoredPosition[];
  resting: PaperOrder[];
}

/** All that changes in one account at once. */
interface StoredChange {
  before: Pick<StoredAccount, 'account' | 'revision'>;
  cash: Big;
  sequence: number;
  fundedUntil: number;
  placed: PaperOrder[];
  /** By client id. */
  moved: ReadonlyMap<string, PaperOrder>;
  /** Flat ones with quantity 0. */
  touched: StoredPosition[];
  events: VenueEvent[];
}

/** The account with its positions and resting orders; undefined when it was never opened. */
export async function paperAccountOf(db: Queries, account: string): Promise<StoredAccount | undefined> {
  const [loaded] = await load(db, eq(paperAccount.account, account));
  return loaded;
}

/** Those that time can change. */
const isActive = sql`(exists (select 1 from paper_position p where p.account = paper_account.account)
  or exists (select 1 from paper_order o where o.account = paper_account.account and o.resting))`;

/** All accounts that time can change: those with positions or resting orders. */
export const activePaperAccounts = (db: Queries): Promise<StoredAccount[]> => load(db, isActive);

/**
 * Accounts that are not as they are known.
 * @param known their revisions. @param asked the accounts in question; all that are known or that time can change where it is not given
 */
export function changedPaperAccounts(
  db: Queries,
  known: ReadonlyMap<string, number>,
  asked?: ReadonlySet<string>,
): Promise<StoredAccount[]> {
  const ids = asked ?? known.keys();
  const isAsked = sql`paper_account.account = any(${sql.param([...ids])}::text[])`;
  const isAsKnown = sql`(paper_account.account, paper_account.revision) in (
    select * from unnest(${sql.param([...known.keys()])}::text[], ${sql.param([...known.values()])}::bigint[]))`;
  return load(db, sql`${asked ? isAsked : sql`(${isAsked} or ${isActive})`} and not ${isAsKnown}`);
}

/** Positions and orders ride on the account's row, so that all of it is of one moment. */
async function load(db: Queries, which: SQL): Promise<StoredAccount[]> {
  return db
    .select({
      account: paperAccount.account,
      revision: paperAccount.revision,
      cash: paperAccount.cash,
      sequence: paperAccount.sequence,
      fundedUntil: paperAccount.fundedUntil,
      positions: sql<
        StoredPosition[]
      >`coalesce((select json_agg(json_build_object('source', p.source, 'symbol', p.symbol,
        'quantity', p.quantity::text, 'cost', p.cost::text, 'leverage', p.leverage) order by p.source, p.symbol)
        from paper_position p where p.account = paper_account.account), '[]')`,
      resting: sql<PaperOrder[]>`coalesce((select json_agg(json_build_object('order', o."order", 'report', o.report)
        order by (o.report->>'at')::bigint, o.client_id)
        from paper_order o where o.account = paper_account.account and o.resting), '[]')`,
    })
    .from(paperAccount)
    .where(which)
    .orderBy(asc(paperAccount.account));
}

export async function paperRevision(db: Queries, account: string): Promise<number | undefined> {
  const [row] = await db
    .select({ revision: paperAccount.revision })
    .from(paperAccount)
    .where(eq(paperAccount.account, account));
  return row?.revision;
}

/** Opens an account with its first transfer; one that is open stays as it is. */
export async function openPaperAccount(
  db: Queries,
  { account, amount, at }: { account: string; amount: Big; at: number },
) {
  const transfer: VenueTransfer = {
    kind: 'transfer',
    sequence: 1,
    account,
    source: '',
    symbol: '',
    at,
    amount: plain(amount),
  };
  await db.execute(sql`
    with opened as (
      insert into paper_account (account, cash, sequence, funded_until)
      values (${account}, ${transfer.amount}, 1, ${at}) on conflict do nothing returning account
    )
    insert into paper_event (account, sequence, event) select account, 1, ${json(transfer)} from opened`);
}

/** Writes all of a change or nothing, in one statement. */
export async function commitPaperChange(db: Queries, change: StoredChange): Promise<Commit> {
  try {
    const { rows } = await db.execute(statementOf(change));
    return rows.length === 1 ? 'done' : 'stale';
  } catch (error) {
    if (isKnownOne(error)) return 'known';
    throw error;
  }
}

/** Only with the parts that there is something for: planning an empty one costs as much as a full one. */
function statementOf(change: StoredChange): SQL {
  const { before, cash, sequence, fundedUntil, placed, moved, touched, events } = change;
  const parts = [
    sql`moved as (
      update paper_account
      set cash = ${plain(cash)}, sequence = ${sequence}, funded_until = ${fundedUntil}, revision = revision + 1
      where account = ${before.account} and revision = ${before.revision} returning account
    )`,
    ...(placed.length > 0 ? [placedPart(placed)] : []),
    ...(moved.size > 0 ? [changedPart([...moved.values()])] : []),
    ...heldParts(touched),
    ...(events.length > 0 ? [toldPart(events)] : []),
  ];
  return sql`with ${sql.join(parts, sql`, `)} select account from moved`;
}

const placedPart = (orders: PaperOrder[]): SQL => sql`placed as (
  insert into paper_order (client_id, account, "order", report, resting)
  select x."order"->>'clientId', m.account, x."order", x.report, x.report->>'state' = 'open'
  from moved m, jsonb_to_recordset(${json(orders)}) as x("order" jsonb, report jsonb)
)`;

const changedPart = (orders: PaperOrder[]): SQL => sql`changed as (
  update paper_order o set report = x.report, resting = x.report->>'state' = 'open'
  from moved m, jsonb_to_recordset(${json(orders)}) as x("order" jsonb, report jsonb)
  where o.client_id = x.report->>'clientId'
)`;

/** Flat positions have no row. */
function heldParts(touched: StoredPosition[]): SQL[] {
  const held = touched.filter(({ quantity }) => quantity !== '0');
  const flat = touched.filter(({ quantity }) => quantity === '0');
  const parts: SQL[] = [];
  if (held.length > 0) {
    parts.push(sql`held as (
      insert into paper_position (account, source, symbol, quantity, cost, leverage)
      select m.account, x.source, x.symbol, x.quantity, x.cost, x.leverage from moved m, ${positionRows(held)}
      on conflict (account, source, symbol) do update
      set quantity = excluded.quantity, cost = excluded.cost, leverage = excluded.leverage
    )`);
  }
  if (flat.length > 0) {
    parts.push(sql`flat as (
      delete from paper_position p using moved m, ${positionRows(flat)}
      where p.account = m.account and p.source = x.source and p.symbol = x.symbol
    )`);
  }
  return parts;
}

const toldPart = (events: VenueEvent[]): SQL => sql`told as (
  insert into paper_event (account, sequence, event)
  select m.account, (e->>'sequence')::bigint, e from moved m, jsonb_array_elements(${json(events)}) e
)`;

const positionRows = (rows: StoredPosition[]): SQL =>
  sql`jsonb_to_recordset(${json(rows)}) as x(source text, symbol text, quantity numeric, cost numeric, leverage double precision)`;

/** Whether an account's events have a move already. */
export async function isMoveTold(db: Queries, account: string, moveId: string): Promise<boolean> {
  const { rows } = await db.execute(sql`select 1 from paper_event
    where account = ${account} and event ->> 'moveId' = ${moveId} and event ->> 'kind' = 'move' limit 1`);
  return rows.length > 0;
}

function isKnownOne(error: unknown): boolean {
  const { code, constraint } = ((error as Error).cause ?? error) as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && ['paper_order_pkey', 'paper_event_move_key'].includes(constraint ?? '');
}
