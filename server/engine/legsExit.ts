import type Big from 'big.js';
import { ceilTo, floorTo, larger, smaller, ZERO } from '../base/maths/decimal';
import { isFlat, type LegNow, type Legs, type Live, mayRetry, sendOf, WIDEST_CAP_BPS, wouldStrand } from './legsNow';
import type { NextAction } from './runner';

const REBALANCE_PAUSE_MS = 60_000;
/** An exit that the account's margin does not bear goes in parts, at the smallest this part of the whole. */
const MOST_HALVINGS = 6;
/** A venue may take the value at another price than ours. */
const CLEARLY = 1.02;

/** Takes from the leg that has grown too large what brings the legs back to their weights. */
export function planRebalanceWeights<L extends string>({ deal, legs, rules, now }: Legs<L>): NextAction<L> | null {
  if (rules.rebalance === null || legs.some(({ view }) => !view?.fresh)) return null;
  if (now - deal.lastSentAt < REBALANCE_PAUSE_MS) return null;
  const values = legs.map(({ book, view }) => Math.abs(book.quantity.toNumber()) * view!.mark);
  const gross = values.reduce((sum, value) => sum + value, 0);
  const whole = legs.reduce((sum, { weight }) => sum + weight, 0);
  const drifts = legs.map(({ weight }, i) => values[i]! - (gross * weight) / whole);
  const i = drifts.indexOf(Math.max(...drifts));
  const leg = legs[i]!;
  if (gross === 0 || drifts[i]! / gross <= rules.rebalance || leg.terms === undefined) return null;
  const share = Math.min(...legs.flatMap(({ weight }, j) => (j === i ? [] : [values[j]! / weight])));
  const excess = values[i]! - leg.weight * share;
  const quantity = floorTo(ZERO.plus(excess).div(leg.view!.mark), leg.terms.lotSize);
  return quantity.lte(0) ? null : sendOf(leg, quantity, 'rebalance', rules.capBps);
}

export function planExit<L extends string>(of: Legs<L>, live: Live<L>): NextAction<L> | null {
  const resting = live[0];
  if (resting) return { do: 'cancel', order: resting };
  const worth = ({ book, view }: LegNow<L>) => book.quantity.abs().toNumber() * (view?.mark ?? 0);
  const held = of.legs.filter((leg) => !isFlat(leg)).sort((a, b) => worth(b) - worth(a));
  if (held.length === 0) return { do: 'verify' };
  if (wouldStrand(of)) return null;
  if (!mayRetry(of)) return null;
  // The largest one first; where it could not go, another one may free the margin that it lacks.
  return planLegExit(of, held[of.deal.attempts % held.length]!);
}

/**
 * Takes a leg down, or as much of it as the venue cannot refuse: first what reduces the account's position, which no
 * minimum binds; the rest, which other deals hold the other way round, as an order of its own; dust is written off.
 */
function planLegExit<L extends string>({ deal, legs, rules }: Legs<L>, now: LegNow<L>): NextAction<L> {
  const { attempts, openedAt } = deal;
  const { leg, book, account, terms } = now;
  const held = book.quantity.abs();
  // Of spot nothing is reduced: it is sold as anything else is.
  const isReducible = account.s === book.quantity.s && terms?.kind !== 'spot';
  const reducible = isReducible ? smaller(held, account.abs()) : ZERO;
  const price = now.view?.mark;
  const capBps = Math.min(WIDEST_CAP_BPS, rules.capBps * (1 + attempts));
  const exit = (quantity: Big) => sendOf(now, quantity, openedAt === null ? 'unwind' : 'exit', capBps);
  // Without terms or a price the order waits for a quotation anyway.
  if (terms === undefined || price === undefined) return exit(held);
  const onGrid = floorTo(held, terms.lotSize);
  if (reducible.eq(held)) {
    // A whole position may go whatever the steps are by now; a part of one keeps to them.
    const isWhole = account.abs().eq(held);
    if (isWhole || onGrid.eq(held)) return exit(held);
    return onGrid.gt(0) ? exit(onGrid) : { do: 'writeOff', leg, price };
  }
  if (reducible.gt(0)) return exit(reducible);
  const least = ceilTo(ZERO.plus(terms.minNotional).times(CLEARLY).div(price), terms.lotSize);
  // As many tries a size as there are legs. Nothing to reduce, and no margin for an order of its own after so many of
  // them: other deals hold all of it the other way.
  const isStuck = account.eq(0) && attempts >= legs.length * MOST_HALVINGS;
  if (onGrid.lt(least) || isStuck) return { do: 'writeOff', leg, price };
  // No part is left behind that could not go by itself.
  const halvings = Math.min(MOST_HALVINGS, Math.floor(attempts / legs.length));
  const part = floorTo(onGrid.div(2 ** halvings), terms.lotSize);
  const quantity = larger(part, least);
  return exit(onGrid.minus(quantity).lt(least) ? onGrid : quantity);
}
