import Big from 'big.js';
import type { GridParams } from '#contract/kinds/grid/params';
import { HEDGE_ENDS, type HedgeState } from '#contract/lifecycle';
import type { StrategyMode } from '#contract/strategy';
import { heldBack } from '../../base/db/books/book';
import { liveSlotsOf, slotFillsOf } from '../../base/db/orders/orderFill';
import { slotsOfDeals } from '../../base/db/orders/orderProgress';
import type { DealColumns } from '../../base/db/strategies/deal';
import { ZERO } from '../../base/maths/decimal';
import {
  cellsNow,
  type GridCell,
  type GridNote,
  type GridOrder,
  gridOrdersOf,
  nearestFirst,
  tradedWith,
} from '../../base/maths/gridLadder';
import { type Matched, matchedFills, takenFill } from '../../base/maths/gridTrades';
import { type SlotFill, slotFill } from '../../base/maths/slotFill';
import type { DeskDeps } from '../../desk/deps';
import type { TradingTerms } from '../../market/venue';

/** One deal of a grid with all that its orders tell of it. */
export interface GridDeal {
  deal: DealColumns;
  params: GridParams;
  note: GridNote;
  cells: GridCell[];
  gridOrders: GridOrder[];
  /** How many orders live, by slot. */
  live: ReadonlyMap<string, number>;
  /** Slots for which one should, the nearest to the price first; none without a price, or where nobody guards it. */
  due: ReadonlySet<string>;
  /** Nothing is added to it now. */
  off: boolean;
  fills: SlotFill[];
  matched: Matched[];
}

/** What is known of a grid's symbol now. */
export interface GridMarket {
  price: number | null;
  terms: TradingTerms | undefined;
}

const isEnded = ({ state }: DealColumns): boolean => HEDGE_ENDS.includes(state as HedgeState);

/** Reads deals of grids. @param state of their strategies, by the strategy's id. @param marketOf by the deal's leg */
export async function readGridDeals(
  { db }: Pick<DeskDeps, 'db'>,
  deals: readonly DealColumns[],
  stateOf: (strategyId: string) => string | undefined,
  marketOf: (deal: DealColumns) => GridMarket,
): Promise<GridDeal[]> {
  const ids = deals.map(({ id }) => id);
  const [fills, slots, live, held] = await Promise.all([
    slotFillsOf(db, ids),
    slotsOfDeals(db, ids),
    liveSlotsOf(db, ids),
    heldBack(db, [...new Set(deals.map(({ userId }) => userId))]),
  ]);
  const of = <T extends { dealId: string | null }>(rows: readonly T[], id: string) =>
    rows.filter(({ dealId }) => dealId === id);
  return deals.map((deal) => {
    const [params, note] = [deal.params as GridParams, deal.opening as GridNote];
    const own = of(slots, deal.id);
    const traded = tradedWith(note, new Map(own.map(({ slot, quantity }) => [slot, new Big(quantity)])));
    const cells = cellsNow({ ...params, note }, traded);
    const { price, terms } = marketOf(deal);
    const withdrawn = {
      bySlot: new Map(own.map(({ slot, withdrawnAt }) => [slot, withdrawnAt])),
      repairedAt: deal.repairAskedAt,
    };
    const gridOrders = gridOrdersOf(cells, note, Number(terms?.minNotional ?? 0), withdrawn);
    const state = stateOf(deal.strategyId);
    const isGuarded = deal.state === 'open' && (state === 'running' || state === 'paused');
    const isHeld = (held.get(deal.userId)?.[deal.mode as StrategyMode] ?? null) !== null;
    const off = state !== 'running' || isHeld;
    const near = price === null || !isGuarded ? [] : nearestFirst(gridOrders, price, off);
    const told = of(fills, deal.id).map(slotFill);
    return {
      ...{ deal, params, note, cells, gridOrders, fills: told, off },
      live: countOf(of(live, deal.id).map(({ slot }) => slot!)),
      due: new Set(near.slice(0, params.maxOrders).map(({ at }) => String(at.cell))),
      matched: matchedFills(note, told),
    };
  });
}

function countOf(slots: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const slot of slots) counts.set(slot, (counts.get(slot) ?? 0) + 1);
  return counts;
}

/** Grid profit of a deal: the sum over what was matched, USDT, exact. */
export const gridProfitOf = ({ matched }: GridDeal): Big => matched.reduce((sum, { profit }) => sum.plus(profit), ZERO);

/** What went into it and out of it, the coin that it began with in place of a purchase included; ascending in time. */
export const flowsOf = ({ note, fills }: GridDeal): SlotFill[] =>
  note.taken === undefined ? fills : [takenFill(note.taken), ...fills];

/** Whether nothing of it can change any more. */
export const hasEnded = ({ deal }: GridDeal): boolean => isEnded(deal);
