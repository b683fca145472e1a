import type { RebalanceWay } from '#contract/lifecycle';
import { floorTo, smaller, ZERO } from '../base/maths/decimal';
import { type LegNow, type Legs, mayRetry, sendOf, WIDEST_CAP_BPS } from './legsNow';
import { SENDS_A_MINUTE, sendsOf } from './preTradeRisk';
import type { NextAction } from './runner';

/** A person's request is good for so long. */
const REBALANCE_REQUEST_MS = 60_000;
/** How much wider than usual an order of it may take. */
const WIDER = 3;

interface Asked {
  deal: { rebalanceWay: RebalanceWay | null; rebalanceAskedAt: number | null };
  /** UTC ms */
  now: number;
}

/** How a person wants the legs to be brought together now; null where nobody does any more. */
export const rebalanceWayOf = ({ deal: { rebalanceWay, rebalanceAskedAt }, now }: Asked): RebalanceWay | null =>
  rebalanceAskedAt !== null && now - rebalanceAskedAt < REBALANCE_REQUEST_MS ? rebalanceWay : null;

const sizeOf = <L extends string>({ book }: LegNow<L>) => book.quantity.abs();

/** Brings legs that hold different quantities of one coin together, the way that a person asked for. */
export function planRebalanceLegs<L extends string>(of: Legs<L>): NextAction<L> | null {
  const way = rebalanceWayOf(of);
  if (way === null || of.rules.matchBy !== 'quantity' || !mayRetry(of)) return null;
  return way === 'complete' ? planFillUp(of) : planTakeBack(of);
}

/** Adds to the smaller of two legs. Nothing where less lies between them than an order may be. */
function planFillUp<L extends string>(of: Legs<L>): NextAction<L> | null {
  const { rules, deal, legs, now } = of;
  if (legs.length !== 2) return null;
  const [less, more] = legs.toSorted((a, b) => sizeOf(a).cmp(sizeOf(b))) as [LegNow<L>, LegNow<L>];
  const { view, terms, venueDown } = less;
  if (!view?.fresh || terms === undefined || venueDown || of.entriesDisabled) return null;
  const imbalance = floorTo(sizeOf(more).minus(sizeOf(less)), terms.lotSize);
  const quantity = smaller(imbalance, floorTo(ZERO.plus(less.room).div(view.price), terms.lotSize));
  const isWorth = quantity.gt(0) && quantity.times(view.price).gte(terms.minNotional);
  if (!isWorth || !of.hasMargin || sendsOf(deal, less.leg, now) >= SENDS_A_MINUTE - 1) return null;
  return { ...sendOf(less, quantity, 'complete', Math.min(WIDEST_CAP_BPS, rules.capBps * WIDER)), adds: true };
}

/** Takes from the leg that holds more than its weight. */
function planTakeBack<L extends string>({ legs, rules }: Legs<L>): NextAction<L> | null {
  const shares = legs.map(({ book, weight }) => book.quantity.abs().div(weight));
  const least = shares.reduce((one, other) => smaller(one, other));
  const largest = legs.reduce((most, _, i) => (shares[i]!.gt(shares[most]!) ? i : most), 0);
  const leg = legs[largest]!;
  if (leg.terms === undefined || !leg.view?.fresh) return null;
  const excess = floorTo(shares[largest]!.minus(least).times(leg.weight), leg.terms.lotSize);
  const isTooLittle = leg.terms.kind === 'spot' && excess.times(leg.view.mark).lt(leg.terms.minNotional);
  return excess.lte(0) || isTooLittle ? null : sendOf(leg, excess, 'rebalance', rules.capBps);
}
