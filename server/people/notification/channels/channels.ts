import { createHmac } from 'node:crypto';
import type { PushChannelName } from '#contract/pushChannel';
import { AddressRefused, refuseLocalName } from '../publicPost';
import { askRobot, type Channel, FieldRefused, headOf, publicUrl, readRobotUrl, textOf, wordOf } from './channel';

/** What nodemailer's errors are called, for whoever set the server up. */
const WORDS: Record<string, string> = {
  EAUTH: '用户名或密码（授权码）不被接受',
  ENOAUTH: '用户名或密码（授权码）不被接受',
  EENVELOPE: '发件或收件邮箱不被接受',
  EMESSAGE: '邮件服务器拒收这封邮件',
  ETLS: '无法建立加密连接，请检查端口与加密方式',
  ESOCKET: '无法建立加密连接，请检查端口与加密方式',
  ECONNECTION: '无法连接邮件服务器',
  EPROTOCOL: '对方不是邮件服务器',
  ETIMEDOUT: '超时',
};

interface MailError {
  code?: unknown;
  /** Of SMTP. */
  responseCode?: unknown;
}

/** A mail server of the user's own, and an address that gets the letters. */
const email: Channel<'email'> = {
  read(given) {
    const host = given.host.toLowerCase();
    try {
      refuseLocalName(host);
    } catch (error) {
      if (error instanceof AddressRefused) throw new FieldRefused('host', error.message);
      throw error;
    }
    return { ...given, host };
  },
  shown: ({ host, to }) => `${host} → ${to}`,
  async send({ from, to, ...server }, news, { mail }) {
    const messageId = `<hedge-console-${news.id}@${from.split('@')[1]}>`;
    try {
      await mail(server, { from, to, subject: headOf(news), text: textOf(news), messageId });
      return { ok: true, detail: 'SMTP 250', status: 250 };
    } catch (error) {
      if (error instanceof AddressRefused) throw error;
      const { code, responseCode } = error as MailError;
      const said = typeof responseCode === 'number' ? `（SMTP ${responseCode}）` : '';
      const words = WORDS[String(code)];
      if (words === undefined) throw error;
      return { ok: false, detail: `${words}${said}`, status: null };
    }
  },
};

/** Reads what robots of 钉钉 and 企业微信 answer: 200 whatever came of it, and `errcode` 0 when the message was taken. */
const readErrcode =
  (tooMany: number) =>
  ({ errcode, errmsg }: Record<string, unknown>) =>
    typeof errcode !== 'number'
      ? undefined
      : { ok: errcode === 0, code: errcode, message: wordOf(errmsg), isBusy: errcode === tooMany };

const TELEGRAM = 'https://api.telegram.org';

const baseOf = ({ origin, pathname }: URL): string => `${origin}${pathname.replace(/\/+$/, '')}`;

/** A bot of Telegram: sendMessage of the Bot API. The token is part of the address. */
const telegram: Channel<'telegram'> = {
  read: ({ token, chatId, apiUrl }) => ({
    token,
    chatId,
    // Where Telegram itself cannot be reached, a proxy of the same calls can.
    ...(apiUrl?.trim() ? { apiUrl: baseOf(publicUrl(apiUrl, 'apiUrl')) } : {}),
  }),
  shown: ({ token, chatId, apiUrl }) =>
    `${apiUrl === undefined ? '' : `${new URL(apiUrl).host} · `}机器人 ${token.split(':')[0]} → ${chatId}`,
  send: ({ token, chatId, apiUrl = TELEGRAM }, news, { post }) =>
    askRobot(
      post,
      new URL(`${apiUrl}/bot${token}/sendMessage`),
      { chat_id: chatId, text: textOf(news), link_preview_options: { is_disabled: true } },
      ({ ok, error_code: code, description }) =>
        typeof ok !== 'boolean'
          ? undefined
          : { ok, code: Number(code), message: wordOf(description), isBusy: code === 429 },
    ),
};

/** The key is time and secret, and nothing is signed by it. @param timestamp s */
const feishuSign = (secret: string, timestamp: number): string =>
  createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64');

/** A custom bot of a group of 飞书. */
const feishu: Channel<'feishu'> = {
  read: ({ url, secret }) => ({
    url: readRobotUrl(url, { hosts: ['open.feishu.cn', 'open.larksuite.com'], path: '/open-apis/bot/v2/hook/' }).href,
    ...(secret?.trim() ? { secret: secret.trim() } : {}),
  }),
  shown: ({ url }) => `${new URL(url).host}/****`,
  send({ url, secret }, news, { post, clock }) {
    const timestamp = Math.floor(clock() / 1000);
    const signed = secret === undefined ? {} : { timestamp: String(timestamp), sign: feishuSign(secret, timestamp) };
    const body = { ...signed, msg_type: 'text', content: { text: textOf(news) } };
    return askRobot(post, new URL(url), body, ({ code, StatusCode, msg }) => {
      // Bots of the first days answer by other names.
      const said = code ?? StatusCode;
      if (typeof said !== 'number') return undefined;
      return { ok: said === 0, code: said, message: wordOf(msg), isBusy: [9499, 11_232].includes(said) };
    });
  },
};

/** @param timestamp ms */
const dingtalkSign = (secret: string, timestamp: number): string =>
  createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64');

/** A custom robot of a group of 钉钉. */
const dingtalk: Channel<'dingtalk'> = {
  read: ({ url, secret }) => ({
    url: readRobotUrl(url, { hosts: ['oapi.dingtalk.com'], path: '/robot/send', query: 'access_token' }).href,
    ...(secret?.trim() ? { secret: secret.trim() } : {}),
  }),
  shown: ({ url }) => `${new URL(url).host}/****`,
  send({ url, secret }, news, { post, clock }) {
    const signed = new URL(url);
    if (secret !== undefined) {
      const timestamp = clock();
      signed.searchParams.set('timestamp', String(timestamp));
      signed.searchParams.set('sign', dingtalkSign(secret, timestamp));
    }
    return askRobot(post, signed, { msgtype: 'text', text: { content: textOf(news) } }, readErrcode(130_101));
  },
};

/** A robot of a group of 企业微信. */
const wecom: Channel<'wecom'> = {
  read: ({ url }) => ({
    url: readRobotUrl(url, { hosts: ['qyapi.weixin.qq.com'], path: '/cgi-bin/webhook/send', query: 'key' }).href,
  }),
  shown: ({ url }) => `${new URL(url).host}/****`,
  send: ({ url }, news, { post }) =>
    askRobot(post, new URL(url), { msgtype: 'text', text: { content: textOf(news) } }, readErrcode(45_009)),
};

/** The adapter of each channel. */
export const CHANNELS: { [N in PushChannelName]: Channel<N> } = { telegram, feishu, dingtalk, wecom, email };
