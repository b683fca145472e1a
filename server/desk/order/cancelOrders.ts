import type { BodyOf, DataOf } from '#contract/endpoint';
import { type OrderState, orderAllowsCancel } from '#contract/lifecycle';
import type { order } from '#contract/order';
import { moveBook } from '../../base/db/books/book';
import type { Queries } from '../../base/db/client';
import { askCancel, ordersById, ownersToCancel } from '../../base/db/orders/order';
import { conflict, invalid } from '../../base/http/refusal';
import { orderFilter } from './orderListing';

const WHY_NOT: Record<Exclude<OrderState, 'open'>, string> = {
  registered: '正在发出，还没有挂出',
  filled: '已全部成交',
  cancelled: '已撤销',
  expired: '已过期',
  refused: '已被拒绝',
  inDoubt: '结果不明，正在向交易所核对',
  lost: '没有到达交易所',
};
const ASKED_ALREADY = '已在撤销中';
const MISSING = '没有这笔委托';

/**
 * Asks for orders of any user to be cancelled: those of the ids, or all that rest and pass the filter. The engine of
 * each owner takes it up. @throws 400 unless exactly one of the two is given; 409 when the filter reaches more orders
 * than the caller has seen: nothing is cancelled then.
 */
export async function cancelOrders(
  tx: Queries,
  { ids, filter, expected }: BodyOf<typeof order.cancel>,
  now: number,
): Promise<DataOf<typeof order.cancel>> {
  if ((ids === undefined) === (filter === undefined)) throw invalid('ids', '请给出委托编号，或给出筛选条件');
  if (filter !== undefined && expected === undefined) throw invalid('expected', '请输入笔数');
  const chosen = filter === undefined ? {} : orderFilter(filter);
  const owners = await ownersOfCancel(tx, { ids, filter });
  // The books first, as the engine locks them: both ways round would wait for each other.
  for (const userId of owners) await moveBook(tx, userId);
  const asked = new Set(owners.length === 0 ? [] : await askCancel(tx, chosen, ids, owners, now));
  if (expected !== undefined && asked.size > expected) {
    throw conflict(`筛选中的挂单已变为 ${asked.size} 笔（确认时 ${expected} 笔），没有撤销，请重新确认`);
  }
  return { asked: asked.size, skipped: ids === undefined ? [] : await reasons(tx, ids, asked) };
}

/** Whose orders a call would reach. */
export const ownersOfCancel = (db: Queries, { ids, filter }: Pick<BodyOf<typeof order.cancel>, 'ids' | 'filter'>) =>
  ownersToCancel(db, filter === undefined ? {} : orderFilter(filter), ids);

async function reasons(tx: Queries, ids: readonly string[], asked: ReadonlySet<string>) {
  const rest = [...new Set(ids)].filter((id) => !asked.has(id));
  const known = new Map((await ordersById(tx, rest)).map((row) => [row.id, row]));
  return rest.map((id) => {
    const state = known.get(id)?.state as OrderState | undefined;
    if (state === undefined) return { id, reason: MISSING };
    return { id, reason: orderAllowsCancel(state) ? ASKED_ALREADY : WHY_NOT[state as keyof typeof WHY_NOT] };
  });
}
