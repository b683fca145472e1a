import { createHmac } from 'node:crypto';
import { askRobot, type Channel, readRobotUrl, textOf } from './channel';
import { readErrcode } from './errcode';

const TOO_MANY = 130_101;

/** @param timestamp ms */
export const dingtalkSign = (secret: string, timestamp: number): string =>
  createHmac('sha256', secret).update(`${timestamp}\n${secret}`).digest('base64');

/** A custom robot of a group of 钉钉. */
export const dingtalk: Channel<'dingtalk'> = {
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
    return askRobot(post, signed, { msgtype: 'text', text: { content: textOf(news) } }, readErrcode(TOO_MANY));
  },
};
