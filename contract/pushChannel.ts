import {
  Array as Arr,
  Integer,
  Null,
  Object as Obj,
  Optional,
  type Static,
  String as Str,
  type TProperties,
} from 'typebox';
import { endpoint } from './endpoint';
import { Webhook, WebhookResult } from './notification';
import { Labelled, Text } from './value';

/** Where a user's notifications are pushed to beside the webhook: each has fields of its own. */
export const PUSH_CHANNEL_LABEL = {
  telegram: 'Telegram',
  feishu: '飞书',
  dingtalk: '钉钉',
  wecom: '企业微信',
  email: '邮件',
} as const;
export type PushChannelName = keyof typeof PUSH_CHANNEL_LABEL;
/** Every way out of the console: these, and the webhook. */
export type PushTarget = 'webhook' | PushChannelName;
export const PUSH_CHANNELS = Object.keys(PUSH_CHANNEL_LABEL) as PushChannelName[];

/** How the connection to a mail server is encrypted: from its first byte, or once it has agreed to; never not at all. */
export const MAIL_SECURITY_LABEL = { tls: 'SSL/TLS（通常 465）', starttls: 'STARTTLS（通常 587）' } as const;

/** What is stored sealed and never given out again. */
const secretText = (title: string, maxLength = 500) => ({
  ...Text({ title, minLength: 1, maxLength }),
  writeOnly: true,
});
const shaped = (title: string, pattern: string, description: string) => ({
  ...Str({ title, pattern, maxLength: 200, description }),
  writeOnly: true,
});
const mailAddress = (title: string) =>
  shaped(title, '^[^\\s@<>,;"]{1,64}@[^\\s@<>,;"]{1,128}$', `${title}应为一个邮箱地址`);
const robotUrl = () => secretText('Webhook 地址');
const robotSecret = () => Optional(secretText('签名密钥', 128));

export const PUSH_FIELDS = {
  telegram: {
    token: shaped('机器人令牌', '^[0-9]{5,20}:[A-Za-z0-9_-]{20,100}$', '机器人令牌形如 123456789:ABC-def…'),
    chatId: shaped('会话 ID', '^(-?[0-9]{1,20}|@[A-Za-z0-9_]{5,32})$', '会话 ID 是数字（群为负数）或 @频道名'),
    apiUrl: Optional(secretText('接口地址')),
  },
  feishu: { url: robotUrl(), secret: robotSecret() },
  dingtalk: { url: robotUrl(), secret: robotSecret() },
  wecom: { url: robotUrl() },
  email: {
    host: shaped('SMTP 服务器', '^[A-Za-z0-9.-]{3,200}$', 'SMTP 服务器是一个域名，如 smtp.example.com'),
    port: Integer({ title: '端口', minimum: 1, maximum: 65_535 }),
    security: Labelled(MAIL_SECURITY_LABEL, { title: '加密' }),
    user: secretText('用户名', 200),
    password: secretText('密码或授权码', 200),
    from: mailAddress('发件邮箱'),
    to: mailAddress('收件邮箱'),
  },
} as const satisfies Record<PushChannelName, TProperties>;

const Channel = Labelled(PUSH_CHANNEL_LABEL, { title: '推送渠道' });
const { url: _address, ...state } = Webhook.properties;

/** One that is set up; what it was set up with is not given out. */
export const PushChannel = Obj({
  channel: Channel,
  address: Str({ description: '送往哪里，令牌与密钥除外' }),
  ...state,
});
export type PushChannel = Static<typeof PushChannel>;

const set = <const P extends TProperties>(channel: PushChannelName, fields: P) =>
  endpoint({
    method: 'PUT',
    path: `/api/notification/channel/${channel}`,
    right: 'signedIn',
    fresh: true,
    tag: '通知',
    summary: `设置推送渠道：${PUSH_CHANNEL_LABEL[channel]}；原来的设置作废`,
    body: Obj(fields, { additionalProperties: false }),
    data: PushChannel,
  });

export const pushChannel = {
  list: endpoint({
    method: 'GET',
    path: '/api/notification/channel',
    right: 'signedIn',
    tag: '通知',
    summary: '本人设置的推送渠道与最近一次投递；令牌与密钥不再给出',
    data: Obj({ list: Arr(PushChannel) }),
  }),
  telegram: set('telegram', PUSH_FIELDS.telegram),
  feishu: set('feishu', PUSH_FIELDS.feishu),
  dingtalk: set('dingtalk', PUSH_FIELDS.dingtalk),
  wecom: set('wecom', PUSH_FIELDS.wecom),
  email: set('email', PUSH_FIELDS.email),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/notification/channel',
    right: 'signedIn',
    tag: '通知',
    summary: '停用一个推送渠道；等待重试的不再发送',
    body: Obj({ channel: Channel }, { additionalProperties: false }),
    data: Null(),
  }),
  test: endpoint({
    method: 'POST',
    path: '/api/notification/channel/test',
    right: 'signedIn',
    tag: '通知',
    summary: '经一个推送渠道发送一条测试通知：立即发送，答复结果',
    body: Obj({ channel: Channel }, { additionalProperties: false }),
    data: WebhookResult,
  }),
};
