import Big from 'big.js';
import type { Exposure, UnreadOrder } from '../../../base/db/accounts/liveOrder';
import { larger, signedBy, ZERO } from '../../../base/maths/decimal';
import { type VenueOrder, VenueRefused } from '../../venue';

/** The most that an account may hold together. */
export interface Cap {
  /** USDT. */
  most: string;
  /** What a symbol is worth now, USDT; null where nobody knows. */
  markOf(symbol: string): number | null;
}

const filledOf = ({ report, written }: UnreadOrder): Big =>
  larger(new Big(report?.filledQuantity ?? 0), new Big(written));

/** What may still come of an order, USDT. */
function leftOf(order: UnreadOrder): Big {
  if (order.report !== null && order.report.state !== 'open') return ZERO;
  const quantity = new Big(order.quantity).abs();
  return new Big(order.notional).times(quantity.minus(filledOf(order))).div(quantity);
}

/**
 * Whether an order leaves an account under its cap, all that is on its way filled. What makes the account hold less
 * always fits. @throws VenueRefused without the price of something that is held
 */
export function fits({ symbol, side, quantity, limitPrice }: VenueOrder, exposure: Exposure, cap: Cap): boolean {
  const held = new Map(Object.entries(exposure.held).map(([name, size]) => [name, new Big(size)]));
  for (const order of exposure.orders) {
    // The exchange has told of fills that are not written yet.
    const unread = filledOf(order).minus(order.written);
    const signed = new Big(order.quantity).gt(0) ? unread : unread.neg();
    held.set(order.symbol, (held.get(order.symbol) ?? ZERO).plus(signed));
  }
  const before = held.get(symbol) ?? ZERO;
  const after = before.plus(signedBy(side, new Big(quantity)));
  const added = after.abs().minus(before.abs());
  if (added.lte(0)) return true;
  const left = exposure.orders.reduce((sum, order) => sum.plus(leftOf(order)), ZERO);
  const value = [...held].reduce((sum, [name, size]) => {
    if (size.eq(0)) return sum;
    const mark = cap.markOf(name);
    if (mark === null) throw new VenueRefused('unreachable');
    return sum.plus(size.abs().times(mark));
  }, ZERO);
  return value.plus(left).plus(added.times(limitPrice)).lte(cap.most);
}
