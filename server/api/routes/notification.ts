import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { notification as api, type NotificationRow, type Webhook } from '#contract/notification';
import { unread } from '#contract/unread';
import type { Queries } from '../../base/db/client';
import { changeChoice, choiceOf, markRead, notificationsOf, unreadOf } from '../../base/db/records/notification';
import { noteResult, removeWebhook, setWebhook, type WebhookRow, webhookOf } from '../../base/db/records/webhook';
import { noteChange } from '../../base/http/auditTrail';
import { refused, tooMany } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { publishUnread } from '../../people/notification/notifier';
import { AddressRefused, createPublicPost, readWebhookUrl } from '../../people/notification/publicPost';
import type { Publisher } from '../../people/notification/publisher';
import {
  forgetWebhookSecret,
  isWebhookDamaged,
  keepWebhookSecret,
  maskedAddress,
} from '../../people/notification/webhookSecret';
import { dropDeliveries, sendNews, waitingDeliveries } from '../../people/notification/webhookSender';
import type { Deps } from '../deps';

/** A webhook may be tried so often: it makes the server call a host that a user has named. */
const TEST_EVERY_MS = 5_000;

/** What a user is told, what not, and where it goes as well. */
export function notificationRoutes(app: FastifyInstance, deps: Deps, stream: Publisher): void {
  const { db, clock, vault, jobs, post = createPublicPost() } = deps;

  route(app, api.list, async ({ query, user }) => {
    const { current, pageSize, kind, unread } = query;
    const page = { offset: (current - 1) * pageSize, limit: pageSize };
    const { rows, total } = await notificationsOf(db, user.id, { kind, unread }, page);
    return { list: rows.map((row) => ({ ...row, id: String(row.id) }) as NotificationRow), total };
  });

  route(app, unread.count, async ({ user }) => unreadNow(user.id));

  route(app, api.read, async ({ body, user }) => {
    await markRead(db, user.id, body.ids, clock());
    // The bells of the user's other screens.
    await publishUnread({ db, clock, stream }, [user.id]);
    return unreadNow(user.id);
  });

  route(app, api.settings, async ({ user }) => settingsOf(deps, user.id));

  route(app, api.setSettings, async ({ body, user, request }) => {
    const before = await choiceOf(db, user.id);
    await db.transaction((tx) => changeChoice(tx as unknown as Queries, user.id, body, clock()));
    noteChange(request, before, await choiceOf(db, user.id));
    await publishUnread({ db, clock, stream }, [user.id]);
    return settingsOf(deps, user.id);
  });

  route(app, api.setWebhook, async ({ body, user }) => {
    const url = webhookUrl(body.url);
    if (vault.closed !== null) throw refused('keyStoreClosed', vault.closed);
    const secret = `whsec_${randomBytes(32).toString('base64url')}`;
    const row = { userId: user.id, masked: maskedAddress(url), createdAt: clock() };
    const stored = await db.transaction(async (transaction) => {
      const tx = transaction as unknown as Queries;
      await keepWebhookSecret(tx, vault, user.id, { url, secret });
      // What waited for the address before is not for this one.
      await dropDeliveries(tx, jobs, user.id);
      return setWebhook(tx, row);
    });
    return { webhook: presentWebhook(stored, 0, false), secret };
  });

  route(app, api.removeWebhook, async ({ user }) => {
    await db.transaction(async (transaction) => {
      const tx = transaction as unknown as Queries;
      await removeWebhook(tx, user.id);
      await dropDeliveries(tx, jobs, user.id);
      await forgetWebhookSecret(tx, vault, user.id);
    });
    return null;
  });

  route(app, api.testWebhook, async ({ user }) => {
    const hook = await webhookOf(db, user.id);
    if (hook === null) throw refused('webhookMissing');
    const now = clock();
    const wait = (hook.lastAt ?? 0) + TEST_EVERY_MS - now;
    if (wait > 0) throw tooMany(wait / 1000, '测试过于频繁');
    // Before it is sent: of two at once the second one waits.
    await noteResult(db, user.id, { at: now, ok: false, detail: '正在发送' });
    const news = {
      kind: 'system',
      level: 'info',
      title: '测试通知',
      text: '推送地址可用',
      link: null,
      at: now,
    } as const;
    const { status: _, ...result } = await sendNews(
      { post, clock, db, vault },
      hook,
      { id: 'test', ...news },
      `test-${now}`,
    );
    await noteResult(db, user.id, result);
    return result;
  });

  async function unreadNow(userId: string) {
    return { unread: (await unreadOf(db, [userId])).get(userId) ?? 0 };
  }
}

function webhookUrl(text: string): string {
  try {
    return readWebhookUrl(text.trim()).href;
  } catch (error) {
    if (error instanceof AddressRefused) throw refused('webhookAddress', error.message, 'url');
    throw error;
  }
}

async function settingsOf({ db, vault }: Pick<Deps, 'db' | 'vault'>, userId: string) {
  const [choice, hook] = await Promise.all([choiceOf(db, userId), webhookOf(db, userId)]);
  if (hook === null) return { ...choice, webhook: null };
  const isDamaged = await isWebhookDamaged(db, vault, userId);
  return { ...choice, webhook: presentWebhook(hook, await waitingDeliveries(db, userId), isDamaged) };
}

/** Without the secret, which is given out once, and without what of the address may be a token. */
function presentWebhook(row: WebhookRow, waiting: number, isDamaged: boolean): Webhook {
  const { url, masked, createdAt, lastAt, lastOk, lastDetail, endedAt } = row;
  const last = lastAt === null ? null : { at: lastAt, ok: lastOk === true, detail: lastDetail ?? '' };
  return { url: url === null ? masked : maskedAddress(url), createdAt, last, waiting, endedAt, isDamaged };
}
