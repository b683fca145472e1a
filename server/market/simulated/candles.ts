import { BAR_MS, type Bar } from '#contract/candle';
import { HOUR_MS } from '#contract/duration';
import { type Candles, createCandles } from '../../base/maths/candles';
import type { Coin } from './coin';
import type { Factor } from './factor';
import { bits, busynessOf, extremeOf } from './noise';
import { instantOf } from './time';

// Bound once: a lookup of a global costs more than the arithmetic where modules run in a context of their own.
const { abs, ceil, cos, exp, floor, max, min, sqrt } = Math;
const { NEGATIVE_INFINITY, POSITIVE_INFINITY } = Number;

/**
 * One hour of one coin: extremes as log prices, quantities in whole lots and whole USDT,
 * so that sums of hours are exact.
 */
export interface HourRow {
  /** Log prices. */
  top: number;
  bottom: number;
  lots: number;
  turnover: number;
}

/** Trading follows the sun: Asia's evening and New York's morning are busiest. */
const BUSY = Float64Array.from({ length: 24 }, (_, h) => 1 + 0.35 * cos(((h - 14) / 24) * 2 * Math.PI));

/**
 * The hour between two log prices. Its extremes are drawn from the law of a Brownian bridge's maximum,
 * so that nobody needs the seconds in between to know them.
 * @param from,to log prices at both ends
 * @param sd standard deviation of an hour's log return
 * @param usual usual turnover of an hour, USDT
 */
export function fillHour(
  row: HourRow,
  coin: Coin,
  hour: number,
  from: number,
  to: number,
  sd: number,
  usual: number,
): void {
  const word = bits(coin.key, hour);
  const move = to - from;
  const squared = move * move;
  const variance = sd * sd;
  row.top = from + (move + sqrt(squared + variance * extremeOf(word))) / 2;
  row.bottom = from + (move - sqrt(squared + variance * extremeOf(word >>> 10))) / 2;
  const activity = (0.55 + (0.5 * abs(move)) / sd) * BUSY[hour % 24]! * busynessOf(word >>> 20);
  const turnover = max(1, floor(usual * activity + 0.5));
  row.turnover = turnover;
  row.lots = max(1, floor(turnover * coin.lotUnits * exp(-(from + to) / 2) + 0.5));
}

/** Whole lots, or whole USDT, of an instrument that has a part of the coin's trading. */
export const partOf = (amount: number, share: number): number => (share === 1 ? amount : max(1, floor(amount * share)));

export const emptyHour = (): HourRow => ({ top: 0, bottom: 0, lots: 0, turnover: 0 });

/** How the prices and the trading of one instrument differ from those of its coin. */
export interface CandleShape {
  /** Log distance of its prices from the coin's at a full hour, a straight line in between; `null` where there is none. */
  offsetAtHour: ((hour: number) => number) | null;
  /** How far its quotes stand apart in an hour, down and up, in log price; `null` where they never do. */
  apartInHour: ((hour: number) => { down: number; up: number }) | null;
  /** How far its quotes lie from the middle at most, in log price. */
  pad: number;
  /** Part of the coin's trading. */
  share: number;
}

/**
 * Candles of the bars that open in hours `from` (inclusive) to `to` (exclusive), both multiples of the
 * bar, counted from the epoch. Every bar is folded from the same hours: a day is its 24 hours exactly.
 */
export function buildCandles(
  coin: Coin,
  bar: Bar,
  from: number,
  to: number,
  { offsetAtHour, apartInHour, pad, share }: CandleShape,
  sharedHours: (factor: Factor, fromDay: number, toDay: number) => Float64Array | null,
): Candles {
  const perBar = BAR_MS[bar] / HOUR_MS;
  const fromDay = floor(from / 24);
  const toDay = ceil(to / 24);
  const levels = coin.hours(fromDay, toDay, (factor) => sharedHours(factor, fromDay, toDay));
  const candles = createCandles((to - from) / perBar);
  const { time, open, high, low, close, volume, turnover } = candles;
  const row = emptyHour();
  const offsets =
    offsetAtHour && Float64Array.from({ length: levels.length }, (_, k) => offsetAtHour(fromDay * 24 + k));
  const { sds, usuals } = dayTerms(coin, fromDay, toDay);
  for (let i = 0; i < time.length; i += 1) {
    const at = from - fromDay * 24 + i * perBar;
    let top = NEGATIVE_INFINITY;
    let bottom = POSITIVE_INFINITY;
    let lots = 0;
    let quote = 0;
    for (let k = at; k < at + perBar; k += 1) {
      const day = floor(k / 24);
      fillHour(row, coin, fromDay * 24 + k, levels[k]!, levels[k + 1]!, sds[day]!, usuals[day]!);
      if (offsets !== null) {
        const apart = apartInHour?.(fromDay * 24 + k);
        row.top += max(offsets[k]!, offsets[k + 1]!) + (apart?.up ?? 0);
        row.bottom += min(offsets[k]!, offsets[k + 1]!) + (apart?.down ?? 0);
      }
      if (row.top > top) top = row.top;
      if (row.bottom < bottom) bottom = row.bottom;
      lots += partOf(row.lots, share);
      quote += partOf(row.turnover, share);
    }
    time[i] = instantOf(fromDay * 24 + at);
    open[i] = coin.priceOf(levels[at]! + (offsets?.[at] ?? 0));
    close[i] = coin.priceOf(levels[at + perBar]! + (offsets?.[at + perBar] ?? 0));
    high[i] = coin.priceAbove(top + pad);
    low[i] = coin.priceBelow(bottom - pad);
    volume[i] = lots / coin.lotUnits;
    turnover[i] = quote;
  }
  return candles;
}

/** What is the same for all hours of a day: standard deviation of an hour's log return, usual turnover of an hour. */
function dayTerms(coin: Coin, from: number, to: number): { sds: Float64Array; usuals: Float64Array } {
  const sds = new Float64Array(to - from);
  const usuals = new Float64Array(to - from);
  for (let day = from; day < to; day += 1) {
    sds[day - from] = coin.dayVolatility(day) / sqrt(24);
    usuals[day - from] = coin.hourTurnover(day);
  }
  return { sds, usuals };
}
