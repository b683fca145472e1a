import { and, desc, eq, ilike, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Queries } from '../client';
import { isId } from '../hedges/hedge';
import { hedge } from '../hedges/hedgeView';
import { deal, strategy, user } from '../schema';

/** A text as a pattern that finds it anywhere. */
const anywhere = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

/** A search by coins looks at so many of the newest; by its id every hedge is found. */
const NEWEST = 2_000;

/** Hedges whose coins or id are this, those that run first, then the newest; of one user or of all. */
export async function findHedges(db: Queries, text: string, userId: string | undefined, most: number) {
  const pattern = anywhere(text);
  const newest = db
    .select({ id: deal.id })
    .from(deal)
    .where(userId === undefined ? undefined : eq(deal.userId, userId))
    .orderBy(desc(deal.createdAt))
    .limit(NEWEST);
  const named = or(ilike(hedge.long, pattern), ilike(hedge.short, pattern));
  const runs = sql`${hedge.state} not in ('closed', 'failed')`;
  return db
    .select({
      id: hedge.id,
      long: hedge.long,
      short: hedge.short,
      state: hedge.state,
      createdAt: hedge.createdAt,
      user: user.name,
    })
    .from(hedge)
    .innerJoin(user, eq(user.id, hedge.userId))
    .where(
      and(
        userId === undefined ? undefined : eq(hedge.userId, userId),
        isId(text) ? eq(hedge.id, text) : and(inArray(hedge.id, newest), named),
      ),
    )
    .orderBy(desc(runs), desc(hedge.createdAt))
    .limit(most);
}

/** Strategies whose names hold the text, or whose id it is, whoever's they are; those that run first. */
export async function findStrategies(db: Queries, text: string, most: number) {
  const { id, kind, name, state } = strategy;
  return db
    .select({ id, kind, name, state, user: user.name })
    .from(strategy)
    .innerJoin(user, eq(user.id, strategy.userId))
    .where(and(isNull(strategy.removedAt), isId(text) ? eq(id, text) : ilike(name, anywhere(text))))
    .orderBy(desc(sql`${state} <> 'stopped'`), name, id)
    .limit(most);
}

/** Users whose names hold the text. */
export async function findUsers(db: Queries, text: string, most: number) {
  return db
    .select({ id: user.id, name: user.name, role: user.role })
    .from(user)
    .where(ilike(user.name, anywhere(text)))
    .orderBy(user.name)
    .limit(most);
}
