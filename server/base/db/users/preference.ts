import { eq } from 'drizzle-orm';
import type { NumberStyle, Preference, Rise, TimeZone } from '#contract/user';
import type { Queries } from '../client';
import { userPreference } from '../schema';

const NOTHING_CHOSEN: Preference = { rise: null, numbers: null, timeZone: null };

const presented = ({ rise, numbers, timeZone }: typeof userPreference.$inferSelect): Preference => ({
  rise: rise as Rise | null,
  numbers: numbers as NumberStyle | null,
  timeZone: timeZone as TimeZone | null,
});

export async function preferenceOf(db: Queries, userId: string): Promise<Preference> {
  const [row] = await db.select().from(userPreference).where(eq(userPreference.userId, userId));
  return row ? presented(row) : NOTHING_CHOSEN;
}

/** Changes what is given and leaves the rest; answers all of it. */
export async function changePreference(
  db: Queries,
  userId: string,
  change: { [Name in keyof Preference]?: NonNullable<Preference[Name]> },
): Promise<Preference> {
  const [row] = await db
    .insert(userPreference)
    .values({ userId, ...change })
    // Says the row's own id again, so that an empty change answers the row as well.
    .onConflictDoUpdate({ target: userPreference.userId, set: { userId, ...change } })
    .returning();
  if (row === undefined) throw new Error('a written preference came back without its row');
  return presented(row);
}
