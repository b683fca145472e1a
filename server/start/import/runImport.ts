import { candleFiles } from './candleFiles';
import type { RepeatedRow } from './checkedSeries';
import { type FileOptions, type FileOutcome, importFile, type Sink } from './importFile';

/** Lines of a report on one file: what was skipped, refused, repeated or is missing, each with its place. */
function fileReport(outcome: FileOutcome): string[] {
  const { label } = outcome;
  if (outcome.kind !== 'imported') {
    return [`${label}：${outcome.kind === 'skipped' ? '跳过' : '失败'}，${outcome.reason}`];
  }
  const { rejected, repeated } = outcome.series;
  return [
    ...(outcome.of === 'candles' && outcome.turnoverIsEstimated ? [`${label}：没有成交额列，按成交量 × 均价估算`] : []),
    ...rejected.map(({ line, reason }) => `${label}:${line}：拒绝，${reason}`),
    ...(repeated.length > 0
      ? [`${label}：重复 ${repeated.length} 行，同一时间以后一行为准：第 ${linesOf(repeated)} 行`]
      : []),
    ...gapsOf(outcome).map(([line, missing]) => `${label}:${line}：缺口，此行之前缺 ${missing}`),
  ];
}

/** The line and what is missing before it. */
function gapsOf(outcome: Extract<FileOutcome, { kind: 'imported' }>): [line: number, missing: string][] {
  if (outcome.of === 'candles') {
    const { gaps, bar } = outcome.series;
    return gaps.map(({ line, missing }) => [line, `${missing} 根 ${bar} K 线`]);
  }
  return outcome.series.gaps.map(({ line, missing, hours }) => [line, `${missing} 次结算（每 ${hours} 小时一次）`]);
}

/** `3, 5-9, 12`. */
function linesOf(rows: RepeatedRow[]): string {
  const ranges: [first: number, last: number][] = [];
  for (const { line } of rows) {
    const range = ranges.at(-1);
    if (range && line === range[1] + 1) range[1] = line;
    else ranges.push([line, line]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join('、');
}

/** Sums over all files of one import. */
interface ImportTotals {
  imported: number;
  skipped: number;
  failed: number;
  symbols: Set<string>;
  read: number;
  kept: number;
  repeated: number;
  rejected: number;
  gaps: number;
  missing: number;
  added: number;
  replaced: number;
}

const noTotals = (): ImportTotals => ({
  imported: 0,
  skipped: 0,
  failed: 0,
  symbols: new Set(),
  read: 0,
  kept: 0,
  repeated: 0,
  rejected: 0,
  gaps: 0,
  missing: 0,
  added: 0,
  replaced: 0,
});

function addTo(totals: ImportTotals, outcome: FileOutcome): void {
  totals[outcome.kind] += 1;
  if (outcome.kind !== 'imported') return;
  const { repeated, rejected, gaps } = outcome.series;
  const { time } = outcome.of === 'candles' ? outcome.series.candles : outcome.series;
  totals.symbols.add(`${outcome.source} ${outcome.symbol}`);
  totals.read += outcome.read;
  totals.kept += time.length;
  totals.repeated += repeated.length;
  totals.rejected += rejected.length;
  totals.gaps += gaps.length;
  totals.missing += gaps.reduce((sum: number, gap) => sum + gap.missing, 0);
  totals.added += outcome.stored?.added ?? 0;
  totals.replaced += outcome.stored?.replaced ?? 0;
}

/** The last lines of the report. */
function summary(totals: ImportTotals, isDryRun: boolean): string[] {
  const { imported, skipped, failed, symbols, read, kept, repeated, rejected, gaps, missing } = totals;
  return [
    `${isDryRun ? '试运行，未写入' : '完成'}：文件 ${imported} 个（跳过 ${skipped}，失败 ${failed}），币种 ${symbols.size} 个`,
    `读取 ${read} 行：保留 ${kept}，重复 ${repeated}，拒绝 ${rejected}；缺口 ${gaps} 处，共缺 ${missing} 条`,
    ...(isDryRun ? [] : [`写入：新增 ${totals.added} 条，更新 ${totals.replaced} 条`]),
  ];
}

/** Where the report goes: lines that stay, and the line of the file at work, which does not. */
export interface ReportOutput {
  line(text: string): void;
  progress(text: string): void;
}

export interface ImportRun extends FileOptions {
  paths: string[];
  isDryRun: boolean;
  /** What a packed file may unpack to; 512 MB unless told. */
  maxUnpackedBytes?: number;
}

/** Imports all files of `paths` and reports on each. @throws StartRefusal when a path leads nowhere. */
export async function runImport(run: ImportRun, sink: Sink, output: ReportOutput): Promise<ImportTotals> {
  const totals = noTotals();
  for (const path of run.paths) {
    for await (const file of candleFiles(path, run.maxUnpackedBytes)) {
      output.progress(file.label);
      const outcome = await importFile(file, run, run.isDryRun ? async () => null : sink);
      addTo(totals, outcome);
      for (const line of fileReport(outcome)) output.line(line);
    }
  }
  if (totals.imported + totals.failed === 0) output.line('没有找到 K 线或资金费文件');
  for (const line of summary(totals, run.isDryRun)) output.line(line);
  return totals;
}
