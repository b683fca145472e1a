import { and, count, eq, gte, inArray, isNull, sql } from 'drizzle-orm';
import type { NotificationLevel } from '#contract/notification';
import type { Queries } from '../client';
import { strategy, strategyAlert } from '../schema';

const a = strategyAlert;

export type NewAlert = Omit<typeof strategyAlert.$inferInsert, 'id'>;

/** An alert that is not over. */
export interface OpenAlert {
  userId: string;
  subject: string;
  word: string;
  title: string;
  text: string;
  at: number;
}

const columns = { userId: a.userId, subject: a.subject, word: a.word, title: a.title, text: a.text, at: a.at };

/** Alerts of these users that are not over. */
export async function openAlerts(db: Queries, userIds: readonly string[]): Promise<OpenAlert[]> {
  return db
    .select(columns)
    .from(a)
    .where(and(inArray(a.userId, [...userIds]), isNull(a.endedAt)));
}

/** The same of these deals or targets. */
export async function alertsAbout(db: Queries, subjects: readonly string[]): Promise<OpenAlert[]> {
  if (subjects.length === 0) return [];
  return db
    .select(columns)
    .from(a)
    .where(and(inArray(a.subject, [...subjects]), isNull(a.endedAt)));
}

/** How many stand about each of these strategies that any stand about, by its id. */
export async function alertsOfStrategies(db: Queries, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .select({ id: a.strategyId, alerts: count() })
    .from(a)
    .where(and(inArray(a.strategyId, [...ids]), isNull(a.endedAt)))
    .groupBy(a.strategyId);
  return new Map(rows.map(({ id, alerts }) => [id, alerts]));
}

/** What began and what is over. @param at UTC ms */
export async function writeAlerts(
  tx: Queries,
  raised: readonly NewAlert[],
  ended: readonly Pick<OpenAlert, 'subject' | 'word'>[],
  at: number,
): Promise<void> {
  for (const { subject, word } of ended) {
    await tx
      .update(a)
      .set({ endedAt: at })
      .where(and(eq(a.subject, subject), eq(a.word, word), isNull(a.endedAt)));
  }
  if (raised.length > 0)
    await tx
      .insert(a)
      .values([...raised])
      .onConflictDoNothing();
}

/** Alerts that began since an instant, UTC ms, with the strategy that they are about. */
export async function alertsSince(db: Queries, since: number) {
  return db
    .select({
      ...{ id: a.id, userId: a.userId, title: a.title, text: a.text, at: a.at, strategyId: a.strategyId },
      level: sql<NotificationLevel>`${a.level}`,
      name: strategy.name,
      mode: strategy.mode,
      kind: strategy.kind,
    })
    .from(a)
    .innerJoin(strategy, eq(strategy.id, a.strategyId))
    .where(gte(a.at, since));
}
