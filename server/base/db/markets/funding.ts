import { and, eq, sql } from 'drizzle-orm';
import type { Queries } from '../client';
import { funding } from '../schema';
import { bytesOf } from './candle';

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
