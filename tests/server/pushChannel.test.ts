import { createHmac } from 'node:crypto';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { and, eq } from 'drizzle-orm';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { HOUR_MS, MINUTE_MS } from '#contract/duration';
import type { BodyOf } from '#contract/endpoint';
import { notification as api } from '#contract/notification';
import { PUSH_CHANNELS, type PushChannelName, pushChannel } from '#contract/pushChannel';
import type { Queries } from '#server/base/db/client';
import { addNews } from '#server/base/db/records/notification';
import { audit, secret as secretTable, webhook } from '#server/base/db/schema';
import { findUser } from '#server/base/db/users/user';
import { Jobs } from '#server/base/jobs/jobs';
import { Notifier } from '#server/people/notification/notifier';
import { createPublicMail, type MailServer } from '#server/people/notification/publicMail';
import { createPublicPost, type Resolve } from '#server/people/notification/publicPost';
import { queueDeliveries } from '#server/people/notification/webhookSender';
import { fileApp } from '../support/app';
import { atEnd } from '../support/atEnd';
import { jobsLater } from '../support/jobsLater';
import { MAIL_CERTIFICATE } from '../support/mailCertificate';

/** What the robots were sent, and what they answer. */
const received: { host: string; url: URL; body: Record<string, unknown> }[] = [];
const says = { status: 200, text: '' };
const robots = createServer((call, answer) => {
  let body = '';
  call.on('data', (part) => {
    body += part;
  });
  call.on('end', () => {
    const url = new URL(call.url ?? '', `https://${call.headers.host}`);
    received.push({ host: url.hostname, url, body: JSON.parse(body) });
    answer.writeHead(says.status).end(says.text);
  });
});
await new Promise<void>((done) => robots.listen(0, '127.0.0.1', done));
const { port: robotPort } = robots.address() as AddressInfo;
const resolve: Resolve = async () => [{ address: '127.0.0.1', family: 4 }];
// Whichever host is meant, it is the one that stands in here, without TLS.
const request = ((url: URL, options: object, onAnswer: never) =>
  httpRequest(url, { ...options, protocol: 'http:', port: robotPort } as never, onAnswer)) as never;
const post = createPublicPost({ resolve, request, isAllowed: () => true });

interface Letter {
  from: string;
  to: string[];
  user: string;
  text: string;
  isSecure: boolean;
}
const letters: Letter[] = [];
const mailSays = { refuses: false };

/** A mail server that knows one user. */
async function mailServer(options: SMTPServerOptions): Promise<number> {
  const smtp = new SMTPServer({
    ...MAIL_CERTIFICATE,
    ...options,
    logger: false,
    onAuth: ({ username, password }, _session, done) =>
      password === 'of-the-box' ? done(null, { user: username }) : done(new Error('wrong')),
    onRcptTo: (_address, _session, done) =>
      mailSays.refuses ? done(Object.assign(new Error('no such box'), { responseCode: 550 })) : done(),
    onData: (stream, { envelope, user, secure }, done) => {
      const parts: Buffer[] = [];
      stream.on('data', (part) => parts.push(part));
      stream.on('end', () => {
        letters.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          user: String(user),
          text: Buffer.concat(parts).toString('utf8'),
          isSecure: secure,
        });
        done();
      });
    },
  });
  smtp.on('error', () => undefined);
  atEnd(() => new Promise<void>((done) => smtp.close(() => done())));
  return new Promise((done) => {
    smtp.listen(0, '127.0.0.1', () => done((smtp.server.address() as AddressInfo).port));
  });
}
const ports = {
  starttls: await mailServer({}),
  tls: await mailServer({ secure: true }),
  /** Would take the password in the open. */
  plain: await mailServer({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true }),
};
const mail = createPublicMail({ resolve, isAllowed: () => true, ca: MAIL_CERTIFICATE.cert });

const server = await fileApp({ post, mail });
atEnd(() => robots.close());
const trader = server.as('trader');
const { id: userId } = (await findUser(server.db, 'trader'))!;
const jobs = new Jobs(server.db);
const { db, vault } = server;
const stream = { publish: () => {}, missed: () => {} } as never;
new Notifier({ db, vault, clock: server.now, stream, post, mail, jobs });

const SECRET = 'SEC-of-the-robot';
const TELEGRAM = { token: '123456789:AbcdefghijklmnopqrstuvwxyZ-12345678', chatId: '-1001234567890' };
const MAIL = {
  host: 'mail.example',
  port: ports.starttls,
  security: 'starttls' as const,
  user: 'robot',
  password: 'of-the-box',
  from: 'robot@mail.example',
  to: 'me@home.example',
};
const SETTINGS: { [N in PushChannelName]: BodyOf<(typeof pushChannel)[N]> } = {
  telegram: TELEGRAM,
  feishu: { url: 'https://open.feishu.cn/open-apis/bot/v2/hook/0b1c-token', secret: SECRET },
  dingtalk: { url: 'https://oapi.dingtalk.com/robot/send?access_token=token-of-it', secret: SECRET },
  wecom: { url: 'https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=key-of-it' },
  email: MAIL,
};
/** What each robot says when it has taken a message, when it refuses one, and when it has had too many. */
const ANSWERS = {
  telegram: {
    taken: '{"ok":true,"result":{}}',
    refused: [400, '{"ok":false,"error_code":400,"description":"Bad Request: chat not found"}'],
    why: '错误 400：Bad Request: chat not found',
  },
  feishu: {
    taken: '{"code":0,"msg":"success","data":{}}',
    refused: [200, '{"code":19021,"msg":"sign match fail or timestamp is not within one hour from current time"}'],
    why: '错误 19021：sign match fail or timestamp is not within one hour from current time',
  },
  dingtalk: {
    taken: '{"errcode":0,"errmsg":"ok"}',
    refused: [200, '{"errcode":310000,"errmsg":"sign not match"}'],
    why: '错误 310000：sign not match',
  },
  wecom: {
    taken: '{"errcode":0,"errmsg":"ok"}',
    refused: [200, '{"errcode":93000,"errmsg":"invalid webhook url"}'],
    why: '错误 93000：invalid webhook url',
  },
} as const;
const ROBOTS = Object.keys(ANSWERS) as (keyof typeof ANSWERS)[];

const answer = (status: number, text: string) => Object.assign(says, { status, text });
const refuse = (channel: keyof typeof ANSWERS) => {
  const [status, text] = ANSWERS[channel].refused;
  answer(status, text);
};
const set = (channel: PushChannelName, body: Record<string, unknown> = SETTINGS[channel]) =>
  trader(pushChannel[channel] as typeof pushChannel.wecom, { body });
async function tryOut(channel: PushChannelName) {
  server.advance(6_000);
  return (await trader(pushChannel.test, { body: { channel } })).body.data;
}
const rowOf = async (channel: PushChannelName) =>
  (await trader(pushChannel.list)).body.data.list.find((one) => one.channel === channel);
const bodyText = ({ body }: (typeof received)[number]): string => JSON.stringify(body);

let told = 0;
/** Adds news and has them pushed. */
async function tell(title: string): Promise<void> {
  told += 1;
  const news = {
    userId,
    key: `test:${told}`,
    kind: 'risk',
    level: 'error',
    title,
    text: 'BTCUSDT',
    link: null,
  } as const;
  await db.transaction(async (transaction) => {
    const tx = transaction as unknown as Queries;
    const { added } = await addNews(tx, [{ ...news, at: server.now() }], server.now());
    await queueDeliveries(tx, jobs, added);
  });
}

test.each(ROBOTS)('%s: is set up, tried, and says what its robot answers, 200 or not', async (channel) => {
  expect((await trader(pushChannel.test, { body: { channel } })).body.code).toBe(8003);
  const { body } = await set(channel);
  expect(body).toMatchObject({ code: 200, data: { channel, last: null, waiting: 0, isDamaged: false } });
  received.length = 0;
  answer(200, ANSWERS[channel].taken);
  expect(await tryOut(channel)).toEqual({ at: server.now(), ok: true, detail: 'HTTP 200' });
  expect(bodyText(received[0]!)).toContain('【对冲控制台】测试通知');
  refuse(channel);
  expect(await tryOut(channel)).toMatchObject({ ok: false, detail: ANSWERS[channel].why });
  answer(200, '<html>captive portal</html>');
  expect(await tryOut(channel)).toMatchObject({ ok: false, detail: 'HTTP 200，答复无法识别' });
  expect(await rowOf(channel)).toMatchObject({ last: { ok: false, detail: 'HTTP 200，答复无法识别' } });
  const again = await trader(pushChannel.test, { body: { channel } });
  expect([again.status, again.headers['retry-after']]).toEqual([429, '5']);
});

describe('what a robot is sent', () => {
  const sentBy = async (channel: keyof typeof ANSWERS) => {
    received.length = 0;
    answer(200, ANSWERS[channel].taken);
    await tryOut(channel);
    return received[0]!;
  };

  test('Telegram: sendMessage under the token, to the chat', async () => {
    const { host, url, body } = await sentBy('telegram');
    expect([host, url.pathname]).toEqual(['api.telegram.org', `/bot${TELEGRAM.token}/sendMessage`]);
    expect(body).toMatchObject({ chat_id: TELEGRAM.chatId, text: expect.stringContaining('推送渠道可用') });
    await set('telegram', { ...TELEGRAM, apiUrl: 'https://proxy.example/tg/' });
    const byProxy = await sentBy('telegram');
    expect([byProxy.host, byProxy.url.pathname]).toEqual(['proxy.example', `/tg/bot${TELEGRAM.token}/sendMessage`]);
    expect((await rowOf('telegram'))?.address).toBe('proxy.example · 机器人 123456789 → -1001234567890');
  });

  test('飞书: the time in seconds, and a signature that time and secret are the key of', async () => {
    const { host, url, body } = await sentBy('feishu');
    expect([host, url.pathname]).toEqual(['open.feishu.cn', '/open-apis/bot/v2/hook/0b1c-token']);
    const timestamp = String(Math.floor(server.now() / 1000));
    const sign = createHmac('sha256', `${timestamp}\n${SECRET}`).digest('base64');
    expect(body).toMatchObject({ timestamp, sign, msg_type: 'text', content: { text: expect.any(String) } });
    await set('feishu', { url: SETTINGS.feishu.url });
    expect(Object.keys((await sentBy('feishu')).body)).toEqual(['msg_type', 'content']);
  });

  test('钉钉: time in milliseconds and signature beside the token', async () => {
    const { host, url, body } = await sentBy('dingtalk');
    expect([host, url.pathname]).toEqual(['oapi.dingtalk.com', '/robot/send']);
    const timestamp = String(server.now());
    const sign = createHmac('sha256', SECRET).update(`${timestamp}\n${SECRET}`).digest('base64');
    expect(Object.fromEntries(url.searchParams)).toEqual({ access_token: 'token-of-it', timestamp, sign });
    expect(url.search).toContain(encodeURIComponent(sign));
    expect(body).toMatchObject({ msgtype: 'text', text: { content: expect.any(String) } });
  });

  test('企业微信: to its key, never more than it takes', async () => {
    const { host, url } = await sentBy('wecom');
    expect([host, url.pathname, url.search]).toEqual([
      'qyapi.weixin.qq.com',
      '/cgi-bin/webhook/send',
      '?key=key-of-it',
    ]);
    received.length = 0;
    await tell('长'.repeat(40));
    await db.execute(`update notification set text = repeat('文', 3000) where key = 'test:${told}'`);
    await jobs.runDue();
    const { text } = received.find((one) => one.host === host)!.body as { text: { content: string } };
    expect(text.content).toContain('…');
    expect(Buffer.byteLength(text.content)).toBeLessThanOrEqual(2_048);
  });
});

describe('e-mail', () => {
  test.each(['starttls', 'tls'] as const)('is handed over encrypted by %s, signed in', async (security) => {
    expect((await set('email', { ...MAIL, security, port: ports[security] })).body.code).toBe(200);
    letters.length = 0;
    expect(await tryOut('email')).toMatchObject({ ok: true, detail: 'SMTP 250' });
    const [letter] = letters;
    expect(letter).toMatchObject({ from: MAIL.from, to: [MAIL.to], user: MAIL.user, isSecure: true });
    const subject = Buffer.from('【对冲控制台】测试通知').toString('base64');
    expect(letter?.text.replace(/\?=\s+=\?UTF-8\?B\?/g, '')).toContain(subject.slice(0, 20));
    expect((await rowOf('email'))?.address).toBe('mail.example → me@home.example');
  });

  test('goes nowhere in the open, and to nobody whose certificate is of another name', async () => {
    letters.length = 0;
    await set('email', { ...MAIL, port: ports.plain });
    expect(await tryOut('email')).toMatchObject({ ok: false, detail: expect.stringMatching(/^无法建立加密连接/) });
    await set('email', { ...MAIL, host: 'other.example' });
    expect(await tryOut('email')).toMatchObject({ ok: false, detail: expect.stringMatching(/^无法建立加密连接/) });
    expect(letters).toEqual([]);
  });

  test('says what the mail server refuses', async () => {
    await set('email', { ...MAIL, password: 'wrong' });
    expect(await tryOut('email')).toMatchObject({ detail: '用户名或密码（授权码）不被接受（SMTP 535）' });
    await set('email');
    mailSays.refuses = true;
    expect(await tryOut('email')).toMatchObject({ ok: false, detail: '发件或收件邮箱不被接受（SMTP 550）' });
    mailSays.refuses = false;
  });
});

describe('a channel', () => {
  test.each([
    ['feishu', { url: 'https://oapi.dingtalk.com/robot/send?access_token=x' }, 'url', '应形如 https://open.feishu.cn'],
    ['feishu', { url: 'https://open.feishu.cn/open-apis/bot/v2/hook/' }, 'url', '应形如'],
    ['dingtalk', { url: 'https://oapi.dingtalk.com/robot/send' }, 'url', '?access_token=…'],
    ['wecom', { url: 'http://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=x' }, 'url', '必须以 https:// 开头'],
    ['telegram', { ...TELEGRAM, apiUrl: 'https://127.0.0.1/' }, 'apiUrl', '不是公网地址'],
    ['email', { ...MAIL, host: 'localhost' }, 'host', '不是公网地址'],
    ['email', { ...MAIL, host: '10.0.0.8' }, 'host', '不是公网地址'],
  ] as const)('%s refuses %j at its field', async (channel, body, field, why) => {
    const { body: refusal } = await set(channel, body);
    expect(refusal).toMatchObject({ code: 8001, data: { fields: [{ field }] } });
    expect(refusal.message).toContain(why);
  });

  test.each([
    ['telegram', { ...TELEGRAM, token: 'no token' }, '机器人令牌的格式不正确'],
    ['telegram', { ...TELEGRAM, chatId: 'me' }, '会话 ID的格式不正确'],
    ['email', { ...MAIL, to: 'a@b.example, c@d.example' }, '收件邮箱的格式不正确'],
  ] as const)('%s refuses what has not its shape, %j', async (channel, body, why) => {
    const { status, body: refusal } = await set(channel, body);
    expect(status).toBe(400);
    expect(refusal.message).toContain(why);
  });

  test('whose mail server leads inside is never connected to, also when only one of its addresses does', async () => {
    for (const addresses of [['10.0.0.5'], ['8.8.8.8', '127.0.0.1'], ['::1'], []]) {
      const inside = createPublicMail({ resolve: async () => addresses.map((address) => ({ address, family: 4 })) });
      const letter = { from: MAIL.from, to: MAIL.to, subject: '', text: '', messageId: '' };
      await expect(inside(MAIL as MailServer, letter)).rejects.toThrow(/域名/);
    }
  });

  test('keeps what it was set up with sealed: not in its row, in no answer, and not in the audit log', async () => {
    for (const channel of PUSH_CHANNELS) await set(channel);
    const rows = await db.select().from(webhook).where(eq(webhook.userId, userId));
    expect(rows.map(({ channel }) => channel).sort()).toEqual([...PUSH_CHANNELS].sort());
    const trail = await db.select().from(audit);
    const listed = await trader(pushChannel.list);
    expect(trail.some(({ action }) => action === 'PUT /api/notification/channel/email')).toBe(true);
    const seen = JSON.stringify([rows, trail, await db.select().from(secretTable)]) + listed.raw.body;
    for (const word of [SECRET, 'Abcdefgh', '0b1c-token', 'token-of-it', 'key-of-it', 'of-the-box'])
      expect([word, seen.includes(word)]).toEqual([word, false]);
    expect(listed.body.data.list).toHaveLength(PUSH_CHANNELS.length);
    expect((await server.as('editor')(pushChannel.list)).body.data.list).toEqual([]);
    expect((await trader(api.settings)).body.data.webhook).toBeNull();
  });

  test('gets what is new beside the others; a refusal, 200 or not, is tried again until it is given up, and told', async () => {
    // Each by its own answer: one that is refused keeps none of the others.
    for (const channel of ['telegram', 'feishu', 'email'] as const)
      await trader(pushChannel.remove, { body: { channel } });
    received.length = 0;
    refuse('dingtalk');
    await tell('第一条');
    await jobs.runDue();
    expect(received.map(({ host }) => host).sort()).toEqual(['oapi.dingtalk.com', 'qyapi.weixin.qq.com']);
    expect(await rowOf('dingtalk')).toMatchObject({ waiting: 1, last: { ok: false, detail: ANSWERS.dingtalk.why } });
    answer(200, ANSWERS.dingtalk.taken);
    server.advance(MINUTE_MS);
    await jobsLater(db, MINUTE_MS);
    await jobs.runDue();
    expect(received).toHaveLength(4);
    expect(await rowOf('dingtalk')).toMatchObject({ waiting: 0, last: { ok: true } });
    await trader(pushChannel.remove, { body: { channel: 'dingtalk' } });

    refuse('wecom');
    await tell('第二条');
    received.length = 0;
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await jobs.runDue();
      server.advance(MINUTE_MS);
      await jobsLater(db, 2 * HOUR_MS);
    }
    expect(received).toHaveLength(10);
    const [news] = (await trader(api.list)).body.data.list;
    expect(news).toMatchObject({ title: '通知推送失败', text: expect.stringMatching(/^企业微信：.*93000/) });
  });

  test('that is busy is left alone for a while, and no attempt is lost by that', async () => {
    answer(200, '{"errcode":45009,"errmsg":"api freq out of limit"}');
    server.advance(2 * MINUTE_MS);
    await tell('甲');
    await tell('乙');
    received.length = 0;
    await jobs.runDue();
    await jobs.runDue();
    expect(received).toHaveLength(1);
    answer(200, ANSWERS.wecom.taken);
    for (let turn = 0; turn < 3; turn += 1) {
      server.advance(MINUTE_MS);
      await jobsLater(db, MINUTE_MS);
      await jobs.runDue();
    }
    expect(received.map(bodyText).filter((text) => text.includes('甲'))).toHaveLength(2);
    expect(received.map(bodyText).filter((text) => text.includes('乙'))).toHaveLength(1);
  });

  test('that cannot be read any more says so, and one that was taken away hears of nothing', async () => {
    const isOwn = and(eq(secretTable.purpose, 'wecom'), eq(secretTable.recordId, userId));
    await db.update(secretTable).set({ sealed: 'AAAA' }).where(isOwn);
    expect(await rowOf('wecom')).toMatchObject({ isDamaged: true });
    expect(await tryOut('wecom')).toMatchObject({ ok: false, detail: expect.stringMatching(/请重新设置/) });
    await new Notifier({ db, vault, clock: server.now, stream, post, mail, jobs: new Jobs(db) }).pass();
    expect((await trader(api.list)).body.data.list.map(({ title }) => title)).toContain('企业微信推送的设置已损坏');
    await set('wecom');
    expect(await rowOf('wecom')).toMatchObject({ isDamaged: false });
    await tell('丙');
    await trader(pushChannel.remove, { body: { channel: 'wecom' } });
    received.length = 0;
    await jobs.runDue();
    expect(received).toEqual([]);
    expect((await trader(pushChannel.list)).body.data.list).toEqual([]);
    expect(await db.select().from(secretTable).where(isOwn)).toEqual([]);
  });
});
