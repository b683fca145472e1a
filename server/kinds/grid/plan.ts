import type Big from 'big.js';
import type { ExitRule } from '#contract/dealOutlook';
import { isSpotGrid } from '#contract/kinds/grid/params';
import type { CloseReason, Leg } from '#contract/lifecycle';
import { ceilTo, floorTo, plain, smaller, ZERO } from '../../base/maths/decimal';
import {
  cellAt,
  cellsNow,
  type GridOrder,
  gridOrdersOf,
  type Lots,
  nearestFirst,
  START_SLOT,
  tradedWith,
} from '../../base/maths/gridLadder';
import { firstMet, limitRules, onFall, onRise, pricesGate } from '../../engine/exitRules';
import { askedReason, goneOf, isFlat, type Legs, mayRetry } from '../../engine/legs';
import type { SymbolView } from '../../engine/marketSnapshot';
import { isSpent, SENDS_A_MINUTE, sendsOf } from '../../engine/preTradeRisk';
import type { ExitContext, NextAction, PlanContext } from '../../engine/runner';
import type { BookOrder, DealBook } from '../../engine/tradingBook';
import type { TradingTerms } from '../../market/venue';
import { growthOf } from './size';

type Deal = DealBook<'grid'>;
type DealContext = PlanContext<'grid'>;
type Of = Legs<Leg>;
type Send = Extract<NextAction, { do: 'send' }>;

/** Time to fill the start position; the rest is bought level by level. */
const START_MS = 15_000;
/** Sends per minute that entries leave to exits. */
const SENDS_KEPT = 10;
/** Orders that a venue takes in one batch. */
const BATCH = 20;
/** The risk check may see another price than the plan. */
const CLEARLY = 1.005;

const mayEnd = (of: Of): CloseReason | null => askedReason(of) ?? goneOf(of);

/** The ladder of a deal: its shape, its start and the quantities traded by slot. */
const ladderOf = ({ params, entryNote, slots }: Deal) => ({
  ladder: { ...params, note: entryNote },
  traded: tradedWith(entryNote, new Map([...slots].map(([slot, { quantity }]) => [slot, quantity]))),
});

/** Brings in the start position of the cells beyond the price, by an order or from spare coin of the account. */
export function planStart(of: Of, live: readonly BookOrder[], deal: Deal, context: DealContext): NextAction | null {
  const { entryNote: note, stateAt } = deal;
  const { now, entriesDisabled } = of;
  const ended = mayEnd(of);
  if (ended !== null) return live[0] ? { do: 'cancel', order: live[0] } : { do: 'move', to: 'closing', reason: ended };
  if (live.length > 0) return null;
  const leg: Leg = note.anchor > 0 ? 'long' : 'short';
  const target = ZERO.plus(note.quantity).times(note.startCells);
  const held = deal.legs[leg].quantity.abs();
  const isOver = entriesDisabled || now - stateAt > START_MS;
  const [terms, view] = [context.terms[leg], context[leg]];
  if (!terms || !view) return null;
  const next = isOver ? 'done' : startOf(of, deal, context, { leg, target, held, terms, view });
  if (next !== 'done') return next;
  if (target.gt(0) && held.eq(0)) {
    return isOver ? { do: 'move', to: 'failed', reason: entriesDisabled ? 'cancelled' : 'refused' } : null;
  }
  return { do: 'move', to: 'open', reason: null };
}

interface Start {
  leg: Leg;
  /** Unsigned, base currency. */
  target: Big;
  held: Big;
  terms: TradingTerms;
  view: SymbolView;
}

/** The next action of the start; `done` where the rest is not worth an order. */
function startOf(of: Of, deal: Deal, context: DealContext, start: Start): NextAction | null | 'done' {
  const { leg, target, held, terms, view } = start;
  const { price } = view;
  const missing = target.minus(held);
  if (missing.lt(terms.lotSize)) return 'done';
  const { invest, slippageCap: capBps } = deal.params;
  // Spare coin is booked at its price of now.
  if (invest === 'base') return view.fresh && mayRetry(of) ? { do: 'takeCoin', leg, quantity: missing, price } : null;
  // The fee of a purchase of spot is taken from the coin (F28).
  const bought = isSpotGrid(deal.params) ? ceilTo(missing.div(1 - terms.takerFee), terms.lotSize) : missing;
  const quantity = smaller(bought, floorTo(ZERO.plus(context.room[leg]).div(price * CLEARLY), terms.lotSize));
  if (quantity.times(price).lt(terms.minNotional)) return 'done';
  if (!mayRetry(of) || sendsOf(deal, leg, of.now) >= SENDS_A_MINUTE - SENDS_KEPT) return null;
  return { do: 'send', leg, slot: START_SLOT, purpose: 'entry', quantity, adds: true, maker: false, capBps };
}

/** Cancels all orders and hands the position over to the account, at the price of now. */
export function planKeep(of: Of, live: readonly BookOrder[]): NextAction | null {
  if (live[0]) return { do: 'cancel', order: live[0] };
  const held = of.legs.find((leg) => !isFlat(leg));
  if (held !== undefined) return held.view?.fresh ? { do: 'handOver', price: held.view.mark } : null;
  return of.deal.state === 'closing' ? { do: 'verify' } : { do: 'move', to: 'closing', reason: 'kept' };
}

/** A cell's order, and the one that rests for it. */
interface LadderOrder extends GridOrder {
  resting: BookOrder | undefined;
}

/** The next action of the ladder: cancels wrong orders, then places the missing ones nearest to the price. */
export function planLadder(of: Of, live: readonly BookOrder[], deal: Deal, context: DealContext): NextAction | null {
  const reason = mayEnd(of) ?? exitReason(deal, context);
  if (reason !== null) return { do: 'move', to: 'closing', reason };
  const terms = context.terms.long;
  if (!terms || !context.long?.fresh) return null;
  const { price } = context.long;
  const ladderOrders = ladderOrdersOf(deal, live, {
    price,
    least: Number(terms.minNotional),
    entriesDisabled: of.entriesDisabled,
  });
  const wrong = live.find((order) => isWrong(order, ladderOrders, price, of.entriesDisabled));
  if (wrong) return { do: 'cancel', order: wrong };
  const near = nearestFirst(ladderOrders, price, of.entriesDisabled);
  const chosen = near.slice(0, deal.params.maxOrders);
  const missing = chosen.filter(({ resting }) => !resting);
  if (missing.length === 0) return null;
  if (live.length >= deal.params.maxOrders) {
    const farthest = near.slice(deal.params.maxOrders).findLast(({ resting }) => resting);
    return farthest ? { do: 'cancel', order: farthest.resting! } : null;
  }
  const sends = mayRetry(of) ? batchOf(missing, deal, context, deal.params.maxOrders - live.length) : [];
  return sends.length > 1 ? { do: 'sendAll', sends } : (sends[0] ?? null);
}

/** The missing levels that fit into one batch, in their order. */
function batchOf(missing: readonly LadderOrder[], deal: Deal, context: DealContext, most: number): Send[] {
  const { now, orders, room, long } = context;
  const left = { ...room };
  const sent = [...deal.sends];
  const batch: Send[] = [];
  for (const ladderOrder of missing) {
    if (batch.length >= Math.min(most, orders, BATCH)) break;
    const { cell, leg } = ladderOrder.at;
    const { adds, quantity } = ladderOrder.order;
    const slot = String(cell);
    const takes = adds ? quantity.toNumber() * long!.price * CLEARLY : 0;
    if (takes > left[leg] || isSpent({ sends: sent }, { leg, slot }, now, adds ? SENDS_KEPT : 1)) continue;
    left[leg] -= takes;
    sent.push({ leg, at: now, slot });
    batch.push(sendOf(ladderOrder, deal.params.slippageCap));
  }
  return batch;
}

function ladderOrdersOf(
  deal: Deal,
  live: readonly BookOrder[],
  { price, least, entriesDisabled }: { price: number; least: number; entriesDisabled: boolean },
): LadderOrder[] {
  const { ladder, traded } = ladderOf(deal);
  const cells = cellsNow(ladder, traded);
  const [bottom, top] = [cells[0]!, cells.at(-1)!];
  // The first order for the next cell trails the range.
  if (ladder.trailing && !entriesDisabled) {
    if (top.leg === 'long' && price > top.upper) cells.push(cellAt(ladder, traded, top.cell + 1));
    else if (bottom.leg === 'short' && price < bottom.lower) cells.push(cellAt(ladder, traded, bottom.cell - 1));
  }
  const bySlot = new Map(live.map((order) => [order.slot, order]));
  const withdrawn = {
    bySlot: new Map([...deal.slots].map(([slot, { withdrawnAt }]) => [slot, withdrawnAt])),
    repairedAt: deal.repairAskedAt,
  };
  return gridOrdersOf(cells, grownNote(deal), least, withdrawn).map((ladderOrder) => ({
    ...ladderOrder,
    resting: bySlot.get(String(ladderOrder.at.cell)),
  }));
}

/** The quantity of a cell, grown by realised profit where the params compound. */
function grownNote(deal: Deal): Lots {
  const { quantity, lotSize } = deal.entryNote;
  const growth = growthOf(deal);
  const grown = growth === 0 ? quantity : plain(floorTo(ZERO.plus(quantity).times(1 + growth), lotSize));
  return { quantity: grown, lotSize };
}

/** Whether a resting order is for a cell that is gone, or on the wrong side of what its cell holds. */
function isWrong(
  resting: BookOrder,
  ladderOrders: readonly LadderOrder[],
  price: number,
  entriesDisabled: boolean,
): boolean {
  const ladderOrder = ladderOrders.find(({ at }) => String(at.cell) === resting.slot);
  if (ladderOrder === undefined) return true;
  const adds = (resting.side === 'buy') === (ladderOrder.at.leg === 'long');
  if (adds && entriesDisabled) return true;
  if (adds === ladderOrder.order.adds) return false;
  // A partly filled order stays until the price reaches its counter-order.
  const isPart = resting.filledQuantity.gt(0) && resting.filledQuantity.lt(resting.quantity);
  return (
    !isPart || (ladderOrder.order.side === 'sell' ? price >= ladderOrder.order.price : price <= ladderOrder.order.price)
  );
}

const sendOf = ({ at: { cell, leg }, order }: GridOrder, capBps: number): Send => ({
  do: 'send',
  leg,
  slot: String(cell),
  purpose: order.adds ? 'entry' : 'exit',
  quantity: order.quantity,
  adds: order.adds,
  maker: true,
  capBps,
  price: order.price,
});

/** Why a running grid ends now; null where it runs on. */
function exitReason(deal: Deal, context: DealContext): CloseReason | null {
  const { legs } = deal;
  const traded = [...ladderOf(deal).traded.values()].reduce((sum, quantity) => sum.plus(quantity), ZERO);
  // The position of the cells is gone: the venue liquidated it.
  if (!traded.eq(legs.long.quantity.plus(legs.short.quantity))) return 'liquidation';
  return firstMet(exitRules(deal, context));
}

/** The exit rules of a running grid; shares are of the invested capital. */
export function exitRules(deal: Deal, context: ExitContext<'grid'>): ExitRule[] {
  const { long } = context;
  const { stopLow, stopHigh, stopLoss, takeProfit, legNotional, leverage, direction } = deal.params;
  const gate = pricesGate(long);
  const price = long?.price ?? null;
  const rules: ExitRule[] = [];
  if (stopLow !== null) {
    const isMet = price !== null && price <= stopLow;
    const reason = direction === 'short' ? 'takeProfit' : 'stopLoss';
    rules.push(onFall(reason, 'price', { now: price, at: stopLow, isMet, gate }));
  }
  if (stopHigh !== null) {
    const isMet = price !== null && price >= stopHigh;
    const reason = direction === 'long' ? 'takeProfit' : 'stopLoss';
    rules.push(onRise(reason, 'price', { now: price, at: stopHigh, isMet, gate }));
  }
  const limits = limitRules(deal, { stopLoss, takeProfit }, context, legNotional / leverage);
  return [...rules, ...limits.map((limit) => ({ ...limit, gate, isMet: limit.isMet && gate === null }))];
}
