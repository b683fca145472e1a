import Big from 'big.js';
import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { Queries } from '../../db/client';
import { paperAccount, paperEvent, paperOrder } from '../../db/schema';
import { plain } from '../../maths/decimal';
import { symbolKey } from '../symbolKey';
import type { VenueEvent, VenueOrder, VenueReport, VenueTransfer } from '../venue';
import type { AccountChange } from './accountChange';
import type { PaperAccount, PaperOrder, PaperPosition } from './paperAccount';

const UNIQUE_VIOLATION = '23505';

/** How a commit ended; `stale`: the account is not any more what the change began with, `known`: the order's id is taken. */
export type Commit = 'done' | 'stale' | 'known';

/** The account with its positions and resting orders; undefined when it was never opened. */
export async function loadAccount(db: Queries, account: string): Promise<PaperAccount | undefined> {
  const [loaded] = await load(db, eq(paperAccount.account, account));
  return loaded;
}

/** All accounts that time can change: those with positions or resting orders. */
export function loadActive(db: Queries): Promise<PaperAccount[]> {
  return load(
    db,
    sql`exists (select 1 from paper_position p where p.account = paper_account.account)
      or exists (select 1 from paper_order o where o.account = paper_account.account and o.resting)`,
  );
}

/** Positions and orders ride on the account's row, so that all of it is of one moment. */
async function load(db: Queries, which: SQL): Promise<PaperAccount[]> {
  const rows = await db
    .select({
      account: paperAccount.account,
      revision: paperAccount.revision,
      cash: paperAccount.cash,
      sequence: paperAccount.sequence,
      fundedUntil: paperAccount.fundedUntil,
      positions: sql<
        StoredPosition[]
      >`coalesce((select json_agg(json_build_object('source', p.source, 'symbol', p.symbol,
        'quantity', p.quantity::text, 'leverage', p.leverage) order by p.source, p.symbol)
        from paper_position p where p.account = paper_account.account), '[]')`,
      resting: sql<PaperOrder[]>`coalesce((select json_agg(json_build_object('order', o."order", 'report', o.report)
        order by (o.report->>'at')::bigint, o.client_id)
        from paper_order o where o.account = paper_account.account and o.resting), '[]')`,
    })
    .from(paperAccount)
    .where(which)
    .orderBy(asc(paperAccount.account));
  return rows.map(({ positions, resting, cash, ...row }) => ({
    ...row,
    cash: new Big(cash),
    // Not known: the first look finds out.
    fundingDueAt: 0,
    positions: new Map(positions.map((row) => [symbolKey(row), positionOf(row)])),
    resting: new Map(resting.map((stored) => [stored.order.clientId, stored])),
  }));
}

interface StoredPosition {
  source: string;
  symbol: string;
  quantity: string;
  leverage: number;
}

const positionOf = (row: StoredPosition): PaperPosition => ({
  ...row,
  quantity: new Big(row.quantity),
  size: Number(row.quantity),
});

export async function loadRevisions(db: Queries): Promise<Map<string, number>> {
  const rows = await db.select({ account: paperAccount.account, revision: paperAccount.revision }).from(paperAccount);
  return new Map(rows.map(({ account, revision }) => [account, revision]));
}

export async function loadRevision(db: Queries, account: string): Promise<number | undefined> {
  const [row] = await db
    .select({ revision: paperAccount.revision })
    .from(paperAccount)
    .where(eq(paperAccount.account, account));
  return row?.revision;
}

export async function findOrder(
  db: Queries,
  clientId: string,
): Promise<(PaperOrder & { account: string }) | undefined> {
  const [row] = await db
    .select({ account: paperOrder.account, order: paperOrder.order, report: paperOrder.report })
    .from(paperOrder)
    .where(eq(paperOrder.clientId, clientId));
  // Only `commitChange` writes the columns; without them no such order will ever be.
  if (row?.report == null) return undefined;
  return { account: row.account, order: row.order as VenueOrder, report: row.report as VenueReport };
}

/** Whether an id belongs to an order, or was taken so that none can have it. */
export async function isTaken(db: Queries, clientId: string): Promise<boolean> {
  const rows = await db.select({ id: paperOrder.clientId }).from(paperOrder).where(eq(paperOrder.clientId, clientId));
  return rows.length > 0;
}

/** Takes an id for good. @returns false where an order has it already. */
export async function voidOrder(db: Queries, account: string, clientId: string): Promise<boolean> {
  const [taken] = await db
    .insert(paperOrder)
    .values({ clientId, account, resting: false })
    .onConflictDoNothing()
    .returning({ id: paperOrder.clientId });
  if (taken) return true;
  return (await findOrder(db, clientId)) === undefined;
}

export async function loadEvents(db: Queries, account: string, after: number): Promise<VenueEvent[]> {
  const rows = await db
    .select({ event: paperEvent.event })
    .from(paperEvent)
    .where(and(eq(paperEvent.account, account), gt(paperEvent.sequence, after)))
    .orderBy(asc(paperEvent.sequence));
  return rows.map(({ event }) => event as VenueEvent);
}

/** Opens an account with its first transfer; one that is open stays as it is. */
export async function openAccount(db: Queries, { account, amount, at }: { account: string; amount: Big; at: number }) {
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

const json = (value: unknown): SQL => sql`${JSON.stringify(value)}::text::jsonb`;

/** Writes all of a change or nothing, in one statement. */
export async function commitChange(db: Queries, change: AccountChange): Promise<Commit> {
  try {
    const { rows } = await db.execute(statementOf(change));
    return rows.length === 1 ? 'done' : 'stale';
  } catch (error) {
    if (isKnownOrder(error)) return 'known';
    throw error;
  }
}

/** Only with the parts that there is something for: planning an empty one costs as much as a full one. */
function statementOf(change: AccountChange): SQL {
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
      insert into paper_position (account, source, symbol, quantity, leverage)
      select m.account, x.source, x.symbol, x.quantity, x.leverage from moved m, ${positionRows(held)}
      on conflict (account, source, symbol) do update set quantity = excluded.quantity, leverage = excluded.leverage
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
  sql`jsonb_to_recordset(${json(rows)}) as x(source text, symbol text, quantity numeric, leverage double precision)`;

function isKnownOrder(error: unknown): boolean {
  const { code, constraint } = ((error as Error).cause ?? error) as { code?: string; constraint?: string };
  return code === UNIQUE_VIOLATION && constraint === 'paper_order_pkey';
}
