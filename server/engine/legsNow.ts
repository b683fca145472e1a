import type Big from 'big.js';
import type { CloseReason, OrderPurpose, Leg as Side } from '#contract/lifecycle';
import type { Twap } from '../base/maths/twap';
import type { Gone, TradingTerms } from '../market/venue';
import type { LegOrder, NextAction } from './runner';
import type { DealBook, LegBook } from './tradingBook';
import type { SymbolView } from './view';

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
  /** Its venue answers nobody now. */
  venueDown: boolean;
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
  /** The leg that goes first; the one that is harder to fill where none is named. */
  first?: 'long' | 'short';
  /** An entry goes in so many parts of one size, one each so many ms (TWAP); at once where it is not given. */
  twap?: Twap;
  /** What rests is taken from the book once it has waited so long for a part of it, ms; it only rests where it is not given. */
  convertMs?: number;
  /** Ticks beyond the best price of the other side that an entry may take; `capBps` alone bounds it where it is not given. */
  payUp?: number;
  /** What did not come with the first order of a leg is not sent for again, but for what the others have got more. */
  once?: boolean;
  /** So much may the legs be apart, USDT: less is not worth an order of its own. */
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
    | 'lastSentAt'
    | 'rebalanceWay'
    | 'rebalanceAskedAt'
    | 'unfreezeAskedAt'
    | 'unfreezeTriedAt'
  > & { sends: readonly { leg: L; at: number }[] };
  legs: readonly LegNow<L>[];
  rules: LegsRules;
  /** UTC ms. */
  now: number;
  /** Nothing is entered any further. */
  entriesDisabled: boolean;
  /** Whether every account has margin for the target notional of its legs. */
  hasMargin: boolean;
}

/** Orders of the deal that may still change a position. */
export type Live<L extends string> = readonly LegOrder<L>[];

export const WIDEST_CAP_BPS = 500;
const LONGEST_PAUSE_MS = 30_000;

/** Whether somebody asked for the end. */
export function wanted<L extends string>({ deal }: Legs<L>): CloseReason | null {
  if (deal.closeAskedAt !== null) return 'manual';
  return deal.flattenAskedAt === null ? null : 'flatten';
}

/** Only the venue says that a symbol is gone: a price or terms that are missing are bad data. */
export const goneOf = <L extends string>({ legs }: Legs<L>): Gone | null =>
  legs.find(({ gone }) => gone !== null)?.gone ?? null;

/** All legs hold and a venue does not answer: to take down the others would leave one alone for as long as it is out. */
export const wouldStrand = <L extends string>({ legs }: Legs<L>): boolean =>
  legs.every((leg) => !isFlat(leg)) && legs.some(({ venueDown }) => venueDown);

export const isFlat = <L extends string>({ book }: LegNow<L>): boolean => book.quantity.eq(0);

/** Pauses grow with each order that did not do all it was to. */
export function mayRetry<L extends string>({ deal: { attempts, lastSentAt }, now }: Legs<L>): boolean {
  return attempts === 0 || now - lastSentAt >= Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** (attempts - 1));
}

/** For so long a person's request to unfreeze a deal is good. */
const UNFREEZE_REQUEST_MS = 10 * 60_000;

/** Whether a person's request to unfreeze a deal is to be looked into now: at once, and with pauses while nobody answers. */
export function isUnfreezeDue<L extends string>(of: Legs<L>): boolean {
  const { unfreezeAskedAt: askedAt, unfreezeTriedAt: triedAt, lastSentAt } = of.deal;
  if (askedAt === null || triedAt === askedAt || of.now - askedAt > UNFREEZE_REQUEST_MS) return false;
  return lastSentAt < askedAt || mayRetry(of);
}

export const aloneMs = <L extends string>({ deal: { oneLegSince }, now }: Legs<L>): number =>
  oneLegSince === null ? 0 : now - oneLegSince;

/** How far an order of an entry goes for what it takes, where its kind bounds it by ticks. */
export const payUpOf = ({ payUp }: LegsRules): { payUp?: number } => (payUp === undefined ? {} : { payUp });

/** Takes from the book; what it is for says whether it adds. */
export const sendOf = <L extends string>({ leg }: LegNow<L>, quantity: Big, purpose: OrderPurpose, capBps: number) =>
  ({ do: 'send', leg, purpose, quantity, adds: false, maker: false, capBps }) as const satisfies NextAction<L>;
