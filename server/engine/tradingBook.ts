import type Big from 'big.js';
import {
  type AccountTrouble,
  type CloseReason,
  type HedgeEventKind,
  type HedgeState,
  type Leg,
  ORDER_LIVE,
  type OrderPurpose,
  type OrderState,
  type PairBlock,
  type RebalanceWay,
  type TargetHold,
} from '#contract/lifecycle';
import type { PairWarning } from '#contract/pair';
import { isLaddered, type ParamsOf, type StrategyKind, type StrategyState } from '#contract/strategy';
import type { TransferState } from '#contract/venueAccount';
import { placesOf, type TargetLeg } from '../base/db/hedges/pairLegs';
import type { Reduction } from '../base/db/strategies/reduction';
import type { SingleTerms } from '../base/db/strategies/singleTerms';
import type { Alerted } from '../base/db/strategies/strategyAlert';
import { ZERO } from '../base/maths/decimal';
import type { SlotFill } from '../base/maths/slotFill';
import { pendingQuantity } from '../base/maths/spareCoin';
import type { SourceSymbol } from '../base/symbolKey';
import type { Side, VenueOrderState } from '../market/venue';
import type { EntryNote } from './kindTypes';

/** One leg of a deal; signed quantity and signed cost, see server/base/db/schema.ts. Money in USDT. */
export interface LegBook {
  accountId: string;
  source: string;
  symbol: string;
  /** What it aims at for each unit of the others' weights. */
  weight: number;
  quantity: Big;
  cost: Big;
  /** Largest absolute quantity ever held. */
  opened: Big;
  /** Notional paid for entries. */
  notional: Big;
  realised: Big;
  funding: Big;
  fees: Big;
  slippage: Big;
  /** Mid at the decision to open. */
  midOpen: number | null;
}

/** A level of a deal, of kinds with levels. */
interface SlotBook {
  /** Signed, base currency: what its orders have filled. */
  quantity: Big;
  /** When a person cancelled its order, UTC ms: the level is suspended until it is repaired. */
  withdrawnAt: number | null;
}

export interface DealBook<K extends StrategyKind = StrategyKind> {
  id: string;
  strategyId: string;
  kind: K;
  targetId: string;
  state: HedgeState;
  stateAt: number;
  createdAt: number;
  openedAt: number | null;
  closedAt: number | null;
  closeReason: CloseReason | null;
  closeAskedAt: number | null;
  flattenAskedAt: number | null;
  /** When a person cancelled its entry, UTC ms. */
  entryCancelledAt: number | null;
  frozen: string | null;
  /** Those of its strategy when it was begun. */
  params: ParamsOf<K>;
  /** What the kind noted of the market when it was opened. */
  entryNote: EntryNote[K];
  /** What the kind goes by, when it was opened and closed. */
  signalOpen: number | null;
  signalClose: number | null;
  legs: Record<Leg, LegBook>;
  /** Levels that ever had an order, of kinds with levels. */
  slots: Map<string, SlotBook>;
  /** Of a compounding grid: its fills by slot, ascending in time. */
  slotFills: SlotFill[];
  /** When a person asked to place suspended levels again, UTC ms. */
  repairAskedAt: number | null;
  /** How and when a person asked to rebalance the legs. */
  rebalanceWay: RebalanceWay | null;
  rebalanceAskedAt: number | null;
  /** What a person asked to take both legs down to, and when the one was asked for that is done last, UTC ms. */
  reduction: Reduction | null;
  reducedAt: number | null;
  /** When a person asked to roll it to the next expiry, and when a roll was last begun, UTC ms. */
  rollAskedAt: number | null;
  rollTriedAt: number | null;
  /** A person's request to unfreeze it: when, who, why, and when it was last checked. */
  unfreezeAskedAt: number | null;
  unfreezeAskedBy: string | null;
  unfreezeReason: string | null;
  unfreezeTriedAt: number | null;
  /** The deal of the earlier expiry that it rolls from. */
  rolledFrom: string | null;
  mae: number | null;
  mfe: number | null;
  /** USDT x seconds. */
  unhedged: number;
  oneLegSince: number | null;
  /** Orders that filled nothing or a crumb, since the state was reached or one filled more. */
  attempts: number;
  /** Whether the last order was filled in part; of this process only. */
  isMoving: boolean;
  /** When the last order went out; of this process only. */
  lastSentAt: number;
  /** Orders of the last minute, by any process. */
  sends: { leg: Leg; at: number; slot?: string }[];
  /** Up to when `unhedged` is counted. */
  unhedgedAt: number;
  /** Figures changed that nobody has stored yet. */
  dirty: boolean;
}

export interface BookOrder {
  id: string;
  accountId: string;
  dealId: string | null;
  source: string;
  symbol: string;
  leg: Leg;
  /** The slot of its deal: at most one live order per slot; null for forced orders. */
  slot: string | null;
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
  /** Filled quantity by the venue's reports. */
  reportedQuantity: Big;
  /** Final state by the venue's reports; null while it is open. */
  reportedState: Exclude<VenueOrderState, 'open'> | null;
  createdAt: number;
  cancelAskedAt: number | null;
  endedAt: number | null;
}

export interface TargetBook {
  id: string;
  legs: readonly TargetLeg[];
  armedAt: number;
  usedArmAt: number | null;
  /** How many of its deals stood on both legs. */
  rounds: number;
  /** Opportunities counted so far, and whether there is one now. */
  seen: number;
  isOpportunity: boolean;
  /** When it was opened last, UTC ms. */
  triggeredAt: number | null;
  block: PairBlock | null;
  /** Why it waits for a person; null while the engine may enter it. */
  hold: TargetHold | null;
  /** Warnings that a person has accepted; any other one has to be confirmed first. */
  accepted: readonly PairWarning[];
}

export const targetOf = (
  { strategies }: Pick<UserBook, 'strategies'>,
  { strategyId, targetId }: Pick<DealBook, 'strategyId' | 'targetId'>,
): TargetBook | null => strategies.get(strategyId)?.targets.find(({ id }) => id === targetId) ?? null;

/** A target that only a person opens again: how it is held, and by whom; null: by its owner. */
export interface TargetHeld {
  target: TargetBook;
  hold: TargetHold;
  by: string | null;
}

export interface PauseBook {
  at: number;
  by: string;
  reason: string;
}

/** Running sums since an account was opened, USDT. */
interface AccountSums {
  /** From outside. */
  transfers: Big;
  /** Net transfers from the user's other accounts; summed over all of them, minus what is in transit. */
  moved: Big;
  funding: Big;
  /** Paid is positive. */
  fees: Big;
  slippage: Big;
  traded: Big;
  /** Realised price PnL of the short legs of ended deals. */
  endedShort: Big;
}

/** What a user runs: its switch, its settings and what it may open. */
export interface StrategyBook<K extends StrategyKind = StrategyKind> {
  id: string;
  kind: K;
  /** `paper`, or `live`: what its deals are traded in. */
  mode: string;
  state: StrategyState;
  /** `null` before they were saved for the first time. */
  params: ParamsOf<K> | null;
  /** When a person asked for one more deal, UTC ms. */
  onceAskedAt: number | null;
  /** What a person confirmed of a strategy of one deal; null for any other. */
  single: SingleTerms | null;
  targets: TargetBook[];
  guard: GuardBook;
  /** Symbols without a price where a limit needs one; null while its limits can be judged. */
  unvalued: string | null;
}

/** What limits a strategy beside its params, and from where its losses count. */
export interface GuardBook {
  /** Beside that of its params, USDT; the lower one counts. */
  dailyLoss: number | null;
  /** It has a limit of notional or drawdown. */
  isWatched: boolean;
  /** When a person resumed it after it had tripped, UTC ms. */
  resumedAt: number | null;
  /** From when on the loss of the day is counted, UTC ms, and its net PnL then, USDT. */
  lossFrom: number | null;
  lossBase: number | null;
}

/** A user's money at one venue. */
export interface AccountBook {
  id: string;
  userId: string;
  /** Source whose instruments are traded in it. */
  venue: string;
  /** `paper`, or `live`. */
  mode: string;
  /** By asset. */
  cash: Map<string, Big>;
  /** Signed quantity by `symbolKey`, of every fill that was booked. */
  positions: Map<string, Big>;
  sums: AccountSums;
  /** The newest event of the venue that is booked. */
  sequence: number;
  /** What its venue says is wrong with it: nothing is opened in it meanwhile. */
  trouble: AccountTrouble | null;
  lastPointAt: number;
  /** The newest 00:00 UTC that this process has put into the record, UTC ms. */
  midnightAt: number;
}

/** USDT or a coin on its way from one account to another, or about to leave. */
export interface TransferBook {
  id: string;
  /** `USDT`, or a coin with its spot at both ends and its price when it left, USDT. */
  asset: string;
  fromSymbol: string | null;
  toSymbol: string | null;
  price: Big | null;
  fromId: string;
  toId: string;
  /** In the asset. */
  amount: Big;
  /** Paid by the first account beside it, USDT. */
  fee: Big;
  travelMs: number;
  state: TransferState;
  askedAt: number;
  leftAt: number | null;
  arrivedAt: number | null;
  reason: string | null;
}

/** An alert is of a deal or target, and told once of it by its word. */
export const alertKey = ({ subject, word }: Pick<Alerted, 'subject' | 'word'>): string => `${subject} ${word}`;

/** Coin that a strategy owns between its deals, at one place: signed quantity, and what it cost less what it brought, USDT. */
export interface StockBook extends SourceSymbol {
  quantity: Big;
  cost: Big;
}

/** Everything the engine knows of one user. Plans are made from this alone. */
export interface UserBook {
  userId: string;
  /** Token of the lease under which it was read; under any other it may be stale. */
  token: number;
  /** The owner's name. */
  user: string;
  /** The owner may not trade: nothing is entered, what is held stays guarded. */
  blocked: boolean;
  revision: number;
  paused: PauseBook | null;
  /** The kill switch, as of the last read. */
  pausedForAll: PauseBook | null;
  /** What the whole account may lose on a day, USDT; null for no limit. */
  dailyLossLimit: number | null;
  /** Start of the day whose limit a person has lifted, UTC ms. */
  lossLiftedDay: number | null;
  /** The daily loss limit is reached by what is on paper. */
  lossLimitHit: boolean;
  /** Symbols of the paper accounts without a price, which block all that is on paper; null where all have one. */
  unvalued: string | null;
  /** The same of the real accounts, which blocks all that is real. */
  unvaluedLive: string | null;
  /** The oldest first. */
  strategies: Map<string, StrategyBook>;
  /** The user's first one before the others. */
  accounts: Map<string, AccountBook>;
  /** Those that have not ended. */
  deals: Map<string, DealBook>;
  /** Those that may still change a position. */
  orders: Map<string, BookOrder>;
  /** Those that have not come to their end. */
  transfers: Map<string, TransferBook>;
  /** What the deals that ended have brought each strategy, after fees, USDT. */
  ended: Map<string, Big>;
  /** Coin that strategies own between their deals, by strategy and `symbolKey`. */
  stocks: Map<string, Map<string, StockBook>>;
  /** Those that stand, and those over that would be the same if they came back. By `alertKey`. */
  alerts: Map<string, Alerted>;
  /** Minutes after 00:00 UTC at which the next days begin. */
  dayBoundary: number;
  /** Start of the running day (UTC ms) and the equity then. */
  day: number | null;
  dayEquity: number | null;
  /** The same of the real accounts; null where there are none, or nobody knows. */
  dayEquityLive: number | null;
  /** The alarm about failing passes is raised and not over. */
  isFailing: boolean;
}

/** What is written beside a change: the line of the deal's timeline. */
export interface Line {
  dealId: string;
  kind: HedgeEventKind;
  detail: string;
}

/** Whether a person asked to cancel an entry order. */
export const isEntryAskedBack = ({ purpose, cancelAskedAt }: BookOrder): boolean =>
  (purpose === 'entry' || purpose === 'complete') && cancelAskedAt !== null;

/** Whether a person cancelled an entry order that was not filled whole. */
const isTakenBack = (order: BookOrder): boolean =>
  isEntryAskedBack(order) && order.reportedState !== null && order.reportedQuantity.lt(order.quantity);

/** Applies a person's cancel of an order to its deal. @param at UTC ms */
export function takeBack(deal: DealBook, order: BookOrder, at: number): void {
  if (isTakenBack(order)) deal.entryCancelledAt ??= at;
  const { cancelAskedAt, reportedState, reportedQuantity, quantity, slot } = order;
  const isEnded = cancelAskedAt !== null && reportedState !== null && reportedQuantity.lt(quantity);
  if (isEnded && slot !== null && isLaddered(deal.kind)) slotOf(deal, slot).withdrawnAt = at;
}

/** A level of a deal, from the first order that was sent for it on. */
export function slotOf({ slots }: Pick<DealBook, 'slots'>, slot: string): SlotBook {
  const found = slots.get(slot) ?? { quantity: ZERO, withdrawnAt: null };
  slots.set(slot, found);
  return found;
}

/** What part of its first size a leg keeps: 1 before a part of it was closed. */
export function keptShare({ reduction, legs }: Pick<DealBook, 'reduction' | 'legs'>, leg: Leg): number {
  const { opened } = legs[leg];
  return reduction === null || opened.eq(0) ? 1 : Math.min(1, Number(reduction.keep[leg]) / opened.toNumber());
}

export const isRunning = ({ state }: DealBook): boolean => state !== 'closed' && state !== 'failed';

/** Leverage of derivatives; 1 for kinds without any. */
export const leverageOf = ({ params }: { params: ParamsOf<StrategyKind> }): number =>
  'leverage' in params ? params.leverage : 1;

/** The side of an order that adds to a leg. */
export const entrySide = (leg: Leg): Side => (leg === 'long' ? 'buy' : 'sell');

/** The side of an order that reduces a position. @param held signed, base currency */
export const exitSide = (held: Big): Side => (held.gt(0) ? 'sell' : 'buy');

/** Whether a leg is on the wrong side, which no plan can put right. */
export const isWrongSide = (leg: Leg, { quantity }: Pick<LegBook, 'quantity'>): boolean =>
  leg === 'long' ? quantity.lt(0) : quantity.gt(0);

/** Whether the venue reported the end of an order whose fills are not all booked yet. */
export const isSettling = ({ state, reportedState }: Pick<BookOrder, 'state' | 'reportedState'>): boolean =>
  ORDER_LIVE.includes(state) && reportedState !== null;

/** What an order may still add to the books, base currency. */
export const pendingOf = (order: BookOrder): Big => pendingQuantity(order);

/**
 * Ends an order once all its reported fills are booked; until then it stays live. One in doubt is left to the lookup.
 * @returns whether it ended
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

const emptyLeg = (of: Pick<LegBook, 'accountId' | 'source' | 'symbol' | 'weight'>): LegBook => ({
  ...of,
  quantity: ZERO,
  cost: ZERO,
  opened: ZERO,
  notional: ZERO,
  realised: ZERO,
  funding: ZERO,
  fees: ZERO,
  slippage: ZERO,
  midOpen: null,
});

interface Start<K extends StrategyKind>
  extends Pick<DealBook<K>, 'id' | 'strategyId' | 'kind' | 'params' | 'entryNote' | 'signalOpen'> {
  accountIds: Record<Leg, string>;
  weights: Record<Leg, number>;
}

/** A deal of two legs before its first order. */
export function newDeal<K extends StrategyKind>(
  target: Pick<TargetBook, 'id' | 'legs'>,
  { accountIds, weights, ...start }: Start<K>,
  now: number,
): DealBook<K> {
  const places = placesOf(target);
  const leg = (name: Leg): LegBook =>
    emptyLeg({
      accountId: accountIds[name],
      source: places[name].source,
      symbol: places[name].symbol,
      weight: weights[name],
    });
  return {
    ...start,
    targetId: target.id,
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
    signalClose: null,
    legs: { long: leg('long'), short: leg('short') },
    slots: new Map(),
    slotFills: [],
    repairAskedAt: null,
    rebalanceWay: null,
    rebalanceAskedAt: null,
    reduction: null,
    reducedAt: null,
    rollAskedAt: null,
    rollTriedAt: null,
    unfreezeAskedAt: null,
    unfreezeAskedBy: null,
    unfreezeReason: null,
    unfreezeTriedAt: null,
    rolledFrom: null,
    mae: null,
    mfe: null,
    unhedged: 0,
    oneLegSince: null,
    attempts: 0,
    isMoving: false,
    lastSentAt: 0,
    sends: [],
    unhedgedAt: now,
    dirty: false,
  };
}
