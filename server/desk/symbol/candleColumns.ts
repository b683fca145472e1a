import { BAR_MS, BARS, type Bar, type ChartBar, isMinuteBar } from '#contract/candle';
import { HOUR_MS, MINUTE_MS } from '#contract/duration';
import type { DataOf, QueryOf } from '#contract/endpoint';
import type { CandleColumns, symbol } from '#contract/symbol';
import { invalid, refused } from '../../base/http/refusal';
import { type Candles, COLUMNS, createCandles, lowerBound, sliceCandles } from '../../base/maths/candles';
import { firstAtOrAfter } from '../../base/maths/closes';
import { fundingApr } from '../../base/maths/funding';
import { bollingerBands, movingAverage } from '../../base/maths/indicator';
import { nullable } from '../../base/maths/statistics';
import { INSTRUMENT_KINDS, type Instrument, type Market, type RunningHour } from '../../market/exchange';
import { instrumentOf } from './marketOf';

/** A bar that has not closed: as `RunningHour`, over what has passed of its period. */
type FormingBar = RunningHour;

type Row = Pick<RunningHour, 'time' | 'open' | 'high' | 'low' | 'close' | 'volume' | 'turnover'>;

function rowsOf({ time, open, high, low, close, volume, turnover }: Candles): Row[] {
  return Array.from(time, (at, i) => ({
    time: at,
    open: open[i]!,
    high: high[i]!,
    low: low[i]!,
    close: close[i]!,
    volume: volume[i]!,
    turnover: turnover[i]!,
  }));
}

/** One bar out of shorter ones, ascending, at least one. */
function folded(time: number, parts: readonly Row[]): Row {
  const sum = (column: 'volume' | 'turnover') => parts.reduce((total, part) => total + part[column], 0);
  return {
    time,
    open: parts[0]!.open,
    high: Math.max(...parts.map(({ high }) => high)),
    low: Math.min(...parts.map(({ low }) => low)),
    close: parts.at(-1)!.close,
    volume: sum('volume'),
    turnover: sum('turnover'),
  };
}

/**
 * The running bar of a symbol, folded from the finest stored bars that closed within it and the running hour: its open
 * is the first price known of the period. `null` where nothing is known after `closedAt`.
 * @param closedAt when the newest closed `bar` closed, UTC ms.
 */
async function formingBar(
  market: Market,
  { symbol, bars }: Pick<Instrument, 'symbol' | 'bars'>,
  bar: Bar,
  closedAt: number,
): Promise<FormingBar | null> {
  const finest = BARS.filter((finer) => BAR_MS[finer] < BAR_MS[bar] && bars.includes(finer)).at(-1);
  const [running, stored] = await Promise.all([
    market.runningHour(symbol),
    finest === undefined ? null : market.candles(symbol, finest, { start: closedAt }),
  ]);
  const closed = stored === null ? [] : rowsOf(stored);
  const last = running ?? closed.at(-1);
  if (last === undefined) return null;
  const time = Math.floor(last.time / BAR_MS[bar]) * BAR_MS[bar];
  const parts: Row[] = [...closed.filter((row) => row.time >= time), ...(running ? [running] : [])];
  return { ...folded(time, parts), at: running?.at ?? last.time + BAR_MS[finest!] };
}

/** Rows `from` to the end of closed candles (exclusive `to`), and the running bar after them. */
function withForming(closed: Candles, from: number, to: number, forming: FormingBar | null): Candles {
  const recent = sliceCandles(closed, from, to);
  if (forming === null) return recent;
  const length = recent.time.length;
  const all = createCandles(length + 1);
  for (const [name, column] of Object.entries(all) as [keyof Candles, Float64Array][]) {
    column.set(recent[name]);
    column[length] = forming[name];
  }
  return all;
}

type Query = QueryOf<typeof symbol.candle>;

/** Bars before the first one shown that the longest average needs. */
const WARM_UP = 24;

/** Closed candles, and the running bar where one is known. */
interface History {
  closed: Candles;
  forming: FormingBar | null;
}

/** Bars out of minutes, as many as are asked for; the last one runs for as long as its last minute is not there. */
async function minuteHistory(
  minutes: NonNullable<Market['minutes']>,
  symbol: string,
  bar: ChartBar,
  { limit, end }: Query,
): Promise<History> {
  const hours = Math.ceil(((limit + WARM_UP) * BAR_MS[bar]) / HOUR_MS) + 1;
  const rows = rowsOf(await minutes(symbol, { hours, end }));
  const parts = new Map<number, Row[]>();
  for (const row of rows) {
    const time = Math.floor(row.time / BAR_MS[bar]) * BAR_MS[bar];
    if (!parts.get(time)?.push(row)) parts.set(time, [row]);
  }
  const bars = [...parts].map(([time, own]) => folded(time, own));
  const at = (rows.at(-1)?.time ?? 0) + MINUTE_MS;
  const last = bars.at(-1);
  const running = last && at < last.time + BAR_MS[bar] ? bars.pop() : undefined;
  const closed = createCandles(bars.length);
  for (const [i, row] of bars.entries()) for (const column of COLUMNS) closed[column][i] = row[column];
  return { closed, forming: running ? { ...running, at } : null };
}

async function historyOf(
  market: Market,
  instrument: Instrument,
  { bar, query }: { bar: ChartBar; query: Query },
  field: string,
): Promise<History> {
  if (isMinuteBar(bar)) {
    if (!market.minutes) throw refused('noCandles', `${instrument.symbol} ${bar}`, field);
    return minuteHistory(market.minutes.bind(market), instrument.symbol, bar, query);
  }
  const closed = await market.candles(instrument.symbol, bar);
  if (closed === null) throw refused('noCandles', `${instrument.symbol} ${bar}`, field);
  const last = closed.time.at(-1);
  const closedAt = last === undefined ? 0 : last + BAR_MS[bar];
  return { closed, forming: await formingBar(market, instrument, bar, closedAt) };
}

async function otherHistory(market: Market, name: string, of: { bar: ChartBar; query: Query }): Promise<History> {
  const instrument = (await market.instruments()).find(({ symbol }) => symbol === name);
  if (instrument === undefined) throw refused('unknownSymbol', name, 'compare');
  return historyOf(market, instrument, of, 'compare');
}

interface Section {
  from: number;
  to: number;
}

/** Rows within `start <= time < end`, the newest `limit` of them. */
function sectionOf({ time }: Candles, { start, end, limit }: Query): Section {
  const to = end === undefined ? time.length : firstAtOrAfter(time, end);
  const first = start === undefined ? 0 : firstAtOrAfter(time, start);
  return { from: Math.min(to, Math.max(first, to - limit)), to };
}

/** Averages and bands of the section, computed from enough bars before it. */
function indicators({ close }: Candles, { from, to }: Section) {
  const warm = Math.max(0, from - WARM_UP);
  const values = close.subarray(warm, to);
  const cut = (column: Float64Array) => nullable(column.subarray(from - warm));
  const bands = bollingerBands(values);
  return {
    ma7: cut(movingAverage(values, 7)),
    ma25: cut(movingAverage(values, 25)),
    bollUpper: cut(bands.upper),
    bollMiddle: cut(bands.middle),
    bollLower: cut(bands.lower),
  };
}

/** Both closes as changes since their first common bar; `null` where the other symbol has no bar. */
function comparison(
  own: Candles,
  { from, to }: Section,
  other: Candles,
): { own: (number | null)[]; other: (number | null)[] } {
  const time = own.time.subarray(from, to);
  const close = own.close.subarray(from, to);
  const theirs = new Array<number | null>(time.length).fill(null);
  let row = firstAtOrAfter(other.time, time[0] ?? 0);
  for (let i = 0; i < time.length; i++) {
    while (row < other.time.length && other.time[row]! < time[i]!) row++;
    if (other.time[row] === time[i]) theirs[i] = other.close[row]!;
  }
  const first = theirs.findIndex((value) => value !== null);
  if (first < 0) return { own: theirs.slice(), other: theirs };
  const ownBase = close[first]!;
  const otherBase = theirs[first]!;
  return {
    own: nullable(close.map((value) => value / ownBase - 1)),
    other: theirs.map((value) => (value === null ? null : value / otherBase - 1)),
  };
}

/** The rows asked for with those before them that the averages need; the running bar is one of them. */
function rowsFor(query: Query, { closed, forming }: History): { candles: Candles; formingAt: number | null } {
  const { from, to } = sectionOf(closed, query);
  const wanted = query.end === undefined || (forming !== null && query.end > forming.time) ? forming : null;
  const candles = withForming(closed, Math.max(0, from - WARM_UP), to, wanted);
  return { candles, formingAt: wanted && (query.start ?? 0) <= wanted.time ? wanted.at : null };
}

/** What GET /api/symbol/candle answers with. @throws refusals that name the field at fault. */
export async function candleColumns(market: Market, query: Query): Promise<CandleColumns> {
  const { symbol: name, start, end, compare } = query;
  if (start !== undefined && end !== undefined && start >= end) throw invalid('end', '结束时间必须晚于开始时间');
  if (compare === name) throw invalid('compare', '请选择另一个币种来比较');
  const instrument = await instrumentOf(market, name, INSTRUMENT_KINDS);
  const bar = query.bar ?? instrument.bars[0];
  if (bar === undefined) throw refused('noCandles', name, 'symbol');
  const own = await historyOf(market, instrument, { bar, query }, 'bar');
  const { candles, formingAt } = rowsFor(query, own);
  const section = sectionOf(candles, query);
  const cut = (column: Float64Array) => Array.from(column.subarray(section.from, section.to));
  const other = compare === undefined ? null : await otherHistory(market, compare, { bar, query });
  const theirs =
    other &&
    withForming(
      other.closed,
      lowerBound(other.closed.time, candles.time[0] ?? 0),
      other.closed.time.length,
      other.forming,
    );
  return {
    symbol: name,
    bar,
    formingAt,
    time: cut(candles.time),
    open: cut(candles.open),
    high: cut(candles.high),
    low: cut(candles.low),
    close: cut(candles.close),
    volume: cut(candles.volume),
    turnover: cut(candles.turnover),
    ...indicators(candles, section),
    compare: theirs && { symbol: compare!, ...comparison(candles, section, theirs) },
  };
}

/** What GET /api/symbol/funding answers with: the newest settlements, ascending; empty where the source has none. */
export async function fundingColumns(
  market: Market,
  { symbol: name, limit }: QueryOf<typeof symbol.funding>,
): Promise<DataOf<typeof symbol.funding>> {
  const { fundingHours: hours } = await instrumentOf(market, name);
  const funding = await market.funding(name);
  const time = Array.from(funding?.time.subarray(-limit) ?? []);
  const rate = Array.from(funding?.rate.subarray(-limit) ?? []);
  // Without the interval a rate says nothing about a year.
  const known = hours === null ? [] : rate.map((value) => fundingApr(value, hours) ?? 0);
  return { symbol: name, hours, time, rate, apr: known };
}
