import Big from 'big.js';
import type { DataOf } from '#contract/endpoint';
import type { order, ReconciledAccount } from '#contract/order';
import { ledgerPositions } from '../../base/db/accounts/ledger';
import { bookAccounts, countLedger } from '../../base/db/orders/orderProgress';
import { notFound } from '../../base/http/refusal';
import { plain } from '../../base/maths/decimal';
import { type SourceSymbol, symbolKey } from '../../base/symbolKey';
import { audit } from '../../engine/audit';
import type { DeskDeps } from '../deps';
import { checkOrders } from './checkOrders';
import { type Inquiry, inquiryOf } from './inquiry';

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

async function reconcileAccount(inquiry: Inquiry): Promise<ReconciledAccount> {
  const { userId, user } = inquiry;
  const positions = await checkPositions(inquiry);
  const orders = await checkOrders(inquiry);
  const findings = await checkBooks(inquiry);
  const differs =
    findings.length > 0 ||
    orders.differences.some(({ what }) => what !== 'unknown') ||
    positions.rows.some(({ ledger, venue }) => ledger !== venue);
  return {
    userId,
    user,
    verdict: differs ? 'differs' : inquiry.unknown.length > 0 ? 'unknown' : 'agrees',
    unknown: inquiry.unknown,
    pending: positions.pending,
    liveOrders: orders.live,
    orders: orders.differences,
    positions: positions.rows,
    findings,
  };
}

/** Most lines of a ledger that are added up while somebody waits. */
const LINES = 50_000;

/** What the audit of the account's books finds, in Chinese. */
async function checkBooks({ db, userId, unknown, ask, still }: Inquiry): Promise<string[]> {
  const lines = await countLedger(db, userId);
  if (lines > LINES) {
    unknown.push(`账目：账本有 ${lines} 行，超过页面检查的上限 ${LINES} 行，请运行 npm run audit`);
    return [];
  }
  try {
    const { seen, still: stood } = await still(() => ask((venue) => audit(db, venue, [userId])));
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

type Rows = ReconciledAccount['positions'];

/** Positions by the ledger beside those at the venue, by symbol, and how much of the venue's news is not booked yet. */
async function checkPositions(inquiry: Inquiry): Promise<{ rows: Rows; pending: number | null }> {
  const { db, userId, unknown, ask, still } = inquiry;
  try {
    const { seen, still: stood } = await still(
      async (accounts) => {
        const ours = await ledgerPositions(db, [userId]);
        const rows: Rows = [];
        let pending = 0;
        for (const { id, sequence } of accounts) {
          const theirs = await ask((venue) => venue.positions(id));
          pending += (await ask((venue) => venue.events(id, sequence))).length;
          const own = ours.filter(({ accountId, quantity }) => accountId === id && Number(quantity) !== 0);
          rows.push(...besideEachOther(own, theirs));
        }
        return { rows, pending };
      },
      ({ pending }) => pending === 0,
    );
    if (!stood) unknown.push('持仓：核对期间一直有新的入账，请稍后再试');
    else if (seen.pending > 0) unknown.push(`持仓：交易所有 ${seen.pending} 个事件尚未入账`);
    // Between a fill and its booking both are right.
    const settled = stood && seen.pending === 0;
    return { rows: settled ? seen.rows : [], pending: seen.pending };
  } catch {
    unknown.push('持仓：交易所没有回答');
    return { rows: [], pending: null };
  }
}

interface Held extends SourceSymbol {
  quantity: string;
}

function besideEachOther(ours: readonly Held[], theirs: readonly Held[]): Rows {
  const rows = new Map<string, Rows[number]>();
  const rowOf = ({ source, symbol }: Held) => {
    const key = symbolKey({ source, symbol });
    const row = rows.get(key) ?? { source, symbol, ledger: '0', venue: '0' };
    rows.set(key, row);
    return row;
  };
  for (const held of ours) rowOf(held).ledger = plain(new Big(held.quantity));
  for (const held of theirs) rowOf(held).venue = plain(new Big(held.quantity));
  return [...rows.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}
