import type { GridLevel, GridLevelState } from '#contract/kinds/grid/deal';
import { ownDeal } from '../../base/db/strategies/deal';
import { ownStrategy } from '../../base/db/strategies/strategy';
import { notFound } from '../../base/http/refusal';
import { plain } from '../../base/maths/decimal';
import type { GridOrder } from '../../base/maths/gridLadder';
import { sum } from '../../base/maths/sum';
import type { DeskDeps } from '../../desk/deps';
import { marketNow } from '../../desk/symbol/marketNow';
import { type GridDeal, hasEnded, readGridDeals } from './deals';

type Needs = Pick<DeskDeps, 'db' | 'markets' | 'venue'>;

const KIND = 'grid';
const TRADES = 200;

/** Every cell of one of a user's grids and its newest fills. @throws 404 for any other deal. */
export async function gridLadder(needs: Needs, userId: string, id: string, now: number) {
  const deal = await ownDeal(needs.db, userId, id);
  if (deal === null || deal.kind !== KIND) throw notFound('没有这个网格');
  const { source, symbol } = deal.legs[0]!;
  const strategy = await ownStrategy(needs.db, userId, deal.strategyId);
  const price = (await marketNow(needs.markets, source, now))?.view.get(symbol)?.price ?? null;
  const terms = await needs.venue.terms(source, symbol);
  const [grid] = await readGridDeals(
    needs,
    [deal],
    () => strategy?.state,
    () => ({ price, terms }),
  );
  return { levels: grid!.gridOrders.map((gridOrder) => levelOf(grid!, gridOrder)).reverse(), trades: tradesOf(grid!) };
}

function levelOf(grid: GridDeal, gridOrder: GridOrder): GridLevel {
  const { at, order } = gridOrder;
  const slot = String(at.cell);
  const own = grid.matched.filter(({ cell }) => cell === at.cell);
  const orders = grid.live.get(slot) ?? 0;
  return {
    ...{ cell: at.cell, leg: at.leg, lower: at.lower, upper: at.upper, held: plain(at.held) },
    ...{ side: order.side, price: order.price, quantity: plain(order.quantity) },
    state: stateOf(grid, gridOrder, orders),
    orders,
    pairs: own.filter(({ completes }) => completes).length,
    profit: sum(own.map(({ profit }) => profit)).toNumber(),
    lastBuy: lastBuyOf(grid, slot),
  };
}

function lastBuyOf({ fills }: GridDeal, slot: string): GridLevel['lastBuy'] {
  const last = fills.findLast((fill) => fill.slot === slot && fill.signed.gt(0));
  return last === undefined ? null : { at: last.at, price: last.price.toNumber() };
}

function stateOf(grid: GridDeal, { at, order, isSuspended }: GridOrder, orders: number): GridLevelState {
  if (hasEnded(grid)) return 'ended';
  if (orders > 1) return 'duplicate';
  if (orders === 1) return 'resting';
  if (isSuspended) return 'suspended';
  if (order.adds && grid.off) return 'paused';
  return grid.due.has(String(at.cell)) ? 'missing' : 'waiting';
}

/** The newest first. */
function tradesOf({ fills, matched }: GridDeal) {
  const profits = new Map(matched.map((one) => [`${one.cell} ${one.at}`, one.profit.toNumber()]));
  return fills
    .slice(-TRADES)
    .reverse()
    .map(({ slot, at, signed, price }) => {
      const isCell = /^-?\d+$/.test(slot);
      return {
        at,
        cell: isCell ? Number(slot) : null,
        side: signed.gt(0) ? ('buy' as const) : ('sell' as const),
        price: price.toNumber(),
        quantity: plain(signed.abs()),
        profit: profits.get(`${slot} ${at}`) ?? null,
      };
    });
}
