import { and, desc, eq, getTableColumns, inArray, lt, sql } from 'drizzle-orm';
import { BARS, type Bar } from '#contract/candle';
import type { Candles } from '../../maths/candles';
import { COLUMNS, type Column, createCandles } from '../../maths/candles';
import type { Queries } from '../client';
import { candle, funding } from '../schema';

/** Minutes are kept of what is watched. */
export const MINUTE = '1m';
export const STORED_BARS = [...BARS, MINUTE] as const;
export type StoredBar = (typeof STORED_BARS)[number];

/** What is stored of one symbol and bar; instants are opening instants, UTC ms. */
export interface StoredSeries<B extends StoredBar = Bar> {
  symbol: string;
  bar: B;
  count: number;
  firstAt: number;
  lastAt: number;
}

/** The series of a source, of these bars (default: all but minutes), coarsest bar first within a symbol. */
export async function listSeries(db: Queries, source: string): Promise<StoredSeries[]>;
export async function listSeries<B extends StoredBar>(
  db: Queries,
  source: string,
  bars: readonly B[],
): Promise<StoredSeries<B>[]>;
export async function listSeries(
  db: Queries,
  source: string,
  bars: readonly StoredBar[] = BARS,
): Promise<StoredSeries<StoredBar>[]> {
  const rows = await db
    .select({
      symbol: candle.symbol,
      bar: candle.bar,
      count: sql`sum(${candle.count})`.mapWith(Number),
      firstAt: sql`min(${candle.firstAt})`.mapWith(Number),
      lastAt: sql`max(${candle.lastAt})`.mapWith(Number),
    })
    .from(candle)
    .where(and(eq(candle.source, source), inArray(candle.bar, [...bars])))
    .groupBy(candle.symbol, candle.bar);
  // Only `writePart` writes the column.
  return (rows as StoredSeries<StoredBar>[]).sort((a, b) => STORED_BARS.indexOf(a.bar) - STORED_BARS.indexOf(b.bar));
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

/** Joins rows, ascending, to one series on shared memory. */
function join(rows: Encoded[]): Candles {
  const parts = rows.map((row) => eachColumn((column) => Buffer.from(row[column], 'base64')));
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
  const parts = new Map<string, Encoded[]>();
  for (const row of rows) parts.set(row.symbol, [...(parts.get(row.symbol) ?? []), row]);
  return new Map([...parts].map(([symbol, own]) => [symbol, join(own)]));
}

/** Whole histories in one query; a symbol that is not stored is left out. */
export async function readCandles(
  db: Queries,
  source: string,
  bar: StoredBar,
  symbols: string[],
): Promise<Map<string, Candles>> {
  const rows = await db
    .select({ symbol: candle.symbol, ...eachColumn(encoded) })
    .from(candle)
    .where(and(eq(candle.source, source), eq(candle.bar, bar), inArray(candle.symbol, symbols)))
    .orderBy(candle.symbol, candle.part);
  return bySymbol(rows);
}

/** The newest `rows` candles, at least, of every symbol, without reading the histories. */
export async function readTails(db: Queries, source: string, bar: Bar, rows: number): Promise<Map<string, Candles>> {
  // A year may have just begun: its neighbour fills up.
  const isNewest = sql`${candle.part} >= (select max(newest.year) - 1 from candle newest where newest.source = ${candle.source} and newest.symbol = ${candle.symbol} and newest.bar = ${candle.bar})`;
  const found = await db
    .select({ symbol: candle.symbol, ...eachColumn((column) => encodedTail(column, rows)) })
    .from(candle)
    .where(and(eq(candle.source, source), eq(candle.bar, bar), isNewest))
    .orderBy(candle.symbol, candle.part);
  return bySymbol(found);
}

/** The newest minutes of a symbol, of so many hours in which there are any; those that began before `end`. */
export async function readMinutes(
  db: Queries,
  { source, symbol }: { source: string; symbol: string },
  { hours, end }: { hours: number; end?: number | undefined },
): Promise<Candles> {
  const rows = await db
    .select(eachColumn(encoded))
    .from(candle)
    .where(
      and(
        eq(candle.source, source),
        eq(candle.symbol, symbol),
        eq(candle.bar, MINUTE),
        end === undefined ? undefined : lt(candle.firstAt, end),
      ),
    )
    .orderBy(desc(candle.part))
    .limit(hours);
  return join(rows.reverse());
}

/** Which part of whose history. */
export interface PartKey {
  source: string;
  symbol: string;
  bar: StoredBar;
  /** A calendar year (UTC); of minutes an hour, counted from 1970. */
  part: number;
}

/** One part of a series, or null; within a transaction nobody else writes it until that ends. */
export async function readPart(db: Queries, key: PartKey): Promise<Candles | null> {
  const [row] = await db
    .select(eachColumn(encoded))
    .from(candle)
    .where(
      and(
        eq(candle.source, key.source),
        eq(candle.symbol, key.symbol),
        eq(candle.bar, key.bar),
        eq(candle.part, key.part),
      ),
    )
    .for('update');
  return row ? join([row]) : null;
}

/** In an upsert the value that was to be inserted: bytes are sent once. */
const inserted = ({ name }: { name: string }) => sql.raw(`excluded.${name}`);

/** Replaces one part of a series by `candles`, which lie in it, ascending, at least one. */
export async function writePart(db: Queries, key: PartKey, candles: Candles): Promise<void> {
  const row = {
    count: candles.time.length,
    firstAt: candles.time[0]!,
    lastAt: candles.time.at(-1)!,
    ...eachColumn((column) => bytesOf(candles[column])),
  };
  const { source, symbol, bar, part, count, firstAt, lastAt } = getTableColumns(candle);
  const set = { count: inserted(count), firstAt: inserted(firstAt), lastAt: inserted(lastAt) };
  await db
    .insert(candle)
    .values({ ...key, ...row })
    .onConflictDoUpdate({
      target: [source, symbol, bar, part],
      set: { ...set, ...eachColumn((column) => inserted(candle[column])) },
    });
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
    .onConflictDoUpdate({
      target: [funding.source, funding.symbol],
      set: { hours: inserted(funding.hours), time: inserted(funding.time), rate: inserted(funding.rate) },
    });
}
