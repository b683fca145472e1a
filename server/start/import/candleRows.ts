import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { type CsvError, parse } from 'csv-parse';

/** Where a file of candles keeps what; column numbers from 0. */
interface CandleLayout {
  kind: 'candles';
  time: number;
  open: number;
  high: number;
  low: number;
  close: number;
  volume: number;
  /** `null` where the file has none: it is then estimated from volume and prices. */
  turnover: number | null;
  columns: number;
  hasHeader: boolean;
}

/** Where a file of settled funding keeps what. */
interface FundingLayout {
  kind: 'funding';
  time: number;
  rate: number;
  /** `null` where the file has none: its name says it. */
  symbol: number | null;
  columns: number;
  hasHeader: true;
}

const NAMES = {
  time: ['timestamp', 'opentime', 'time', 'unix', 'datetime', 'date'],
  open: ['open', 'openprice'],
  high: ['high', 'highprice'],
  low: ['low', 'lowprice'],
  close: ['close', 'closeprice'],
  volume: ['volume', 'vol', 'basevolume', 'volumebase'],
  turnover: ['turnover', 'quotevolume', 'quoteassetvolume', 'volumequote', 'amount'],
} as const;
const FUNDING_NAMES = {
  time: ['fundingtime', 'fundingratetimestamp', 'calctime', ...NAMES.time],
  rate: ['fundingrate', 'lastfundingrate', 'realizedrate', 'rate'],
  symbol: ['symbol', 'instid', 'contract'],
} as const;

const BINANCE_COLUMNS = 12;
const isNumber = (cell: string) => cell.trim() !== '' && Number.isFinite(Number(cell));

/** Reads the first row of a file; `null` when it is one of neither candles nor funding. */
function layoutOf(first: readonly string[]): CandleLayout | FundingLayout | null {
  if (isNumber(first[0] ?? '')) {
    // Binance's public klines come without a header; nothing else without one can be told apart safely.
    if (first.length !== BINANCE_COLUMNS || !first.every(isNumber)) return null;
    return {
      kind: 'candles',
      time: 0,
      open: 1,
      high: 2,
      low: 3,
      close: 4,
      volume: 5,
      turnover: 7,
      columns: 12,
      hasHeader: false,
    };
  }
  const words = first.map((cell) => cell.toLowerCase().replace(/[^a-z]/g, ''));
  const find = (names: readonly string[]) =>
    names.map((name) => words.indexOf(name)).find((column) => column >= 0) ?? -1;
  const at = {
    time: find(NAMES.time),
    open: find(NAMES.open),
    high: find(NAMES.high),
    low: find(NAMES.low),
    close: find(NAMES.close),
    volume: find(NAMES.volume),
  };
  if (Object.values(at).some((column) => column < 0)) {
    const [time, rate, symbol] = [FUNDING_NAMES.time, FUNDING_NAMES.rate, FUNDING_NAMES.symbol].map(find);
    if (time! < 0 || rate! < 0) return null;
    const columns = first.length;
    return {
      kind: 'funding',
      time: time!,
      rate: rate!,
      symbol: symbol! < 0 ? null : symbol!,
      columns,
      hasHeader: true,
    };
  }
  const turnover = find(NAMES.turnover);
  return { kind: 'candles', ...at, turnover: turnover < 0 ? null : turnover, columns: first.length, hasHeader: true };
}

/** A row that was read but not taken; `line` counts from 1, the header included. */
export interface RejectedRow {
  line: number;
  reason: string;
}

/** The numbers of a file, row by row as they are in it: 8 a row, the line first. */
interface RowsOf<Layout> {
  layout: Layout;
  /** Rows read, the header not counted. */
  read: number;
  count: number;
  /** line, time, then open, high, low, close, volume, turnover, or the rate of funding, of each row. */
  cells: Float64Array;
  /** Named by rows of funding. */
  symbols: Set<string>;
  rejected: RejectedRow[];
}
export type CandleRows = RowsOf<CandleLayout>;
export type FundingRows = RowsOf<FundingLayout>;
export type FileRows = CandleRows | FundingRows;

export const isFunding = (rows: FileRows): rows is FundingRows => rows.layout.kind === 'funding';

export const CELLS_PER_ROW = 8;
const VALUES = ['open', 'high', 'low', 'close', 'volume', 'turnover'] as const;
const MAX_ROW_BYTES = 64 * 1024;
const NEEDED =
  '表头不是 K 线（需要 timestamp|time|date、open、high、low、close、volume），也不是资金费（需要 time|date|fundingTime、rate|fundingRate）';

/** The file holds neither candles nor funding; the message says why, in Chinese. */
export class NotCandles extends Error {
  override readonly name = 'NotCandles';
}

/** Collects rows, and what could not be read as one. */
class RowCollector implements RowsOf<CandleLayout | FundingLayout> {
  layout!: CandleLayout | FundingLayout;
  read = 0;
  count = 0;
  cells = new Float64Array(CELLS_PER_ROW * 1024);
  readonly symbols = new Set<string>();
  readonly rejected: RejectedRow[] = [];
  readonly #zone: string | undefined;
  #started = false;

  constructor(zone: string | undefined) {
    this.#zone = zone;
  }

  take(row: string[], line: number): void {
    if (!this.#started) {
      this.#started = true;
      const layout = layoutOf(row);
      if (!layout) throw new NotCandles(NEEDED);
      this.layout = layout;
      if (layout.hasHeader) return;
    }
    this.read += 1;
    const reason = this.#add(row, line);
    if (reason !== null) this.rejected.push({ line, reason });
  }

  reject(line: number, reason: string): void {
    this.read += 1;
    this.rejected.push({ line, reason });
  }

  /** Why the row cannot be added, or null. */
  #add(row: string[], line: number): string | null {
    const { layout } = this;
    if (row.length !== layout.columns) return `应有 ${layout.columns} 列，实有 ${row.length} 列`;
    const time = instantOf(row[layout.time]!, this.#zone);
    if (!Number.isFinite(time)) return `时间无法识别：${shown(row[layout.time]!)}`;
    this.#makeRoom();
    const at = this.count * CELLS_PER_ROW;
    this.cells[at] = line;
    this.cells[at + 1] = time;
    if (layout.kind === 'funding') return this.#addRate(row, layout, at);
    for (let i = 0; i < VALUES.length; i += 1) {
      const column = layout[VALUES[i]!];
      if (column === null) continue;
      const value = numberOf(row[column]!);
      if (Number.isNaN(value)) return `不是数字：${VALUES[i]} = ${shown(row[column]!)}`;
      this.cells[at + 2 + i] = value;
    }
    if (layout.turnover === null) this.cells[at + 7] = this.#estimatedTurnover(at);
    this.count += 1;
    return null;
  }

  #addRate(row: string[], layout: FundingLayout, at: number): string | null {
    const cell = row[layout.rate]!;
    const rate = numberOf(cell);
    if (Number.isNaN(rate)) return `不是数字：rate = ${shown(cell)}`;
    if (layout.symbol !== null) this.symbols.add(row[layout.symbol]!.trim());
    this.cells[at + 2] = rate;
    this.count += 1;
    return null;
  }

  #estimatedTurnover(at: number): number {
    const [open, high, low, close, volume] = this.cells.subarray(at + 2, at + 7);
    return (volume! * (open! + high! + low! + close!)) / 4;
  }

  #makeRoom(): void {
    if ((this.count + 1) * CELLS_PER_ROW <= this.cells.length) return;
    const larger = new Float64Array(this.cells.length * 2);
    larger.set(this.cells);
    this.cells = larger;
  }
}

function numberOf(cell: string): number {
  const text = cell.trim();
  const value = text === '' ? Number.NaN : Number(text);
  // `0x10` and `Infinity` are numbers to JavaScript only.
  return Number.isFinite(value) && !/[xob]/i.test(text) ? value : Number.NaN;
}

/** Text of a file as a report may show it: short, and without what would move the terminal. */
export function shown(cell: string): string {
  const text = cell.replace(/\p{C}/gu, '?');
  return text.trim() === '' ? '（空）' : text.length > 24 ? `${text.slice(0, 24)}…` : text;
}

/**
 * Reads the rows of a CSV stream.
 * @param zone of dates that name none; UTC unless told
 * @throws NotCandles when the first row is one of neither candles nor funding, the stream's own error when it breaks.
 */
export async function readRows(stream: Readable, zone?: string): Promise<FileRows> {
  const rows = new RowCollector(zone);
  const parser = parse({
    bom: true,
    delimiter: [',', ';', '\t'],
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: MAX_ROW_BYTES,
    skip_records_with_error: true,
    on_skip: (error: CsvError | undefined) => {
      // A line that is no CSV: long as a whole file, or a quote that never ends.
      rows.reject(Number(error?.lines ?? 0), '不是有效的 CSV 行');
      return undefined;
    },
    on_record: (row: string[], { lines }) => {
      rows.take(row, lines);
      // Kept as numbers already: nothing is left to pass on.
      return null;
    },
  });
  stream.on('error', (error) => parser.destroy(error));
  parser.resume();
  stream.pipe(parser);
  try {
    await finished(parser);
  } finally {
    stream.destroy();
  }
  if (rows.layout === undefined) throw new NotCandles('空文件');
  return rows as FileRows;
}

const NUMBER = /^\d+(\.\d+)?(e\+?\d+)?$/i;
const DATE = /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)\s*(Z|UTC|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * Instant of a cell in UTC ms, or NaN: seconds, milliseconds, microseconds or nanoseconds since 1970,
 * told apart by their size (years 2001 to 2286), or an ISO date, in `ownZone` where it names none.
 */
function instantOf(cell: string, ownZone = 'Z'): number {
  const text = cell.trim();
  if (NUMBER.test(text)) {
    const value = Number(text);
    if (value < 1e10) return value * 1e3;
    if (value < 1e13) return value;
    if (value < 1e16) return value / 1e3;
    return value / 1e6;
  }
  const [, year, month, day, time, zone] = DATE.exec(text) ?? [];
  if (year === undefined) return Number.NaN;
  const named = zone ?? ownZone;
  const offset = /^(z|utc)$/i.test(named) ? 'Z' : named.replace(/^(...)(\d\d)$/, '$1:$2');
  const instant = Date.parse(`${year}-${month}-${day}T${time ?? '00:00'}${offset}`);
  // 2024-02-31 would silently become the 2nd of March.
  const midnight = new Date(Date.parse(`${year}-${month}-${day}T00:00Z`));
  return midnight.getUTCDate() === Number(day) ? instant : Number.NaN;
}
