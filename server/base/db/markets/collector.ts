import { and, eq, getTableColumns, ne, sql } from 'drizzle-orm';
import type { CollectorProgress } from '#contract/dataSource';
import type { Queries } from '../client';
import { databaseNow } from '../connection/statements';
import { collector, funding } from '../schema';

interface Holding {
  source: string;
  /** Names the process. */
  holder: string;
}

/**
 * Says whether sources are followed on their test networks, once for as long as the database is there.
 * @returns those of the database of which the other is said, followed or not
 */
export async function settleNetworks(db: Queries, sources: readonly string[], isTestnet: boolean): Promise<string[]> {
  const rows = sources.map((source) => ({ source, isTestnet }));
  if (rows.length > 0) await db.insert(collector).values(rows).onConflictDoNothing();
  const others = await db
    .select({ source: collector.source })
    .from(collector)
    .where(ne(collector.isTestnet, isTestnet));
  return others.map(({ source }) => source);
}

/** Takes or prolongs the right to collect a source, by the database's clock. @returns whether it is held now */
export async function holdCollector(
  db: Queries,
  { source, holder, leaseMs }: Holding & { leaseMs: number },
): Promise<boolean> {
  const held = { holder, leaseUntil: sql`${databaseNow} + ${leaseMs}` };
  const taken = await db
    .insert(collector)
    .values({ source, ...held })
    .onConflictDoUpdate({
      target: collector.source,
      set: held,
      setWhere: sql`${collector.holder} = ${holder} or ${collector.holder} is null or ${collector.leaseUntil} <= ${databaseNow}`,
    })
    .returning({ source: collector.source });
  return taken.length > 0;
}

export async function giveCollectorBack(db: Queries, { source, holder }: Holding): Promise<void> {
  await db
    .update(collector)
    .set({ holder: null, leaseUntil: 0 })
    .where(and(eq(collector.source, source), eq(collector.holder, holder)));
}

/** Says how far it is; what holds it no more says nothing. */
export async function saveCollectorProgress(
  db: Queries,
  { source, holder, progress }: Holding & { progress: CollectorProgress },
): Promise<void> {
  await db
    .update(collector)
    .set({ progress })
    .where(and(eq(collector.source, source), eq(collector.holder, holder)));
}

export type CollectorRow = { source: string; progress: CollectorProgress | null; isHeld: boolean };

export async function listCollectors(db: Queries): Promise<CollectorRow[]> {
  const { source, progress } = getTableColumns(collector);
  const isHeld = sql<boolean>`${collector.holder} is not null and ${collector.leaseUntil} > ${databaseNow}`;
  return db.select({ source, progress, isHeld }).from(collector).orderBy(source);
}

/** Settlements of each symbol of a source: how many, and when the newest was, UTC ms. */
export async function listSettled(
  db: Queries,
  source: string,
): Promise<{ symbol: string; count: number; lastAt: number }[]> {
  const rows = await db
    .select({
      symbol: funding.symbol,
      count: sql`length(${funding.time}) / 8`.mapWith(Number),
      last: sql<string>`encode(substring(${funding.time} from length(${funding.time}) - 7), 'base64')`,
    })
    .from(funding)
    .where(eq(funding.source, source));
  return rows.map(({ last, ...row }) => ({ ...row, lastAt: Buffer.from(last, 'base64').readDoubleLE() }));
}
