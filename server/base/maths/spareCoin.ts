import type Big from 'big.js';
import { larger, smaller, ZERO } from './decimal';

/** What touches the coin of one symbol in one account, base currency. */
export interface CoinUse {
  /** All of it that the account holds. */
  position: Big;
  /** What each leg of a running deal holds there, signed. */
  held: readonly Big[];
  /** What is still to be sold by each order, and what its leg holds, signed. */
  sales: readonly { pending: Big; held: Big }[];
  /** What each transfer is about to take away. */
  leaving: readonly Big[];
}

const sum = (parts: readonly Big[]): Big => parts.reduce((total, part) => total.plus(part), ZERO);

/** What is held for no deal, base currency. What a deal has sold of it is gone, and is not owed to it. */
export const freeCoin = ({ position, held }: Pick<CoinUse, 'position' | 'held'>): Big =>
  position.minus(sum(held.filter((quantity) => quantity.gt(0))));

/** The same without what is about to leave, or is being sold for a deal that holds none of it: what may be parted with. */
export const spareCoin = (use: CoinUse): Big =>
  freeCoin(use)
    .minus(sum(use.sales.filter(({ held }) => !held.gt(0)).map(({ pending }) => pending)))
    .minus(sum(use.leaving));

/** What an order may still add to a position, base currency: what the venue has said, where it has ended it. */
export function pendingQuantity(order: {
  quantity: Big;
  filledQuantity: Big;
  reportedState: string | null;
  reportedQuantity: Big;
}): Big {
  const whole = order.reportedState === null ? order.quantity : order.reportedQuantity;
  const left = whole.minus(order.filledQuantity);
  return left.gt(0) ? left : ZERO;
}

/**
 * What is held beyond what deals explain, signed, base currency; 0 where there is less than they explain: that is no
 * position of its own but a gap in the books.
 */
export function outsideOf(position: Big, explained: Big): Big {
  const isBeyond = position.abs().gt(explained.abs()) || position.times(explained).lt(0);
  return isBeyond ? position.minus(explained) : ZERO;
}

/** A leg of a deal in its account. */
interface LegThere {
  /** Of the leg, signed, base currency. */
  held: Big;
  /** Of the whole account, signed, base currency. */
  position: Big;
  /** What deals hold against it there, unsigned, base currency. */
  offset: Big;
  isSpot: boolean;
}

/**
 * What of a leg can be closed, unsigned, base currency: its account holds it, or other deals stand against it. What was
 * traded away by hand is there no more, and to close that too would open the other side.
 */
export function closableOf({ held, position, offset, isSpot }: LegThere): Big {
  const size = held.abs();
  // Coin that was sold is bought back whatever the account holds of it.
  if (isSpot) return held.lt(0) ? size : smaller(size, larger(position, ZERO));
  // Where the account is on the other side already, that much of what stands against the leg has been used up.
  const towards = held.lt(0) ? position.neg() : position;
  return smaller(size, larger(towards.plus(offset), ZERO));
}
