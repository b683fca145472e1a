import { and, count, desc, eq, gte, lte } from 'drizzle-orm';
import type { Queries } from '../client';
import { marketSample } from '../schema';

export type SampleRow = typeof marketSample.$inferSelect;
interface Sampled {
  source: string;
  symbol: string;
}

/** What is there already of an instant stays. */
export async function addSamples(db: Queries, rows: SampleRow[]): Promise<void> {
  if (rows.length > 0) await db.insert(marketSample).values(rows).onConflictDoNothing();
}

const isOf = ({ source, symbol }: Sampled) => and(eq(marketSample.source, source), eq(marketSample.symbol, symbol));

/** The newest of a symbol, ascending. */
export async function newestSamples(db: Queries, of: Sampled, limit: number): Promise<SampleRow[]> {
  const rows = await db.select().from(marketSample).where(isOf(of)).orderBy(desc(marketSample.at)).limit(limit);
  return rows.reverse();
}

/** The first of a symbol within a stretch of time, UTC ms. */
export async function firstSample(db: Queries, of: Sampled, from: number, until: number): Promise<SampleRow | null> {
  const isWithin = and(isOf(of), gte(marketSample.at, from), lte(marketSample.at, until));
  const [row] = await db.select().from(marketSample).where(isWithin).orderBy(marketSample.at).limit(1);
  return row ?? null;
}

export async function countSamples(db: Queries, source: string): Promise<number> {
  const [row] = await db.select({ count: count() }).from(marketSample).where(eq(marketSample.source, source));
  return row?.count ?? 0;
}
