import type Big from 'big.js';
import type { CloseReason, OrderPurpose, RebalanceWay, Leg as Side } from '#contract/lifecycle';
import type { Reduction } from '../base/db/strategies/reduction';
import { floorTo, smaller, ZERO } from '../base/maths/decimal';
import type { Twap } from '../base/maths/twap';
import type { Gone, TradingTerms } from '../market/venue';
import type { SymbolView } from './marketSnapshot';
import { SENDS_A_MINUTE, sendsOf } from './preTradeRisk';
import type { LegOrder, NextAction } from './runner';
import type { DealBook, LegBook } from './tradingBook';

/** One leg of a deal as a plan sees it: what it is to be, what it holds, and its market. */
export interface LegNow<L extends string> {
  leg: L;
  side: Side;
  /** What it aims at beside the other legs: shares of notional or of base currency. */
  weight: number;
  /** Notional aimed at, USDT. */
  targetNotional: number;
  /** Quantity aimed at, base currency; what the notional buys at the mid of the decision where none is given. */
  targetQuantity?: Big;
  book: Pick<LegBook, 'symbol' | 'quantity' | 'cost' | 'midOpen'>;
  view: SymbolView | undefined;
  /** Undefined while they are not known. */
  terms: TradingTerms | undefined;
  /** How the venue has taken the symbol off for good; null while it has not. */
  gone: Gone | null;
  /** Notional that it may still grow by, USDT. */
  room: number;
  /** Signed position of the whole account in its symbol, base currency. */
  account: Big;
  /** What deals hold against it there, unsigned, base currency. */
  offset: Big;
  /** Its venue is down. */
  venueDown: boolean;
  /** Of an exchange that is followed no more: nothing goes there, and nothing comes back. */
  isUnfollowed?: boolean;
}

/** How a kind wants its legs brought in, kept and ended. */
export interface LegsRules {
  /**
   * Either the leg that is harder to fill goes first, resting in the book or taking from it, and the others follow; or
   * all are sent without one waiting for another.
   */
  bringIn: 'makerFirst' | 'takerFirst' | 'atOnce';
  /** The others have cost what the first one has, by their weights, or hold as much of the coin. */
  matchBy: 'cost' | 'quantity';
  /** The leg that goes first; the one that is harder to fill where none is named, and of what rests never spot. */
  first?: 'long' | 'short';
  /** An entry goes in so many parts of one size, one each so many ms (TWAP); at once where it is not given. */
  twap?: Twap;
  /** What rests is taken from the book once it has waited so long for a part of it, ms; it only rests where it is not given. */
  convertMs?: number;
  /** Ticks beyond the best price of the other side that an entry may take; `capBps` alone bounds it where it is not given. */
  payUp?: number;
  /** Each leg sends one entry order; a rest is sent again only to match the others. */
  once?: boolean;
  /** Imbalance that is not worth an order, USDT. */
  tolerance?: number;
  /** How far from the mid an order may take. */
  capBps: number;
  /** Share of the gross by which a leg may be too large; null lets the legs drift. */
  rebalance: number | null;
  /** Why a deal that is open and holds all its legs should end now, beside what somebody asked for. */
  exitReason: () => CloseReason | null;
}

/** A deal over n weighted legs as its plan sees it. */
export interface Legs<L extends string> {
  deal: Pick<
    DealBook,
    | 'state'
    | 'stateAt'
    | 'openedAt'
    | 'closeAskedAt'
    | 'flattenAskedAt'
    | 'entryCancelledAt'
    | 'frozen'
    | 'oneLegSince'
    | 'attempts'
    | 'isMoving'
    | 'lastSentAt'
    | 'rebalanceWay'
    | 'rebalanceAskedAt'
    | 'reducedAt'
    | 'unfreezeAskedAt'
    | 'unfreezeTriedAt'
  > & { sends: readonly { leg: L; at: number }[]; reduction: Reduction<L> | null };
  legs: readonly LegNow<L>[];
  rules: LegsRules;
  /** UTC ms. */
  now: number;
  /** Entries are disabled. */
  entriesDisabled: boolean;
  /** What happened to an account is not all read yet. */
  isBehind?: boolean;
  /** Whether every account has margin for the target notional of its legs. */
  hasMargin: boolean;
}

/** Orders of the deal that may still change a position. */
export type Live<L extends string> = readonly LegOrder<L>[];

export const WIDEST_CAP_BPS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Whether somebody asked for the end. */
export function askedReason<L extends string>({ deal }: Legs<L>): CloseReason | null {
  if (deal.closeAskedAt !== null) return 'manual';
  return deal.flattenAskedAt === null ? null : 'flatten';
}

/** Only the venue says that a symbol is gone: a price or terms that are missing are bad data. */
export const goneOf = <L extends string>({ legs }: Legs<L>): Gone | null =>
  legs.find(({ gone }) => gone !== null)?.gone ?? null;

/** All legs are held and a venue is down: exiting the others would leave its leg unhedged. */
export const wouldLeaveUnhedged = <L extends string>({ legs }: Legs<L>): boolean =>
  legs.every((leg) => !isFlat(leg)) && legs.some(({ venueDown }) => venueDown);

export const isFlat = <L extends string>({ book }: LegNow<L>): boolean => book.quantity.eq(0);

const SHORTEST_PAUSE_MS = 1_000;

/** Pauses grow with each order that got nothing; what got a part is followed after the shortest one. */
export function mayRetry<L extends string>({ deal: { attempts, isMoving, lastSentAt }, now }: Legs<L>): boolean {
  if (attempts === 0 && !isMoving) return true;
  const pause = isMoving ? SHORTEST_PAUSE_MS : SHORTEST_PAUSE_MS * 2 ** (attempts - 1);
  return now - lastSentAt >= Math.min(LONGEST_PAUSE_MS, pause);
}

/** Whether a leg may be sent another order now: one beyond the rate of its sends would stop the deal. @param kept sends that are left to others */
export const maySend = <L extends string>(of: Legs<L>, leg: L, kept = 0): boolean =>
  mayRetry(of) && sendsOf(of.deal, leg, of.now) < SENDS_A_MINUTE - kept;

/** Validity of a person's request to unfreeze a deal. */
const UNFREEZE_REQUEST_MS = 10 * 60_000;

/** Whether a person's request to unfreeze a deal is to be looked into now: at once, and with pauses while nobody answers. */
export function isUnfreezeDue<L extends string>(of: Legs<L>): boolean {
  const { unfreezeAskedAt: askedAt, unfreezeTriedAt: triedAt, lastSentAt } = of.deal;
  if (askedAt === null || triedAt === askedAt || of.now - askedAt > UNFREEZE_REQUEST_MS) return false;
  return lastSentAt < askedAt || mayRetry(of);
}

export const unhedgedMs = <L extends string>({ deal: { oneLegSince }, now }: Legs<L>): number =>
  oneLegSince === null ? 0 : now - oneLegSince;

/** How far an order of an entry goes for what it takes, where its kind bounds it by ticks. */
export const payUpOf = ({ payUp }: LegsRules): { payUp?: number } => (payUp === undefined ? {} : { payUp });

/** Takes from the book; what it is for says whether it adds. */
export const sendOf = <L extends string>({ leg }: LegNow<L>, quantity: Big, purpose: OrderPurpose, capBps: number) =>
  ({ do: 'send', leg, purpose, quantity, adds: false, maker: false, capBps }) as const satisfies NextAction<L>;

const REBALANCE_PAUSE_MS = 60_000;

/** Reduces the leg that outgrew its weight. */
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

/** Validity of a person's request to rebalance. */
const REBALANCE_REQUEST_MS = 60_000;
/** Factor on the slippage cap of such an order. */
const WIDER = 3;

interface Asked {
  deal: { rebalanceWay: RebalanceWay | null; rebalanceAskedAt: number | null };
  /** UTC ms */
  now: number;
}

/** How a person asked to rebalance the legs; null without a valid request. */
export const rebalanceWayOf = ({ deal: { rebalanceWay, rebalanceAskedAt }, now }: Asked): RebalanceWay | null =>
  rebalanceAskedAt !== null && now - rebalanceAskedAt < REBALANCE_REQUEST_MS ? rebalanceWay : null;

const sizeOf = <L extends string>({ book }: LegNow<L>) => book.quantity.abs();

/** Rebalances legs that hold different quantities of one coin, the way a person asked for. */
export function planRebalanceLegs<L extends string>(of: Legs<L>): NextAction<L> | null {
  const way = rebalanceWayOf(of);
  if (way === null || of.rules.matchBy !== 'quantity' || !mayRetry(of)) return null;
  return way === 'complete' ? planFillUp(of) : planTakeBack(of);
}

/** Adds to the smaller of two legs; null where the difference is below the minimum order. */
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

/** Reduces the leg that holds more than its weight. */
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
