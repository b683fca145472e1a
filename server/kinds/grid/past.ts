import { DAY_MS } from '#contract/duration';
import { DEFAULT_GRID } from '#contract/kinds/grid/params';
import { type GridRange, RANGE_DAYS } from '#contract/kinds/grid/scan';
import { REPLAY_DAYS } from '#contract/scan';
import type { Candles } from '../../base/maths/candles';
import { onTick } from '../../base/maths/grid';
import { noteAt } from '../../base/maths/gridLadder';
import { gridReplay } from '../../base/maths/gridReplay';
import { logReturns } from '../../base/maths/returns';
import { standardDeviation } from '../../base/maths/statistics';
import { backgroundCache } from '../../market/scan/backgroundCache';
import { type BySpan, bySpan } from '../../market/scan/replay';
import type { Quoted } from '../../market/scan/sight';

/** What a grid with a coin in each cell made of days that its range knows nothing of, quote currency. */
export interface GridRun {
  lower: number;
  upper: number;
  /** Grid profit, floating profit and funding, all less fees (F27); and the first alone. */
  net: number;
  gridProfit: number;
  pairs: number;
}

/** What the days before say of an instrument. */
export interface GridPast {
  /** Of hourly returns, a year; null where nothing moved. */
  volatility: number | null;
  /** Share of the hours of the newest days whose close lay within the range. */
  inRange: number;
  /** Over the newest days, by the range of as many days before those. */
  run: GridRun;
  /** Over the spans of a replay, each by the range of the days before it; `null` where there are too few of those. */
  replays: BySpan<GridRun | null>;
}

/** How the range is laid, and of how many days. */
export interface GridWish {
  days: number;
  cells: number;
  range: GridRange;
}

const BAR = '1h';
const HOURS = 24;
/** Days that are read, whatever range is asked for, and one in case the newest hour is not closed yet. */
const READ_DAYS = RANGE_DAYS.maximum + Math.max(RANGE_DAYS.maximum, REPLAY_DAYS.month) + 1;
/** Average daily ranges that lie either way of the last close. */
const ATR_REACH = 3;
const HOURS_PER_YEAR = 8760;
/** Instruments, each with the wishes that somebody looks at. */
const KEPT = 20_000;

type Hours = Pick<Candles, 'high' | 'low' | 'close'>;
type TimedHours = Pick<Candles, 'time' | 'open' | 'high' | 'low' | 'close'>;

/** What a grid goes by beside its range. */
interface Terms {
  tick: number;
  /** Fractions of the notional. */
  makerFee: number;
  takerFee: number;
  /** It buys the coin itself, without leverage, and the fee is taken in it (F28). */
  isSpot: boolean;
  /** Paid by who is long: UTC ms, fractions of the notional. */
  settlements: { time: ArrayLike<number>; rate: ArrayLike<number> };
}

interface Asked {
  quoted: Quoted;
  wish: GridWish;
  /** UTC ms. */
  now: number;
}

/** Tells at once what is known of an instrument's days; see `backgroundCache`. */
export function createGridPast(
  ended?: AbortSignal,
): (quoted: Quoted, wish: GridWish, now: number) => GridPast | 'short' | 'pending' {
  const known = backgroundCache({
    read: readPast,
    keyOf: ({ quoted: { market, instrument }, wish: { days, cells, range } }) =>
      `${market.source} ${instrument.symbol} ${days} ${cells} ${range}`,
    versionOf: ({ quoted }) => quoted.market.version(),
    ...{ max: KEPT, ended },
  });
  return (quoted, wish, now) =>
    known({ quoted, wish, now }, quoted.instrument, `${wish.range} ${wish.days}`, wish.cells) ?? 'pending';
}

const NO_SETTLEMENTS = { time: [], rate: [] };

async function readPast({ quoted, wish, now }: Asked): Promise<GridPast | 'short'> {
  const { market, instrument, terms } = quoted;
  const { symbol, kind, tickSize } = instrument;
  const hours = await market.candles(symbol, BAR, { start: now - READ_DAYS * DAY_MS });
  if (hours === null || terms === null) return 'short';
  const newest = Math.max(wish.days, REPLAY_DAYS.month);
  const settled = await market.funding(symbol, { start: now - newest * DAY_MS });
  const { makerFee, takerFee } = terms;
  const settlements = settled ?? NO_SETTLEMENTS;
  return gridPast(hours, wish, {
    tick: Number(tickSize ?? 0),
    makerFee,
    takerFee,
    isSpot: kind === 'spot',
    settlements,
  });
}

/** The closed hours of so many days that end so many days before the newest one; `null` where not all of them are there. */
function daysOf(hours: TimedHours, days: number, before: number): TimedHours | null {
  const end = hours.close.length - before * HOURS;
  const start = end - days * HOURS;
  if (start < 0) return null;
  const { time, open, high, low, close } = hours;
  const cut = (column: Float64Array) => column.subarray(start, end);
  return { time: cut(time), open: cut(open), high: cut(high), low: cut(low), close: cut(close) };
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
  const count = days * HOURS;
  if (hours.close.length < count) return null;
  const last = (column: Float64Array) => column.subarray(-count);
  return rangeOf({ high: last(hours.high), low: last(hours.low), close: last(hours.close) }, range, tick);
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

/**
 * A grid as it is proposed over the newest days, whose range is that of as many days before them: what it is laid by and
 * what it is judged by have nothing in common. @param hours ascending in time
 */
export function gridPast(hours: TimedHours, wish: GridWish, terms: Terms): GridPast | 'short' {
  const { days } = wish;
  const newest = daysOf(hours, days, 0);
  const run = terms.tick > 0 ? runOver(hours, days, wish, terms) : null;
  if (newest === null || run === null) return 'short';
  const { close } = newest;
  const deviation = standardDeviation(logReturns(close));
  return {
    volatility: deviation === null ? null : deviation * Math.sqrt(HOURS_PER_YEAR),
    inRange: close.filter((one) => one >= run.lower && one <= run.upper).length / close.length,
    run,
    replays: bySpan((span) => (REPLAY_DAYS[span] === days ? run : runOver(hours, REPLAY_DAYS[span], wish, terms))),
  };
}

/** Over so many newest days, by the range of the days before; `null` where those are too few, or make no range. */
function runOver(hours: TimedHours, newest: number, wish: GridWish, terms: Terms): GridRun | null {
  const [before, held] = [daysOf(hours, wish.days, newest), daysOf(hours, newest, 0)];
  if (before === null || held === null) return null;
  const { lower, upper } = rangeOf(before, wish.range, terms.tick);
  if (!(lower > 0) || !(upper > lower)) return null;
  const { isSpot, tick, settlements, makerFee, takerFee } = terms;
  const { cells } = wish;
  const rules = {
    ...DEFAULT_GRID,
    lower,
    upper,
    cells,
    direction: isSpot ? ('long' as const) : DEFAULT_GRID.direction,
  };
  // A coin in each cell: what another quantity makes is as many times that.
  const steps = { tickSize: String(tick), lotSize: '1' };
  const { net, gridProfit, pairCount } = gridReplay({
    ...{ rules, hours: held, settlements, makerFee, takerFee },
    noteAt: (price) => ({ ...noteAt(rules, steps, price), quantity: '1' }),
    ...{ inCoin: isSpot, startsFree: false },
    capital: (cells * upper) / (isSpot ? 1 : DEFAULT_GRID.leverage),
  });
  return { lower, upper, net: net.at(-1) ?? 0, gridProfit, pairs: pairCount };
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
