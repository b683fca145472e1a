import type { DataOf } from '#contract/endpoint';
import type { order, ReconciledAccount } from '#contract/order';
import { bookAccounts } from '../../base/db/orders/reconcile';
import { notFound } from '../../base/http/refusal';
import type { DeskDeps } from '../deps';
import { checkBooks } from './checkBooks';
import { checkOrders } from './checkOrders';
import { checkPositions } from './checkPositions';
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
