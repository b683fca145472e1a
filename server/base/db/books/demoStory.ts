import { and, eq, inArray, isNotNull, isNull, lt, min, or, sql } from 'drizzle-orm';
import { SIMULATED } from '#contract/candle';
import type { HedgeSettings } from '#contract/kinds/hedge/config';
import { PAIR_WARNINGS } from '#contract/pair';
import type { Queries } from '../client';
import { databaseNow } from '../connection/statements';
import { countRunningOfPair } from '../hedges/hedge';
import {
  changePair,
  createConfig,
  findDesk,
  insertPair,
  standingPairs,
  switchDesk,
  type Written,
} from '../hedges/hedgeConfig';
import { book, demoStory, tradeOrder } from '../schema';
import { changeGuard } from '../strategies/strategyGuard';
import { moveBook, openBook } from './book';

/** @param until where it begins, UTC ms; a part that is begun already stays as it is. */
export async function beginStory(db: Queries, part: string, until: number): Promise<void> {
  await db.insert(demoStory).values({ id: part, until, done: false }).onConflictDoNothing();
}

export async function isStoryTold(db: Queries, part: string): Promise<boolean> {
  const [row] = await db.select({ done: demoStory.done }).from(demoStory).where(eq(demoStory.id, part));
  return row?.done === true;
}

/**
 * Takes a part of the story up, or says again that it is being told here.
 * @param silentMs after so long without a word a teller has died.
 * @returns null while another server tells it.
 */
export async function claimStory(db: Queries, part: string, teller: string, silentMs: number) {
  const [row] = await db
    .update(demoStory)
    .set({ teller, toldAt: databaseNow })
    .where(
      and(
        eq(demoStory.id, part),
        or(
          isNull(demoStory.teller),
          eq(demoStory.teller, teller),
          lt(demoStory.toldAt, sql`${databaseNow} - ${silentMs}`),
        ),
      ),
    )
    .returning();
  return row ?? null;
}

/** How far it is told, UTC ms. */
export async function keepStory(db: Queries, part: string, progress: { until: number; done?: true }): Promise<void> {
  await db.update(demoStory).set(progress).where(eq(demoStory.id, part));
}

/** To when all parts are told, UTC ms; null before any has begun. */
export async function storyToldUntil(db: Queries): Promise<number | null> {
  const [row] = await db.select({ until: min(demoStory.until) }).from(demoStory);
  return row?.until ?? null;
}

export async function leaveStory(db: Queries, teller: string): Promise<void> {
  await db.update(demoStory).set({ teller: null }).where(eq(demoStory.teller, teller));
}

interface Opening {
  userId: string;
  name: string;
  settings: HedgeSettings;
  /** USDT that the account may lose on a day. */
  accountLimit: number;
  /** UTC ms. */
  at: number;
}

/** A character's book on the first day: switched on, with settings. */
export async function openStoryBook(db: Queries, { userId, name, settings, accountLimit, at }: Opening): Promise<void> {
  await db.transaction(async (tx) => {
    const written = { at, by: name };
    await openBook(tx, userId, { ...written, venue: SIMULATED });
    await createConfig(tx, userId, { settings, ...written });
    await switchDesk(tx, userId, true, written);
    await moveBook(tx, userId, { dailyLossLimit: accountLimit });
  });
}

/** The pairs that a user trades from now on: new ones are added and armed, others leave the desk unless a hedge of them runs. */
export async function choosePairs(
  db: Queries,
  { userId, source, at }: { userId: string; source: string; at: number },
  pairs: readonly (readonly [long: string, short: string])[],
): Promise<void> {
  const standing = await standingPairs(db, userId);
  const isChosen = (row: { long: string; short: string }) =>
    pairs.some(([long, short]) => row.long === long && row.short === short);
  for (const row of standing) {
    if (!isChosen(row) && (await countRunningOfPair(db, userId, row.id)) === 0) {
      await changePair(db, row.id, { removedAt: at });
    }
  }
  for (const [long, short] of pairs) {
    if (standing.some((row) => row.long === long && row.short === short)) continue;
    await insertPair(db, { userId, source, long, short, createdAt: at, armedAt: at, accepted: [...PAIR_WARNINGS] });
  }
  await moveBook(db, userId);
}

/** Lets entries in again where a pause of the account, or the loss of a day of its hedges, keeps them out. */
export async function liftStops(db: Queries, userId: string, written: Written): Promise<void> {
  const { id, guard } = await findDesk(db, userId);
  if (id !== null && guard?.trippedBy === 'dailyLoss') {
    await changeGuard(db, id, { tripped: null, trippedBy: null, trippedAt: null });
    await switchDesk(db, userId, true, written);
    await moveBook(db, userId);
  }
  await db
    .update(book)
    .set({ pausedAt: null, pausedBy: null, pauseReason: null, revision: sql`${book.revision} + 1` })
    .where(and(eq(book.userId, userId), isNotNull(book.pausedAt)));
}

/** Orders of users that rest at a level. */
export async function restingOrders(db: Queries, userIds: Iterable<string>) {
  const { id, userId, source, symbol, side, limitPrice, filledQuantity, createdAt, state, type } = tradeOrder;
  return db
    .select({ id, source, symbol, side, limitPrice, filledQuantity, createdAt })
    .from(tradeOrder)
    .where(and(eq(state, 'open'), eq(type, 'maker'), inArray(userId, [...userIds])));
}
