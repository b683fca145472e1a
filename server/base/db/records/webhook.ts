import { and, eq, inArray, isNotNull, isNull, ne } from 'drizzle-orm';
import type { PushTarget } from '#contract/pushChannel';
import type { Queries } from '../client';
import { notification, secret, user, webhook } from '../schema';
import { webhooksOff } from './notification';

export type WebhookRow = typeof webhook.$inferSelect;

const at = (userId: string, channel: PushTarget) => and(eq(webhook.userId, userId), eq(webhook.channel, channel));

export async function webhookOf(
  db: Queries,
  userId: string,
  channel: PushTarget = 'webhook',
): Promise<WebhookRow | null> {
  const [row] = await db.select().from(webhook).where(at(userId, channel));
  return row ?? null;
}

/** Where a user's news go beside the webhook. */
export const channelsOf = (db: Queries, userId: string): Promise<WebhookRow[]> =>
  db
    .select()
    .from(webhook)
    .where(and(eq(webhook.userId, userId), ne(webhook.channel, 'webhook')))
    .orderBy(webhook.createdAt, webhook.channel);

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
    const isOwn = at(userId, 'webhook');
    const [row] = await tx.select().from(webhook).where(isOwn).for('update');
    const masked = row?.url == null ? null : await keep(tx as unknown as Queries, row);
    if (masked !== null) await tx.update(webhook).set({ masked, url: null }).where(isOwn);
  });
}

/** Everybody's webhook and channels, each with its sealed secret; null where that is gone. */
export const webhookSecrets = (db: Queries) =>
  db
    .select({ userId: webhook.userId, channel: webhook.channel, secret })
    .from(webhook)
    .leftJoin(secret, and(eq(secret.purpose, webhook.channel), eq(secret.recordId, webhook.userId)));

/** Another address starts anew. */
export async function setWebhook(
  tx: Queries,
  row: Pick<WebhookRow, 'userId' | 'channel' | 'masked' | 'createdAt'>,
): Promise<WebhookRow> {
  await removeWebhook(tx, row.userId, row.channel);
  const [stored] = await tx.insert(webhook).values(row).returning();
  return stored!;
}

export async function removeWebhook(db: Queries, userId: string, channel: PushTarget): Promise<void> {
  await db.delete(webhook).where(at(userId, channel));
}

export async function noteResult(
  db: Queries,
  { userId, channel }: Pick<WebhookRow, 'userId' | 'channel'>,
  { at: lastAt, ok, detail }: { at: number; ok: boolean; detail: string },
): Promise<void> {
  await db.update(webhook).set({ lastAt, lastOk: ok, lastDetail: detail }).where(at(userId, channel));
}

/** Those of these notifications that are pushed, once a way: their users have set it up, want their kind pushed and are not blocked. */
export async function pushedNews<News extends { userId: string; kind: string }>(
  tx: Queries,
  added: readonly News[],
): Promise<(News & { channel: PushTarget })[]> {
  if (added.length === 0) return [];
  const userIds = [...new Set(added.map(({ userId }) => userId))];
  const hooks = await tx
    .select({ userId: webhook.userId, channel: webhook.channel })
    .from(webhook)
    .innerJoin(user, eq(user.id, webhook.userId))
    .where(and(inArray(webhook.userId, userIds), isNull(webhook.endedAt), eq(user.blocked, false)));
  const off = await webhooksOff(tx, [...new Set(hooks.map(({ userId }) => userId))]);
  return hooks.flatMap(({ userId, channel }) =>
    added
      .filter((one) => one.userId === userId && off.get(userId)?.includes(one.kind) !== true)
      .map((one) => ({ ...one, channel })),
  );
}

/** A notification and where it is to go; null when one of them is not there any more, or its user is blocked. */
export async function deliveryOf(db: Queries, userId: string, channel: PushTarget, notificationId: number) {
  const [row] = await db
    .select({ webhook, notification })
    .from(webhook)
    .innerJoin(notification, eq(notification.userId, webhook.userId))
    .innerJoin(user, and(eq(user.id, webhook.userId), eq(user.blocked, false)))
    .where(and(at(userId, channel), eq(notification.id, notificationId), isNull(webhook.endedAt)));
  return row ?? null;
}

/** Nothing more is sent there until its owner sets an address again. @returns whether it had not ended before. */
export async function endWebhook(
  tx: Queries,
  { userId, channel }: Pick<WebhookRow, 'userId' | 'channel'>,
  endedAt: number,
): Promise<boolean> {
  const isOwn = and(at(userId, channel), isNull(webhook.endedAt));
  const ended = await tx.update(webhook).set({ endedAt }).where(isOwn).returning({ userId: webhook.userId });
  return ended.length > 0;
}
