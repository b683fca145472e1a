import type { FastifyInstance } from 'fastify';
import { Enum, Integer, Object as Obj, type Static, String as Str } from 'typebox';
import { BAR_MS, BARS, isLiveSource, SIMULATED } from '#contract/candle';
import { HOUR_MS } from '#contract/duration';
import { SourceName, SymbolName } from '#contract/value';
import type { Queries } from '../../base/db/client';
import { Refusal } from '../../base/http/refusal';
import { COLUMNS, createCandles } from '../../base/maths/candles';
import type { Clock } from '../../market/exchange';
import { candleFiles } from './candleFiles';
import { MAX_RATE } from './checkedFunding';
import type { RepeatedRow } from './checkedSeries';
import { type FileOptions, type FileOutcome, importFile, type Sink } from './importFile';
import { type ImportedFunding, type ImportedSeries, importSeries } from './sink';

/** One file's candles: each column is base64 of little-endian float64. */
const SeriesBody = Obj({
  source: SourceName,
  symbol: SymbolName(),
  bar: Enum([...BARS]),
  count: Integer({ minimum: 1 }),
  time: Str(),
  open: Str(),
  high: Str(),
  low: Str(),
  close: Str(),
  volume: Str(),
  turnover: Str(),
});
type SeriesBody = Static<typeof SeriesBody>;

/** One file's settlements, in columns likewise. */
const FundingBody = Obj({
  source: SourceName,
  symbol: SymbolName(),
  count: Integer({ minimum: 1 }),
  time: Str(),
  rate: Str(),
});
type FundingBody = Static<typeof FundingBody>;

/** Fifty years of hours are 33 MB. */
const BODY_LIMIT_BYTES = 64 * 1024 * 1024;

const malformed = (message: string) => new Refusal(400, 400, message);

/** Adds `POST /import/series` and `/import/funding` to the commands' calls; they answer how many rows were added and replaced. */
export function registerImportCall(app: FastifyInstance, { db, clock }: { db: Queries; clock: Clock }): void {
  app.post<{ Body: SeriesBody }>(
    '/import/series',
    { schema: { body: SeriesBody }, bodyLimit: BODY_LIMIT_BYTES },
    async ({ body }) => ({ code: 200, message: 'ok', data: await importSeries(db, seriesOf(body), clock()) }),
  );
  app.post<{ Body: FundingBody }>(
    '/import/funding',
    { schema: { body: FundingBody }, bodyLimit: BODY_LIMIT_BYTES },
    async ({ body }) => ({ code: 200, message: 'ok', data: await importSeries(db, fundingOf(body), clock()) }),
  );
}

const encode = ({ buffer, byteOffset, byteLength }: Float64Array) =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64');

/** The body of one series. */
export function bodyOf({ source, symbol, bar, candles }: ImportedSeries): SeriesBody {
  const columns = Object.fromEntries(COLUMNS.map((column) => [column, encode(candles[column])]));
  return { source, symbol, bar, count: candles.time.length, ...columns } as SeriesBody;
}

/** The body of one symbol's settlements. */
export function fundingBodyOf({ source, symbol, time, rate }: ImportedFunding): FundingBody {
  return { source, symbol, count: time.length, time: encode(time), rate: encode(rate) };
}

function checkSource(source: string): void {
  if (source === SIMULATED) throw malformed(`${SIMULATED} 是内置行情的名字，请换一个交易所名`);
  if (isLiveSource(source)) throw malformed(`${source} 是实时行情的名字，请换一个交易所名`);
}

function decodeInto(target: Float64Array, base64: string, column: string): void {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length !== target.byteLength) throw malformed(`${column} 列的长度与 count 不符`);
  new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(bytes);
  if (!target.every(Number.isFinite)) throw malformed(`${column} 列含有不是数字的值`);
}

function fundingOf({ source, symbol, count, ...columns }: FundingBody): ImportedFunding {
  checkSource(source);
  const [time, rate] = [new Float64Array(count), new Float64Array(count)];
  decodeInto(time, columns.time, 'time');
  decodeInto(rate, columns.rate, 'rate');
  const isAscending = time.every((at, i) => at % HOUR_MS === 0 && (i === 0 || at > time[i - 1]!));
  if (!isAscending) throw malformed('time 列必须升序、不重复，且在整点上');
  if (rate.some((value) => Math.abs(value) > MAX_RATE)) throw malformed('rate 列含有超出 ±5% 的值');
  return { source, symbol, time, rate };
}

function seriesOf(body: SeriesBody): ImportedSeries {
  checkSource(body.source);
  const candles = createCandles(body.count);
  for (const column of COLUMNS) decodeInto(candles[column], body[column], column);
  const { time } = candles;
  const step = BAR_MS[body.bar];
  const isAscending = time.every((instant, i) => instant % step === 0 && (i === 0 || instant > time[i - 1]!));
  if (!isAscending) throw malformed('time 列必须升序、不重复，且在 K 线的整点上');
  return { source: body.source, symbol: body.symbol, bar: body.bar, candles };
}

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
