import { askRobot, type Channel, readRobotUrl, textOf } from './channel';
import { readErrcode } from './errcode';

const TOO_MANY = 45_009;

/** A robot of a group of 企业微信. */
export const wecom: Channel<'wecom'> = {
  read: ({ url }) => ({
    url: readRobotUrl(url, { hosts: ['qyapi.weixin.qq.com'], path: '/cgi-bin/webhook/send', query: 'key' }).href,
  }),
  shown: ({ url }) => `${new URL(url).host}/****`,
  send: ({ url }, news, { post }) =>
    askRobot(post, new URL(url), { msgtype: 'text', text: { content: textOf(news) } }, readErrcode(TOO_MANY)),
};
