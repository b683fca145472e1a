import { DAY_MS, HOUR_MS } from '#contract/duration';
import type { QueryOf } from '#contract/endpoint';
import { GridCandidate, type GridSuggestion, type gridScan } from '#contract/kinds/grid/scan';
import type { Obstacle } from '#contract/scan';
import { refused } from '../../base/http/refusal';
import { fundingApr } from '../../base/maths/funding';
import { cellQuantity, gridProfits, levelPrices } from '../../base/maths/grid';
import { leftOfPurchase } from '../../base/maths/spotPurchase';
import { mapYielding } from '../../base/work/loopTurns';
import type { DeskDeps } from '../../desk/deps';
import { INSTRUMENT_KINDS } from '../../market/exchange';
import { createRanking, type ReadRanking, type RowFilters, type ScanDeps } from '../../market/scan/ranking';
import { depthOfLegs, NO_REPLAYS, type Replays, replayObstacles, riskObstacles } from '../../market/scan/replay';
import { atLeast } from '../../market/scan/rowFilters';
import type { MarketSight, Quoted } from '../../market/scan/sight';
import { createGridPast, daysRange, type GridPast, type GridRun, type GridWish } from './past';

/** What rows are worked out for: USDT that all cells take together, and how the range is laid. */
export interface GridPlan extends GridWish {
  size: number;
}

interface Place {
  source: string;
  isOut: boolean;
  quoted: Quoted;
}

/** Every perpetual and every spot of every venue. */
export const gridPlaces = ({ venues }: MarketSight): Place[] =>
  venues.flatMap(({ market, isOut, coins }) =>
    [...coins.values()].flatMap(({ perpetual, spot }) =>
      [perpetual, spot].flatMap((quoted) => (quoted ? [{ source: market.source, isOut, quoted }] : [])),
    ),
  );

const isSpot = ({ instrument }: Quoted): boolean => instrument.kind === 'spot';

interface Figures extends Replays {
  profit: number | null;
  /** What a cell orders at the least, base currency. */
  smallest: number;
  dailyNet: number | null;
  result: number | null;
}

const NOTHING: Figures = { ...NO_REPLAYS, profit: null, smallest: 0, dailyNet: null, result: null };

/** What a grid of the range would make of each cell, and what it made of the days before at the size. */
function figuresOf(quoted: Quoted, { run, replays }: GridPast, { cells, days, size }: GridPlan): Figures {
  const { instrument, terms } = quoted;
  const [tick, lot] = [Number(instrument.tickSize ?? 0), Number(instrument.lotSize ?? 0)];
  if (!terms || !(tick > 0) || !(lot > 0)) return NOTHING;
  const shapeOf = ({ lower, upper }: GridRun) => ({ lower, upper, cells, spacing: 'geometric' }) as const;
  const quantityOf = (one: GridRun) => cellQuantity(shapeOf(one), size, lot);
  const shareOf = (one: GridRun | null) => one && (one.net * quantityOf(one)) / size;
  const levels = levelPrices(shapeOf(run), tick);
  const { least } = gridProfits(levels, terms.makerFee, isSpot(quoted))!;
  const quantity = quantityOf(run);
  return {
    profit: least / levels[0]!,
    smallest: isSpot(quoted) ? leftOfPurchase(quantity, terms.makerFee, lot) : quantity,
    dailyNet: (run.gridProfit * quantity) / days,
    result: shareOf(run),
    replay7: shareOf(replays.week),
    replay30: shareOf(replays.month),
  };
}

/** A perpetual or a spot as a grid, by the range of days that it was not tried on. Pure. */
export function gridCandidate(
  { source, isOut, quoted }: Place,
  past: GridPast | 'short' | 'pending',
  plan: GridPlan,
  now: number,
): GridCandidate {
  const { instrument, ticker, terms } = quoted;
  const known = typeof past === 'string' ? null : past;
  const figures = known ? figuresOf(quoted, known, plan) : NOTHING;
  const { lower = null, upper = null } = known?.run ?? {};
  const { price } = ticker;
  const row = {
    id: `${source} ${instrument.symbol}`,
    source,
    base: instrument.base,
    market: isSpot(quoted) ? ('spot' as const) : ('perpetual' as const),
    symbol: instrument.symbol,
    price,
    lower,
    upper,
    width: known && known.run.upper / known.run.lower - 1,
    position: known && (price - known.run.lower) / (known.run.upper - known.run.lower),
    volatility: known?.volatility ?? null,
    step: known && (known.run.upper / known.run.lower) ** (1 / plan.cells) - 1,
    profit: figures.profit,
    dailyPairs: known && known.run.pairs / plan.days,
    inRange: known?.inRange ?? null,
    dailyNet: figures.dailyNet,
    result: figures.result,
    ...{ replay7: figures.replay7, replay30: figures.replay30 },
    ...(past === 'pending' && { replaying: true }),
    fundingApr: fundingApr(ticker.fundingRate, instrument.fundingHours),
    turnover24h: ticker.turnover24h,
    depth: depthOfLegs(quoted, quoted),
    adl: terms?.adl ?? null,
    past: typeof past === 'string' ? past : ('known' as const),
  };
  const isSmall = known !== null && figures.smallest * known.run.lower < Number(instrument.minNotional ?? 0);
  const found = [...obstaclesOf(row, isSmall), ...riskObstacles([quoted], now), ...replayObstacles(row)];
  return { ...row, obstacles: isOut ? ['out'] : found };
}

function obstaclesOf(
  { past, profit, position, depth }: Omit<GridCandidate, 'obstacles'>,
  isSmall: boolean,
): Obstacle[] {
  const found: Obstacle[] = [];
  // What is still being read is not judged.
  if (past === 'short' || (past === 'known' && profit === null)) found.push('incomplete');
  else if (profit !== null && profit <= 0) found.push('costs');
  if (isSmall) found.push('minimum');
  if (position !== null && (position <= 0 || position >= 1)) found.push('outOfRange');
  if (depth === null) found.push('depth');
  return found;
}

type Query = QueryOf<typeof gridScan.list>;

/** Reads the rows of GET /api/market/grid. */
export function createGridRows(deps: ScanDeps): ReadRanking<Query, GridCandidate> {
  const pastOf = createGridPast(deps.ended);
  return createRanking(deps, {
    row: GridCandidate,
    bestFirst: '-result',
    planOf: ({ size, days, cells, range }) => ({ size, days, cells, range }),
    rowsOf: (seen, plan) =>
      mapYielding(gridPlaces(seen), (place) =>
        gridCandidate(place, pastOf(place.quoted, plan, seen.at), plan, seen.at),
      ),
    filtersOf: () => FILTERS,
  });
}

const FILTERS: RowFilters<Query, GridCandidate> = {
  source: (row, source) => row.source === source,
  market: (row, market) => row.market === market,
  minProfit: ({ profit }, least) => atLeast(profit, least),
  minPairs: ({ dailyPairs }, least) => atLeast(dailyPairs, least),
  minInRange: ({ inRange }, least) => atLeast(inRange, least),
  minTurnover: ({ turnover24h }, least) => atLeast(turnover24h, least),
  minDepth: ({ depth }, least) => atLeast(depth, least),
};

const BAR = '1h';
const HOURS = 24;

/** A range for one instrument by its own closed hours. @throws `unknownSymbol`; `gridHistory` at `days` */
export async function gridRangeOf(
  { markets, clock }: Pick<DeskDeps, 'markets' | 'clock'>,
  { source, symbol, days, range }: QueryOf<typeof gridScan.range>,
): Promise<GridSuggestion> {
  const market = await markets.get(source);
  const listed = (await market?.instruments(INSTRUMENT_KINDS))?.find((one) => one.symbol === symbol);
  if (market === undefined || listed === undefined) throw refused('unknownSymbol', symbol, 'symbol');
  // One day more, in case the newest hour is not closed yet.
  const candles = await market.candles(symbol, BAR, { start: clock() - (days + 1) * DAY_MS });
  const tick = Number(listed.tickSize ?? 0);
  if (!(tick > 0)) throw refused('gridHistory', `${symbol} 的最小价格单位还不知道`, 'symbol');
  const found = candles && daysRange(candles, { days, range }, tick);
  if (!found) {
    const known = Math.floor((candles?.close.length ?? 0) / HOURS);
    throw refused('gridHistory', `${symbol} 的小时 K 线只有 ${known} 天，不满 ${days} 天`, 'days');
  }
  if (!(found.lower > 0)) throw refused('gridHistory', '波动太大，下限会低于 0，请改用 N 日高低', 'range');
  if (!(found.upper > found.lower)) throw refused('gridHistory', '这些天价格没有动过', 'days');
  const { time, close } = candles!;
  const count = days * HOURS;
  return { ...found, price: close.at(-1)!, from: time.at(-count)!, until: time.at(-1)! + HOUR_MS };
}
