import { DAY_MS } from '#contract/duration';
import type { GridRow } from '#contract/kinds/grid/deal';
import { type GridParams, isSpotGrid } from '#contract/kinds/grid/params';
import type { HedgeState } from '#contract/lifecycle';
import type { DealRow } from '#contract/strategyRow';
import { newestDealOfEach } from '../../base/db/strategies/deal';
import { type StrategyRow, strategiesOf } from '../../base/db/strategies/strategy';
import { levelPrices, profitShares } from '../../base/maths/grid';
import { movedShape, START_SLOT } from '../../base/maths/gridLadder';
import { gridLiquidation } from '../../base/maths/gridRisk';
import { annualisedReturn } from '../../base/maths/hedge';
import { sum } from '../../base/maths/sum';
import type { DeskDeps } from '../../desk/deps';
import { dealRow } from '../../desk/strategy/dealRows';
import { marketsNow } from '../../desk/symbol/marketNow';
import { type GridDeal, type GridMarket, gridProfitOf, readGridDeals } from './deals';

type Needs = Pick<DeskDeps, 'db' | 'markets' | 'venue'>;

const KIND = 'grid';

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
  // Spot cannot be liquidated.
  const risk = grid && terms && !isSpot ? gridLiquidation(stakeOf(grid, capital), terms.maintenanceRate) : null;
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
