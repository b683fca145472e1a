/**
 * Columns of equal length `n`, ascending and unique by `time`.
 * `time` is the bar's opening instant in UTC ms; prices are in the quote currency, `volume` in the
 * base currency, `turnover` in the quote currency. The columns lie on shared memory, so a worker
 * thread reads them without a copy; nobody writes to them after they were made.
 */
export interface Candles {
  time: Float64Array;
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
  volume: Float64Array;
  turnover: Float64Array;
}

/** Half-open range of opening instants in UTC ms: `start <= time < end`. */
export interface TimeRange {
  start?: number;
  end?: number;
}

/** The columns of `Candles`, in the order in which they are stored and sent. */
export const COLUMNS = ['time', 'open', 'high', 'low', 'close', 'volume', 'turnover'] as const;
export type Column = (typeof COLUMNS)[number];

/** `length` rows of zeros on one piece of shared memory. */
export function createCandles(length: number): Candles {
  const memory = new SharedArrayBuffer(length * 8 * COLUMNS.length);
  const column = (i: number) => new Float64Array(memory, i * length * 8, length);
  return {
    time: column(0),
    open: column(1),
    high: column(2),
    low: column(3),
    close: column(4),
    volume: column(5),
    turnover: column(6),
  };
}

/** Views on the rows `from` to `to` (exclusive); nothing is copied. */
export function sliceCandles(candles: Candles, from: number, to: number): Candles {
  if (from === 0 && to === candles.time.length) return candles;
  const part = (column: Float64Array) => column.subarray(from, Math.max(from, to));
  return {
    time: part(candles.time),
    open: part(candles.open),
    high: part(candles.high),
    low: part(candles.low),
    close: part(candles.close),
    volume: part(candles.volume),
    turnover: part(candles.turnover),
  };
}

/** Series that follow each other as one. */
export function joinCandles(parts: readonly Candles[]): Candles {
  const joined = createCandles(parts.reduce((sum, { time }) => sum + time.length, 0));
  let at = 0;
  for (const part of parts) {
    for (const column of COLUMNS) joined[column].set(part[column], at);
    at += part.time.length;
  }
  return joined;
}

/** First index whose value is not below `instant`, in ascending `times`. */
export function lowerBound(times: Float64Array, instant: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! < instant) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Indexes `[from, to)` of the rows inside a half-open range of instants. */
export function indexesWithin(times: Float64Array, range: TimeRange = {}): [from: number, to: number] {
  const from = range.start === undefined ? 0 : lowerBound(times, range.start);
  const to = range.end === undefined ? times.length : lowerBound(times, range.end);
  return [from, Math.max(from, to)];
}
