import { and, asc, count, eq, getTableColumns, gt, gte, inArray, isNull, or, sql } from 'drizzle-orm';
import type { NotificationLevel } from '#contract/notification';
import type { Queries } from '../client';
import { strategy, strategyAlert } from '../schema';

const a = strategyAlert;

export type Alerted = Omit<typeof a.$inferSelect, 'id'>;

const { id: _, ...columns } = getTableColumns(a);

/** Alerts of these users that are not over, and those that began after an instant, UTC ms; the newest last. */
export async function alertsOfUsers(db: Queries, userIds: readonly string[], after: number): Promise<Alerted[]> {
  return db
    .select(columns)
    .from(a)
    .where(and(inArray(a.userId, [...userIds]), or(isNull(a.endedAt), gt(a.at, after))))
    .orderBy(asc(a.id));
}

/** Alerts of these deals or targets that are not over. */
export async function alertsAbout(db: Queries, subjects: readonly string[]): Promise<Alerted[]> {
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

/** Alerts as they stand now: those on record are changed, the others are put there. */
export async function writeAlerts(tx: Queries, alerts: readonly Alerted[]): Promise<void> {
  for (const alert of alerts) {
    const { subject, word, at, level, title, text, endedAt } = alert;
    const known = await tx
      .update(a)
      .set({ level, title, text, endedAt })
      .where(and(eq(a.subject, subject), eq(a.word, word), eq(a.at, at)))
      .returning({ id: a.id });
    if (known.length === 0) await tx.insert(a).values(alert).onConflictDoNothing();
  }
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
