import { DAY_MS } from '#contract/duration';
import type { GridRange } from '#contract/gridScan';
import type { Candles } from '../exchange/exchange';
import { levelPrices, onTick, pairsCompleted } from '../maths/grid';
import { logReturns } from '../maths/returns';
import { standardDeviation } from '../maths/statistics';
import { readBehind } from './readBehind';
import type { Quoted } from './sight';

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

/** What was read of a perpetual, and what was worked out of it, by the wish. */
interface Known {
  hours: Hours;
  answers: Map<string, GridPast | 'short'>;
}

/** Tells at once what is known of a perpetual's hours; see `readBehind`. */
export function createGridPast(): (quoted: Quoted, wish: GridWish, now: number) => GridPast | 'short' | 'pending' {
  const known = readBehind(readHours);
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

/** @param hours ascending in time. @param tick above 0 */
export function gridPast(
  { high, low, close }: Hours,
  { days, cells, range }: GridWish,
  tick: number,
): GridPast | 'short' {
  const count = Math.min(close.length, days * HOURS);
  if (count < LEAST_DAYS * HOURS || !(tick > 0)) return 'short';
  const [highs, lows, closes] = [high.slice(-count), low.slice(-count), close.slice(-count)];
  const exact = range === 'atr' ? atrRange(highs, lows, closes) : lowHigh(highs, lows);
  const [lower, upper] = [onTick(exact.lower, tick), onTick(exact.upper, tick)];
  if (!(lower > 0) || !(upper > lower)) return 'short';
  const levels = levelPrices({ lower, upper, cells, spacing: 'geometric' }, tick);
  const from = levels.slice(0, -1).findLastIndex((level) => level < closes[0]!) + 1;
  const deviation = standardDeviation(logReturns(closes));
  return {
    lower,
    upper,
    volatility: deviation === null ? null : deviation * Math.sqrt(HOURS_PER_YEAR),
    dailyPairs: (pairsCompleted(lows, highs, levels, from) * HOURS) / count,
    inRange: closes.filter((one) => one >= lower && one <= upper).length / count,
  };
}

const lowHigh = (highs: Float64Array, lows: Float64Array) => ({
  lower: lows.reduce((least, one) => Math.min(least, one)),
  upper: highs.reduce((most, one) => Math.max(most, one)),
});

/** The mean of what days spanned, so many times either way of the last close. */
function atrRange(highs: Float64Array, lows: Float64Array, closes: Float64Array) {
  let spans = 0;
  let days = 0;
  for (let end = closes.length; end >= HOURS; end -= HOURS) {
    const { lower, upper } = lowHigh(highs.slice(end - HOURS, end), lows.slice(end - HOURS, end));
    const before = closes[end - HOURS - 1];
    spans += Math.max(upper, before ?? upper) - Math.min(lower, before ?? lower);
    days += 1;
  }
  const last = closes.at(-1)!;
  const reach = (ATR_REACH * spans) / days;
  return { lower: last - reach, upper: last + reach };
}
