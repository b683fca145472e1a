import { BAR_MS, BARS, type Bar } from '#contract/candle';
import type { Candles } from '../../base/maths/candles';
import { createCandles } from '../../base/maths/candles';
import { type CandleRows, CELLS_PER_ROW, type FileRows, type RejectedRow } from './candleRows';

/** `line` repeats the instant of `earlier`, whose values it replaced. */
export interface RepeatedRow {
  line: number;
  earlier: number;
}

/** `missing` bars are absent before the row at `line`. */
export interface Gap {
  line: number;
  missing: number;
}

/** What of a file may be stored, and what was found wrong with it. */
export interface CheckedSeries {
  bar: Bar;
  candles: Candles;
  repeated: RepeatedRow[];
  rejected: RejectedRow[];
  gaps: Gap[];
}

/** The file cannot be taken as a whole; the message says why, in Chinese. */
export class Unusable extends Error {
  override readonly name = 'Unusable';
}

/** Before the first Bitcoin block there was nothing to trade. */
export const FIRST_INSTANT = Date.UTC(2009, 0, 3);

/**
 * Checks the rows against each other and the bar's grid. The last of several rows with one time wins.
 * @param bar length of the bars, or `undefined` to find it in the rows
 * @param now UTC ms; bars that have not closed by then are rejected
 * @throws Unusable when the bar stays unknown, contradicts the rows, or most rows run backwards.
 */
export function checkRows(rows: CandleRows, bar: Bar | undefined, now: number): CheckedSeries {
  const length = checkedBar(rows, bar);
  const { kept, rejected, repeated } = keptRows(rows, (row) => faultOf(rows, row, BAR_MS[length], length, now));
  return { bar: length, candles: candlesOf(rows, kept), repeated, rejected, gaps: gapsOf(rows, kept, BAR_MS[length]) };
}

/**
 * The rows without fault, ascending by time; the last of several with one time.
 * @throws Unusable when none is left or most run backwards.
 */
export function keptRows(rows: FileRows, faultIn: (row: number) => string | null) {
  const rejected = [...rows.rejected];
  const repeated: RepeatedRow[] = [];
  const kept: number[] = [];
  const rowOf = new Map<number, number>();
  let backwards = 0;
  for (let row = 0; row < rows.count; row += 1) {
    const line = cell(rows, row, 0);
    const time = cell(rows, row, 1);
    const reason = faultIn(row);
    const place = rowOf.get(time);
    const newest = kept.length === 0 ? Number.NEGATIVE_INFINITY : cell(rows, kept.at(-1)!, 1);
    if (reason !== null) {
      rejected.push({ line, reason });
    } else if (place !== undefined) {
      repeated.push({ line, earlier: cell(rows, kept[place]!, 0) });
      kept[place] = row;
    } else if (time < newest) {
      backwards += 1;
      rejected.push({ line, reason: `时间早于前一行：${dateOf(time)} 在 ${dateOf(newest)} 之后` });
    } else {
      rowOf.set(time, kept.length);
      kept.push(row);
    }
  }
  if (backwards > rows.count / 2) throw new Unusable('多数行的时间早于前一行，请先按时间升序排列');
  if (kept.length === 0) throw new Unusable(`没有可用的行（读到 ${rows.read} 行，全部拒绝）`);
  rejected.sort((a, b) => a.line - b.line);
  return { kept, rejected, repeated };
}

export const cell = (rows: FileRows, row: number, column: number) => rows.cells[row * CELLS_PER_ROW + column]!;
export const dateOf = (instant: number) => new Date(instant).toISOString().slice(0, 16).replace('T', ' ');

/** Why a row cannot be a candle, or null. */
function faultOf(rows: CandleRows, row: number, barMs: number, bar: Bar, now: number): string | null {
  const [time, open, high, low, close, volume, turnover] = rows.cells.subarray(
    row * CELLS_PER_ROW + 1,
    (row + 1) * CELLS_PER_ROW,
  ) as unknown as [number, number, number, number, number, number, number];
  if (time < FIRST_INSTANT || time > 8.64e15) return `时间超出范围：${time}`;
  const prices = { open, high, low, close };
  for (const [name, price] of Object.entries(prices)) {
    if (!(price > 0)) return `价格必须大于 0：${name} = ${price}`;
  }
  if (high < low) return `最高价低于最低价：${high} < ${low}`;
  for (const [name, price] of Object.entries({ open, close })) {
    if (price > high || price < low) return `${name} = ${price} 不在最低价 ${low} 与最高价 ${high} 之间`;
  }
  if (volume < 0 || turnover < 0) return `成交量或成交额为负：${Math.min(volume, turnover)}`;
  if (time % barMs !== 0) return `时间不在 ${bar} 的整点上：${dateOf(time)}`;
  if (time + barMs > now) return `K 线尚未收盘：${dateOf(time)}`;
  return null;
}

/** The bar of the rows; the one that was asked for, where the rows do not contradict. */
function checkedBar(rows: CandleRows, asked: Bar | undefined): Bar {
  const step = medianStep(rows);
  const found = BARS.find((bar) => BAR_MS[bar] === step);
  if (asked === undefined) {
    if (found) return found;
    throw new Unusable(
      step === null
        ? '行数太少，看不出 K 线周期，请用 --bar 指明'
        : `时间间隔为 ${step / 60_000} 分钟，只接受 ${BARS.join('、')}`,
    );
  }
  // Hourly rows on a daily grid would leave each midnight's hour to pass for a day.
  if (step !== null && (step < BAR_MS[asked] || (found !== undefined && found !== asked))) {
    throw new Unusable(`周期应为 ${asked}，但行与行相隔 ${step / 60_000} 分钟`);
  }
  return asked;
}

/** Median of the steps between neighbouring times, or null where there is none. */
export function medianStep(rows: FileRows): number | null {
  const steps: number[] = [];
  for (let row = 1; row < rows.count; row += 1) {
    const step = Math.abs(cell(rows, row, 1) - cell(rows, row - 1, 1));
    if (step > 0) steps.push(step);
  }
  steps.sort((a, b) => a - b);
  return steps[Math.floor((steps.length - 1) / 2)] ?? null;
}

function gapsOf(rows: CandleRows, kept: number[], barMs: number): Gap[] {
  const gaps: Gap[] = [];
  for (let i = 1; i < kept.length; i += 1) {
    const missing = (cell(rows, kept[i]!, 1) - cell(rows, kept[i - 1]!, 1)) / barMs - 1;
    if (missing > 0) gaps.push({ line: cell(rows, kept[i]!, 0), missing });
  }
  return gaps;
}

function candlesOf(rows: CandleRows, kept: number[]): Candles {
  const candles = createCandles(kept.length);
  const columns = [
    candles.time,
    candles.open,
    candles.high,
    candles.low,
    candles.close,
    candles.volume,
    candles.turnover,
  ];
  for (let i = 0; i < kept.length; i += 1) {
    for (let c = 0; c < columns.length; c += 1) columns[c]![i] = cell(rows, kept[i]!, c + 1);
  }
  return candles;
}
