import { DAY_MS } from '#contract/duration';
import type { GridRange } from '#contract/kinds/grid/scan';
import type { Candles } from '../../base/maths/candles';
import { levelPrices, onTick, pairsCompleted } from '../../base/maths/grid';
import { logReturns } from '../../base/maths/returns';
import { standardDeviation } from '../../base/maths/statistics';
import { backgroundCache } from '../../market/scan/backgroundCache';
import type { Quoted } from '../../market/scan/sight';

/** What a grid over the range of the last days would have met. */
export interface GridPast {
  lower: number;
  upper: number;
  /** Of hourly returns, a year; null where nothing moved. */
  volatility: number | null;
  /** Pairs a day. */
  dailyPairs: number;
  /** Share of the hours whose close lay within. */
  inRange: number;
}

/** How the range is laid. */
export interface GridWish {
  days: number;
  cells: number;
  range: GridRange;
}

const BAR = '1h';
const HOURS = 24;
/** Days that are read, whatever range is asked for. */
const READ_DAYS = 30;
const LEAST_DAYS = 3;
/** Average daily ranges that lie either way of the last close. */
const ATR_REACH = 3;
const HOURS_PER_YEAR = 8760;
/** Wishes that are kept of each. */
const ANSWERS = 20;

type Hours = Pick<Candles, 'high' | 'low' | 'close'>;

/** What was read of an instrument, and what was worked out of it, by the wish. */
interface Known {
  hours: Hours;
  answers: Map<string, GridPast | 'short'>;
}

/** Tells at once what is known of an instrument's hours; see `backgroundCache`. */
export function createGridPast(): (quoted: Quoted, wish: GridWish, now: number) => GridPast | 'short' | 'pending' {
  const known = backgroundCache(readHours);
  return (quoted, wish, now) => {
    const { market, instrument } = quoted;
    const read = known(`${market.source} ${instrument.symbol}`, market.version(), { quoted, now });
    return read ? answerOf(read, wish, Number(instrument.tickSize ?? 0)) : 'pending';
  };
}

async function readHours({ quoted, now }: { quoted: Quoted; now: number }): Promise<Known> {
  const { market, instrument } = quoted;
  const candles = await market.candles(instrument.symbol, BAR, { start: now - READ_DAYS * DAY_MS });
  const none = new Float64Array();
  return { hours: candles ?? { high: none, low: none, close: none }, answers: new Map() };
}

function answerOf({ hours, answers }: Known, wish: GridWish, tick: number): GridPast | 'short' {
  const key = JSON.stringify(wish);
  const known = answers.get(key) ?? gridPast(hours, wish, tick);
  if (answers.size >= ANSWERS) answers.clear();
  answers.set(key, known);
  return known;
}

/** The closed hours of the last days; `null` where there are fewer than the least. */
function lastDays({ high, low, close }: Hours, days: number, least: number): Hours | null {
  const count = Math.min(close.length, days * HOURS);
  if (count < least * HOURS) return null;
  return { high: high.slice(-count), low: low.slice(-count), close: close.slice(-count) };
}

interface Range {
  lower: number;
  upper: number;
  /** Of the hours that it was made of. */
  low: number;
  high: number;
  /** What a day spans on average. */
  atr: number;
}

/**
 * A range on ticks by the hours of so many days, all of which have to be there, in the quote currency.
 * @param hours ascending in time. @param tick above 0. @returns `null` with too short a history; a lower bound may be 0 or less
 */
export function daysRange(hours: Hours, { days, range }: Omit<GridWish, 'cells'>, tick: number): Range | null {
  const whole = lastDays(hours, days, days);
  return whole && rangeOf(whole, range, tick);
}

function rangeOf({ high, low, close }: Hours, range: GridRange, tick: number): Range {
  const seen = lowHigh(high, low);
  const atr = dailyRange(high, low, close);
  const last = close.at(-1)!;
  const reach = ATR_REACH * atr;
  const exact = range === 'atr' ? { lower: last - reach, upper: last + reach } : seen;
  const [lower, upper] = [onTick(exact.lower, tick), onTick(exact.upper, tick)];
  return { lower, upper, low: seen.lower, high: seen.upper, atr };
}

/** @param hours ascending in time. @param tick above 0 */
export function gridPast(hours: Hours, { days, cells, range }: GridWish, tick: number): GridPast | 'short' {
  const read = lastDays(hours, days, LEAST_DAYS);
  if (read === null || !(tick > 0)) return 'short';
  const { high, low, close } = read;
  const { lower, upper } = rangeOf(read, range, tick);
  if (!(lower > 0) || !(upper > lower)) return 'short';
  const levels = levelPrices({ lower, upper, cells, spacing: 'geometric' }, tick);
  const from = levels.slice(0, -1).findLastIndex((level) => level < close[0]!) + 1;
  const deviation = standardDeviation(logReturns(close));
  return {
    lower,
    upper,
    volatility: deviation === null ? null : deviation * Math.sqrt(HOURS_PER_YEAR),
    dailyPairs: (pairsCompleted(low, high, levels, from) * HOURS) / close.length,
    inRange: close.filter((one) => one >= lower && one <= upper).length / close.length,
  };
}

const lowHigh = (highs: Float64Array, lows: Float64Array) => ({
  lower: lows.reduce((least, one) => Math.min(least, one)),
  upper: highs.reduce((most, one) => Math.max(most, one)),
});

/** The mean of what days spanned, a gap to the close before included. */
function dailyRange(highs: Float64Array, lows: Float64Array, closes: Float64Array): number {
  let spans = 0;
  let days = 0;
  for (let end = closes.length; end >= HOURS; end -= HOURS) {
    const { lower, upper } = lowHigh(highs.slice(end - HOURS, end), lows.slice(end - HOURS, end));
    const before = closes[end - HOURS - 1];
    spans += Math.max(upper, before ?? upper) - Math.min(lower, before ?? lower);
    days += 1;
  }
  return spans / days;
}
