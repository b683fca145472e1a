import { SIMULATED } from '#contract/candle';
import { DEFAULT_GRID, type GridParams } from '#contract/kinds/grid/params';
import { DAY_LOSS, type StoryStrategy, type StoryView, WIDE } from '../storyStrategy';

const DAYS = 14;

/** A grid over the lowest and highest price of the last two weeks, wider or narrower by a factor. */
async function overRange({ markets }: StoryView, symbol: string, width: number, rest: Partial<GridParams>) {
  const market = await markets.get(SIMULATED);
  const listed = market?.listed?.(symbol) ?? null;
  const candles = (await market?.candles(symbol, '1d')) ?? null;
  if (listed === null || candles === null || candles.time.length < DAYS) return null;
  const from = candles.time.length - DAYS;
  const low = Math.min(...candles.low.slice(from));
  const high = Math.max(...candles.high.slice(from));
  const { price } = listed.ticker;
  if (price <= low || price >= high) return null;
  const tick = Number(listed.instrument.tickSize);
  const onTick = (value: number) => Number((Math.round(value / tick) * tick).toPrecision(12));
  const lower = onTick(price - (price - low) * width);
  const upper = onTick(price + (high - price) * width);
  return {
    ...DEFAULT_GRID,
    symbol,
    lower,
    upper,
    cells: 12,
    legNotional: 6000,
    stopLoss: null,
    dailyLossLimit: DAY_LOSS,
    ...rest,
  };
}

/** One wide enough to be left alone, one that a trend runs out of. */
export const grid: readonly StoryStrategy<'grid'>[] = [
  { name: 'ETH 宽幅网格', days: 38, limits: WIDE, params: (view) => overRange(view, 'ETHUSDT', 1.3, {}) },
  {
    name: 'SOL 窄幅做多',
    days: 30,
    // Less than a trend out of its range takes.
    limits: { ...WIDE, maxDrawdown: 300 },
    params: (view) => overRange(view, 'SOLUSDT', 0.6, { direction: 'long', stopLoss: 0.15 }),
  },
];
