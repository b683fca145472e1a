import { createHmac } from 'node:crypto';
import { askRobot, type Channel, readRobotUrl, textOf, wordOf } from './channel';

const HOSTS = ['open.feishu.cn', 'open.larksuite.com'];
const TOO_MANY = new Set([9499, 11_232]);

/** The key is time and secret, and nothing is signed by it. @param timestamp s */
export const feishuSign = (secret: string, timestamp: number): string =>
  createHmac('sha256', `${timestamp}\n${secret}`).update('').digest('base64');

/** A custom bot of a group of 飞书. */
export const feishu: Channel<'feishu'> = {
  read: ({ url, secret }) => ({
    url: readRobotUrl(url, { hosts: HOSTS, path: '/open-apis/bot/v2/hook/' }).href,
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
      return { ok: said === 0, code: said, message: wordOf(msg), isBusy: TOO_MANY.has(said) };
    });
  },
};
