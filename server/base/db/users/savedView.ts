import { and, asc, count, eq, ne } from 'drizzle-orm';
import type { Queries } from '../client';
import { isId } from '../hedges/hedge';
import { savedView } from '../schema';

const v = savedView;

export async function viewsOf(db: Queries, userId: string, screen: string) {
  return db
    .select()
    .from(v)
    .where(and(eq(v.userId, userId), eq(v.screen, screen)))
    .orderBy(asc(v.name));
}

/** How many views of a screen a user has beside the one of this name. */
export async function countOtherViews(db: Queries, userId: string, screen: string, name: string): Promise<number> {
  const [row] = await db
    .select({ total: count() })
    .from(v)
    .where(and(eq(v.userId, userId), eq(v.screen, screen), ne(v.name, name)));
  return row?.total ?? 0;
}

/** A view of the same name is replaced. */
export async function saveView(db: Queries, row: Omit<typeof savedView.$inferInsert, 'id'>) {
  const { query, createdAt } = row;
  const [saved] = await db
    .insert(v)
    .values(row)
    .onConflictDoUpdate({ target: [v.userId, v.screen, v.name], set: { query, createdAt } })
    .returning();
  return saved!;
}

/** @returns whether the user had it. */
export async function removeView(db: Queries, userId: string, id: string): Promise<boolean> {
  if (!isId(id)) return false;
  const gone = await db
    .delete(v)
    .where(and(eq(v.userId, userId), eq(v.id, id)))
    .returning({ id: v.id });
  return gone.length > 0;
}
