import type { Bar } from '#contract/candle';
import type { Merged } from '../../base/db/markets/mergeSeries';
import type { CandleFile, FoundFile } from './candleFiles';
import { type CandleRows, type FundingRows, isFunding, NotCandles, readRows, shown } from './candleRows';
import { type CheckedFunding, checkFunding } from './checkedFunding';
import { type CheckedSeries, checkRows, Unusable } from './checkedSeries';
import { exchangeOfFolders, exchangeOfFunding, readFileName, symbolOfFunding } from './fileName';
import type { ImportedFunding, ImportedSeries } from './sink';

/** Stores one series of candles or settlements; `null` in a dry run, where nothing is stored. */
export type Sink = (series: ImportedSeries | ImportedFunding) => Promise<Merged | null>;

export interface FileOptions {
  /** Else each file says it itself. */
  exchange?: string | undefined;
  bar?: Bar | undefined;
  /** `+08:00`: of dates that name none, else they are UTC. */
  zone?: string | undefined;
  /** UTC ms. */
  now: number;
}

/** What became of one file. */
export type FileOutcome =
  | { kind: 'skipped' | 'failed'; label: string; reason: string }
  | {
      kind: 'imported';
      of: 'candles';
      label: string;
      source: string;
      symbol: string;
      /** Rows read, the header not counted. */
      read: number;
      series: CheckedSeries;
      turnoverIsEstimated: boolean;
      stored: Merged | null;
    }
  | {
      kind: 'imported';
      of: 'funding';
      label: string;
      source: string;
      symbol: string;
      read: number;
      series: CheckedFunding;
      stored: Merged | null;
    };

const SYMBOL_MAX = 64;

/** Reads, checks and stores one file; whatever is wrong with it becomes its outcome. */
export async function importFile(file: FoundFile, options: FileOptions, sink: Sink): Promise<FileOutcome> {
  const { label } = file;
  if ('skipped' in file) return { kind: 'skipped', label, reason: file.skipped };
  if ('failed' in file) return { kind: 'failed', label, reason: file.failed };
  try {
    return await take(file, options, sink);
  } catch (error) {
    if (error instanceof NotCandles) return { kind: 'skipped', label, reason: error.message };
    return { kind: 'failed', label, reason: reasonOf(error as NodeJS.ErrnoException) };
  }
}

async function take(file: CandleFile, options: FileOptions, sink: Sink): Promise<FileOutcome> {
  const rows = await readRows(await file.open(), options.zone);
  return isFunding(rows) ? takeFunding(file, rows, options, sink) : takeCandles(file, rows, options, sink);
}

async function takeCandles(
  file: CandleFile,
  rows: CandleRows,
  { exchange, bar, now }: FileOptions,
  sink: Sink,
): Promise<FileOutcome> {
  const source = exchange ?? exchangeOfFolders(file.folders);
  const named = readFileName(file.name, source);
  if ([...named.symbol].length > SYMBOL_MAX) throw new Unusable(`文件名中的币种超过 ${SYMBOL_MAX} 个字`);
  if (bar === undefined && named.bar === null) throw new Unusable(`不支持 ${named.barWord} K 线，只接受 1d、4h、1h`);
  const series = checkRows(rows, bar ?? named.bar ?? undefined, now);
  const stored = await sink({ source, symbol: named.symbol, bar: series.bar, candles: series.candles });
  return {
    kind: 'imported',
    of: 'candles',
    label: file.label,
    source,
    symbol: named.symbol,
    read: rows.read,
    series,
    turnoverIsEstimated: rows.layout.turnover === null,
    stored,
  };
}

async function takeFunding(
  file: CandleFile,
  rows: FundingRows,
  { exchange, now }: FileOptions,
  sink: Sink,
): Promise<FileOutcome> {
  const named = exchangeOfFunding(file.name);
  const source = exchange ?? named.exchange ?? exchangeOfFolders(file.folders);
  const symbols = [...rows.symbols];
  if (symbols.length > 1) throw new Unusable(`文件含有多个币种：${symbols.slice(0, 3).map(shown).join('、')}`);
  const symbol = symbols[0] || symbolOfFunding(named.name, source);
  if ([...symbol].length > SYMBOL_MAX) throw new Unusable(`币种超过 ${SYMBOL_MAX} 个字`);
  const series = checkFunding(rows, now);
  const stored = await sink({ source, symbol, time: series.time, rate: series.rate });
  return { kind: 'imported', of: 'funding', label: file.label, source, symbol, read: rows.read, series, stored };
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error instanceof Unusable || error.name === 'StartRefusal') return error.message;
  if (error.code?.startsWith('Z_') || /end of central|compress|crc|zip/i.test(error.message)) return '压缩数据已损坏';
  return `无法读取（${error.code ?? error.message}）`;
}
