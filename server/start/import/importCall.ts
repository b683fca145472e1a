import type { FastifyInstance } from 'fastify';
import { Enum, Integer, Object as Obj, type Static, String as Str } from 'typebox';
import { BAR_MS, BARS, SIMULATED } from '#contract/candle';
import { HOUR_MS } from '#contract/duration';
import { SourceName, SymbolName } from '#contract/value';
import type { Queries } from '../../base/db/client';
import { Refusal } from '../../base/http/refusal';
import { COLUMNS, createCandles } from '../../base/maths/candles';
import type { Clock } from '../../market/exchange';
import { MAX_RATE } from './checkedFunding';
import { type ImportedFunding, type ImportedSeries, importSeries } from './sink';

/** One file's candles: each column is base64 of little-endian float64. */
export const SeriesBody = Obj({
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
export type SeriesBody = Static<typeof SeriesBody>;

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
