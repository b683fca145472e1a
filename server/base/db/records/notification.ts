import { and, count, desc, eq, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import { DAY_MS } from '#contract/duration';
import {
  KEPT_NOTIFICATION_DAYS,
  KEPT_NOTIFICATIONS,
  type NotificationKind,
  type NotificationLevel,
  type NotificationSettings,
} from '#contract/notification';
import type { Queries } from '../client';
import { notification, notificationSetting } from '../schema';

/** Something a user is told. */
export interface News {
  userId: string;
  /** Names the event: a user is told of it once. */
  key: string;
  kind: NotificationKind;
  level: NotificationLevel;
  title: string;
  text: string;
  /** Path within the console. */
  link: string | null;
  /** UTC ms. */
  at: number;
}

const n = notification;

/** Which of these keys one of these users was told of. */
export async function toldKeys(db: Queries, userIds: readonly string[], keys: readonly string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await db
    .select({ key: n.key })
    .from(n)
    .where(and(inArray(n.userId, [...userIds]), inArray(n.key, [...keys])));
  return new Set(rows.map(({ key }) => key));
}

/**
 * Keeps what is new; what was told before changes its text at most. What is of a kind that the bell leaves out counts as
 * read.
 * @returns the rows that are new, the oldest first, and whose lists have changed.
 */
export async function addNews(tx: Queries, news: readonly News[], now: number) {
  if (news.length === 0) return { added: [], touched: [] };
  // Of what is told twice in one turn the later words count: a statement changes no row twice.
  const once = [...new Map(news.map((one) => [`${one.userId} ${one.key}`, one])).values()];
  const choices = await choicesOf(tx, [...new Set(news.map(({ userId }) => userId))]);
  const isMuted = ({ userId, kind }: News) => choices.get(userId)?.off.bell.includes(kind) === true;
  const rows = await tx
    .insert(n)
    .values(once.map((one) => ({ ...one, readAt: isMuted(one) ? now : null })))
    .onConflictDoUpdate({
      target: [n.userId, n.key],
      set: { text: sql`excluded.text`, level: sql`excluded.level` },
      setWhere: sql`${n.text} <> excluded.text`,
    })
    .returning({ id: n.id, userId: n.userId, kind: n.kind, isNew: sql<boolean>`xmax = 0` });
  const touched = [...new Set(rows.map(({ userId }) => userId))];
  // A list that is full does not take in what is older than all of it.
  const dropped = await dropOld(tx, touched, now);
  const added = rows.filter((row) => row.isNew && !dropped.has(row.id));
  return { added, touched };
}

/** Each of these users keeps so many of the newest, and none that is too old. @returns what is gone. */
async function dropOld(tx: Queries, userIds: readonly string[], now: number): Promise<Set<number>> {
  const dropped = new Set<number>();
  for (const userId of userIds) {
    const beyond = tx
      .select({ id: n.id })
      .from(n)
      .where(eq(n.userId, userId))
      .orderBy(desc(n.at), desc(n.id))
      .offset(KEPT_NOTIFICATIONS);
    const isOld = lt(n.at, now - KEPT_NOTIFICATION_DAYS * DAY_MS);
    const gone = await tx
      .delete(n)
      .where(and(eq(n.userId, userId), or(isOld, inArray(n.id, beyond))))
      .returning({ id: n.id });
    for (const { id } of gone) dropped.add(id);
  }
  return dropped;
}

interface Choice {
  kind?: NotificationKind | undefined;
  unread?: boolean | undefined;
}

/** A page of a user's notifications, the newest first. */
export async function notificationsOf(
  db: Queries,
  userId: string,
  { kind, unread }: Choice,
  { offset, limit }: { offset: number; limit: number },
) {
  const chosen = and(
    eq(n.userId, userId),
    kind === undefined ? undefined : eq(n.kind, kind),
    unread === true ? isNull(n.readAt) : undefined,
  );
  const [rows, [counted]] = await Promise.all([
    db.select().from(n).where(chosen).orderBy(desc(n.at), desc(n.id)).offset(offset).limit(limit),
    db.select({ total: count() }).from(n).where(chosen),
  ]);
  return { rows, total: counted?.total ?? 0 };
}

/** How many each of these users has not read; who is not in it has read all. */
export async function unreadOf(db: Queries, userIds: readonly string[]): Promise<Map<string, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await db
    .select({ userId: n.userId, unread: count() })
    .from(n)
    .where(and(inArray(n.userId, [...userIds]), isNull(n.readAt)))
    .groupBy(n.userId);
  return new Map(rows.map(({ userId, unread }) => [userId, unread]));
}

/** Marks a user's notifications as read: these, or all. */
export async function markRead(db: Queries, userId: string, ids: readonly string[] | undefined, now: number) {
  await db
    .update(n)
    .set({ readAt: now })
    .where(and(eq(n.userId, userId), isNull(n.readAt), ids === undefined ? undefined : inArray(n.id, ids.map(Number))));
}

type Choices = Pick<NotificationSettings, 'off' | 'browser'>;
const NOTHING_CHOSEN: Choices = { off: { bell: [], webhook: [], browser: [] }, browser: false };

const presented = ({ muted, webhookOff, browser, browserOff }: typeof notificationSetting.$inferSelect): Choices => ({
  off: { bell: muted, webhook: webhookOff, browser: browserOff } as Choices['off'],
  browser,
});

/** What these users have chosen; who is not in it has chosen nothing. */
async function choicesOf(db: Queries, userIds: string[]): Promise<Map<string, Choices>> {
  const rows = await db.select().from(notificationSetting).where(inArray(notificationSetting.userId, userIds));
  return new Map(rows.map((row) => [row.userId, presented(row)]));
}

/** Which kinds reach a user by which way. */
export const choiceOf = async (db: Queries, userId: string): Promise<Choices> =>
  (await choicesOf(db, [userId])).get(userId) ?? NOTHING_CHOSEN;

/** Which of these users do not want a kind at their webhooks. */
export async function webhooksOff(db: Queries, userIds: string[]): Promise<Map<string, readonly string[]>> {
  return new Map([...(await choicesOf(db, userIds))].map(([userId, { off }]) => [userId, off.webhook]));
}

interface Change {
  off?: { [C in keyof Choices['off']]?: NotificationKind[] };
  browser?: boolean;
}

/** Changes what is given and leaves the rest; what is unread of a kind that the bell now leaves out counts as read. */
export async function changeChoice(tx: Queries, userId: string, { off = {}, browser }: Change, now: number) {
  const { bell: muted, webhook: webhookOff, browser: browserOff } = off;
  const given = { muted, webhookOff, browserOff, browser };
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  await tx
    .insert(notificationSetting)
    .values({ userId, muted: [], ...set })
    // Says the row's own id again, so that an empty change is none.
    .onConflictDoUpdate({ target: notificationSetting.userId, set: { userId, ...set } });
  if (muted === undefined || muted.length === 0) return;
  await tx
    .update(n)
    .set({ readAt: now })
    .where(and(eq(n.userId, userId), isNull(n.readAt), inArray(n.kind, muted)));
}
