import { eq, inArray } from 'drizzle-orm';
import type { HedgeSettings } from '#contract/hedgeConfig';
import type { Queries } from '#server/db/client';
import {
  book,
  equityPoint,
  fill,
  hedge,
  hedgeConfig,
  hedgeEvent,
  hedgePair,
  ledger,
  tradeOrder,
} from '#server/db/schema';

/** A hedge with both its legs, as one row. */
export type HedgeRows = typeof hedge.$inferInsert;
export type OrderRows = typeof tradeOrder.$inferInsert;
export type FillRows = typeof fill.$inferInsert;
type PairRows = typeof hedgePair.$inferInsert;

type BookRows = Partial<Omit<typeof book.$inferInsert, 'userId'>>;

interface Saved {
  settings: HedgeSettings;
  version?: number;
  /** UTC ms. */
  at?: number;
  by?: string;
}

/** Opens a user's book, with settings where there are some. */
export async function addBook(db: Queries, userId: string, rows: BookRows = {}, saved?: Saved): Promise<void> {
  await db.insert(book).values({ userId, ...rows });
  if (saved === undefined) return;
  const { settings, version = 1, at = 0, by = 'test' } = saved;
  await db.insert(hedgeConfig).values({ userId, version, settings, updatedAt: at, updatedBy: by });
}

/** Switches entries of a book on or off, as an intent. */
export async function switchTo(db: Queries, userId: string, enabled: boolean, revision: number): Promise<void> {
  await db.update(book).set({ enabled, revision }).where(eq(book.userId, userId));
}

/** Saves other settings over those of a user, without an intent. */
export async function changeSettings(db: Queries, userId: string, change: Partial<HedgeSettings>): Promise<void> {
  const [config] = await db.select().from(hedgeConfig).where(eq(hedgeConfig.userId, userId));
  const settings = { ...(config!.settings as HedgeSettings), ...change };
  await db.update(hedgeConfig).set({ settings }).where(eq(hedgeConfig.userId, userId));
}

/** The version of each user's settings. */
export async function settingsVersions(db: Queries): Promise<Map<string, number>> {
  const rows = await db.select().from(hedgeConfig);
  return new Map(rows.map(({ userId, version }) => [userId, version]));
}

/** Adds a pair of the simulated market, whose owner's book is open. */
export async function addPair(db: Queries, row: Omit<PairRows, 'source'> & { source?: string }): Promise<string> {
  const [made] = await db
    .insert(hedgePair)
    .values({ source: 'simulated', ...row })
    .returning();
  return made!.id;
}

export async function changePair(db: Queries, id: string, change: Partial<PairRows>): Promise<void> {
  await db.update(hedgePair).set(change).where(eq(hedgePair.id, id));
}

/** Pairs, removed ones as well: of a user, or of all. */
export async function pairsOf(db: Queries, userId?: string) {
  return db
    .select()
    .from(hedgePair)
    .where(userId === undefined ? undefined : eq(hedgePair.userId, userId));
}

export async function pairById(db: Queries, id: string) {
  return (await pairsOf(db)).find((row) => row.id === id)!;
}

export async function addHedges(db: Queries, ...rows: HedgeRows[]): Promise<void> {
  await db.insert(hedge).values(rows);
}

export async function changeHedges(db: Queries, ids: readonly string[], change: Partial<HedgeRows>): Promise<void> {
  await db
    .update(hedge)
    .set(change)
    .where(inArray(hedge.id, [...ids]));
}

export async function changeAllHedges(db: Queries, change: Partial<HedgeRows>): Promise<void> {
  await db.update(hedge).set(change);
}

export async function clearHedges(db: Queries, id?: string): Promise<void> {
  await db.delete(hedge).where(id === undefined ? undefined : eq(hedge.id, id));
}

export async function addEvents(db: Queries, ...rows: (typeof hedgeEvent.$inferInsert)[]): Promise<void> {
  await db.insert(hedgeEvent).values(rows);
}

export async function addOrders(db: Queries, ...rows: OrderRows[]): Promise<void> {
  await db.insert(tradeOrder).values(rows);
}

export async function addFills(db: Queries, ...rows: FillRows[]): Promise<void> {
  await db.insert(fill).values(rows);
}

export async function addLedger(db: Queries, ...rows: (typeof ledger.$inferInsert)[]): Promise<void> {
  await db.insert(ledger).values(rows);
}

export async function addPoints(db: Queries, ...rows: (typeof equityPoint.$inferInsert)[]): Promise<void> {
  await db.insert(equityPoint).values(rows);
}
