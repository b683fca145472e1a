import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { notification as api, type NotificationRow, type Webhook, type WebhookResult } from '#contract/notification';
import {
  pushChannel as channelApi,
  PUSH_CHANNELS,
  type PushChannel,
  type PushChannelName,
  type PushTarget,
} from '#contract/pushChannel';
import { unread } from '#contract/unread';
import type { Queries } from '../../base/db/client';
import { changeChoice, choiceOf, markRead, notificationsOf, unreadOf } from '../../base/db/records/notification';
import {
  channelsOf,
  noteResult,
  removeWebhook,
  setWebhook,
  type WebhookRow,
  webhookOf,
} from '../../base/db/records/webhook';
import { noteChange } from '../../base/http/auditTrail';
import { refused, tooMany } from '../../base/http/refusal';
import { route } from '../../base/http/route';
import { FieldRefused, type Kept } from '../../people/notification/channels/channel';
import { CHANNELS } from '../../people/notification/channels/channels';
import { publishUnread } from '../../people/notification/notifier';
import { createPublicMail } from '../../people/notification/publicMail';
import { AddressRefused, createPublicPost, readWebhookUrl } from '../../people/notification/publicPost';
import type { Publisher } from '../../people/notification/publisher';
import {
  isPushDamaged,
  keepWebhookSecret,
  maskedAddress,
  pushSecretName,
  WEBHOOK_SECRET,
} from '../../people/notification/webhookSecret';
import { dropDeliveries, sendNews, waitingDeliveries } from '../../people/notification/webhookSender';
import type { Deps } from '../deps';

/** A webhook may be tried so often: it makes the server call a host that a user has named. */
const TEST_EVERY_MS = 5_000;

/** What a user is told, what not, and where it goes as well. */
export function notificationRoutes(app: FastifyInstance, deps: Deps, stream: Publisher): void {
  const { db, clock, vault, jobs, post = createPublicPost(), mail = createPublicMail() } = deps;

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
    const secret = `${WEBHOOK_SECRET}${randomBytes(32).toString('base64')}`;
    const stored = await set(user.id, 'webhook', maskedAddress(url), (tx) =>
      keepWebhookSecret(tx, vault, user.id, { url, secret }),
    );
    return { webhook: presentWebhook(stored, 0, false), secret };
  });

  route(app, api.removeWebhook, ({ user }) => remove(user.id, 'webhook'));

  route(app, api.testWebhook, async ({ user }) => {
    const hook = await webhookOf(db, user.id);
    if (hook === null) throw refused('webhookMissing');
    return tryOut(hook);
  });

  route(app, channelApi.list, async ({ user }) => {
    const rows = await channelsOf(db, user.id);
    return {
      list: await Promise.all(
        rows.map(async (row) => {
          const { userId, channel } = row;
          const waiting = await waitingDeliveries(db, userId, channel);
          return presentChannel(row, waiting, await isPushDamaged(db, vault, userId, channel));
        }),
      ),
    };
  });

  for (const channel of PUSH_CHANNELS) setting(channel);

  function setting<N extends PushChannelName>(channel: N): void {
    const { read, shown } = CHANNELS[channel];
    route(app, channelApi[channel] as typeof channelApi.wecom, async ({ body, user }) => {
      const kept = readFields(read, body as Kept[N]);
      if (vault.closed !== null) throw refused('keyStoreClosed', vault.closed);
      const stored = await set(user.id, channel, shown(kept), (tx) =>
        vault.keep(tx, pushSecretName(user.id, channel), JSON.stringify(kept)),
      );
      return presentChannel(stored, 0, false);
    });
  }

  route(app, channelApi.remove, ({ body, user }) => remove(user.id, body.channel));

  route(app, channelApi.test, async ({ body, user }) => {
    const row = await webhookOf(db, user.id, body.channel);
    if (row === null) throw refused('channelMissing');
    return tryOut(row);
  });

  /** Starts a way anew. @param keep what it is set up with, sealed */
  function set(userId: string, channel: PushTarget, masked: string, keep: (tx: Queries) => Promise<void>) {
    return db.transaction(async (transaction) => {
      const tx = transaction as unknown as Queries;
      await keep(tx);
      // What waited for the address before is not for this one.
      await dropDeliveries(tx, jobs, userId, channel);
      return setWebhook(tx, { userId, channel, masked, createdAt: clock() });
    });
  }

  async function remove(userId: string, channel: PushTarget): Promise<null> {
    await db.transaction(async (transaction) => {
      const tx = transaction as unknown as Queries;
      await removeWebhook(tx, userId, channel);
      await dropDeliveries(tx, jobs, userId, channel);
      await vault.forget(tx, pushSecretName(userId, channel));
    });
    return null;
  }

  async function tryOut(row: WebhookRow): Promise<WebhookResult> {
    const now = clock();
    const wait = (row.lastAt ?? 0) + TEST_EVERY_MS - now;
    if (wait > 0) throw tooMany(wait / 1000, '测试过于频繁');
    // Before it is sent: of two at once the second one waits.
    await noteResult(db, row, { at: now, ok: false, detail: '正在发送' });
    const text = row.channel === 'webhook' ? '推送地址可用' : '推送渠道可用';
    const news = { kind: 'system', level: 'info', title: '测试通知', text, link: null, at: now } as const;
    const delivery = `test-${now}`;
    const by = { post, mail, clock, db, vault };
    const { status: _, ...result } = await sendNews(by, row, { id: delivery, ...news }, delivery);
    await noteResult(db, row, result);
    return result;
  }

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

/** @throws a refusal at the field that cannot be accepted */
function readFields<F>(read: (given: F) => F, given: F): F {
  try {
    return read(given);
  } catch (error) {
    if (error instanceof FieldRefused) throw refused('webhookAddress', error.message, error.field);
    throw error;
  }
}

async function settingsOf({ db, vault }: Pick<Deps, 'db' | 'vault'>, userId: string) {
  const [choice, hook] = await Promise.all([choiceOf(db, userId), webhookOf(db, userId)]);
  if (hook === null) return { ...choice, webhook: null };
  const isDamaged = await isPushDamaged(db, vault, userId, 'webhook');
  return { ...choice, webhook: presentWebhook(hook, await waitingDeliveries(db, userId, 'webhook'), isDamaged) };
}

/** Without the secret, which is given out once, and without what of the address may be a token. */
function presentWebhook(row: WebhookRow, waiting: number, isDamaged: boolean): Webhook {
  const { url, masked, createdAt, lastAt, lastOk, lastDetail, endedAt } = row;
  const last = lastAt === null ? null : { at: lastAt, ok: lastOk === true, detail: lastDetail ?? '' };
  return { url: url === null ? masked : maskedAddress(url), createdAt, last, waiting, endedAt, isDamaged };
}

/** Without what it was set up with. */
function presentChannel(row: WebhookRow, waiting: number, isDamaged: boolean): PushChannel {
  const { url: _, ...state } = presentWebhook({ ...row, url: null }, waiting, isDamaged);
  return { channel: row.channel as PushChannelName, address: row.masked, ...state };
}
