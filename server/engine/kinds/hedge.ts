import type Big from 'big.js';
import type { CloseReason, HedgeState, Leg, OrderPurpose } from '#contract/lifecycle';
import type { TradingTerms } from '../../exchange/venue';
import { floorTo, roundTo, ZERO } from '../../maths/decimal';
import { driftOf, legPnl } from '../../maths/hedge';
import type { HedgeBook, LegBook, OrderBook } from '../book';
import type { SymbolView } from '../view';

/** All that a plan may look at beside the hedge and its live orders. */
export interface HedgeSight {
  /** UTC ms. */
  now: number;
  long: SymbolView | undefined;
  short: SymbolView | undefined;
  /** Steps of both symbols; undefined while the venue does not trade one. */
  terms: Record<Leg, TradingTerms | undefined>;
  /** F14 by the present prices. */
  z: number | null;
  /** Everything that runs is to be closed. */
  flatten: boolean;
}

/** The one thing to do next for a hedge. */
export type Wish =
  | { do: 'look'; order: OrderBook }
  | { do: 'cancel'; order: OrderBook }
  | { do: 'send'; leg: Leg; purpose: OrderPurpose; quantity: Big; adds: boolean; maker: boolean; capBps: number }
  | { do: 'move'; to: HedgeState; reason: CloseReason | null }
  | { do: 'verify' }
  | { do: 'recheck' };

/** After one leg stands without the other this long, the missing one is completed at a wider cap; as long again, and what stands is unwound. */
const ONE_LEG_MS = 10_000;
const TAKER_PATIENCE_MS = 15_000;
const MAKER_PATIENCE_MS = 120_000;
const PEG_MS = 20_000;
const REBALANCE_PAUSE_MS = 60_000;
const WIDEST_CAP_BPS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A rest this small of what was aimed at is no reason to give up the whole. */
const DUST = 0.02;

/**
 * What a hedge needs next, from nothing but its books, its live orders and the market: both legs or none, exits before
 * entries, one change on the wire at a time.
 * @returns null when there is nothing to do now.
 */
export function planHedge(hedge: HedgeBook, live: readonly OrderBook[], sight: HedgeSight): Wish | null {
  const doubtful = live.find(({ state }) => state === 'inDoubt' || state === 'registered');
  if (doubtful) return { do: 'look', order: doubtful };
  if (hedge.frozen !== null) return mayRetry(hedge, sight.now) ? { do: 'recheck' } : null;
  switch (hedge.state) {
    case 'waiting':
      return wanted(hedge, sight) === null
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
function wanted({ closeAskedAt }: HedgeBook, { flatten }: HedgeSight): CloseReason | null {
  if (closeAskedAt !== null) return 'manual';
  return flatten ? 'flatten' : null;
}

const other = (leg: Leg): Leg => (leg === 'long' ? 'short' : 'long');

/** Pauses grow with each order that did not do all it was to. */
function mayRetry({ attempts, lastSentAt }: HedgeBook, now: number): boolean {
  return attempts === 0 || now - lastSentAt >= Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** (attempts - 1));
}

/** The leg that is harder to fill goes first: with it in the book the other one is a formality. */
function firstLeg({ legs }: HedgeBook, { long, short }: HedgeSight): Leg {
  if (legs.long.quantity.eq(0) !== legs.short.quantity.eq(0)) return legs.long.quantity.eq(0) ? 'short' : 'long';
  return (long?.turnover24h ?? 0) <= (short?.turnover24h ?? 0) ? 'long' : 'short';
}

/** Quantity aimed at for the leg that goes first, from the mid of the decision. */
function firstTarget({ legs, settings, ratio }: HedgeBook, leg: Leg, { lotSize }: TradingTerms): Big {
  const mid = legs[leg].midOpen;
  if (mid === null) return ZERO;
  const notional = leg === 'long' ? settings.legNotional : settings.legNotional * ratio;
  return floorTo(ZERO.plus(notional).div(mid), lotSize);
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

function planOpening(hedge: HedgeBook, live: readonly OrderBook[], sight: HedgeSight): Wish | null {
  const { now } = sight;
  const reason = wanted(hedge, sight);
  if (reason !== null) return endOpening(live, reason);
  const first = firstLeg(hedge, sight);
  const second = other(first);
  const [firstTerms, secondTerms] = [sight.terms[first], sight.terms[second]];
  if (!firstTerms || !secondTerms) return endOpening(live, 'delisted');
  // A price that is missing for a moment is no reason to do anything, until one leg has stood alone too long.
  if (!sight[first] || !sight[second]) return aloneMs(hedge, now) > 2 * ONE_LEG_MS ? endOpening(live, 'oneLeg') : null;
  const matching = planMatching(hedge, second, secondTerms, live, sight);
  if (matching !== 'done' && matching !== 'wait') return matching;
  return planFirst(hedge, first, firstTerms, live, sight, matching);
}

/** The leg that goes first, until it holds what was aimed at or its time is over; then the hedge stands, or does not. */
function planFirst(
  hedge: HedgeBook,
  first: Leg,
  terms: TradingTerms,
  live: readonly OrderBook[],
  sight: HedgeSight,
  matching: 'done' | 'wait',
): Wish | null {
  const { now } = sight;
  const maker = hedge.settings.orderType === 'maker';
  const expired = now - hedge.stateAt > (maker ? MAKER_PATIENCE_MS : TAKER_PATIENCE_MS);
  const resting = live.find(({ leg }) => leg === first);
  if (resting) return expired || now - resting.createdAt > PEG_MS ? { do: 'cancel', order: resting } : null;
  const held = hedge.legs[first].quantity.abs();
  const left = firstTarget(hedge, first, terms).minus(held);
  if (!expired && worthSending(left, sight[first]!.price, terms)) {
    if (!mayRetry(hedge, now)) return null;
    const capBps = hedge.settings.slippageCap;
    return { do: 'send', leg: first, purpose: 'entry', quantity: left, adds: true, maker, capBps };
  }
  if (held.eq(0)) return expired ? { do: 'move', to: 'failed', reason: 'refused' } : null;
  if (matching === 'wait') return null;
  if (hedge.legs[other(first)].quantity.eq(0)) return { do: 'move', to: 'closing', reason: 'oneLeg' };
  return { do: 'move', to: 'open', reason: null };
}

const aloneMs = ({ oneLegSince }: HedgeBook, now: number): number => (oneLegSince === null ? 0 : now - oneLegSince);

function endOpening(live: readonly OrderBook[], reason: CloseReason): Wish {
  const resting = live[0];
  return resting ? { do: 'cancel', order: resting } : { do: 'move', to: 'closing', reason };
}

/** Brings the second leg to what the first one holds: right after it, then at a wider cap, then not at all. */
function planMatching(
  hedge: HedgeBook,
  second: Leg,
  terms: TradingTerms,
  live: readonly OrderBook[],
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
  if (live.some(({ leg }) => leg === second)) return 'wait';
  const alone = aloneMs(hedge, sight.now);
  if (alone > 2 * ONE_LEG_MS) {
    const resting = live[0];
    return resting ? { do: 'cancel', order: resting } : { do: 'move', to: 'closing', reason: 'oneLeg' };
  }
  if (!mayRetry(hedge, sight.now)) return 'wait';
  const late = alone > ONE_LEG_MS;
  const cap = hedge.settings.slippageCap;
  return {
    do: 'send',
    leg: second,
    purpose: late ? 'complete' : 'entry',
    quantity: left,
    adds: true,
    maker: false,
    capBps: late ? Math.min(WIDEST_CAP_BPS, cap * 3) : cap,
  };
}

/** Net PnL (F11) at the marks, USDT; null where a held leg has no price. */
export function netPnl(hedge: HedgeBook, long: SymbolView | undefined, short: SymbolView | undefined): number | null {
  const own = legPnl(numbers(hedge.legs.long), long?.mark ?? null);
  const against = legPnl(numbers(hedge.legs.short), short?.mark ?? null);
  if (own === null || against === null) return null;
  return own + against + hedge.funding.toNumber() - hedge.fees.toNumber();
}

const numbers = ({ quantity, cost, realised }: LegBook) => ({
  quantity: quantity.toNumber(),
  cost: cost.toNumber(),
  realised: realised.toNumber(),
});

function exitReason(hedge: HedgeBook, sight: HedgeSight): CloseReason | null {
  const asked = wanted(hedge, sight);
  if (asked !== null) return asked;
  const { settings, legs } = hedge;
  const { long, short, z } = sight;
  // Only the venue says that a symbol is gone: a price that is old or missing is bad data.
  if (!sight.terms.long || !sight.terms.short) return 'delisted';
  if (legs.long.quantity.eq(0) || legs.short.quantity.eq(0)) return 'liquidation';
  const net = netPnl(hedge, long, short);
  const notional = legs.long.notional.plus(legs.short.notional).toNumber();
  if (net !== null && settings.stopLoss !== null && net <= -settings.stopLoss * notional) return 'stopLoss';
  if (net !== null && settings.takeProfit !== null && net >= settings.takeProfit * notional) return 'takeProfit';
  const held = sight.now - (hedge.openedAt ?? hedge.createdAt);
  if (settings.maxHoldingHours !== null && held >= settings.maxHoldingHours * 3_600_000) return 'maxHolding';
  const priced = long?.fresh && short?.fresh;
  if (settings.entry === 'z' && z !== null && priced && z >= -settings.exitZ) return 'exitZ';
  return null;
}

function planOpen(hedge: HedgeBook, live: readonly OrderBook[], sight: HedgeSight): Wish | null {
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
  const quantity = floorTo(ZERO.plus(excess).div(leg === 'long' ? long.mark : short.mark), terms[leg]!.lotSize);
  if (quantity.lte(0)) return null;
  return { do: 'send', leg, purpose: 'rebalance', quantity, adds: false, maker: false, capBps: settings.slippageCap };
}

function planClosing(hedge: HedgeBook, live: readonly OrderBook[], sight: HedgeSight): Wish | null {
  const resting = live[0];
  if (resting) return { do: 'cancel', order: resting };
  const { legs, settings, attempts } = hedge;
  const worth = (leg: Leg) => legs[leg].quantity.abs().toNumber() * (sight[leg]?.mark ?? 0);
  const held = (['long', 'short'] as const).filter((leg) => !legs[leg].quantity.eq(0));
  const leg = held.sort((a, b) => worth(b) - worth(a))[0];
  if (leg === undefined) return { do: 'verify' };
  if (!mayRetry(hedge, sight.now)) return null;
  const stood = hedge.openedAt !== null;
  return {
    do: 'send',
    leg,
    purpose: stood ? 'exit' : 'unwind',
    quantity: legs[leg].quantity.abs(),
    adds: false,
    maker: false,
    capBps: Math.min(WIDEST_CAP_BPS, settings.slippageCap * (1 + attempts)),
  };
}
