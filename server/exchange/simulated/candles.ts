import { BAR_MS, type Bar } from '#contract/candle';
import { type Candles, createCandles } from '../columns';
import type { Coin } from './coin';
import type { Factor } from './factor';
import { bits, busynessOf, extremeOf } from './noise';
import { HOUR_MS, instantOf } from './time';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { abs, ceil, cos, exp, floor, max, min, sqrt } = Math;

/**
 * One hour of one coin: extremes before rounding to the tick, quantities in whole lots and whole USDT,
 * so that sums of hours are exact.
 */
export interface HourRow {
  high: number;
  low: number;
  lots: number;
  turnover: number;
}

/** Trading follows the sun: Asia's evening and New York's morning are busiest. */
const BUSY = Float64Array.from({ length: 24 }, (_, h) => 1 + 0.35 * cos(((h - 14) / 24) * 2 * Math.PI));

/** exp(x) for the moves of an hour, |x| < 0.5: four times as fast, and its error is far below a tick. */
const expOfMove = (x: number) => 1 + x * (1 + (x / 2) * (1 + (x / 3) * (1 + (x / 4) * (1 + (x / 5) * (1 + x / 6)))));

/**
 * The hour between two log prices. Its extremes are drawn from the law of a Brownian bridge's maximum,
 * so that nobody needs the seconds in between to know them.
 * @param move log price at the end less log price at the start
 * @param start,end prices at both ends before rounding
 * @param sd standard deviation of an hour's log return
 * @param usual usual turnover of an hour, USDT
 */
export function fillHour(
  row: HourRow,
  coin: Coin,
  hour: number,
  move: number,
  start: number,
  end: number,
  sd: number,
  usual: number,
): void {
  const word = bits(coin.key, hour);
  const squared = move * move;
  const variance = sd * sd;
  const high = start * expOfMove((move + sqrt(squared + variance * extremeOf(word))) / 2);
  const low = start * expOfMove((move - sqrt(squared + variance * extremeOf(word >>> 10))) / 2);
  const activity = (0.55 + (0.5 * abs(move)) / sd) * BUSY[hour % 24]! * busynessOf(word >>> 20);
  const turnover = max(1, floor(usual * activity + 0.5));
  row.high = high;
  row.low = low;
  row.turnover = turnover;
  row.lots = max(1, floor((turnover * 4 * coin.lotUnits) / (start + end + high + low) + 0.5));
}

export const emptyHour = (): HourRow => ({ high: 0, low: 0, lots: 0, turnover: 0 });

/**
 * Candles of the bars that open in hours `from` (inclusive) to `to` (exclusive), both multiples of the
 * bar, counted from the epoch. Every bar is folded from the same hours: a day is its 24 hours exactly.
 */
export function buildCandles(
  coin: Coin,
  bar: Bar,
  from: number,
  to: number,
  sharedHours: (factor: Factor, fromDay: number, toDay: number) => Float64Array | null,
): Candles {
  const perBar = BAR_MS[bar] / HOUR_MS;
  const fromDay = floor(from / 24);
  const toDay = ceil(to / 24);
  const levels = coin.hours(fromDay, toDay, (factor) => sharedHours(factor, fromDay, toDay));
  const candles = createCandles((to - from) / perBar);
  const { time, open, high, low, close, volume, turnover } = candles;
  const prices = new Float64Array(levels.length);
  for (let i = 0; i < levels.length; i += 1) prices[i] = exp(levels[i]!);
  const row = emptyHour();
  let sd = 0;
  let usual = 0;
  let day = -1;
  for (let i = 0; i < time.length; i += 1) {
    const first = from + i * perBar;
    const at = first - fromDay * 24;
    let top = 0;
    let bottom = Number.POSITIVE_INFINITY;
    let lots = 0;
    let quote = 0;
    for (let h = 0; h < perBar; h += 1) {
      const today = floor((first + h) / 24);
      if (today !== day) {
        day = today;
        sd = coin.dayVolatility(day) / sqrt(24);
        usual = coin.hourTurnover(day);
      }
      const k = at + h;
      fillHour(row, coin, first + h, levels[k + 1]! - levels[k]!, prices[k]!, prices[k + 1]!, sd, usual);
      if (row.high > top) top = row.high;
      if (row.low < bottom) bottom = row.low;
      lots += row.lots;
      quote += row.turnover;
    }
    time[i] = instantOf(first);
    open[i] = coin.round(prices[at]!);
    close[i] = coin.round(prices[at + perBar]!);
    high[i] = max(open[i]!, close[i]!, coin.round(top));
    low[i] = min(open[i]!, close[i]!, coin.round(bottom));
    volume[i] = lots / coin.lotUnits;
    turnover[i] = quote;
  }
  return candles;
}
