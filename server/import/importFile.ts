import type { Bar } from '#contract/candle';
import type { CandleFile, FoundFile } from './candleFiles';
import { NotCandles, readCandleRows } from './candleRows';
import { type CheckedSeries, checkRows, Unusable } from './checkedSeries';
import { exchangeOfFolders, readFileName } from './fileName';
import type { Imported, ImportedSeries } from './sink';

/** Stores one series; `null` in a dry run, where nothing is stored. */
export type Sink = (series: ImportedSeries) => Promise<Imported | null>;

export interface FileOptions {
  /** Else each file says it itself. */
  exchange?: string | undefined;
  bar?: Bar | undefined;
  /** UTC ms. */
  now: number;
}

/** What became of one file. */
export type FileOutcome =
  | { kind: 'skipped' | 'failed'; label: string; reason: string }
  | {
      kind: 'imported';
      label: string;
      source: string;
      symbol: string;
      /** Rows read, the header not counted. */
      read: number;
      series: CheckedSeries;
      turnoverIsEstimated: boolean;
      stored: Imported | null;
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

async function take(file: CandleFile, { exchange, bar, now }: FileOptions, sink: Sink): Promise<FileOutcome> {
  const source = exchange ?? exchangeOfFolders(file.folders);
  const named = readFileName(file.name, source);
  if ([...named.symbol].length > SYMBOL_MAX) throw new Unusable(`文件名中的币种超过 ${SYMBOL_MAX} 个字`);
  const rows = await readCandleRows(await file.open());
  if (bar === undefined && named.bar === null) throw new Unusable(`不支持 ${named.barWord} K 线，只接受 1d、4h、1h`);
  const series = checkRows(rows, bar ?? named.bar ?? undefined, now);
  const stored = await sink({ source, symbol: named.symbol, bar: series.bar, candles: series.candles });
  return {
    kind: 'imported',
    label: file.label,
    source,
    symbol: named.symbol,
    read: rows.read,
    series,
    turnoverIsEstimated: rows.layout.turnover === null,
    stored,
  };
}

function reasonOf(error: NodeJS.ErrnoException): string {
  if (error instanceof Unusable || error.name === 'StartRefusal') return error.message;
  if (error.code?.startsWith('Z_') || /end of central|compress|crc|zip/i.test(error.message)) return '压缩数据已损坏';
  return `无法读取（${error.code ?? error.message}）`;
}
