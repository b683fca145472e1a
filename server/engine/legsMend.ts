import type { MendWay } from '#contract/lifecycle';
import { floorTo, smaller, ZERO } from '../maths/decimal';
import { SENDS_A_MINUTE, sendsOf } from './governor';
import type { Wish } from './kinds/runner';
import { type LegNow, type Legs, mayRetry, sendOf, WIDEST_CAP_BPS } from './legsNow';

/** A person's wish is good for so long. */
const MEND_MS = 60_000;
/** How much wider than usual an order of it may take. */
const WIDER = 3;

/** How a person wants the legs to be brought together now; null where nobody does any more. */
export const mendOf = <L extends string>({ deal: { mendWay, mendAskedAt }, now }: Legs<L>): MendWay | null =>
  mendAskedAt !== null && now - mendAskedAt < MEND_MS ? mendWay : null;

const sizeOf = <L extends string>({ book }: LegNow<L>) => book.quantity.abs();

/**
 * Fills up the smaller of two legs that hold different quantities of one coin, when a person asked for it. Nothing where less lies
 * between them than an order may be.
 */
export function planMend<L extends string>(of: Legs<L>): Wish<L> | null {
  const { rules, deal, legs, now } = of;
  if (mendOf(of) !== 'complete' || rules.matchBy !== 'quantity' || legs.length !== 2 || !mayRetry(of)) return null;
  const [less, more] = legs.toSorted((a, b) => sizeOf(a).cmp(sizeOf(b))) as [LegNow<L>, LegNow<L>];
  const { view, terms, out } = less;
  if (!view?.fresh || terms === undefined || out || of.off) return null;
  const apart = floorTo(sizeOf(more).minus(sizeOf(less)), terms.lotSize);
  const quantity = smaller(apart, floorTo(ZERO.plus(less.room).div(view.price), terms.lotSize));
  const isWorth = quantity.gt(0) && quantity.times(view.price).gte(terms.minNotional);
  if (!isWorth || !of.bears || sendsOf(deal, less.leg, now) >= SENDS_A_MINUTE - 1) return null;
  return { ...sendOf(less, quantity, 'complete', Math.min(WIDEST_CAP_BPS, rules.capBps * WIDER)), adds: true };
}
