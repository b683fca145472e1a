import { and, eq, inArray, isNotNull, isNull } from 'drizzle-orm';
import type { Queries } from '../client';
import { notification, secret, user, webhook } from '../schema';
import { webhooksOff } from './notification';

export type WebhookRow = typeof webhook.$inferSelect;

/** What the secrets of webhooks are kept under. */
export const WEBHOOK_PURPOSE = 'webhook';

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

/** Another address starts anew. */
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

/** Those of these notifications that go to a webhook: their users have one, want their kind there and are not blocked. */
export async function webhookNews<News extends { userId: string; kind: string }>(
  tx: Queries,
  added: readonly News[],
): Promise<News[]> {
  if (added.length === 0) return [];
  const userIds = [...new Set(added.map(({ userId }) => userId))];
  const hooks = await tx
    .select({ userId: webhook.userId })
    .from(webhook)
    .innerJoin(user, eq(user.id, webhook.userId))
    .where(and(inArray(webhook.userId, userIds), isNull(webhook.endedAt), eq(user.blocked, false)));
  const owners = new Set(hooks.map(({ userId }) => userId));
  const off = await webhooksOff(tx, [...owners]);
  return added.filter(({ userId, kind }) => owners.has(userId) && off.get(userId)?.includes(kind) !== true);
}

/** A notification and where it is to go; null when one of them is not there any more, or its user is blocked. */
export async function deliveryOf(db: Queries, userId: string, notificationId: number) {
  const [row] = await db
    .select({ webhook, notification })
    .from(webhook)
    .innerJoin(notification, eq(notification.userId, webhook.userId))
    .innerJoin(user, and(eq(user.id, webhook.userId), eq(user.blocked, false)))
    .where(and(eq(webhook.userId, userId), eq(notification.id, notificationId), isNull(webhook.endedAt)));
  return row ?? null;
}

/** Nothing more is sent there until its owner sets an address again. @returns whether it had not ended before. */
export async function endWebhook(tx: Queries, userId: string, at: number): Promise<boolean> {
  const isOwn = and(eq(webhook.userId, userId), isNull(webhook.endedAt));
  const ended = await tx.update(webhook).set({ endedAt: at }).where(isOwn).returning({ userId: webhook.userId });
  return ended.length > 0;
}
