import type { GridCandidate } from '#contract/kinds/grid/scan';
import type { Obstacle } from '#contract/scan';
import { fundingApr } from '../../base/maths/funding';
import { cellQuantity, gridProfits, levelPrices } from '../../base/maths/grid';
import { leftOfPurchase } from '../../base/maths/spotPurchase';
import type { MarketSight, Quoted } from '../../market/scan/sight';
import { depthOfLegs, riskObstacles } from '../../market/scan/twoLegs';
import type { GridPast, GridWish } from './past';

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

interface Figures {
  profit: number | null;
  /** What a cell orders at the least, base currency. */
  smallest: number;
  dailyNet: number | null;
}

const NOTHING: Figures = { profit: null, smallest: 0, dailyNet: null };

/** What a grid of the range would make of each cell, and a day by what the hours have met. */
function figuresOf(quoted: Quoted, past: GridPast, { cells, size }: GridPlan): Figures {
  const { instrument, terms } = quoted;
  const [tick, lot] = [Number(instrument.tickSize ?? 0), Number(instrument.lotSize ?? 0)];
  if (!terms || !(tick > 0) || !(lot > 0)) return NOTHING;
  const shape = { lower: past.lower, upper: past.upper, cells, spacing: 'geometric' } as const;
  const levels = levelPrices(shape, tick);
  const { least, most } = gridProfits(levels, terms.makerFee, isSpot(quoted))!;
  const quantity = cellQuantity(shape, size, lot);
  const smallest = isSpot(quoted) ? leftOfPurchase(quantity, terms.makerFee, lot) : quantity;
  // Neighbouring cells differ by their prices alone: the middle of the smallest and the largest stands for a pair.
  return { profit: least / levels[0]!, smallest, dailyNet: past.dailyPairs * quantity * ((least + most) / 2) };
}

/** The range of the last days of a perpetual or a spot as a grid. Pure. */
export function gridCandidate(
  { source, isOut, quoted }: Place,
  past: GridPast | 'short' | 'pending',
  plan: GridPlan,
  now: number,
): GridCandidate {
  const { instrument, ticker, terms } = quoted;
  const known = typeof past === 'string' ? null : past;
  const figures = known ? figuresOf(quoted, known, plan) : NOTHING;
  const { lower = null, upper = null } = known ?? {};
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
    width: known && known.upper / known.lower - 1,
    position: known && (price - known.lower) / (known.upper - known.lower),
    volatility: known?.volatility ?? null,
    step: known && (known.upper / known.lower) ** (1 / plan.cells) - 1,
    profit: figures.profit,
    dailyPairs: known?.dailyPairs ?? null,
    inRange: known?.inRange ?? null,
    dailyNet: figures.dailyNet,
    gridApr: figures.dailyNet === null ? null : (figures.dailyNet * 365) / plan.size,
    fundingApr: fundingApr(ticker.fundingRate, instrument.fundingHours),
    turnover24h: ticker.turnover24h,
    depth: depthOfLegs(quoted, quoted),
    adl: terms?.adl ?? null,
    past: typeof past === 'string' ? past : ('known' as const),
  };
  const isSmall = known !== null && figures.smallest * known.lower < Number(instrument.minNotional ?? 0);
  return { ...row, obstacles: isOut ? ['out'] : [...obstaclesOf(row, isSmall), ...riskObstacles([quoted], now)] };
}

function obstaclesOf(
  { past, profit, position, depth }: Omit<GridCandidate, 'obstacles'>,
  isSmall: boolean,
): Obstacle[] {
  const found: Obstacle[] = [];
  if (past !== 'known' || profit === null) found.push('incomplete');
  else if (profit <= 0) found.push('costs');
  if (isSmall) found.push('minimum');
  if (position !== null && (position <= 0 || position >= 1)) found.push('outOfRange');
  if (depth === null) found.push('depth');
  return found;
}
