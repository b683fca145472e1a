import Big from 'big.js';
import type {
  CloseReason,
  HedgeState,
  Leg,
  OrderPurpose,
  OrderState,
  PairBlock,
  RebalanceWay,
  TargetHold,
} from '#contract/lifecycle';
import { LEGS } from '#contract/lifecycle';
import type { ParamsOf, StrategyKind, StrategyState } from '#contract/strategy';
import type { TransferState } from '#contract/venueAccount';
import type { TransferRow } from '../base/db/accounts/transfer';
import type { OrderColumns } from '../base/db/orders/orderProgress';
import type { DealColumns, DealFigures, DealProgress, LegProgress, LegRow } from '../base/db/strategies/deal';
import type { StrategyRow } from '../base/db/strategies/strategy';
import type { GuardRow } from '../base/db/strategies/strategyGuard';
import type { TargetRow } from '../base/db/strategies/target';
import { plain } from '../base/maths/decimal';
import type { BookOrder, DealBook, GuardBook, LegBook, StrategyBook, TargetBook, TransferBook } from './tradingBook';

export const big = (value: string | null | undefined): Big => new Big(value ?? '0');

const legBook = (row: LegRow): LegBook => ({
  accountId: row.accountId,
  source: row.source,
  symbol: row.symbol,
  weight: row.weight,
  quantity: big(row.quantity),
  cost: big(row.cost),
  opened: big(row.opened),
  notional: big(row.notional),
  realised: big(row.realised),
  funding: big(row.funding),
  fees: big(row.fees),
  slippage: big(row.slippage),
  midOpen: row.midOpen,
});

/** @throws where a leg has no row. */
function legNamed({ id, legs }: DealColumns, leg: Leg): LegBook {
  const row = legs.find((each) => each.leg === leg);
  if (row === undefined) throw new Error(`deal ${id} has no ${leg} leg`);
  return legBook(row);
}

export function dealBook(row: DealColumns): DealBook {
  return {
    id: row.id,
    strategyId: row.strategyId,
    // Only the engine writes these columns.
    kind: row.kind as StrategyKind,
    targetId: row.targetId,
    state: row.state as HedgeState,
    stateAt: row.stateAt,
    createdAt: row.createdAt,
    openedAt: row.openedAt,
    closedAt: row.closedAt,
    closeReason: row.closeReason as CloseReason | null,
    closeAskedAt: row.closeAskedAt,
    flattenAskedAt: row.flattenAskedAt,
    entryCancelledAt: row.entryCancelledAt,
    frozen: row.frozen,
    params: row.params as ParamsOf<StrategyKind>,
    entryNote: row.opening as DealBook['entryNote'],
    signalOpen: row.signalOpen,
    signalClose: row.signalClose,
    legs: { long: legNamed(row, 'long'), short: legNamed(row, 'short') },
    slots: new Map(),
    slotFills: [],
    repairAskedAt: row.repairAskedAt,
    rebalanceWay: row.rebalanceWay as RebalanceWay | null,
    rebalanceAskedAt: row.rebalanceAskedAt,
    rollAskedAt: row.rollAskedAt,
    rollTriedAt: row.rollTriedAt,
    unfreezeAskedAt: row.unfreezeAskedAt,
    unfreezeAskedBy: row.unfreezeAskedBy,
    unfreezeReason: row.unfreezeReason,
    unfreezeTriedAt: row.unfreezeTriedAt,
    rolledFrom: row.rolledFrom,
    mae: row.mae,
    mfe: row.mfe,
    unhedged: row.naked,
    oneLegSince: row.oneLegSince,
    attempts: row.attempts,
    lastSentAt: 0,
    sends: [],
    unhedgedAt: row.nakedAt ?? 0,
    dirty: false,
  };
}

export function bookOrder(row: OrderColumns): BookOrder {
  return {
    id: row.id,
    accountId: row.accountId,
    dealId: row.dealId,
    source: row.source,
    symbol: row.symbol,
    leg: row.leg as Leg,
    slot: row.slot,
    side: row.side as 'buy' | 'sell',
    type: row.type as 'market' | 'maker',
    purpose: row.purpose as OrderPurpose,
    reduceOnly: row.reduceOnly,
    quantity: big(row.quantity),
    limitPrice: big(row.limitPrice),
    decisionMid: row.decisionMid,
    state: row.state as OrderState,
    filledQuantity: big(row.filledQuantity),
    filledNotional: big(row.filledNotional),
    fee: big(row.fee),
    reportedQuantity: big(row.reportedQuantity),
    reportedState: row.reportedState as BookOrder['reportedState'],
    createdAt: row.createdAt,
    cancelAskedAt: row.cancelAskedAt,
    endedAt: row.endedAt,
  };
}

const guardBook = (row: GuardRow | undefined): GuardBook => ({
  dailyLoss: row?.dailyLoss ?? null,
  isWatched: row !== undefined && (row.maxDrawdown !== null || row.maxNotional !== null),
  resumedAt: row?.resumedAt ?? null,
  lossFrom: row?.lossFrom ?? null,
  lossBase: row?.lossBase ?? null,
});

export const strategyBook = (
  row: StrategyRow,
  targets: readonly TargetRow[],
  guards: readonly GuardRow[],
): StrategyBook => ({
  id: row.id,
  // Calls write these columns, in words of the contract.
  kind: row.kind as StrategyKind,
  state: row.state as StrategyState,
  params: row.params as ParamsOf<StrategyKind> | null,
  onceAskedAt: row.onceAskedAt,
  targets: targets.filter(({ strategyId }) => strategyId === row.id).map(targetBook),
  guard: guardBook(guards.find(({ strategyId }) => strategyId === row.id)),
  unvalued: null,
});

const targetBook = (row: TargetRow): TargetBook => ({
  id: row.id,
  legs: row.legs,
  armedAt: row.armedAt,
  usedArmAt: row.usedArmAt,
  rounds: row.rounds,
  seen: row.seen,
  isOpportunity: false,
  triggeredAt: row.triggeredAt,
  block: row.block as PairBlock | null,
  hold: row.hold as TargetHold | null,
  accepted: row.accepted,
});

export const transferBook = (row: TransferRow): TransferBook => ({
  ...row,
  amount: big(row.amount),
  fee: big(row.fee),
  price: row.price === null ? null : big(row.price),
  // Calls and the engine write it, in words of the contract.
  state: row.state as TransferState,
});

export const dealProgress = (deal: DealBook): DealProgress => ({
  state: deal.state,
  stateAt: deal.stateAt,
  openedAt: deal.openedAt,
  closedAt: deal.closedAt,
  closeReason: deal.closeReason,
  entryCancelledAt: deal.entryCancelledAt,
  rollTriedAt: deal.rollTriedAt,
  unfreezeTriedAt: deal.unfreezeTriedAt,
  frozen: deal.frozen,
  signalOpen: deal.signalOpen,
  signalClose: deal.signalClose,
  mae: deal.mae,
  mfe: deal.mfe,
  naked: deal.unhedged,
  oneLegSince: deal.oneLegSince,
  nakedAt: deal.unhedgedAt,
  attempts: deal.attempts,
});

/** What is watched of a deal between two orders. */
export const dealFigures = ({ id, mae, mfe, unhedged, unhedgedAt, oneLegSince }: DealBook): DealFigures => ({
  ...{ id, mae, mfe, oneLegSince },
  naked: unhedged,
  nakedAt: unhedgedAt,
});

const legProgress = (dealId: string, name: Leg, leg: LegBook): LegProgress => ({
  dealId,
  leg: name,
  midOpen: leg.midOpen,
  quantity: plain(leg.quantity),
  cost: plain(leg.cost),
  opened: plain(leg.opened),
  notional: plain(leg.notional),
  realised: plain(leg.realised),
  funding: plain(leg.funding),
  fees: plain(leg.fees),
  slippage: plain(leg.slippage),
});

export const legsProgress = ({ id, legs }: DealBook): LegProgress[] =>
  LEGS.map((name) => legProgress(id, name, legs[name]));

/** A deal before its first order. */
export const newDealRow = (userId: string, deal: DealBook) => {
  const { id, strategyId, targetId, createdAt, params, entryNote: opening, rolledFrom } = deal;
  return { id, userId, strategyId, targetId, createdAt, params, opening, rolledFrom, ...dealProgress(deal) };
};

/** The legs of a deal before its first order. */
export const newLegRows = (userId: string, { id, legs }: DealBook) =>
  LEGS.map((name) => {
    const { accountId, source, symbol, weight } = legs[name];
    return { ...legProgress(id, name, legs[name]), userId, accountId, source, symbol, weight, side: name };
  });

export const orderProgress = (order: BookOrder) => ({
  state: order.state,
  filledQuantity: plain(order.filledQuantity),
  filledNotional: plain(order.filledNotional),
  fee: plain(order.fee),
  reportedQuantity: plain(order.reportedQuantity),
  reportedState: order.reportedState,
  endedAt: order.endedAt,
});

export const newOrderRow = (userId: string, order: BookOrder) => ({
  id: order.id,
  userId,
  accountId: order.accountId,
  dealId: order.dealId,
  source: order.source,
  symbol: order.symbol,
  leg: order.leg,
  slot: order.slot,
  side: order.side,
  type: order.type,
  purpose: order.purpose,
  reduceOnly: order.reduceOnly,
  quantity: plain(order.quantity),
  limitPrice: plain(order.limitPrice),
  decisionMid: order.decisionMid,
  createdAt: order.createdAt,
  ...orderProgress(order),
});
