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
import { Instant, Maybe, OneOf, Text } from './value';

/** What a notification is about; each can be muted on its own. */
export const NOTIFICATION_KINDS = ['trade', 'funding', 'risk', 'key', 'system'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export const NOTIFICATION_LEVELS = ['info', 'warning', 'error'] as const;
export type NotificationLevel = (typeof NOTIFICATION_LEVELS)[number];

/** Lines that a user keeps at most, and for how many days. */
export const KEPT_NOTIFICATIONS = 500;
export const KEPT_NOTIFICATION_DAYS = 90;

const Kind = OneOf(NOTIFICATION_KINDS, { title: '类别' });

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
  url: Str(),
  createdAt: Instant('设置时间'),
  last: Maybe(WebhookResult),
  waiting: Integer({ description: '等待重试的条数' }),
});
export type Webhook = Static<typeof Webhook>;

const Settings = Obj({
  muted: Arr(Kind, { description: '静音的类别：照样记录，但不计未读、不推送' }),
  webhook: Maybe(Webhook),
});

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
    summary: '标为已读；不给编号则全部',
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
    summary: '静音的类别与推送地址；签名密钥不再给出',
    data: Settings,
  }),
  mute: endpoint({
    method: 'PUT',
    path: '/api/notification/setting',
    right: 'signedIn',
    tag: '通知',
    summary: '设置静音的类别',
    body: Obj(
      { muted: Arr(Kind, { title: '静音的类别', maxItems: NOTIFICATION_KINDS.length, uniqueItems: true }) },
      { additionalProperties: false },
    ),
    data: Settings,
  }),
  setWebhook: endpoint({
    method: 'PUT',
    path: '/api/notification/webhook',
    right: 'signedIn',
    tag: '通知',
    summary: '设置推送地址；签名密钥随之更换，只在这里给出一次',
    body: Obj({ url: WebhookUrl }, { additionalProperties: false }),
    data: Obj({ webhook: Webhook, secret: Str({ description: 'HMAC-SHA256 的密钥' }) }),
  }),
  removeWebhook: endpoint({
    method: 'DELETE',
    path: '/api/notification/webhook',
    right: 'signedIn',
    tag: '通知',
    summary: '停止推送；等待重试的不再发送',
    data: Null(),
  }),
  testWebhook: endpoint({
    method: 'POST',
    path: '/api/notification/webhook/test',
    right: 'signedIn',
    tag: '通知',
    summary: '立即推送一条测试通知，答复结果',
    data: WebhookResult,
  }),
};
