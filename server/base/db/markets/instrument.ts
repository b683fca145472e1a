import { eq, exists, sql } from 'drizzle-orm';
import type { Queries } from '../client';
import { candle, instrument } from '../schema';

/** One imported symbol. */
export interface InstrumentRow {
  symbol: string;
  base: string;
  quote: string;
}

/** `stamp` changes with every import into the source. */
export interface SourceRow {
  source: string;
  stamp: string;
}

/** Imported sources by name: the one that is asked for, or those with candles; funding alone is nothing to look at. */
export async function listSources(db: Queries, source?: string): Promise<SourceRow[]> {
  const candles = db.select({ one: sql`1` }).from(candle).where(eq(candle.source, instrument.source));
  return db
    .select({
      source: instrument.source,
      stamp: sql<string>`count(*)::text || '-' || sum(${instrument.importedAt})::text`,
    })
    .from(instrument)
    .where(source === undefined ? exists(candles) : eq(instrument.source, source))
    .groupBy(instrument.source)
    .orderBy(instrument.source);
}

export async function listInstruments(db: Queries, source: string): Promise<InstrumentRow[]> {
  return db
    .select({ symbol: instrument.symbol, base: instrument.base, quote: instrument.quote })
    .from(instrument)
    .where(eq(instrument.source, source));
}

/**
 * Notes an import into a symbol; to be called first in its transaction, because the row's lock keeps
 * two imports of one symbol apart. `importedAt` (UTC ms) always rises, also when a clock does not.
 */
export async function noteImport(
  db: Queries,
  row: InstrumentRow & { source: string; importedAt: number },
): Promise<void> {
  await db
    .insert(instrument)
    .values(row)
    .onConflictDoUpdate({
      target: [instrument.source, instrument.symbol],
      set: { importedAt: sql`greatest(excluded.imported_at, ${instrument.importedAt} + 1)` },
    });
}
