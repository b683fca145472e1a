import { and, asc, eq, sql } from 'drizzle-orm';
import type { Database, Queries } from '../client';
import { star, user } from '../schema';

/** The coins that a user watches, by name. */
export async function starsOf(db: Queries, userId: string): Promise<string[]> {
  const rows = await db
    .select({ coin: star.coin })
    .from(star)
    .where(eq(star.userId, userId))
    .orderBy(asc(sql`${star.coin} collate "C"`));
  return rows.map(({ coin }) => coin);
}

/** Adds coins to those. @returns all of them, or `null`, with nothing added, where they would be more than `most`. */
export async function addStars(
  db: Database,
  userId: string,
  coins: readonly string[],
  most: number,
): Promise<string[] | null> {
  return db.transaction(async (tx) => {
    // One at a time for each user: two at once would both find room for the last one.
    await tx.select({ id: user.id }).from(user).where(eq(user.id, userId)).for('update');
    const all = new Set([...(await starsOf(tx, userId)), ...coins]);
    if (all.size > most) return null;
    await tx
      .insert(star)
      .values(coins.map((coin) => ({ userId, coin })))
      .onConflictDoNothing();
    return starsOf(tx, userId);
  });
}

export async function removeStar(db: Queries, userId: string, coin: string): Promise<void> {
  await db.delete(star).where(and(eq(star.userId, userId), eq(star.coin, coin)));
}
