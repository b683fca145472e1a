import Big from 'big.js';
import type { ReconciledAccount } from '#contract/order';
import { accountsOf } from '../../base/db/accounts/venueAccount';
import { liveOrders, unknownOrders } from '../../base/db/orders/orderProgress';
import type { VenueLookup } from '../../market/venue';
import type { Inquiry } from './inquiry';

type Difference = ReconciledAccount['orders'][number];
type Live = Awaited<ReturnType<typeof liveOrders>>[number];

/** Most live orders of an account that the venue is asked about. */
const LOOKUPS = 200;
/** Most events of the venue that are read back for orders that nobody here knows. */
const EVENTS = 20_000;

const HERE: Record<string, string> = { registered: '已登记', open: '挂单中', inDoubt: '结果不明' };
const THERE = { open: '挂单中', filled: '全部成交', cancelled: '已撤销', expired: '已过期' } as const;

/** Live orders looked up at the venue, and orders of the venue that are not here. */
export async function checkOrders(inquiry: Inquiry): Promise<{ live: number; differences: Difference[] }> {
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
async function strangers({ db, userId, unknown, ask }: Inquiry): Promise<Difference[]> {
  const accounts = await accountsOf(db, [userId]);
  const isLong = accounts.some(({ sequence }) => sequence > EVENTS);
  if (isLong) unknown.push(`委托：只核对了交易所最近 ${EVENTS} 个事件`);
  try {
    const symbols = new Map<string, string>();
    for (const { id, sequence } of accounts) {
      for (const event of await ask((venue) => venue.events(id, Math.max(0, sequence - EVENTS)))) {
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
