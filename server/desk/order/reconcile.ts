import Big from 'big.js';
import type { DataOf } from '#contract/endpoint';
import type { Compared, order, ReconciledAccount } from '#contract/order';
import { ledgerPositions, ledgerSums } from '../../base/db/accounts/ledger';
import { reconciliationsOf } from '../../base/db/accounts/reconciliation';
import { type AccountRow, accountsOf } from '../../base/db/accounts/venueAccount';
import { bookAccounts, countLedger, liveOrders, unknownOrders } from '../../base/db/orders/orderProgress';
import { notFound } from '../../base/http/refusal';
import { plain, ZERO } from '../../base/maths/decimal';
import { type SourceSymbol, symbolKey } from '../../base/symbolKey';
import { audit, happened, type Told } from '../../engine/audit';
import type { VenueFunds, VenueLookup } from '../../market/venue';
import type { DeskDeps } from '../deps';
import { type Inquiry, inquiryOf } from './inquiry';

type Difference = ReconciledAccount['orders'][number];
type Live = Awaited<ReturnType<typeof liveOrders>>[number];

/** Most live orders of an account that the venue is asked about. */
const LOOKUPS = 200;
/** Most events of the venue that are read back for orders that nobody here knows. */
const EVENTS = 20_000;

const HERE: Record<string, string> = { registered: '已登记', open: '挂单中', inDoubt: '结果不明' };
const THERE = { open: '挂单中', filled: '全部成交', cancelled: '已撤销', expired: '已过期' } as const;

/** Live orders looked up at the venue, and orders of the venue that are not here. */
async function checkOrders(inquiry: Inquiry): Promise<{ live: number; differences: Difference[] }> {
  const { db, userId, unknown } = inquiry;
  const live = await liveOrders(db, userId);
  const asked = live.slice(0, LOOKUPS);
  if (live.length > asked.length) unknown.push(`委托：只查询了 ${live.length} 笔中最早的 ${asked.length} 笔`);
  const found: Difference[] = [];
  let failed = 0;
  for (const order of asked) {
    try {
      const difference = compared(order, await inquiry.ask((venue) => venue.lookup(order.accountId, order.id, false)));
      if (difference !== null) found.push(difference);
    } catch {
      failed += 1;
      found.push({ id: order.id, symbol: order.symbol, what: 'unknown', text: '交易所没有回答' });
      // The rest would wait as long, one after the other.
      if (failed === 2) break;
    }
  }
  if (failed > 0) unknown.push('委托：交易所没有回答，未能全部查询');
  if (found.some(({ what, text }) => what === 'unknown' && text === UNCOVERED)) unknown.push(`委托：${UNCOVERED}`);
  const differences = await stillStanding(inquiry, live, found);
  return { live: live.length, differences: [...differences, ...(await strangers(inquiry))] };
}

const UNCOVERED = '交易所查不到，也不能担保它不会再出现';

function compared({ id, symbol, state, filledQuantity }: Live, answer: VenueLookup): Difference | null {
  if (!answer.found) {
    if (!answer.covered) return { id, symbol, what: 'unknown', text: UNCOVERED };
    return { id, symbol, what: 'missingThere', text: `本地${HERE[state] ?? state}，交易所没有这笔委托` };
  }
  const { report } = answer;
  const sameFill = new Big(report.filledQuantity).eq(filledQuantity);
  if (report.state === state && sameFill) return null;
  const here = `本地${HERE[state] ?? state}、成交 ${filledQuantity}`;
  return { id, symbol, what: 'differs', text: `${here}；交易所${THERE[report.state]}、成交 ${report.filledQuantity}` };
}

/** Orders move while they are asked about: what moved here meanwhile is no difference. */
async function stillStanding({ db, userId }: Inquiry, before: readonly Live[], found: Difference[]) {
  if (found.length === 0) return found;
  const stamp = ({ state, filledQuantity }: Live) => `${state} ${filledQuantity}`;
  const then = new Map(before.map((order) => [order.id, stamp(order)]));
  const now = new Map((await liveOrders(db, userId)).map((order) => [order.id, stamp(order)]));
  return found.filter(({ id }) => now.get(id) === then.get(id));
}

/** Orders that the venue tells of in its events and that no row here stands for. */
async function strangers({ db, userId, unknown, told }: Inquiry): Promise<Difference[]> {
  const accounts = await accountsOf(db, [userId]);
  const isLong = accounts.some(({ sequence }) => sequence > EVENTS);
  if (isLong) unknown.push(`委托：只核对了交易所最近 ${EVENTS} 个事件`);
  try {
    const symbols = new Map<string, string>();
    for (const { id, sequence } of accounts) {
      for (const event of await told.events(id, Math.max(0, sequence - EVENTS))) {
        if (event.kind === 'fill' && event.clientId !== null) symbols.set(event.clientId, event.symbol);
        if (event.kind === 'orderEnd') symbols.set(event.report.clientId, event.symbol);
      }
    }
    const missing = await unknownOrders(db, [...symbols.keys()]);
    return missing.map((id) => ({
      id,
      symbol: symbols.get(id) ?? '',
      what: 'missingHere',
      text: '交易所有这笔委托的记录，本地没有',
    }));
  } catch {
    unknown.push('委托：没有读到交易所的事件');
    return [];
  }
}

type Needs = Pick<DeskDeps, 'db' | 'venue' | 'clock'>;

/** Most accounts that one call asks for. */
const ACCOUNTS = 50;
/** How long it goes on asking, ms: the caller waits ten seconds. */
const BUDGET_MS = 6_500;

/**
 * Holds orders, positions and books of the accounts against what the venue says, one account after the other, the
 * busiest first, as many as time allows. What could not be asked is said to be unknown, never taken for fine.
 * @throws 404 for a user without a book.
 */
export async function reconcile(
  { db, venue, clock }: Needs,
  userId: string | undefined,
): Promise<DataOf<typeof order.reconcile>> {
  const all = await bookAccounts(db, userId);
  if (userId !== undefined && all.length === 0) throw notFound('该用户没有交易账户');
  const until = performance.now() + BUDGET_MS;
  const accounts: ReconciledAccount[] = [];
  for (const account of all.slice(0, ACCOUNTS)) {
    if (performance.now() > until) break;
    accounts.push(await reconcileAccount(inquiryOf(db, venue, account, until)));
  }
  return { at: clock(), accounts, left: all.length - accounts.length };
}

/** What the venue and the books have of one user. */
export async function reconcileAccount(inquiry: Inquiry): Promise<ReconciledAccount> {
  const { db, userId, user } = inquiry;
  const daily = (await reconciliationsOf(db, [userId])).get(userId);
  const held = await checkHeld(inquiry);
  const orders = await checkOrders(inquiry);
  const findings = await checkBooks(inquiry);
  const differs =
    findings.length > 0 ||
    orders.differences.some(({ what }) => what !== 'unknown') ||
    held.rows.some(({ agrees }) => !agrees);
  return {
    userId,
    user,
    verdict: differs ? 'differs' : inquiry.unknown.length > 0 ? 'unknown' : 'agrees',
    unknown: inquiry.unknown,
    pending: held.pending,
    liveOrders: orders.live,
    orders: orders.differences,
    positions: held.rows.filter(({ what }) => what === 'position'),
    money: held.rows.filter(({ what }) => what !== 'position'),
    daily: daily ? { at: daily.at, verdict: daily.verdict as ReconciledAccount['verdict'] } : null,
    findings,
  };
}

/** Most lines of a ledger that are added up while somebody waits. */
const LINES = 50_000;

/** What the audit of the account's books finds, in Chinese. */
async function checkBooks({ db, userId, unknown, ask, told, still }: Inquiry): Promise<string[]> {
  const lines = await countLedger(db, userId);
  if (lines > LINES) {
    unknown.push(`账目：账本有 ${lines} 行，超过页面检查的上限 ${LINES} 行，请运行 npm run audit`);
    return [];
  }
  try {
    const { seen, still: stood } = await still(() => ask(() => audit(db, told, [userId])));
    if (!stood) {
      unknown.push('账目：检查期间一直有新的入账，请稍后再试');
      return [];
    }
    return seen.findings.map(({ what }) => what);
  } catch {
    unknown.push('账目：没有检查完，交易所没有回答');
    return [];
  }
}

/** An exchange rounds what it says a position has made: its wallet and our books differ by no more than that, USDT. */
const ROUNDED = '0.00001';

/** Positions, money and what was paid by the ledger beside what the venue has, and how much of its news is not booked yet. */
async function checkHeld(inquiry: Inquiry): Promise<{ rows: Compared[]; pending: number | null }> {
  const { db, userId, unknown, ask, told, still } = inquiry;
  try {
    const { seen, still: stood } = await still(
      async (accounts) => {
        const [ours, sums] = await Promise.all([ledgerPositions(db, [userId]), ledgerSums(db, [userId])]);
        const rows: Compared[] = [];
        let pending = 0;
        for (const account of accounts) {
          const { id, sequence } = account;
          const isOwn = ({ accountId }: { accountId: string }) => accountId === id;
          // Side by side: an exchange answers both at once.
          const [theirs, funds] = await ask((venue) => Promise.all([venue.positions(id), venue.funds(id)]));
          const money = await comparedMoney(inquiry, account, sums.filter(isOwn), funds);
          pending += (await told.events(id, sequence)).length;
          const own = ours.filter((row) => isOwn(row) && Number(row.quantity) !== 0);
          rows.push(...comparedPositions(account, own, theirs), ...money);
        }
        return { rows, pending };
      },
      ({ pending }) => pending === 0,
    );
    if (!stood) unknown.push('持仓与余额：核对期间一直有新的入账，请稍后再试');
    else if (seen.pending > 0) unknown.push(`持仓与余额：交易所有 ${seen.pending} 个事件尚未入账`);
    if (seen.rows.some(({ what }) => what === 'wallet') && !seen.rows.some(({ what }) => what === 'fee'))
      unknown.push(`手续费与资金费：事件超过 ${EVENTS} 个，没有逐笔相加`);
    // Between a fill and its booking both are right.
    const settled = stood && seen.pending === 0;
    return { rows: settled ? seen.rows : [], pending: seen.pending };
  } catch {
    unknown.push('持仓与余额：交易所没有回答');
    return { rows: [], pending: null };
  }
}

const rowsOf = ({ id, name, venue, mode }: AccountRow) => ({
  ...{ accountId: id, account: name, source: venue, mode: mode as Compared['mode'] },
});

interface Held extends SourceSymbol {
  quantity: string;
}

function comparedPositions(account: AccountRow, ours: readonly Held[], theirs: readonly Held[]): Compared[] {
  const quantityIn = (rows: readonly Held[], key: string) =>
    plain(new Big(rows.find((row) => symbolKey(row) === key)?.quantity ?? 0));
  const held = new Map([...ours, ...theirs].map((row) => [symbolKey(row), row]));
  return [...held]
    .map(([key, { source, symbol }]): Compared => {
      const [ledger, venue] = [quantityIn(ours, key), quantityIn(theirs, key)];
      return { ...rowsOf(account), source, what: 'position', symbol, ledger, venue, agrees: ledger === venue };
    })
    .sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}

/** The wallet, and what was paid of fees and funding as far as all of it can be added up. */
async function comparedMoney(
  { told }: Inquiry,
  account: AccountRow,
  sums: Awaited<ReturnType<typeof ledgerSums>>,
  { wallet, cost }: VenueFunds,
): Promise<Compared[]> {
  const total = (isOf: (kind: string) => boolean) =>
    sums.filter(({ kind }) => isOf(kind)).reduce((sum, { amount }) => sum.plus(amount), ZERO);
  const row = (what: Compared['what'], ledger: Big, venue: Big, apart: string): Compared => ({
    ...{ ...rowsOf(account), what, symbol: 'USDT', ledger: plain(ledger), venue: plain(venue) },
    agrees: ledger.minus(venue).abs().lte(apart),
  });
  // What open contracts have made is in neither.
  const rows = [row('wallet', total(() => true).plus(cost), new Big(wallet), ROUNDED)];
  if (account.sequence > EVENTS) return rows;
  const paid = await paidAt(told, account);
  return [
    ...rows,
    row('fee', total((kind) => kind === 'fee').neg(), paid.fees, '0'),
    row(
      'funding',
      total((kind) => kind === 'funding'),
      paid.funding,
      '0',
    ),
  ];
}

/** What a venue says was paid, event by event: fees above zero are paid, funding above zero was received. USDT. */
async function paidAt(venue: Told, { id, sequence }: AccountRow): Promise<{ fees: Big; funding: Big }> {
  let [fees, funding] = [ZERO, ZERO];
  for await (const event of happened(venue, id, sequence)) {
    if (event.kind === 'fill') fees = fees.plus(event.fee);
    if (event.kind === 'move') fees = fees.plus(event.fee ?? 0);
    if (event.kind === 'funding') funding = funding.plus(event.amount);
  }
  return { fees, funding };
}
