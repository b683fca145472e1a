import { DAY_MS } from '#contract/duration';
import type { GridLevel, GridLevelState, GridRecord, GridRow } from '#contract/kinds/grid/deal';
import { type GridParams, isSpotGrid } from '#contract/kinds/grid/params';
import type { HedgeState } from '#contract/lifecycle';
import type { DealRow } from '#contract/strategyRow';
import { fundingOfDeal } from '../../base/db/orders/orderFill';
import { newestDealOfEach, ownDeal } from '../../base/db/strategies/deal';
import { ownStrategy, type StrategyRow, strategiesOf } from '../../base/db/strategies/strategy';
import { notFound } from '../../base/http/refusal';
import { plain, sum } from '../../base/maths/decimal';
import { levelPrice, levelPrices, profitShares } from '../../base/maths/grid';
import { type GridOrder, gridLiquidation, movedShape, START_SLOT } from '../../base/maths/gridLadder';
import { gridRecord, pricesWithin } from '../../base/maths/gridRecord';
import { annualisedReturn } from '../../base/maths/hedge';
import type { DeskDeps } from '../../desk/deps';
import { dealRow } from '../../desk/strategy/dealRows';
import { marketNow, marketsNow } from '../../desk/symbol/marketNow';
import { bracketFor } from '../../market/brackets';
import { flowsOf, type GridDeal, type GridMarket, gridProfitOf, hasEnded, readGridDeals } from './deals';

/** The newest deal of each grid of a user, as it stands now. @param now UTC ms */
export async function gridRows(needs: Needs, userId: string, now: number): Promise<GridRow[]> {
  const own = (await strategiesOf(needs.db, [userId])).filter(({ kind }) => kind === KIND);
  const deals = await newestDealOfEach(
    needs.db,
    own.map(({ id }) => id),
  );
  const places = own.map(({ params }) => params as GridParams);
  const sources = await marketsNow(
    needs.markets,
    places.map(({ source }) => source),
    now,
  );
  const markets = new Map<string, GridMarket>();
  for (const { source, symbol } of places) {
    const price = sources.get(source)?.view.get(symbol)?.price ?? null;
    markets.set(`${source} ${symbol}`, { price, terms: await needs.venue.terms(source, symbol) });
  }
  const marketOf = ({ source, symbol }: Pick<GridParams, 'source' | 'symbol'>): GridMarket =>
    markets.get(`${source} ${symbol}`) ?? { price: null, terms: undefined };
  const stateOf = (id: string) => own.find((row) => row.id === id)?.state;
  const read = await readGridDeals(needs, deals, stateOf, ({ params }) => marketOf(params as GridParams));
  return own.map((strategy) => {
    const grid = read.find(({ deal }) => deal.strategyId === strategy.id);
    const params = grid?.params ?? (strategy.params as GridParams);
    const row = shapeRow(strategy, params, grid, marketOf(params));
    return grid
      ? { ...row, ...resultOf(grid, dealRow(grid.deal, sources, now, { secondFillMs: null, alerts: [] }), now) }
      : row;
  });
}

/** What a grid is, before and while it trades. */
function shapeRow(
  { id }: StrategyRow,
  params: GridParams,
  grid: GridDeal | undefined,
  { price, terms }: GridMarket,
): GridRow {
  const range = grid?.cells.filter(({ isOutOfRange }) => isOutOfRange !== true);
  const levels = range
    ? [...range.map(({ lower }) => lower), range.at(-1)!.upper]
    : levelPrices(params, Number(terms?.tickSize ?? 1e-8));
  const [lower, upper] = [levels[0]!, levels.at(-1)!];
  const steps = levels.slice(1).map((above, i) => above / levels[i]! - 1);
  const fee = terms?.makerFee;
  const capital = params.legNotional / params.leverage;
  const isSpot = isSpotGrid(params);
  // Spot cannot be liquidated, nor what holds nothing and has nothing to trade any more.
  const risk =
    grid && terms && !isSpot && (grid.due.size > 0 || grid.live.size > 0 || isHeld(grid))
      ? gridLiquidation(stakeOf(grid, capital), bracketFor(terms, params.legNotional).maintenanceRate)
      : null;
  return {
    ...{
      strategyId: id,
      dealId: null,
      state: null,
      market: isSpot ? 'spot' : 'perpetual',
      symbol: params.symbol,
      direction: params.direction,
    },
    ...{ price, lower, upper, position: price === null ? null : (price - lower) / (upper - lower) },
    cells: params.cells,
    spacing: params.spacing,
    stepLeast: Math.min(...steps),
    stepMost: Math.max(...steps),
    ...(fee === undefined ? { profitLeast: null, profitMost: null } : profitShares(levels, fee, isSpot)),
    ...{ capital, leverage: params.leverage, pairs24h: 0, pairs: 0, gridProfit: 0, floating: 0, net: 0 },
    ...{
      gridReturn: null,
      netReturn: null,
      gridApr: null,
      netApr: null,
      fees: 0,
      funding: isSpot ? null : 0,
      held: '0',
    },
    ...{ liquidationLow: risk?.low ?? null, liquidationHigh: risk?.high ?? null },
    ...{ ordersLive: 0, ordersDue: 0, openedAt: null, endedAt: null },
  };
}

const isHeld = ({ deal }: GridDeal): boolean => deal.legs.some(({ quantity }) => Number(quantity) !== 0);

function stakeOf({ params, note, fills }: GridDeal, capital: number) {
  const started = fills.filter(({ slot }) => slot === START_SLOT);
  const quantity = sum(started.map(({ signed }) => signed));
  const cost = sum(started.map(({ signed, price }) => signed.times(price)));
  const startPrice = quantity.eq(0) ? params.lower : cost.div(quantity).toNumber();
  return { ...movedShape(params, note), startPrice, capital };
}

/** What it has made, and what rests for it. */
function resultOf(grid: GridDeal, { net, fees, funding, legs }: DealRow, now: number) {
  const { deal, matched, live, due, params } = grid;
  const profit = gridProfitOf(grid).toNumber();
  const pairs = matched.filter(({ completes }) => completes);
  const days = deal.openedAt === null ? 0 : ((deal.closedAt ?? now) - deal.openedAt) / DAY_MS;
  const capital = params.legNotional / params.leverage;
  const returnOf = (made: number | null) => (made === null ? null : made / capital);
  const aprOf = (made: number | null) => annualisedReturn(returnOf(made), days * DAY_MS);
  return {
    dealId: deal.id,
    state: deal.state as HedgeState,
    pairs24h: pairs.filter(({ at }) => at > now - DAY_MS).length,
    pairs: pairs.length,
    gridProfit: profit,
    floating: net === null ? null : net - profit,
    // Spot is paid none and pays none.
    ...{ net, fees, funding: isSpotGrid(params) ? null : funding },
    gridReturn: returnOf(profit),
    netReturn: returnOf(net),
    gridApr: aprOf(profit),
    netApr: aprOf(net),
    held: sum(legs.map(({ quantity }) => quantity)).toFixed(),
    ordersLive: [...live.values()].reduce((count, orders) => count + orders, 0),
    ordersDue: due.size,
    openedAt: deal.openedAt,
    endedAt: deal.closedAt,
  };
}

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

type Needs = Pick<DeskDeps, 'db' | 'markets' | 'venue'>;

const KIND = 'grid';
const BAR = '1h';
const PAIRS = 100;
const AWAY = 50;

/** How one of a user's grids did, up to now or to its end. @throws 404 for any other deal. @param now UTC ms */
export async function gridRecordOf(needs: Needs, userId: string, id: string, now: number): Promise<GridRecord> {
  const { db, markets, venue } = needs;
  const deal = await ownDeal(db, userId, id);
  if (deal === null || deal.kind !== KIND) throw notFound('没有这个网格');
  const { source, symbol, midOpen } = deal.legs[0]!;
  const here = await marketNow(markets, source, now);
  const from = deal.openedAt ?? deal.createdAt;
  const until = deal.closedAt ?? now;
  const price = deal.closedAt === null ? (here?.view.get(symbol)?.price ?? null) : null;
  const [candles, funding, terms] = await Promise.all([
    here?.market.candles(symbol, BAR, { start: from }),
    fundingOfDeal(db, id),
    venue.terms(source, symbol),
  ]);
  const [grid] = await readGridDeals(
    needs,
    [deal],
    () => undefined,
    () => ({ price, terms }),
  );
  const { params, matched } = grid!;
  const {
    net: _,
    away,
    ...figures
  } = gridRecord({
    fills: flowsOf(grid!).map(({ at, ...fill }) => ({
      at,
      signed: fill.signed.toNumber(),
      price: fill.price.toNumber(),
      fee: fill.fee.toNumber(),
    })),
    funding,
    prices: candles ? pricesWithin(candles, { from, until }, price) : [],
    rangeAt: rangesOf(grid!),
    capital: params.legNotional / params.leverage,
    ...{ from, until, startPrice: midOpen },
  });
  return {
    ...figures,
    away: away.slice(-AWAY),
    awayShare: figures.inRange === null ? null : 1 - figures.inRange,
    pairs: matched.slice(-PAIRS).map(({ cell, from: since, entry, at, exit, profit }) => ({
      ...{ cell, from: since, at },
      ...{ entry: entry.toNumber(), exit: exit.toNumber(), profit: profit.toNumber() },
    })),
  };
}

/** The range of a grid at an instant: where a person had moved it, or where its trades say that it followed the price to. */
function rangesOf({ params, note, fills }: GridDeal) {
  const traded = fills.flatMap(({ at, slot }) => (/^-?\d+$/.test(slot) ? [{ at, cell: Number(slot) }] : []));
  const firstAt = (at: number): number => {
    if (!params.trailing) return note.shifts?.findLast((shift) => shift.at <= at)?.first ?? 0;
    const cells = traded.filter((fill) => fill.at <= at).map(({ cell }) => cell);
    return note.anchor > 0 ? Math.max(0, Math.max(0, ...cells) - params.cells + 1) : Math.min(0, ...cells);
  };
  return (at: number) => rangeFrom(params, Number(note.tickSize), firstAt(at));
}

const rangeFrom = (shape: GridParams, tick: number, first: number) => ({
  lower: levelPrice(shape, tick, first),
  upper: levelPrice(shape, tick, first + shape.cells),
});
