import { MathsRefusal } from './mathsRefusal';

/** The columns of a symbol's candles that a computation needs; opening instants in UTC ms, prices in one currency. */
export interface Bars {
  time: Float64Array;
  open: Float64Array;
  high: Float64Array;
  low: Float64Array;
  close: Float64Array;
}

export interface UsableCloses {
  /** Opening instants of bars whose four prices are all positive and finite, strictly ascending. */
  time: Float64Array;
  close: Float64Array;
  /** Opening instants of all stored bars, unusable ones too. */
  stored: Float64Array;
}

/**
 * Closes to compute with: duplicated times keep the last row; a bar with a price that is not positive and finite counts
 * as a bar that the symbol lacks. Clean columns come back as they are, without a copy.
 * @throws MathsRefusal `badColumns` where columns differ in length or a time is no number.
 */
export function usableCloses(bars: Bars): UsableCloses {
  const { time, open, high, low, close } = bars;
  const lengths = [open, high, low, close].map((column) => column.length);
  if (lengths.some((length) => length !== time.length)) {
    throw new MathsRefusal('badColumns', 'bars', 'columns of one symbol differ in length');
  }
  const rows = ascendingUnique(time);
  const bad = countUnusable(bars);
  if (rows === null && bad === 0) return { time, close, stored: time };
  const stored = rows === null ? time : pick(time, rows);
  const usable = (rows ?? rowNumbers(time.length)).filter((row) =>
    isUsable(open[row]!, high[row]!, low[row]!, close[row]!),
  );
  return { time: pick(time, usable), close: pick(close, usable), stored };
}

function countUnusable({ open, high, low, close }: Bars): number {
  let bad = 0;
  for (let i = 0; i < close.length; i++) if (!isUsable(open[i]!, high[i]!, low[i]!, close[i]!)) bad++;
  return bad;
}

function isUsable(open: number, high: number, low: number, close: number): boolean {
  return open > 0 && high > 0 && low > 0 && close > 0 && open + high + low + close < Number.POSITIVE_INFINITY;
}

/** 0, 1, 2 ... (a loop: the iterators of typed arrays are many times slower). */
function rowNumbers(length: number): Int32Array {
  const rows = new Int32Array(length);
  for (let i = 0; i < length; i++) rows[i] = i;
  return rows;
}

/**
 * Rows in ascending order of time, of equal times the last one; `null` where the column is so already.
 * @throws MathsRefusal `badColumns` where a time is no finite number.
 */
export function ascendingUnique(time: Float64Array): Int32Array | null {
  if (isAscending(time)) return null;
  if (!time.every(Number.isFinite)) throw new MathsRefusal('badColumns', 'time', 'a time is not a finite number');
  const rows = rowNumbers(time.length).sort((a, b) => time[a]! - time[b]! || a - b);
  return rows.filter((row, i) => time[rows[i + 1] ?? -1] !== time[row]);
}

/** Strictly; a NaN fails the comparison. In ascending order only the ends can be infinite. */
function isAscending(time: Float64Array): boolean {
  if (time.length > 0 && !(Number.isFinite(time[0]) && Number.isFinite(time[time.length - 1]))) return false;
  let before = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < time.length; i++) {
    const now = time[i]!;
    if (!(now > before)) return false;
    before = now;
  }
  return true;
}

export function pick(values: Float64Array, rows: Int32Array): Float64Array {
  const result = new Float64Array(rows.length);
  for (let i = 0; i < rows.length; i++) result[i] = values[rows[i]!]!;
  return result;
}

/** Times that are in every column; columns strictly ascending. Equal columns cost one comparison pass. */
export function commonTimes(columns: readonly Float64Array[]): Float64Array {
  return columns.reduce((common, column) => (sameTimes(common, column) ? common : intersection(common, column)));
}

/** Number of distinct times within [from, to] over all columns; columns strictly ascending. */
export function countTimes(columns: readonly Float64Array[], from: number, to: number): number {
  const all = columns.reduce((sum, column) => (sameTimes(sum, column) ? sum : union(sum, column)));
  return Math.max(0, firstAtOrAfter(all, to, 'after') - firstAtOrAfter(all, from));
}

/** Values of a column at the times of `axis`, all of which are in `time`; a mere section is not copied. */
export function valuesAt(time: Float64Array, values: Float64Array, axis: Float64Array): Float64Array {
  const start = firstAtOrAfter(time, axis[0]!);
  // Strictly ascending and containing the axis: equal ends mean an equal section.
  if (time[start + axis.length - 1] === axis[axis.length - 1]) return values.subarray(start, start + axis.length);
  const result = new Float64Array(axis.length);
  let row = start;
  for (let i = 0; i < axis.length; i++) {
    while (time[row]! < axis[i]!) row++;
    result[i] = values[row]!;
  }
  return result;
}

/** The newest value at or before each time of `axis`; NaN before the first one. Both ascending. */
export function carriedTo(time: Float64Array, values: Float64Array, axis: Float64Array): Float64Array {
  const result = new Float64Array(axis.length);
  let row = -1;
  for (let i = 0; i < axis.length; i++) {
    while (row + 1 < time.length && time[row + 1]! <= axis[i]!) row++;
    result[i] = row < 0 ? Number.NaN : values[row]!;
  }
  return result;
}

/** Index of the first time >= `instant` (or > it with `after`) by bisection; the length where there is none. */
export function firstAtOrAfter(time: Float64Array, instant: number, edge: 'at' | 'after' = 'at'): number {
  let low = 0;
  let high = time.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (time[middle]! < instant || (edge === 'after' && time[middle] === instant)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function sameTimes(x: Float64Array, y: Float64Array): boolean {
  if (x === y) return true;
  if (x.length !== y.length) return false;
  for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return false;
  return true;
}

function intersection(x: Float64Array, y: Float64Array): Float64Array {
  const result = new Float64Array(Math.min(x.length, y.length));
  let count = 0;
  for (let i = 0, j = 0; i < x.length && j < y.length; ) {
    const a = x[i]!;
    const b = y[j]!;
    if (a === b) result[count++] = a;
    if (a <= b) i++;
    if (b <= a) j++;
  }
  return result.subarray(0, count);
}

function union(x: Float64Array, y: Float64Array): Float64Array {
  const result = new Float64Array(x.length + y.length);
  let count = 0;
  for (let i = 0, j = 0; i < x.length || j < y.length; ) {
    const a = x[i] ?? Number.POSITIVE_INFINITY;
    const b = y[j] ?? Number.POSITIVE_INFINITY;
    result[count++] = Math.min(a, b);
    if (a <= b) i++;
    if (b <= a) j++;
  }
  return result.subarray(0, count);
}
