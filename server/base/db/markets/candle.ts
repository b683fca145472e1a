import { and, eq, getTableColumns, inArray, sql } from 'drizzle-orm';
import { BARS, type Bar } from '#contract/candle';
import type { Candles } from '../../maths/candles';
import { COLUMNS, type Column, createCandles } from '../../maths/candles';
import type { Queries } from '../client';
import { candle, funding } from '../schema';

/** What is stored of one symbol and bar; instants are opening instants, UTC ms. */
export interface StoredSeries {
  symbol: string;
  bar: Bar;
  count: number;
  firstAt: number;
  lastAt: number;
}

/** The series of a source, coarsest bar first within a symbol. */
export async function listSeries(db: Queries, source: string): Promise<StoredSeries[]> {
  const rows = await db
    .select({
      symbol: candle.symbol,
      bar: candle.bar,
      count: sql`sum(${candle.count})`.mapWith(Number),
      firstAt: sql`min(${candle.firstAt})`.mapWith(Number),
      lastAt: sql`max(${candle.lastAt})`.mapWith(Number),
    })
    .from(candle)
    .where(eq(candle.source, source))
    .groupBy(candle.symbol, candle.bar);
  // Only `writeYear` writes the column.
  return (rows as StoredSeries[]).sort((a, b) => BARS.indexOf(a.bar) - BARS.indexOf(b.bar));
}

type Encoded = Record<Column, string>;
/** A column as it is stored. */
export const bytesOf = (column: Float64Array) => new Uint8Array(column.buffer, column.byteOffset, column.byteLength);

const encoded = (column: Column) => sql<string>`encode(${candle[column]}, 'base64')`;
/** The last `rows` values of a column. */
const encodedTail = (column: Column, rows: number) =>
  sql<string>`encode(substring(${candle[column]} from greatest(1, length(${candle[column]}) - ${rows * 8 - 1})), 'base64')`;

function eachColumn<T>(make: (column: Column) => T): Record<Column, T> {
  return Object.fromEntries(COLUMNS.map((column) => [column, make(column)])) as Record<Column, T>;
}

/** Joins years, ascending, to one series on shared memory. */
function join(years: Encoded[]): Candles {
  const parts = years.map((year) => eachColumn((column) => Buffer.from(year[column], 'base64')));
  const candles = createCandles(parts.reduce((sum, part) => sum + part.time.length / 8, 0));
  for (const column of COLUMNS) {
    const target = candles[column];
    const bytes = new Uint8Array(target.buffer, target.byteOffset, target.byteLength);
    let at = 0;
    for (const part of parts) {
      bytes.set(part[column], at);
      at += part[column].length;
    }
  }
  return candles;
}

function bySymbol(rows: (Encoded & { symbol: string })[]): Map<string, Candles> {
  const years = new Map<string, Encoded[]>();
  for (const row of rows) years.set(row.symbol, [...(years.get(row.symbol) ?? []), row]);
  return new Map([...years].map(([symbol, parts]) => [symbol, join(parts)]));
}

/** Whole histories in one query; a symbol that is not stored is left out. */
export async function readCandles(
  db: Queries,
  source: string,
  bar: Bar,
  symbols: string[],
): Promise<Map<string, Candles>> {
  const rows = await db
    .select({ symbol: candle.symbol, ...eachColumn(encoded) })
    .from(candle)
    .where(and(eq(candle.source, source), eq(candle.bar, bar), inArray(candle.symbol, symbols)))
    .orderBy(candle.symbol, candle.year);
  return bySymbol(rows);
}

/** The newest `rows` candles, at least, of every symbol, without reading the histories. */
export async function readTails(db: Queries, source: string, bar: Bar, rows: number): Promise<Map<string, Candles>> {
  // A year may have just begun: its neighbour fills up.
  const isNewest = sql`${candle.year} >= (select max(newest.year) - 1 from candle newest where newest.source = ${candle.source} and newest.symbol = ${candle.symbol} and newest.bar = ${candle.bar})`;
  const found = await db
    .select({ symbol: candle.symbol, ...eachColumn((column) => encodedTail(column, rows)) })
    .from(candle)
    .where(and(eq(candle.source, source), eq(candle.bar, bar), isNewest))
    .orderBy(candle.symbol, candle.year);
  return bySymbol(found);
}

/** Which part of whose history. */
export interface YearKey {
  source: string;
  symbol: string;
  bar: Bar;
  year: number;
}

/** One calendar year (UTC) of a series, or null. */
export async function readYear(db: Queries, key: YearKey): Promise<Candles | null> {
  const [row] = await db
    .select(eachColumn(encoded))
    .from(candle)
    .where(
      and(
        eq(candle.source, key.source),
        eq(candle.symbol, key.symbol),
        eq(candle.bar, key.bar),
        eq(candle.year, key.year),
      ),
    );
  return row ? join([row]) : null;
}

/** Replaces one calendar year of a series by `candles`, which lie in it, ascending, at least one. */
export async function writeYear(db: Queries, key: YearKey, candles: Candles): Promise<void> {
  const row = {
    count: candles.time.length,
    firstAt: candles.time[0]!,
    lastAt: candles.time.at(-1)!,
    ...eachColumn((column) => bytesOf(candles[column])),
  };
  const { source, symbol, bar, year } = getTableColumns(candle);
  await db
    .insert(candle)
    .values({ ...key, ...row })
    .onConflictDoUpdate({ target: [source, symbol, bar, year], set: row });
}

/** Settlements of one symbol, ascending: UTC ms, and fractions of the notional. */
export interface StoredFunding {
  time: Float64Array;
  rate: Float64Array;
}

/** Symbols of a source with settlements, and the hours between the newest two. */
export async function listFunding(db: Queries, source: string): Promise<{ symbol: string; hours: number }[]> {
  return db
    .select({ symbol: funding.symbol, hours: funding.hours })
    .from(funding)
    .where(eq(funding.source, source))
    .orderBy(funding.symbol);
}

export async function readFunding(db: Queries, source: string, symbol: string): Promise<StoredFunding | null> {
  const [row] = await db
    .select({
      time: sql<string>`encode(${funding.time}, 'base64')`,
      rate: sql<string>`encode(${funding.rate}, 'base64')`,
    })
    .from(funding)
    .where(and(eq(funding.source, source), eq(funding.symbol, symbol)));
  return row ? { time: columnOf(row.time), rate: columnOf(row.rate) } : null;
}

function columnOf(base64: string): Float64Array {
  const bytes = Buffer.from(base64, 'base64');
  const column = new Float64Array(bytes.length / 8);
  new Uint8Array(column.buffer).set(bytes);
  return column;
}

/** Replaces all settlements of a symbol. */
export async function writeFunding(
  db: Queries,
  key: { source: string; symbol: string },
  { time, rate, hours }: StoredFunding & { hours: number },
): Promise<void> {
  const row = { hours, time: bytesOf(time), rate: bytesOf(rate) };
  await db
    .insert(funding)
    .values({ ...key, ...row })
    .onConflictDoUpdate({ target: [funding.source, funding.symbol], set: row });
}
