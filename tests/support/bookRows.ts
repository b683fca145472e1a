import { and, eq, inArray } from 'drizzle-orm';
import { SIMULATED } from '#contract/candle';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { PAIR_WARNINGS } from '#contract/pair';
import { openFirstAccount } from '#server/base/db/accounts/venueAccount';
import { openBook } from '#server/base/db/books/book';
import type { Queries } from '#server/base/db/client';
import {
  createConfig,
  insertPair,
  openHedgeStrategy,
  type PairRow,
  switchDesk,
} from '#server/base/db/hedges/hedgeConfig';
import type { hedge } from '#server/base/db/hedges/hedgeView';
import { pairOf } from '#server/base/db/hedges/pairLegs';
import {
  account,
  book,
  deal,
  dealEvent,
  dealLeg,
  equityPoint,
  fill,
  ledger,
  strategy,
  target,
  tradeOrder,
} from '#server/base/db/schema';

type View = typeof hedge.$inferSelect;
type Needed = 'id' | 'userId' | 'pairId' | 'source' | 'long' | 'short' | 'state' | 'stateAt' | 'createdAt' | 'settings';

/** A hedge with both its legs, as one row; what both legs share is put on the first one. */
export type HedgeRows = Pick<View, Needed | 'ratio'> & Partial<View>;
/** Rows that are booked in the first account of their user. */
type Booked<T extends { accountId: string }> = Omit<T, 'accountId'>;
export type OrderRows = Booked<typeof tradeOrder.$inferInsert>;
export type FillRows = Booked<typeof fill.$inferInsert>;

type BookRows = Partial<Omit<typeof book.$inferInsert, 'userId'>> & { enabled?: boolean; sequence?: number };

interface Saved {
  settings: HedgeSettings;
  /** UTC ms. */
  at?: number;
  by?: string;
}

/** Opens a user's book, with settings where there are some. */
export async function addBook(db: Queries, userId: string, rows: BookRows = {}, saved?: Saved): Promise<void> {
  const { enabled = false, sequence, ...rest } = rows;
  const written = { at: saved?.at ?? 0, by: saved?.by ?? 'test' };
  await openBook(db, userId, { ...written, venue: SIMULATED });
  if (Object.keys(rest).length > 0) await db.update(book).set(rest).where(eq(book.userId, userId));
  if (sequence !== undefined) await db.update(account).set({ sequence }).where(eq(account.id, userId));
  if (saved !== undefined) await createConfig(db, userId, { settings: saved.settings, ...written });
  if (enabled) await switchDesk(db, userId, true, written);
}

/** Who trades without a book of its own has an account at least. */
async function withAccounts(db: Queries, userIds: readonly string[]): Promise<void> {
  for (const userId of new Set(userIds)) {
    await openFirstAccount(db, userId, SIMULATED);
    await openHedgeStrategy(db, userId, { at: 0, by: 'test' });
  }
}

const booked = <T extends { userId: string }>(rows: readonly T[]) =>
  rows.map((row) => ({ ...row, accountId: row.userId }));

/** Switches entries of a book on or off, as an intent. */
export async function switchTo(db: Queries, userId: string, enabled: boolean, revision: number): Promise<void> {
  await switchDesk(db, userId, enabled, { at: 0, by: 'test' });
  await db.update(book).set({ revision }).where(eq(book.userId, userId));
}

/** Saves other settings over those of a user, without an intent. */
export async function changeSettings(db: Queries, userId: string, change: Partial<HedgeSettings>): Promise<void> {
  const [config] = await db.select().from(strategy).where(eq(strategy.userId, userId));
  const params = { ...(config!.params as HedgeSettings), ...change };
  await db.update(strategy).set({ params }).where(eq(strategy.userId, userId));
}

/** The version of each user's settings. */
export async function settingsVersions(db: Queries): Promise<Map<string, number>> {
  const rows = await db.select().from(strategy);
  return new Map(rows.map(({ userId, version }) => [userId, version]));
}

type NewPair = Omit<Parameters<typeof insertPair>[1], 'source'> & { source?: string };

/** Adds a pair of the simulated market, to be opened whatever speaks against it. */
export async function addPair(db: Queries, { source = 'simulated', ...row }: NewPair): Promise<string> {
  await withAccounts(db, [row.userId]);
  return insertPair(db, { source, accepted: [...PAIR_WARNINGS], ...row });
}

export async function changePair(
  db: Queries,
  id: string,
  change: Partial<Pick<PairRow, 'removedAt' | 'armedAt' | 'usedArmAt'>>,
): Promise<void> {
  await db.update(target).set(change).where(eq(target.id, id));
}

/** Pairs, removed ones as well: of a user, or of all. In the order they were made; those of one instant by coin. */
export async function pairsOf(db: Queries, userId?: string) {
  const rows = await db
    .select()
    .from(target)
    .where(userId === undefined ? undefined : eq(target.userId, userId));
  return rows
    .map((row) => ({ ...row, ...pairOf(row) }))
    .sort((a, b) => a.createdAt - b.createdAt || (a.long < b.long ? -1 : 1));
}

export async function pairById(db: Queries, id: string) {
  return (await pairsOf(db)).find((row) => row.id === id)!;
}

/** The columns of a deal that a change of its row is made of. */
function dealChange({ settings, zOpen, zClose, ...rest }: Partial<HedgeRows>) {
  const own = Object.entries(rest).filter(([name]) => Object.hasOwn(deal, name) && name !== 'id');
  return {
    ...Object.fromEntries(own),
    ...(settings === undefined ? {} : { params: settings }),
    ...(zOpen === undefined ? {} : { signalOpen: zOpen }),
    ...(zClose === undefined ? {} : { signalClose: zClose }),
  };
}

const FIGURES = ['Quantity', 'Cost', 'Opened', 'Notional', 'Realised', 'Exit'] as const;

/** The columns of one of its legs. */
function legChange(row: Partial<HedgeRows>, leg: 'long' | 'short') {
  const { source, [leg]: symbol } = row;
  const figures = FIGURES.map((name) => [name.toLowerCase(), row[`${leg}${name}`]]);
  const shared = leg === 'long' ? { funding: row.funding, fees: row.fees, slippage: row.slippage } : {};
  const all = { source, symbol, ...Object.fromEntries(figures), ...shared };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

export async function addHedges(db: Queries, ...rows: HedgeRows[]): Promise<void> {
  for (const row of rows) {
    const [pair] = await db.select().from(target).where(eq(target.id, row.pairId));
    const { id, userId, state, stateAt, createdAt, settings, source } = row;
    const needed = { id, userId, state, stateAt, createdAt, params: settings };
    await db.insert(deal).values({ ...needed, ...dealChange(row), strategyId: pair!.strategyId, targetId: pair!.id });
    for (const leg of ['long', 'short'] as const) {
      const weight = leg === 'long' ? 1 : row.ratio;
      const of = { dealId: id, leg, userId, accountId: userId, source, symbol: row[leg], side: leg, weight };
      await db.insert(dealLeg).values({ ...of, ...legChange(row, leg) });
    }
  }
}

export async function changeHedges(db: Queries, ids: readonly string[], change: Partial<HedgeRows>): Promise<void> {
  const own = dealChange(change);
  // Nobody sees a deal without its legs.
  await db.transaction(async (tx) => {
    if (Object.keys(own).length > 0)
      await tx
        .update(deal)
        .set(own)
        .where(inArray(deal.id, [...ids]));
    for (const leg of ['long', 'short'] as const) {
      const figures = legChange(change, leg);
      if (Object.keys(figures).length === 0) continue;
      await tx
        .update(dealLeg)
        .set(figures)
        .where(and(inArray(dealLeg.dealId, [...ids]), eq(dealLeg.leg, leg)));
    }
  });
}

export async function changeAllHedges(db: Queries, change: Partial<HedgeRows>): Promise<void> {
  const rows = await db.select({ id: deal.id }).from(deal);
  await changeHedges(
    db,
    rows.map(({ id }) => id),
    change,
  );
}

export async function clearHedges(db: Queries, id?: string): Promise<void> {
  await db.delete(dealLeg).where(id === undefined ? undefined : eq(dealLeg.dealId, id));
  await db.delete(deal).where(id === undefined ? undefined : eq(deal.id, id));
}

export async function addEvents(db: Queries, ...rows: (typeof dealEvent.$inferInsert)[]): Promise<void> {
  await db.insert(dealEvent).values(rows);
}

export async function addOrders(db: Queries, ...rows: OrderRows[]): Promise<void> {
  await db.insert(tradeOrder).values(booked(rows));
}

export async function addFills(db: Queries, ...rows: FillRows[]): Promise<void> {
  await db.insert(fill).values(booked(rows));
}

export async function addLedger(db: Queries, ...rows: Booked<typeof ledger.$inferInsert>[]): Promise<void> {
  await withAccounts(
    db,
    rows.map(({ userId }) => userId),
  );
  await db.insert(ledger).values(booked(rows));
}

export async function addPoints(db: Queries, ...rows: Booked<typeof equityPoint.$inferInsert>[]): Promise<void> {
  await db.insert(equityPoint).values(booked(rows));
}
