import { and, asc, count, eq, inArray, lte, sql } from 'drizzle-orm';
import type { Queries } from './client';
import { webhooksOff } from './notification';
import { notification, webhook, webhookDelivery } from './schema';

export type WebhookRow = typeof webhook.$inferSelect;

const d = webhookDelivery;
/** Deliveries that may wait for one user; the oldest give way. */
const MOST_WAITING = 200;

export async function webhookOf(db: Queries, userId: string): Promise<WebhookRow | null> {
  const [row] = await db.select().from(webhook).where(eq(webhook.userId, userId));
  return row ?? null;
}

/** How many deliveries wait for a user. */
export async function waitingOf(db: Queries, userId: string): Promise<number> {
  const [row] = await db.select({ waiting: count() }).from(d).where(eq(d.userId, userId));
  return row?.waiting ?? 0;
}

/** Another address starts anew: what waited for the one before is not for it. */
export async function setWebhook(
  tx: Queries,
  row: Pick<WebhookRow, 'userId' | 'url' | 'createdAt'>,
): Promise<WebhookRow> {
  await tx.delete(webhook).where(eq(webhook.userId, row.userId));
  const [stored] = await tx.insert(webhook).values(row).returning();
  return stored!;
}

export async function removeWebhook(db: Queries, userId: string): Promise<void> {
  await db.delete(webhook).where(eq(webhook.userId, userId));
}

export async function noteResult(
  db: Queries,
  userId: string,
  { at, ok, detail }: { at: number; ok: boolean; detail: string },
): Promise<void> {
  await db.update(webhook).set({ lastAt: at, lastOk: ok, lastDetail: detail }).where(eq(webhook.userId, userId));
}

/** Queues notifications of users who have a webhook, and want their kind there. */
export async function queueDeliveries(
  tx: Queries,
  added: readonly { id: number; userId: string; kind: string }[],
  now: number,
) {
  if (added.length === 0) return;
  const userIds = [...new Set(added.map(({ userId }) => userId))];
  const hooks = await tx.select({ userId: webhook.userId }).from(webhook).where(inArray(webhook.userId, userIds));
  const owners = new Set(hooks.map(({ userId }) => userId));
  const off = await webhooksOff(tx, [...owners]);
  const rows = added.filter(({ userId, kind }) => owners.has(userId) && off.get(userId)?.includes(kind) !== true);
  if (rows.length === 0) return;
  await tx.insert(d).values(rows.map(({ id, userId }) => ({ userId, notificationId: id, dueAt: now })));
  for (const userId of owners) {
    const kept = tx
      .select({ id: d.id })
      .from(d)
      .where(eq(d.userId, userId))
      .orderBy(sql`${d.notificationId} desc`)
      .offset(MOST_WAITING);
    await tx.delete(d).where(inArray(d.id, kept));
  }
}

/**
 * Takes deliveries that are due, so that no other process does: until `leaseUntil` they are this one's.
 * @returns them with where they go, the oldest first.
 */
export async function takeDue(db: Queries, now: number, leaseUntil: number, most: number) {
  const due = db
    .select({ id: d.id })
    .from(d)
    .where(lte(d.dueAt, now))
    .orderBy(asc(d.dueAt), asc(d.notificationId))
    .limit(most)
    .for('update', { skipLocked: true });
  const taken = await db
    .update(d)
    .set({ attempts: sql`${d.attempts} + 1`, dueAt: leaseUntil })
    .where(inArray(d.id, due))
    .returning({ id: d.id });
  if (taken.length === 0) return [];
  return db
    .select({ delivery: d, webhook, notification })
    .from(d)
    .innerJoin(webhook, eq(webhook.userId, d.userId))
    .innerJoin(notification, eq(notification.id, d.notificationId))
    .where(
      inArray(
        d.id,
        taken.map(({ id }) => id),
      ),
    )
    .orderBy(asc(d.notificationId));
}

export async function endDelivery(db: Queries, id: string): Promise<void> {
  await db.delete(d).where(eq(d.id, id));
}

export async function putOff(db: Queries, id: string, dueAt: number): Promise<void> {
  await db
    .update(d)
    .set({ dueAt })
    .where(and(eq(d.id, id)));
}
