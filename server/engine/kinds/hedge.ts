import type Big from 'big.js';
import { HOUR_MS } from '#contract/duration';
import { type CloseReason, type HedgeState, LEGS, type Leg, type OrderPurpose } from '#contract/lifecycle';
import type { TradingTerms } from '../../exchange/venue';
import { ceilTo, floorTo, larger, plain, roundTo, smaller, ZERO } from '../../maths/decimal';
import { driftOf, legPnl, netPnl } from '../../maths/hedge';
import { SENDS_A_MINUTE, sendsOf, wishedNotional } from '../governor';
import { type BookOrder, type HedgeBook, isSettling, isWrongSide, type LegBook } from '../tradingBook';
import type { SymbolView } from '../view';
import { DOUBT, SHRUNK, wrongSide } from '../words';

/** All that a plan may look at beside the hedge and its live orders. */
export interface HedgeSight {
  /** UTC ms. */
  now: number;
  long: SymbolView | undefined;
  short: SymbolView | undefined;
  /** Steps of both symbols; undefined while they are not known. */
  terms: Record<Leg, TradingTerms | undefined>;
  /** The venue has taken the symbol off for good. */
  delisted: Record<Leg, boolean>;
  /** F14 by the present prices. */
  z: number | null;
  /** Nothing is entered any further: switched off, paused, or the owner may not trade. */
  off: boolean;
  /** Notional that each leg may still grow by, USDT. */
  room: Record<Leg, number>;
  /** Gross that the account may still grow by, USDT. */
  headroom: number;
  /** Signed position of the whole account in each leg's symbol, base currency. */
  account: Record<Leg, Big>;
}

/** The one thing to do next for a hedge. */
export type Wish =
  | { do: 'look'; order: BookOrder }
  | { do: 'cancel'; order: BookOrder }
  | { do: 'send'; leg: Leg; purpose: OrderPurpose; quantity: Big; adds: boolean; maker: boolean; capBps: number }
  | { do: 'move'; to: HedgeState; reason: CloseReason | null }
  /** Too little for an order of its own: leaves the hedge for the account, in the open. */
  | { do: 'writeOff'; leg: Leg; price: number }
  | { do: 'freeze'; reason: string }
  | { do: 'verify' }
  | { do: 'recheck' };

/** After one leg has been without the other this long, the missing one is completed at a wider cap; as long again, and what is held is unwound. */
const ONE_LEG_MS = 10_000;
const TAKER_PATIENCE_MS = 15_000;
const MAKER_PATIENCE_MS = 120_000;
const PEG_MS = 20_000;
const REBALANCE_PAUSE_MS = 60_000;
const WIDEST_CAP_BPS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A rest this small of what was aimed at is no reason to give up the whole. */
const DUST = 0.02;
/** Entries leave so many sends of a minute to exits. */
const SENDS_KEPT = 10;
/** An exit that the account's margin does not bear goes in parts, at the smallest this part of the whole. */
const MOST_HALVINGS = 6;
/** Part of what a pair wishes that the account must have room for. */
const ENOUGH = 0.9;
/** A venue may take the value at another price than ours. */
const CLEARLY = 1.02;

/**
 * What a hedge needs next, from nothing but its books, its live orders and the market: both legs or none, exits before
 * entries, one change on the wire at a time.
 * @returns null when there is nothing to do now.
 */
export function planHedge(hedge: HedgeBook, live: readonly BookOrder[], sight: HedgeSight): Wish | null {
  const doubtful = live.find(({ state }) => state !== 'open');
  if (doubtful) return { do: 'look', order: doubtful };
  // A report is not a booking: what it did to the legs is known when its fills are.
  if (live.some(isSettling)) return null;
  const asked = wanted(hedge) !== null;
  // Doubt is looked up first; what only contradicts itself does not keep a person from closing.
  if (hedge.frozen === DOUBT || (hedge.frozen === SHRUNK && !asked)) {
    return mayRetry(hedge, sight.now) ? { do: 'recheck' } : null;
  }
  const wrong = LEGS.find((leg) => isWrongSide(leg, hedge.legs[leg]));
  // What takes down cannot make it worse: an end that has begun, that a person asks for, or that one leg alone needs.
  const isStranded = hedge.state === 'opening' && wrong === undefined && aloneMs(hedge, sight.now) > 2 * ONE_LEG_MS;
  const mayEnd = (asked || hedge.state === 'closing' || isStranded) && mayRetry(hedge, sight.now);
  if (hedge.frozen !== null && !mayEnd) return null;
  if (wrong !== undefined && !asked) {
    const { symbol, quantity } = hedge.legs[wrong];
    return { do: 'freeze', reason: wrongSide(symbol, plain(quantity)) };
  }
  switch (hedge.state) {
    case 'waiting':
      return wanted(hedge) === null && !sight.off
        ? { do: 'move', to: 'opening', reason: null }
        : { do: 'move', to: 'failed', reason: 'cancelled' };
    case 'opening':
      return planOpening(hedge, live, sight);
    case 'open':
      return planOpen(hedge, live, sight);
    case 'closing':
      return planClosing(hedge, live, sight);
    default:
      return null;
  }
}

/** Whether somebody asked for the end. */
function wanted({ closeAskedAt, flattenAskedAt }: HedgeBook): CloseReason | null {
  if (closeAskedAt !== null) return 'manual';
  return flattenAskedAt === null ? null : 'flatten';
}

const other = (leg: Leg): Leg => (leg === 'long' ? 'short' : 'long');

/** Pauses grow with each order that did not do all it was to. */
function mayRetry({ attempts, lastSentAt }: HedgeBook, now: number): boolean {
  return attempts === 0 || now - lastSentAt >= Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** (attempts - 1));
}

/** Whether an entry may follow those that were sent already. */
const mayAdd = (hedge: HedgeBook, leg: Leg, now: number, kept: number): boolean =>
  mayRetry(hedge, now) && sendsOf(hedge, leg, now) < SENDS_A_MINUTE - kept;

/** As much of a quantity as the leg has room for, on the grid. */
const within = (quantity: Big, room: number, price: number, { lotSize }: TradingTerms): Big =>
  smaller(quantity, floorTo(ZERO.plus(room).div(price), lotSize));

/** The leg that is harder to fill goes first: with it in the book the other one is a formality. */
function firstLeg({ legs }: HedgeBook, live: readonly BookOrder[], { long, short }: HedgeSight): Leg {
  // One that rests in the book has begun, whatever has become of the turnovers since.
  const resting = live.find(({ type }) => type === 'maker');
  if (resting) return resting.leg;
  if (legs.long.quantity.eq(0) !== legs.short.quantity.eq(0)) return legs.long.quantity.eq(0) ? 'short' : 'long';
  return (long?.turnover24h ?? 0) <= (short?.turnover24h ?? 0) ? 'long' : 'short';
}

/** Quantity aimed at for the leg that goes first, from the mid of the decision. */
function firstTarget(hedge: HedgeBook, leg: Leg, { lotSize }: TradingTerms): Big {
  const mid = hedge.legs[leg].midOpen;
  return mid === null ? ZERO : floorTo(ZERO.plus(wishedNotional(hedge, leg)).div(mid), lotSize);
}

/**
 * Quantity of the second leg at which it has cost what the first one did, within half a lot: what was filled at earlier
 * prices counts at those.
 */
function matchingQuantity(hedge: HedgeBook, second: Leg, price: number, { lotSize }: TradingTerms): Big {
  const paid = hedge.legs[other(second)].cost.abs();
  const aim = second === 'short' ? paid.times(hedge.ratio) : paid.div(hedge.ratio);
  const { quantity, cost } = hedge.legs[second];
  return quantity.abs().plus(roundTo(aim.minus(cost.abs()).div(price), lotSize));
}

const worthSending = (left: Big, price: number, { lotSize, minNotional }: TradingTerms): boolean =>
  left.gte(lotSize) && left.times(price).gte(minNotional);

function planOpening(hedge: HedgeBook, live: readonly BookOrder[], sight: HedgeSight): Wish | null {
  const reason = wanted(hedge);
  if (reason !== null) return endOpening(live, reason);
  if (sight.delisted.long || sight.delisted.short) return endOpening(live, 'delisted');
  const first = firstLeg(hedge, live, sight);
  const second = other(first);
  const [firstTerms, secondTerms] = [sight.terms[first], sight.terms[second]];
  // What is missing for a moment is no reason to do anything, until one leg has stood alone or nothing has come for too long.
  if (!firstTerms || !secondTerms || !sight[first] || !sight[second]) return planBlind(hedge, live, sight);
  const matching = planMatching(hedge, second, secondTerms, live, sight);
  if (matching !== 'done' && matching !== 'wait') return matching;
  return planFirst(hedge, first, firstTerms, live, sight, matching);
}

/** While a price or the terms of a leg are not known. */
function planBlind(hedge: HedgeBook, live: readonly BookOrder[], { now }: HedgeSight): Wish | null {
  if (aloneMs(hedge, now) > 2 * ONE_LEG_MS) return endOpening(live, 'oneLeg');
  const isEmpty = LEGS.every((leg) => hedge.legs[leg].quantity.eq(0));
  return isEmpty && isExpired(hedge, now) ? endOpening(live, 'refused') : null;
}

const isExpired = ({ settings, stateAt }: HedgeBook, now: number): boolean =>
  now - stateAt > (settings.orderType === 'maker' ? MAKER_PATIENCE_MS : TAKER_PATIENCE_MS);

/** The leg that goes first, until it holds what was aimed at or its time is over; then the hedge is open, or is not. */
function planFirst(
  hedge: HedgeBook,
  first: Leg,
  terms: TradingTerms,
  live: readonly BookOrder[],
  sight: HedgeSight,
  matching: 'done' | 'wait',
): Wish | null {
  const { now, room } = sight;
  const maker = hedge.settings.orderType === 'maker';
  const takenBack = sight.off || hedge.entryCancelledAt !== null;
  const isOver = takenBack || isExpired(hedge, now);
  const resting = live.find(({ leg }) => leg === first);
  if (resting) return takenDown(resting, isOver || now - resting.createdAt > PEG_MS);
  const { price } = sight[first]!;
  const held = hedge.legs[first].quantity.abs();
  const left = within(firstTarget(hedge, first, terms).minus(held), room[first], price, terms);
  if (!isOver && worthSending(left, price, terms)) {
    if (!mayAdd(hedge, first, now, SENDS_KEPT) || (held.eq(0) && !hasRoom(hedge, sight))) return null;
    const capBps = hedge.settings.slippageCap;
    return { do: 'send', leg: first, purpose: 'entry', quantity: left, adds: true, maker, capBps };
  }
  // What still rests for the other leg would be nobody's.
  if (live[0]) return takenDown(live[0], isOver);
  if (held.eq(0)) return isOver ? { do: 'move', to: 'failed', reason: takenBack ? 'cancelled' : 'refused' } : null;
  return matching === 'wait' ? null : entered(hedge, other(first));
}

const takenDown = (order: BookOrder, isDue: boolean): Wish | null => (isDue ? { do: 'cancel', order } : null);

/** The first leg is in: the hedge is open when the second one is too. */
const entered = ({ legs }: HedgeBook, second: Leg): Wish =>
  legs[second].quantity.eq(0)
    ? { do: 'move', to: 'closing', reason: 'oneLeg' }
    : { do: 'move', to: 'open', reason: null };

/** Whether the account bears both legs: a pair that it does not is not begun with one. */
const hasRoom = (hedge: HedgeBook, { headroom }: HedgeSight): boolean =>
  headroom >= ENOUGH * (wishedNotional(hedge, 'long') + wishedNotional(hedge, 'short'));

const aloneMs = ({ oneLegSince }: HedgeBook, now: number): number => (oneLegSince === null ? 0 : now - oneLegSince);

function endOpening(live: readonly BookOrder[], reason: CloseReason): Wish {
  const resting = live[0];
  return resting ? { do: 'cancel', order: resting } : { do: 'move', to: 'closing', reason };
}

/** Brings the second leg to what the first one holds: right after it, then at a wider cap, then not at all. */
function planMatching(
  hedge: HedgeBook,
  second: Leg,
  terms: TradingTerms,
  live: readonly BookOrder[],
  sight: HedgeSight,
): Wish | 'done' | 'wait' {
  const price = sight[second]!.price;
  const target = matchingQuantity(hedge, second, price, terms);
  const left = target.minus(hedge.legs[second].quantity.abs());
  if (!worthSending(left, price, terms)) {
    if (target.eq(0) || left.lte(terms.lotSize) || left.lte(target.times(DUST))) return 'done';
    // Too little for an order of its own; the first leg may still grow.
    return live.length > 0 ? 'wait' : 'done';
  }
  const alone = aloneMs(hedge, sight.now);
  if (alone > 2 * ONE_LEG_MS) return endOpening(live, 'oneLeg');
  if (live.some(({ leg }) => leg === second)) return 'wait';
  if (!mayAdd(hedge, second, sight.now, 1)) return 'wait';
  const quantity = within(left, sight.room[second], price, terms);
  if (!worthSending(quantity, price, terms)) {
    // Where there is no room for the rest: one lot is as near as the steps allow, else the one-leg timer decides.
    return left.lte(terms.lotSize) || (hedge.oneLegSince === null && !hedge.legs[second].quantity.eq(0))
      ? 'done'
      : 'wait';
  }
  const late = alone > ONE_LEG_MS;
  const cap = hedge.settings.slippageCap;
  return {
    do: 'send',
    leg: second,
    purpose: late ? 'complete' : 'entry',
    quantity,
    adds: true,
    maker: false,
    capBps: late ? Math.min(WIDEST_CAP_BPS, cap * 3) : cap,
  };
}

/** Net PnL (F11) at the marks, USDT; null where a held leg has no price. */
export function netAt(hedge: HedgeBook, long: SymbolView | undefined, short: SymbolView | undefined): number | null {
  const own = legPnl(numbers(hedge.legs.long), long?.mark ?? null);
  const against = legPnl(numbers(hedge.legs.short), short?.mark ?? null);
  return netPnl([own, against], { funding: hedge.funding.toNumber(), fees: hedge.fees.toNumber() });
}

const numbers = ({ quantity, cost, realised }: LegBook) => ({
  quantity: quantity.toNumber(),
  cost: cost.toNumber(),
  realised: realised.toNumber(),
});

function exitReason(hedge: HedgeBook, sight: HedgeSight): CloseReason | null {
  const asked = wanted(hedge);
  if (asked !== null) return asked;
  const { settings, legs } = hedge;
  const { long, short, z } = sight;
  // Only the venue says that a symbol is gone: a price or terms that are missing are bad data.
  if (sight.delisted.long || sight.delisted.short) return 'delisted';
  if (legs.long.quantity.eq(0) || legs.short.quantity.eq(0)) return 'liquidation';
  const net = netAt(hedge, long, short);
  const notional = legs.long.notional.plus(legs.short.notional).toNumber();
  if (net !== null && settings.stopLoss !== null && net <= -settings.stopLoss * notional) return 'stopLoss';
  if (net !== null && settings.takeProfit !== null && net >= settings.takeProfit * notional) return 'takeProfit';
  const held = sight.now - (hedge.openedAt ?? hedge.createdAt);
  if (settings.maxHoldingHours !== null && held >= settings.maxHoldingHours * HOUR_MS) return 'maxHolding';
  const priced = long?.fresh && short?.fresh;
  if (settings.entry === 'z' && z !== null && priced && z >= -settings.exitZ) return 'exitZ';
  return null;
}

function planOpen(hedge: HedgeBook, live: readonly BookOrder[], sight: HedgeSight): Wish | null {
  const reason = exitReason(hedge, sight);
  const resting = live[0];
  if (reason !== null) {
    return resting ? { do: 'cancel', order: resting } : { do: 'move', to: 'closing', reason };
  }
  return resting ? null : planRebalance(hedge, sight);
}

/** Takes from the leg that has grown too large what brings the pair back to its ratio. */
function planRebalance(hedge: HedgeBook, { now, long, short, terms }: HedgeSight): Wish | null {
  const { settings, legs, ratio } = hedge;
  if (settings.rebalance === null || !long?.fresh || !short?.fresh) return null;
  if (now - hedge.lastSentAt < REBALANCE_PAUSE_MS) return null;
  const own = Math.abs(legs.long.quantity.toNumber()) * long.mark;
  const against = Math.abs(legs.short.quantity.toNumber()) * short.mark;
  const drift = driftOf(own, -against, ratio);
  if (drift === null || Math.abs(drift) <= settings.rebalance) return null;
  const leg: Leg = drift > 0 ? 'long' : 'short';
  const excess = drift > 0 ? own - against / ratio : against - own * ratio;
  if (terms[leg] === undefined) return null;
  const quantity = floorTo(ZERO.plus(excess).div(leg === 'long' ? long.mark : short.mark), terms[leg].lotSize);
  if (quantity.lte(0)) return null;
  return { do: 'send', leg, purpose: 'rebalance', quantity, adds: false, maker: false, capBps: settings.slippageCap };
}

function planClosing(hedge: HedgeBook, live: readonly BookOrder[], sight: HedgeSight): Wish | null {
  const resting = live[0];
  if (resting) return { do: 'cancel', order: resting };
  const { legs, attempts } = hedge;
  const worth = (leg: Leg) => legs[leg].quantity.abs().toNumber() * (sight[leg]?.mark ?? 0);
  const held = LEGS.filter((leg) => !legs[leg].quantity.eq(0)).sort((a, b) => worth(b) - worth(a));
  if (held.length === 0) return { do: 'verify' };
  if (!mayRetry(hedge, sight.now)) return null;
  // The larger one first; where it could not go, the other one may free the margin that it lacks.
  return planExit(hedge, held[attempts % held.length]!, sight);
}

/**
 * Takes a leg down, or as much of it as the venue cannot refuse: first what reduces the account's position, which no
 * minimum binds; the rest, which other hedges hold the other way round, as an order of its own; dust is written off.
 */
function planExit(hedge: HedgeBook, leg: Leg, sight: HedgeSight): Wish {
  const { settings, legs, attempts, openedAt } = hedge;
  const { quantity: signed } = legs[leg];
  const held = signed.abs();
  const account = sight.account[leg];
  const reducible = account.s === signed.s ? smaller(held, account.abs()) : ZERO;
  const terms = sight.terms[leg];
  const price = sight[leg]?.mark;
  const exit = (quantity: Big): Wish => ({
    do: 'send',
    leg,
    purpose: openedAt === null ? 'unwind' : 'exit',
    quantity,
    adds: false,
    maker: false,
    capBps: Math.min(WIDEST_CAP_BPS, settings.slippageCap * (1 + attempts)),
  });
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
  // Nothing to reduce, and no margin for an order of its own after so many tries: other hedges hold all of it the other way.
  const isStuck = account.eq(0) && attempts >= 2 * MOST_HALVINGS;
  if (onGrid.lt(least) || isStuck) return { do: 'writeOff', leg, price };
  // Two tries a size: one for each leg. No part is left behind that could not go by itself.
  const part = floorTo(onGrid.div(2 ** Math.min(MOST_HALVINGS, Math.floor(attempts / 2))), terms.lotSize);
  const quantity = larger(part, least);
  return exit(onGrid.minus(quantity).lt(least) ? onGrid : quantity);
}
