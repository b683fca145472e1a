import type Big from 'big.js';
import type { HedgeSettings } from '#contract/hedgeConfig';
import {
  type CloseReason,
  type HedgeEventKind,
  type HedgeState,
  type Leg,
  ORDER_LIVE,
  type OrderPurpose,
  type OrderState,
  type PairBlock,
} from '#contract/lifecycle';
import type { StrategyKind } from '#contract/strategy';
import type { Side, VenueOrderState } from '../exchange/venue';
import { ZERO } from '../maths/decimal';

/** One leg of a hedge; signed quantity and signed cost, see server/db/schema.ts. */
export interface LegBook {
  symbol: string;
  quantity: Big;
  cost: Big;
  /** Largest absolute quantity ever held. */
  opened: Big;
  /** Notional paid for entries. */
  notional: Big;
  realised: Big;
  /** Mid at the decision to open, USDT. */
  midOpen: number | null;
}

export interface HedgeBook {
  id: string;
  pairId: string;
  source: string;
  state: HedgeState;
  stateAt: number;
  createdAt: number;
  openedAt: number | null;
  closedAt: number | null;
  closeReason: CloseReason | null;
  closeAskedAt: number | null;
  flattenAskedAt: number | null;
  /** A person took its entry back: it is not entered any further. */
  entryCancelledAt: number | null;
  frozen: string | null;
  settings: HedgeSettings;
  /** Short notional per long notional. */
  ratio: number;
  zOpen: number | null;
  zClose: number | null;
  legs: Record<Leg, LegBook>;
  funding: Big;
  fees: Big;
  slippage: Big;
  mae: number | null;
  mfe: number | null;
  /** USDT x seconds. */
  naked: number;
  oneLegSince: number | null;
  /** Orders sent since the state was reached that did not do all they were to. */
  attempts: number;
  /** When the last order went out; of this process only. */
  lastSentAt: number;
  /** Orders of the last minute, whoever sent them. */
  sends: { leg: Leg; at: number }[];
  /** Up to when `naked` is counted. */
  nakedAt: number;
  /** Figures changed that nobody has stored yet. */
  dirty: boolean;
}

export interface BookOrder {
  id: string;
  hedgeId: string | null;
  source: string;
  symbol: string;
  leg: Leg;
  side: Side;
  type: 'market' | 'maker';
  purpose: OrderPurpose;
  reduceOnly: boolean;
  quantity: Big;
  limitPrice: Big;
  decisionMid: number;
  state: OrderState;
  filledQuantity: Big;
  filledNotional: Big;
  fee: Big;
  /** What the venue has said is filled. */
  reportedQuantity: Big;
  /** How the venue has said it ended; null while it has not. */
  reportedState: Exclude<VenueOrderState, 'open'> | null;
  createdAt: number;
  cancelAskedAt: number | null;
  endedAt: number | null;
}

export interface PairBook {
  id: string;
  source: string;
  long: string;
  short: string;
  armedAt: number;
  usedArmAt: number | null;
  block: PairBlock | null;
}

export interface PauseBook {
  at: number;
  by: string;
  reason: string;
}

/** Running sums since the account was opened, USDT. */
export interface BookSums {
  transfers: Big;
  funding: Big;
  /** Paid is positive. */
  fees: Big;
  slippage: Big;
  traded: Big;
  /** Price PnL that hedges which ended have realised, by leg. */
  endedLong: Big;
  endedShort: Big;
}

/** All that the engine knows of one user: the only thing that plans are made from. */
export interface Book {
  userId: string;
  /** Of the lease under which it was read: what was read under another one may be old. */
  token: number;
  /** The owner's name. */
  user: string;
  /** The owner may not trade: nothing is entered, what is held stays guarded. */
  blocked: boolean;
  revision: number;
  /** Of its one strategy. */
  kind: StrategyKind;
  enabled: boolean;
  paused: PauseBook | null;
  /** The switch for everybody, as it was when the book was looked at last. */
  pausedForAll: PauseBook | null;
  lossLiftedDay: number | null;
  settings: HedgeSettings | null;
  pairs: PairBook[];
  /** Those that have not ended. */
  hedges: Map<string, HedgeBook>;
  /** Those that may still change a position. */
  orders: Map<string, BookOrder>;
  /** Signed quantity by `symbolKey`, of every fill that was booked. */
  positions: Map<string, Big>;
  cash: Big;
  sums: BookSums;
  sequence: number;
  /** Minutes after 00:00 UTC at which the next days begin. */
  dayBoundary: number;
  /** Start of the running day (UTC ms) and the equity then. */
  day: number | null;
  dayEquity: number | null;
  lastPointAt: number;
  /** The newest 00:00 UTC that this process has put into the record, UTC ms. */
  midnightAt: number;
}

/** What is written beside a change: the line of the hedge's timeline. */
export interface Line {
  hedgeId: string;
  kind: HedgeEventKind;
  detail: string;
}

/** A person took back an entry that was not filled whole. */
export const isTakenBack = ({
  purpose,
  cancelAskedAt,
  reportedState,
  reportedQuantity,
  quantity,
}: BookOrder): boolean =>
  (purpose === 'entry' || purpose === 'complete') &&
  cancelAskedAt !== null &&
  reportedState !== null &&
  reportedQuantity.lt(quantity);

export const isRunning = ({ state }: HedgeBook): boolean => state !== 'closed' && state !== 'failed';

/** Notional that a leg aims at for each unit of the long one's. */
export const weightOf = ({ ratio }: Pick<HedgeBook, 'ratio'>, leg: Leg): number => (leg === 'long' ? 1 : ratio);

/** The side of an order that adds to a leg. */
export const entrySide = (leg: Leg): Side => (leg === 'long' ? 'buy' : 'sell');

/** The side of an order that takes from what is held, whatever the leg is called. @param held signed */
export const exitSide = (held: Big): Side => (held.gt(0) ? 'sell' : 'buy');

/** Whether a leg holds what only the other side should: something went wrong that no plan can know how to mend. */
export const isWrongSide = (leg: Leg, { quantity }: Pick<LegBook, 'quantity'>): boolean =>
  leg === 'long' ? quantity.lt(0) : quantity.gt(0);

/** The venue has said that the order ended, and not all of what it said is booked yet. */
export const isSettling = ({ state, reportedState }: Pick<BookOrder, 'state' | 'reportedState'>): boolean =>
  ORDER_LIVE.includes(state) && reportedState !== null;

/** What an order may still add to the books, base currency. */
export function pendingOf(order: BookOrder): Big {
  const whole = order.reportedState === null ? order.quantity : order.reportedQuantity;
  const left = whole.minus(order.filledQuantity);
  return left.gt(0) ? left : ZERO;
}

/**
 * Ends an order once all that the venue said of it is booked; until then it stays live. One whose fate is not known is
 * left for the lookup.
 * @returns whether it ended.
 */
export function settleOrder(order: BookOrder, at: number): boolean {
  if (order.state !== 'open') return false;
  const { filledQuantity, quantity, reportedQuantity, reportedState } = order;
  if (filledQuantity.gte(quantity)) order.state = 'filled';
  else if (reportedState !== null && filledQuantity.gte(reportedQuantity)) order.state = reportedState;
  else return false;
  order.endedAt = at;
  return true;
}

const emptyLeg = (symbol: string): LegBook => ({
  symbol,
  quantity: ZERO,
  cost: ZERO,
  opened: ZERO,
  notional: ZERO,
  realised: ZERO,
  midOpen: null,
});

type Start = Pick<HedgeBook, 'id' | 'settings' | 'ratio' | 'zOpen'>;

/** A hedge of a pair before its first order. */
export const newHedge = (pair: PairBook, { id, settings, ratio, zOpen }: Start, now: number): HedgeBook => ({
  id,
  pairId: pair.id,
  source: pair.source,
  state: 'waiting',
  stateAt: now,
  createdAt: now,
  openedAt: null,
  closedAt: null,
  closeReason: null,
  closeAskedAt: null,
  flattenAskedAt: null,
  entryCancelledAt: null,
  frozen: null,
  settings,
  ratio,
  zOpen,
  zClose: null,
  legs: { long: emptyLeg(pair.long), short: emptyLeg(pair.short) },
  funding: ZERO,
  fees: ZERO,
  slippage: ZERO,
  mae: null,
  mfe: null,
  naked: 0,
  oneLegSince: null,
  attempts: 0,
  lastSentAt: 0,
  sends: [],
  nakedAt: now,
  dirty: false,
});
