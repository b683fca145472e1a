import { and, asc, count, eq, inArray, isNotNull, isNull, lt, lte, notInArray, sql } from 'drizzle-orm';
import type { Queries } from '../client';
import { notification, secret, webhook, webhookDelivery } from '../schema';
import { webhooksOff } from './notification';

export type WebhookRow = typeof webhook.$inferSelect;

/** What the secrets of webhooks are kept under. */
export const WEBHOOK_PURPOSE = 'webhook';

const d = webhookDelivery;
/** Deliveries that may wait for one user; the oldest give way. */
const MOST_WAITING = 200;

export async function webhookOf(db: Queries, userId: string): Promise<WebhookRow | null> {
  const [row] = await db.select().from(webhook).where(eq(webhook.userId, userId));
  return row ?? null;
}

/** Webhooks whose address is in the open. */
export const plainWebhooks = (db: Queries): Promise<WebhookRow[]> =>
  db.select().from(webhook).where(isNotNull(webhook.url));

/** Takes an address out of the open. @param keep seals it, and answers what of it is shown; null leaves it as it is */
export async function sealAddress(
  db: Queries,
  userId: string,
  keep: (tx: Queries, row: WebhookRow) => Promise<string | null>,
): Promise<void> {
  await db.transaction(async (tx) => {
    const isOwn = eq(webhook.userId, userId);
    const [row] = await tx.select().from(webhook).where(isOwn).for('update');
    const masked = row?.url == null ? null : await keep(tx as unknown as Queries, row);
    if (masked !== null) await tx.update(webhook).set({ masked, url: null }).where(isOwn);
  });
}

/** Everybody's webhook with its sealed secret; null where that is gone. */
export const webhookSecrets = (db: Queries) =>
  db
    .select({ userId: webhook.userId, secret })
    .from(webhook)
    .leftJoin(secret, and(eq(secret.purpose, WEBHOOK_PURPOSE), eq(secret.recordId, webhook.userId)));

/** How many deliveries wait for a user. */
export async function waitingOf(db: Queries, userId: string): Promise<number> {
  const [row] = await db.select({ waiting: count() }).from(d).where(eq(d.userId, userId));
  return row?.waiting ?? 0;
}

/** Another address starts anew: what waited for the one before is not for it. */
export async function setWebhook(
  tx: Queries,
  row: Pick<WebhookRow, 'userId' | 'masked' | 'createdAt'>,
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
  const hooks = await tx
    .select({ userId: webhook.userId })
    .from(webhook)
    .where(and(inArray(webhook.userId, userIds), isNull(webhook.endedAt)));
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
 * Takes the oldest delivery that is due of each user, so that no other process does: until `leaseUntil` they are this one's.
 * @param busy users who have one on its way
 * @returns them with where they go, the oldest first.
 */
export async function takeDue(
  db: Queries,
  { now, leaseUntil, most, busy }: { now: number; leaseUntil: number; most: number; busy: readonly string[] },
) {
  // A locked row cannot be one of a group: who is first of each user is asked before.
  const first = db
    .selectDistinctOn([d.userId], { id: d.id, dueAt: d.dueAt })
    .from(d)
    .where(and(lte(d.dueAt, now), busy.length > 0 ? notInArray(d.userId, [...busy]) : undefined))
    // One that its host will not have keeps back none that it would.
    .orderBy(d.userId, asc(d.attempts), asc(d.notificationId))
    .as('first');
  const due = db
    .select({ id: d.id })
    .from(d)
    .innerJoin(first, eq(first.id, d.id))
    .where(lte(d.dueAt, now))
    .orderBy(asc(first.dueAt))
    .limit(most)
    .for('update', { of: d, skipLocked: true });
  const taken = await db
    .update(d)
    .set({ attempts: sql`${d.attempts} + 1`, dueAt: leaseUntil })
    .where(and(inArray(d.id, due), lte(d.dueAt, now)))
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
  await db.update(d).set({ dueAt }).where(eq(d.id, id));
}

/** Nothing of a user's knocks before then. */
export async function putAllOff(db: Queries, userId: string, dueAt: number): Promise<void> {
  await db
    .update(d)
    .set({ dueAt })
    .where(and(eq(d.userId, userId), lt(d.dueAt, dueAt)));
}

/** Nothing more is sent there until its owner sets an address again. @returns whether it had not ended before. */
export async function endWebhook(db: Queries, userId: string, at: number): Promise<boolean> {
  const isOwn = and(eq(webhook.userId, userId), isNull(webhook.endedAt));
  const ended = await db.update(webhook).set({ endedAt: at }).where(isOwn).returning({ userId: webhook.userId });
  await db.delete(d).where(eq(d.userId, userId));
  return ended.length > 0;
}
