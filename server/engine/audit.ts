import Big from 'big.js';
import { ORDER_LIVE, type OrderState } from '#contract/lifecycle';
import type { TransferRow } from '../base/db/accounts/transfer';
import type { AccountRow } from '../base/db/accounts/venueAccount';
import type { Database } from '../base/db/client';
import {
  type AuditedOrder,
  auditedBooks,
  everythingBooked,
  type LedgerSum as Ledger,
  stoppedOrders,
  type TransferBooking,
  wrongSums,
} from '../base/db/records/audit';
import type { DealColumns as Deal, LegRow } from '../base/db/strategies/deal';
import { signedBy, ZERO } from '../base/maths/decimal';
import { type SourceSymbol, symbolKey } from '../base/symbolKey';
import type { Venue, VenueEvent, VenueFill, VenueOrderEnd } from '../market/venue';
import { settlementKey } from './booking';
import { SETTLE_ASSET } from './holdings';

/** A mismatch, in words for people. */
interface Finding {
  userId: string;
  user: string;
  what: string;
}

export interface Audit {
  books: number;
  deals: number;
  ledgerRows: number;
  /** Orders that the pre-trade risk check has stopped, ever. */
  stopped: number;
  findings: Finding[];
}

/** Of a venue what an audit reads: what happened, never what is there now. */
export type Told = Pick<Venue, 'events'>;

/**
 * Proves that the books agree: cash by the ledger = transfers + realised - cost + funding - fees of all deals, so that
 * equity by the ledger equals equity by the positions at whatever marks; positions by ledger = by deals = at the venue;
 * cash by ledger = by the venue's events; what left an account for another of its user's came there or is on its way;
 * every order is the sum of its fills; what has ended is flat; the sums that are kept of the ledger are those of its
 * rows. Compares exact decimals, to the last digit.
 * @param only looks at these users' books alone.
 */
export async function audit(db: Database, venue: Told, only?: readonly string[]): Promise<Audit> {
  const books = await auditedBooks(db, only);
  const findings: Finding[] = [];
  let deals = 0;
  let ledgerRows = 0;
  for (const one of books) {
    const found = await auditBook(db, venue, one.userId);
    deals += found.deals;
    ledgerRows += found.ledgerRows;
    findings.push(...found.problems.map((what) => ({ userId: one.userId, user: one.user, what })));
  }
  return { books: books.length, deals, ledgerRows, stopped: await stoppedOrders(db), findings };
}

async function auditBook(db: Database, venue: Told, userId: string) {
  const { accounts, sums: rows, moves, deals, orders, transfers } = await everythingBooked(db, userId);
  const kept = await wrongSums(db, userId);
  const problems = kept.map(({ kind, of, kept, summed }) => `账本合计 ${kind} ${of}：${kept}，各行相加为 ${summed}`);
  const expect = (what: string, got: Big, wanted: Big) => {
    if (!got.eq(wanted)) problems.push(`${what}：${got.toFixed()}，应为 ${wanted.toFixed()}`);
  };
  checkDeals(rows, deals, problems, expect);
  checkOrders(orders, problems, expect);
  checkTransfers(transfers, rows, moves, expect);
  const legs = deals.flatMap((deal) => deal.legs);
  for (const account of accounts) {
    const isOwn = ({ accountId }: { accountId: string }) => accountId === account.id;
    const own = rows.filter(isOwn);
    checkPositions(own, legs.filter(isOwn), expect);
    await checkVenue(venue, account, own, expect);
  }
  return { deals: deals.length, ledgerRows: rows.reduce((sum, each) => sum + each.rows, 0), problems };
}

type Expect = (what: string, got: Big, wanted: Big) => void;

const total = (amounts: readonly (string | null)[]): Big =>
  amounts.reduce((sum, amount) => sum.plus(amount ?? 0), ZERO);

const endedStates = ['closed', 'failed'];

/** What is wrong with the quantities a deal says it holds. */
function legProblems({ id, state, legs }: Deal): string[] {
  const ended = endedStates.includes(state);
  return legs.flatMap(({ side, symbol, quantity }) => {
    const held = new Big(quantity);
    return [
      ended && !held.eq(0) && `对冲单 ${id} 已结束，仍持有 ${symbol} ${quantity}`,
      side === 'long' && held.lt(0) && `对冲单 ${id} 多头数量为负`,
      side === 'short' && held.gt(0) && `对冲单 ${id} 空头数量为正`,
    ].filter((problem) => problem !== false);
  });
}

function checkDeals(rows: Ledger[], deals: Deal[], problems: string[], expect: Expect): void {
  const byDeal = grouped(rows);
  let explained = total((byDeal.get(null) ?? []).map(({ amount }) => amount));
  for (const deal of deals) {
    const own = byDeal.get(deal.id) ?? [];
    const of = (kind: string) => total(own.filter((row) => row.kind === kind).map(({ amount }) => amount));
    const sum = (figure: 'fees' | 'funding' | 'realised' | 'cost') => total(deal.legs.map((leg) => leg[figure]));
    expect(`对冲单 ${deal.id} 手续费`, sum('fees'), of('fee').neg());
    expect(`对冲单 ${deal.id} 资金费`, sum('funding'), of('funding'));
    expect(
      `对冲单 ${deal.id} 现金`,
      of('fill').plus(of('writeOff')).plus(of('inventory')),
      sum('realised').minus(sum('cost')),
    );
    explained = explained.plus(total(own.map(({ amount }) => amount)));
    problems.push(...legProblems(deal));
  }
  expect('现金合计', total(rows.map(({ amount }) => amount)), explained);
}

/** Rows of no deal that change what an account holds. */
const OF_NO_DEAL: readonly string[] = ['fill', 'coin', 'writeOff', 'inventory'];

/** The positions of an account by its ledger are those of the legs, and what belongs to no deal. */
function checkPositions(rows: readonly Ledger[], legs: readonly LegRow[], expect: Expect): void {
  const held = new Map<string, Big>();
  const hold = (of: SourceSymbol, quantity: string | null) => {
    const key = symbolKey(of);
    held.set(key, (held.get(key) ?? ZERO).plus(quantity ?? 0));
  };
  for (const leg of legs) hold(leg, leg.quantity);
  for (const row of rows) {
    if (row.dealId === null && OF_NO_DEAL.includes(row.kind)) hold(row, row.quantity);
  }
  for (const [key, quantity] of positionsOf(rows)) {
    expect(`${key} 持仓（账本与对冲单）`, held.get(key) ?? ZERO, quantity);
  }
}

/** Each transfer is debited and credited as its state says; the difference of all is in transit. */
function checkTransfers(
  transfers: readonly TransferRow[],
  rows: readonly Ledger[],
  booked: readonly TransferBooking[],
  expect: Expect,
): void {
  const moves = rows.filter(({ kind }) => kind === 'move');
  const underWay = transfers.map((transfer) => {
    checkTransfer(transfer, booked, expect);
    return transfer.state === 'transit' ? worthOf(transfer) : ZERO;
  });
  const onTheWay = underWay.reduce((sum, one) => sum.plus(one), ZERO);
  expect('在途金额', total(moves.map(({ amount }) => amount)).neg(), onTheWay);
}

/** A coin in transit is valued at its price when it left. */
const worthOf = ({ asset, amount, price }: TransferRow): Big =>
  asset === SETTLE_ASSET ? new Big(amount) : new Big(amount).times(price ?? 0);

function checkTransfer(transfer: TransferRow, rows: readonly TransferBooking[], expect: Expect): void {
  const { id, fromId, toId, asset, fee, state, amount: moved } = transfer;
  const named = (accountId: string, reference: string) =>
    rows.filter((row) => row.accountId === accountId && row.reference === reference);
  const booked = (accountId: string, reference: string) => total(named(accountId, reference).map((row) => row.amount));
  const when = (is: boolean, amount: Big) => (is ? amount : ZERO);
  const [hasLeft, isThere] = [state === 'transit' || state === 'arrived', state === 'arrived'];
  const amount = worthOf(transfer);
  expect(`划转 ${id} 转出`, booked(fromId, `move:${id}`), when(hasLeft, amount.neg()));
  expect(`划转 ${id} 手续费`, booked(fromId, `moveFee:${id}`), when(hasLeft, new Big(fee).neg()));
  expect(`划转 ${id} 到账`, booked(toId, `move:${id}`), when(isThere, amount));
  if (asset === SETTLE_ASSET) return;
  const coins = (accountId: string) => total(named(accountId, `coin:${id}`).map((row) => row.quantity));
  expect(`划转 ${id} 转出 ${asset}`, coins(fromId), when(hasLeft, new Big(moved).neg()));
  expect(`划转 ${id} 到账 ${asset}`, coins(toId), when(isThere, new Big(moved)));
}

function grouped(rows: Ledger[]): Map<string | null, Ledger[]> {
  const groups = new Map<string | null, Ledger[]>();
  for (const row of rows) {
    const group = groups.get(row.dealId);
    if (group) group.push(row);
    else groups.set(row.dealId, [row]);
  }
  return groups;
}

function positionsOf(rows: readonly Ledger[]): Map<string, Big> {
  const positions = new Map<string, Big>();
  for (const { kind, source, symbol, quantity } of rows) {
    if (kind !== 'fill' && kind !== 'coin') continue;
    const key = symbolKey({ source, symbol });
    positions.set(key, (positions.get(key) ?? ZERO).plus(quantity ?? 0));
  }
  return positions;
}

function checkOrders(orders: readonly AuditedOrder[], problems: string[], expect: Expect): void {
  for (const { id, state, filledQuantity, filledNotional, fee, reportedQuantity, fills } of orders) {
    expect(`订单 ${id} 成交量`, new Big(filledQuantity), new Big(fills.quantity));
    expect(`订单 ${id} 成交额`, new Big(filledNotional), new Big(fills.notional));
    expect(`订单 ${id} 手续费`, new Big(fee), new Big(fills.fee));
    if (fills.strays > 0) problems.push(`订单 ${id} 有 ${fills.strays} 笔成交没有记入它的对冲单`);
    // A live order may be reported and not booked yet.
    const isShort = !ORDER_LIVE.includes(state as OrderState) && new Big(filledQuantity).lt(reportedQuantity);
    if (isShort) problems.push(`订单 ${id} 已结束，交易所回报成交 ${reportedQuantity}，入账 ${filledQuantity}`);
  }
}

/** The fee of a transfer, USDT. */
const feeOf = (event: Exclude<VenueEvent, VenueFill | VenueOrderEnd>): string =>
  event.kind === 'move' ? (event.fee ?? '0') : '0';

/** Events that are read at once. */
const PAGE = 10_000;

/** The events of a venue up to a sequence, page by page, without duplicates. */
export async function* happened(venue: Told, account: string, sequence: number): AsyncGenerator<VenueEvent> {
  let told = 0;
  const settled = new Set<string>();
  let [after, read] = [0, 0];
  // Asked in any case: a venue that cannot answer does not agree.
  do {
    after = read;
    for (const event of await venue.events(account, after, PAGE)) {
      read = Math.max(read, event.sequence);
      const key = event.kind === 'funding' ? settlementKey(event) : '';
      if (event.sequence > sequence || event.sequence <= told || settled.has(key)) continue;
      told = event.sequence;
      if (event.kind === 'funding') settled.add(key);
      yield event;
    }
  } while (read > after && read < sequence);
}

/** Compares the ledger with the venue's events, up to the sequence that the engine has booked. */
async function checkVenue(venue: Told, { id, sequence }: AccountRow, rows: Ledger[], expect: Expect): Promise<void> {
  let cash = ZERO;
  const paid = { transfer: ZERO, bailout: ZERO };
  const positions = new Map<string, Big>();
  const hold = (of: SourceSymbol, signed: Big) =>
    positions.set(symbolKey(of), (positions.get(symbolKey(of)) ?? ZERO).plus(signed));
  for await (const event of happened(venue, id, sequence)) {
    if (event.kind === 'orderEnd') continue;
    if (event.kind === 'move' && event.coin) {
      // A coin transfer moves the coin itself and no cash but the fee.
      cash = cash.minus(feeOf(event));
      hold(event, new Big(event.coin.quantity));
      continue;
    }
    if (event.kind === 'transfer' || event.kind === 'bailout') paid[event.kind] = paid[event.kind].plus(event.amount);
    if (event.kind !== 'fill') {
      cash = cash.plus(event.amount).minus(feeOf(event));
      continue;
    }
    const traded = signedBy(event.side, new Big(event.quantity));
    const signed = traded.minus(event.feeInBase ?? 0);
    cash = cash.minus(traded.times(event.price)).minus(event.feeInBase === undefined ? event.fee : 0);
    hold(event, signed);
  }
  expect('现金（账本与交易所）', total(rows.map(({ amount }) => amount)), cash);
  const ofKind = (kind: string) => total(rows.filter((row) => row.kind === kind).map(({ amount }) => amount));
  expect('外部划入（账本与交易所）', ofKind('transfer'), paid.transfer);
  expect('穿仓垫付（账本与交易所）', ofKind('bailout'), paid.bailout);
  const ours = positionsOf(rows);
  for (const key of new Set([...ours.keys(), ...positions.keys()])) {
    expect(`${key} 持仓（账本与交易所）`, ours.get(key) ?? ZERO, positions.get(key) ?? ZERO);
  }
}
