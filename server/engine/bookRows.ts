import Big from 'big.js';
import type { HedgeSettings } from '#contract/hedgeConfig';
import type { CloseReason, HedgeState, Leg, OrderPurpose, OrderState, PairBlock } from '#contract/lifecycle';
import type { PairRow } from '../db/hedgeConfig';
import type { HedgeColumns, HedgeProgress } from '../db/hedgeProgress';
import type { OrderColumns } from '../db/orderProgress';
import { plain } from '../maths/decimal';
import type { BookOrder, HedgeBook, PairBook } from './tradingBook';

export const big = (value: string | null | undefined): Big => new Big(value ?? '0');

export function hedgeBook(row: HedgeColumns): HedgeBook {
  return {
    id: row.id,
    pairId: row.pairId,
    source: row.source,
    // Only the engine writes these columns.
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
    settings: row.settings as HedgeSettings,
    ratio: row.ratio,
    zOpen: row.zOpen,
    zClose: row.zClose,
    legs: {
      long: {
        symbol: row.long,
        quantity: big(row.longQuantity),
        cost: big(row.longCost),
        opened: big(row.longOpened),
        notional: big(row.longNotional),
        realised: big(row.longRealised),
        midOpen: row.longMidOpen,
      },
      short: {
        symbol: row.short,
        quantity: big(row.shortQuantity),
        cost: big(row.shortCost),
        opened: big(row.shortOpened),
        notional: big(row.shortNotional),
        realised: big(row.shortRealised),
        midOpen: row.shortMidOpen,
      },
    },
    funding: big(row.funding),
    fees: big(row.fees),
    slippage: big(row.slippage),
    mae: row.mae,
    mfe: row.mfe,
    naked: row.naked,
    oneLegSince: row.oneLegSince,
    attempts: row.attempts,
    lastSentAt: 0,
    sends: [],
    nakedAt: row.nakedAt ?? 0,
    dirty: false,
  };
}

export function bookOrder(row: OrderColumns): BookOrder {
  return {
    id: row.id,
    hedgeId: row.hedgeId,
    source: row.source,
    symbol: row.symbol,
    leg: row.leg as Leg,
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

export const pairBook = (row: PairRow): PairBook => ({
  id: row.id,
  source: row.source,
  long: row.long,
  short: row.short,
  armedAt: row.armedAt,
  usedArmAt: row.usedArmAt,
  block: row.block as PairBlock | null,
});

export const hedgeProgress = (hedge: HedgeBook): HedgeProgress => ({
  state: hedge.state,
  stateAt: hedge.stateAt,
  openedAt: hedge.openedAt,
  closedAt: hedge.closedAt,
  closeReason: hedge.closeReason,
  entryCancelledAt: hedge.entryCancelledAt,
  frozen: hedge.frozen,
  zOpen: hedge.zOpen,
  zClose: hedge.zClose,
  longMidOpen: hedge.legs.long.midOpen,
  shortMidOpen: hedge.legs.short.midOpen,
  longQuantity: plain(hedge.legs.long.quantity),
  longCost: plain(hedge.legs.long.cost),
  shortQuantity: plain(hedge.legs.short.quantity),
  shortCost: plain(hedge.legs.short.cost),
  longOpened: plain(hedge.legs.long.opened),
  shortOpened: plain(hedge.legs.short.opened),
  longNotional: plain(hedge.legs.long.notional),
  shortNotional: plain(hedge.legs.short.notional),
  longRealised: plain(hedge.legs.long.realised),
  shortRealised: plain(hedge.legs.short.realised),
  funding: plain(hedge.funding),
  fees: plain(hedge.fees),
  slippage: plain(hedge.slippage),
  mae: hedge.mae,
  mfe: hedge.mfe,
  naked: hedge.naked,
  oneLegSince: hedge.oneLegSince,
  nakedAt: hedge.nakedAt,
  attempts: hedge.attempts,
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
  hedgeId: order.hedgeId,
  source: order.source,
  symbol: order.symbol,
  leg: order.leg,
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
