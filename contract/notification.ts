import {
  Array as Arr,
  Boolean as Bool,
  Integer,
  Null,
  Object as Obj,
  Optional,
  type Static,
  String as Str,
} from 'typebox';
import { endpoint } from './endpoint';
import { listOf, listQuery } from './list';
import { Instant, Labelled, Maybe, OneOf, Text } from './value';
import { wordsOf } from './words';

/** What a notification is about; each can be muted on its own. */
export const NOTIFICATION_KIND_LABEL = {
  trade: '成交',
  funding: '资金费',
  risk: '风控',
  key: '密钥',
  system: '系统',
} as const;
export const NOTIFICATION_KINDS = wordsOf(NOTIFICATION_KIND_LABEL);
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** How a notification reaches its user: counted at the bell, sent to the webhook, shown by the browser. */
export const NOTIFICATION_CHANNEL_LABEL = { bell: '铃铛', webhook: '推送', browser: '浏览器' } as const;
export const NOTIFICATION_CHANNELS = wordsOf(NOTIFICATION_CHANNEL_LABEL);
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

export const NOTIFICATION_LEVELS = ['info', 'warning', 'error'] as const;
export type NotificationLevel = (typeof NOTIFICATION_LEVELS)[number];

/** Lines that a user keeps at most, and for how many days. */
export const KEPT_NOTIFICATIONS = 500;
export const KEPT_NOTIFICATION_DAYS = 90;

const Kind = Labelled(NOTIFICATION_KIND_LABEL, { title: '类别' });

export const NotificationRow = Obj({
  id: Str(),
  kind: Kind,
  level: OneOf(NOTIFICATION_LEVELS, { title: '级别' }),
  title: Str(),
  text: Str(),
  link: Maybe(Str({ description: '控制台内的地址' })),
  at: Instant('发生时间'),
  readAt: Maybe(Instant('已读时间')),
});
export type NotificationRow = Static<typeof NotificationRow>;

const WebhookUrl = Text({
  title: '推送地址',
  minLength: 12,
  maxLength: 500,
  description: 'https 公网地址；解析到内网、本机或保留地址的域名不会被访问',
});

/** How the last delivery ended. */
export const WebhookResult = Obj({
  at: Instant('投递时间'),
  ok: Bool(),
  detail: Str({ description: 'HTTP 状态，或没有送达的原因' }),
});
export type WebhookResult = Static<typeof WebhookResult>;

export const Webhook = Obj({
  url: Str({ description: '只有协议与主机：其余可能含令牌，不再给出' }),
  createdAt: Instant('设置时间'),
  last: Maybe(WebhookResult),
  waiting: Integer({ description: '等待重试的条数' }),
  endedAt: Maybe(Instant('对方答复 410、不再推送的时间')),
  isDamaged: Bool({ description: '保存的地址与密钥已损坏，要重新设置' }),
});
export type Webhook = Static<typeof Webhook>;

const quiet = (title: string) => Arr(Kind, { title, maxItems: NOTIFICATION_KINDS.length, uniqueItems: true });
const off = {
  bell: quiet('不计未读的类别'),
  webhook: quiet('不推送的类别'),
  browser: quiet('浏览器不弹出的类别'),
};

export const NotificationSettings = Obj({
  off: Obj(off, { description: '各渠道静音的类别；照样记录' }),
  browser: Bool({ description: '浏览器弹出通知；各浏览器还要各自允许' }),
  webhook: Maybe(Webhook),
});
export type NotificationSettings = Static<typeof NotificationSettings>;

export const notification = {
  list: endpoint({
    method: 'GET',
    path: '/api/notification',
    right: 'signedIn',
    tag: '通知',
    summary: `本人的通知，新的在前；保留最近 ${KEPT_NOTIFICATIONS} 条、${KEPT_NOTIFICATION_DAYS} 天`,
    query: Obj({
      ...listQuery(20),
      kind: Optional(Kind),
      unread: Optional(Bool({ title: '只看未读' })),
    }),
    data: listOf(NotificationRow),
  }),
  read: endpoint({
    method: 'POST',
    path: '/api/notification/read',
    right: 'signedIn',
    tag: '通知',
    summary: '通知标为已读；不给编号则全部',
    body: Obj(
      { ids: Optional(Arr(Str({ pattern: '^[0-9]{1,18}$' }), { title: '通知', minItems: 1, maxItems: 200 })) },
      { additionalProperties: false },
    ),
    data: Obj({ unread: Integer() }),
  }),
  settings: endpoint({
    method: 'GET',
    path: '/api/notification/setting',
    right: 'signedIn',
    tag: '通知',
    summary: '各渠道静音的类别与推送地址；签名密钥不再给出',
    data: NotificationSettings,
  }),
  setSettings: endpoint({
    method: 'PUT',
    path: '/api/notification/setting',
    right: 'signedIn',
    tag: '通知',
    summary: '设置通知：各渠道静音的类别，是否由浏览器弹出；只改给出的项',
    body: Obj(
      {
        off: Optional(
          Obj(
            { bell: Optional(off.bell), webhook: Optional(off.webhook), browser: Optional(off.browser) },
            { title: '静音', additionalProperties: false },
          ),
        ),
        browser: Optional(Bool({ title: '浏览器弹出' })),
      },
      { additionalProperties: false },
    ),
    data: NotificationSettings,
  }),
  setWebhook: endpoint({
    method: 'PUT',
    path: '/api/notification/webhook',
    right: 'signedIn',
    fresh: true,
    tag: '通知',
    summary: '设置通知的推送地址；签名密钥随之更换，只在这里给出一次',
    body: Obj({ url: { ...WebhookUrl, writeOnly: true } }, { additionalProperties: false }),
    data: Obj({ webhook: Webhook, secret: Str({ description: 'HMAC-SHA256 的密钥' }) }),
  }),
  removeWebhook: endpoint({
    method: 'DELETE',
    path: '/api/notification/webhook',
    right: 'signedIn',
    tag: '通知',
    summary: '停止推送通知；等待重试的不再发送',
    data: Null(),
  }),
  testWebhook: endpoint({
    method: 'POST',
    path: '/api/notification/webhook/test',
    right: 'signedIn',
    tag: '通知',
    summary: '推送一条测试通知：立即发送，答复结果',
    data: WebhookResult,
  }),
};
