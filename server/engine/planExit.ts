import type Big from 'big.js';
import { MINUTE_MS } from '#contract/duration';
import { ONE_LEG_MS, PEG_MS, REST_MS } from '#contract/lifecycle';
import { crumbOf, leastOrder } from '../base/maths/crumb';
import { floorTo, larger, smaller, ZERO } from '../base/maths/decimal';
import { closableOf } from '../base/maths/spareCoin';
import { isSpot } from '../market/live/listing';
import {
  isFlat,
  type LegNow,
  type Legs,
  type Live,
  mayRetry,
  maySend,
  sendOf,
  unhedgedMs,
  WIDEST_CAP_BPS,
  wouldLeaveUnhedged,
} from './legs';
import type { NextAction } from './runner';

/** An exit that the account's margin does not bear goes in parts, at the smallest this part of the whole. */
const MOST_HALVINGS = 6;

export function planExit<L extends string>(of: Legs<L>, live: Live<L>): NextAction<L> | null {
  if (isRestingExit(of)) {
    const out = outsOf(of, () => ZERO);
    if (out.length > 0) return planRests(of, live, out);
  }
  const resting = live[0];
  if (resting) return { do: 'cancel', order: resting };
  const worth = ({ book, view }: LegNow<L>) => book.quantity.abs().toNumber() * (view?.mark ?? 0);
  const held = of.legs.filter((leg) => !isFlat(leg)).sort((a, b) => worth(b) - worth(a));
  if (held.length === 0) return { do: 'verify' };
  const kept = held.length === 1 ? keptForGood(of, held[0]!) : null;
  if (kept !== null) return kept;
  if (wouldLeaveUnhedged(of)) return null;
  // The largest leg first; after a refusal the next one, which may free the margin it lacks.
  const next = held[of.deal.attempts % held.length]!;
  return maySend(of, next.leg) ? planLegExit(of, next) : null;
}

/** A venue that settles what it delists has done so after this long. */
const SETTLED_MS = 10 * MINUTE_MS;

/** Coin that was delisted and that its exchange settles not: nobody buys it, and it stays in the account. */
function keptForGood<L extends string>({ deal, now }: Legs<L>, { leg, book, view, gone }: LegNow<L>) {
  if (gone !== 'delisted' || !isSpot(book.symbol) || now - deal.stateAt < SETTLED_MS) return null;
  const price = view?.mark ?? book.cost.div(book.quantity).toNumber();
  return { do: 'writeOff', leg, price, why: 'delisted' } as const;
}

/**
 * Exits a leg, or as much of it as the venue cannot refuse: first the part that reduces the position of the account,
 * without a minimum; then the rest, which other deals offset, as an own order. Dust is written off, and so is what is
 * there no more: to buy or sell that too would open the other side.
 */
function planLegExit<L extends string>({ deal, legs, rules }: Legs<L>, now: LegNow<L>): NextAction<L> | null {
  const { attempts } = deal;
  const { leg, book, account, terms } = now;
  const held = book.quantity.abs();
  const reducible = reducibleOf(now);
  const price = now.view?.mark;
  const exit = (quantity: Big) => exitOf({ deal, rules }, now, quantity);
  // Without terms the order waits for a quote anyway.
  if (terms === undefined) return exit(held);
  const there = thereOf(now);
  const onGrid = floorTo(there, terms.lotSize);
  if (reducible.eq(held)) {
    // A whole position may be closed off the grid; a part keeps to whole lots.
    if (account.abs().eq(held)) return exit(held);
    if (onGrid.gt(0)) return exit(onGrid);
  } else if (reducible.gt(0)) return exit(reducible);
  // What a process that has just begun has no price of yet goes in whole lots too; what is less than one waits for it.
  if (price === undefined) return onGrid.gt(0) ? exit(onGrid) : null;
  const least = leastOrder(terms, price);
  // As many tries a size as there are legs. Nothing to reduce, and no margin for an order of its own after so many of
  // them: other deals hold all of it the other way.
  const isStuck = account.eq(0) && attempts >= legs.length * MOST_HALVINGS;
  if (crumbOf(held, terms, price).eq(held) || isStuck) return { do: 'writeOff', leg, price, why: 'crumb' };
  if (there.lt(held) && crumbOf(there, terms, price).eq(there)) return { do: 'writeOff', leg, price, why: 'gone' };
  // No remainder below the minimum order is left behind.
  const halvings = Math.min(MOST_HALVINGS, Math.floor(attempts / legs.length));
  const part = floorTo(onGrid.div(2 ** halvings), terms.lotSize);
  const quantity = larger(part, least);
  return exit(onGrid.minus(quantity).lt(least) ? onGrid : quantity);
}

/** Takes from the book what a leg gives up, at a wider cap after each try that did not do. */
function exitOf<L extends string>({ deal, rules }: Pick<Legs<L>, 'deal' | 'rules'>, now: LegNow<L>, quantity: Big) {
  const capBps = Math.min(WIDEST_CAP_BPS, rules.capBps * (1 + deal.attempts));
  return sendOf(now, quantity, deal.openedAt === null ? 'unwind' : 'exit', capBps);
}

/** What of a leg reduces the position of its account, which other deals may offset. Spot has no reduce-only orders. */
function reducibleOf<L extends string>({ book, account, terms }: LegNow<L>): Big {
  const isReducible = account.s === book.quantity.s && terms?.kind !== 'spot';
  return isReducible ? smaller(book.quantity.abs(), account.abs()) : ZERO;
}

const thereOf = <L extends string>({ book, account, offset, terms }: LegNow<L>): Big =>
  closableOf({ held: book.quantity, position: account, offset, isSpot: terms?.kind === 'spot' });

/** What a leg is still to give up, in whole lots. */
interface Out<L extends string> {
  now: LegNow<L>;
  quantity: Big;
}

/** What is still to go out of each leg that holds more than it keeps, where an order of its own may take it. */
const outsOf = <L extends string>({ legs }: Legs<L>, keptOf: (leg: L) => Big): Out<L>[] =>
  legs.flatMap((now) => {
    const { book, terms, view } = now;
    if (terms === undefined || view === undefined) return [];
    const quantity = floorTo(smaller(book.quantity.abs().minus(keptOf(now.leg)), thereOf(now)), terms.lotSize);
    const isWorth = quantity.lte(reducibleOf(now)) || quantity.times(view.mark).gte(terms.minNotional);
    return quantity.gt(0) && isWorth ? [{ now, quantity }] : [];
  });

/** Whether what goes out may still rest: for its time, and while no leg is ahead of the other for too long. */
const mayRest = <L extends string>(of: Legs<L>): boolean => {
  const { reduction } = of.deal;
  return reduction?.maker === true && of.now - reduction.at < REST_MS && unhedgedMs(of) <= ONE_LEG_MS;
};

/** Whether a person asked for all of it to rest on its way out; what is flattened does not wait. */
const isRestingExit = <L extends string>(of: Legs<L>): boolean =>
  of.deal.openedAt !== null &&
  of.deal.flattenAskedAt === null &&
  of.deal.reduction?.percent === 100 &&
  mayRest(of) &&
  !of.legs.some(({ venueDown, terms, view }) => venueDown || terms === undefined || view === undefined);

/** Rests what goes out at the best price of its side, each leg anew after its time. */
function planRests<L extends string>(of: Legs<L>, live: Live<L>, out: readonly Out<L>[]): NextAction<L> | null {
  const isOld = ({ createdAt, leg }: Live<L>[number]) =>
    of.now - createdAt > PEG_MS || !out.some(({ now }) => now.leg === leg);
  const old = live.find((order) => order.type === 'maker' && isOld(order));
  if (old !== undefined) return { do: 'cancel', order: old };
  const missing = out.filter(({ now }) => !live.some(({ leg }) => leg === now.leg));
  if (!mayRetry(of)) return null;
  return sendTogether(missing.map(({ now, quantity }) => ({ ...exitOf(of, now, quantity), maker: true })));
}

type Send<L extends string> = Extract<NextAction<L>, { do: 'send' }>;

const sendTogether = <L extends string>(sends: Send<L>[]): NextAction<L> | null =>
  sends.length > 1 ? { do: 'sendAll', sends } : (sends[0] ?? null);

/**
 * Takes both legs down together to what a person asked for, which is a quantity of each: what is asked for twice, or by
 * a process that begins anew, takes nothing more. What has become too little for an order stays.
 */
export function planReduction<L extends string>(of: Legs<L>, live: Live<L>): NextAction<L> | null {
  const { deal, legs } = of;
  if (legs.some(({ terms, view }) => terms === undefined || view === undefined)) return null;
  const out = outsOf(of, (leg) => ZERO.plus(deal.reduction!.keep[leg]));
  const isOut = legs.some(({ venueDown }) => venueDown);
  if (!isOut && out.length > 0 && mayRest(of)) return planRests(of, live, out);
  // One that rests would be filled without the other.
  if (live[0] !== undefined) return live[0].type === 'maker' ? { do: 'cancel', order: live[0] } : null;
  if (out.length === 0) return { do: 'reduced' };
  if (isOut || !out.every(({ now }) => maySend(of, now.leg))) return null;
  return sendTogether(out.map((one) => exitOf(of, one.now, partOf(of, one))));
}

/** As much of what goes out of a leg as the venue cannot refuse: what the account's margin does not bear goes in parts. */
function partOf<L extends string>({ deal, legs }: Legs<L>, { now, quantity }: Out<L>): Big {
  const { terms, view } = now;
  const reducible = reducibleOf(now);
  if (quantity.lte(reducible)) return quantity;
  const least = leastOrder(terms!, view!.mark);
  const rest = quantity.minus(reducible);
  if (reducible.gt(0) && rest.gte(least)) return reducible;
  const halvings = Math.min(MOST_HALVINGS, Math.floor(deal.attempts / legs.length));
  const part = larger(floorTo(quantity.div(2 ** halvings), terms!.lotSize), least);
  return quantity.minus(part).lt(least) ? quantity : part;
}
