import type Big from 'big.js';
import type { HedgeSettings } from '#contract/hedgeConfig';
import type {
  CloseReason,
  HedgeEventKind,
  HedgeState,
  Leg,
  OrderPurpose,
  OrderState,
  PairBlock,
} from '#contract/lifecycle';
import type { Side } from '../exchange/venue';
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
  /** Up to when `naked` is counted. */
  nakedAt: number;
  /** Figures changed that nobody has stored yet. */
  dirty: boolean;
}

export interface OrderBook {
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
  createdAt: number;
  cancelAskedAt: number | null;
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
  revision: number;
  enabled: boolean;
  paused: PauseBook | null;
  lossLiftedDay: number | null;
  flattenAskedAt: number | null;
  settings: HedgeSettings | null;
  pairs: PairBook[];
  /** Those that have not ended. */
  hedges: Map<string, HedgeBook>;
  /** Those that may still change a position. */
  orders: Map<string, OrderBook>;
  /** Signed quantity by `positionKey`, of every fill that was booked. */
  positions: Map<string, Big>;
  cash: Big;
  sums: BookSums;
  sequence: number;
  /** Start of the running UTC day and the equity then. */
  day: number | null;
  dayEquity: number | null;
  lastPointAt: number;
}

export const positionKey = (source: string, symbol: string): string => `${source} ${symbol}`;

/** What is written beside a change: the line of the hedge's timeline. */
export interface Line {
  hedgeId: string;
  kind: HedgeEventKind;
  detail: string;
}

export const isRunning = ({ state }: HedgeBook): boolean => state !== 'closed' && state !== 'failed';

/** The order that adds to a leg, and the one that takes away. */
export const sideOf = (leg: Leg, adds: boolean): Side => ((leg === 'long') === adds ? 'buy' : 'sell');

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
  nakedAt: now,
  dirty: false,
});
