import { randomUUID } from 'node:crypto';
import { createServer, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { and, eq } from 'drizzle-orm';
import { Webhook } from 'standardwebhooks';
import { account } from '#contract/account';
import { type ApiKeyRow, apiKey } from '#contract/apiKey';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#contract/duration';
import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import type { HedgeEventKind } from '#contract/lifecycle';
import { notification as api, KEPT_NOTIFICATIONS, type NotificationKind } from '#contract/notification';
import { service } from '#contract/service';
import { unread as unreadApi } from '#contract/unread';
import { userAdmin } from '#contract/userAdmin';
import { insertAccount } from '../../server/base/db/accounts/venueAccount';
import { setKillSwitch } from '../../server/base/db/books/book';
import { beginFailing, endFailing, pauseBook } from '../../server/base/db/books/bookProgress';
import { newsStamp } from '../../server/base/db/markets/newsSource';
import { addNews, notificationsOf } from '../../server/base/db/records/notification';
import {
  audit,
  deal,
  fill,
  apiKey as keyTable,
  ledger,
  secret as secretTable,
  strategy,
  tradeOrder,
  webhook,
} from '../../server/base/db/schema';
import { findUser } from '../../server/base/db/users/user';
import { Jobs } from '../../server/base/jobs/jobs';
import { NOTHING_SAID } from '../../server/market/keyCheck';
import { simulatedKeyCheck } from '../../server/market/simulated/keyCheck';
import { KeyWatch } from '../../server/people/apiKey/keyWatch';
import { Notifier } from '../../server/people/notification/notifier';
import { createPublicMail } from '../../server/people/notification/publicMail';
import {
  createPublicPost,
  isPublicAddress,
  type Resolve,
  readWebhookUrl,
} from '../../server/people/notification/publicPost';
import type { Publication } from '../../server/people/notification/publisher';
import { keepWebhookSecret, sealAddresses } from '../../server/people/notification/webhookSecret';
import { queueDeliveries } from '../../server/people/notification/webhookSender';
import { fileApp, START } from '../support/app';
import { atEnd } from '../support/atEnd';
import { addBook, addEvents, addHedges, addLedger, addPair } from '../support/bookRows';
import { jobsLater } from '../support/jobsLater';
import { waitFor } from '../support/waitFor';

const PAIR = ['AAAUSDT', 'BBBUSDT'] as const;
const DEAL = '00000000-0000-4000-8000-000000000001';

/** What the webhook's host was sent, and what it answers next. */
const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
const host = { status: 204, location: '' };
const resolved: string[] = [];
/** Of the one host that there is: another name, the same machine. */
const resolve: Resolve = async (name) => {
  resolved.push(name);
  return [{ address: '127.0.0.1', family: 4 }];
};
const request = ((url: URL, ...rest: Parameters<typeof httpRequest> extends [unknown, ...infer R] ? R : never) =>
  httpRequest(Object.assign(new URL(url), { protocol: 'http:' }), ...rest)) as typeof httpRequest;
const post = createPublicPost({ resolve, request: request as never, isAllowed: () => true });

const published: Publication<'notification'>[] = [];
const stream = { publish: (one: unknown) => void published.push(one as Publication<'notification'>), missed: () => {} };
const ids: Record<string, string> = {};

const notifierOptions = (jobs = new Jobs(server.db)) => ({
  jobs,
  db: server.db,
  clock: server.now,
  stream: stream as never,
  post,
  mail: createPublicMail(),
  vault: server.vault,
});

const hostServer = createServer((call, answer) => {
  let body = '';
  call.on('data', (part) => {
    body += part;
  });
  call.on('end', () => {
    received.push({ path: call.url ?? '', headers: call.headers, body });
    answer.writeHead(host.status, host.location === '' ? {} : { location: host.location }).end('answer');
  });
});
await new Promise<void>((done) => hostServer.listen(0, '127.0.0.1', done));
const hook = `https://hook.example:${(hostServer.address() as AddressInfo).port}/in?for=me`;
const server = await fileApp({ post, stream: stream as never });
const jobs = new Jobs(server.db);
const notifier = new Notifier(notifierOptions(jobs));
for (const who of ['master', 'editor', 'trader']) ids[who] = (await findUser(server.db, who))!.id;
const userId = ids.trader!;
await addBook(server.db, userId, {}, { settings: DEFAULT_SETTINGS });
const [long, short] = PAIR;
const pairId = await addPair(server.db, { userId, long, short, createdAt: START, armedAt: START });
await addHedges(server.db, {
  id: DEAL,
  userId,
  pairId,
  source: 'simulated',
  long,
  short,
  state: 'closed',
  stateAt: START,
  createdAt: START,
  settings: DEFAULT_SETTINGS,
  ratio: 1,
  longRealised: '20',
  shortRealised: '-5',
  funding: '1',
  fees: '3.5',
});
atEnd(() => hostServer.close());

/** Lets time pass, for the server and for the jobs. */
async function later(ms: number): Promise<void> {
  server.advance(ms);
  await jobsLater(server.db, ms);
}
/** Tells somebody of news with these titles. */
const tell = (queue: Jobs, who: string, ...titles: string[]) =>
  server.db.transaction(async (tx) => {
    const base = { userId: ids[who]!, kind: 'system', level: 'info', text: '', link: null, at: server.now() } as const;
    const news = titles.map((title) => ({ ...base, key: title, title }));
    const { added } = await addNews(tx as never, news, server.now());
    await queueDeliveries(tx as never, queue, added);
  });
const event = (kind: HedgeEventKind, at: number, detail = '') =>
  addEvents(server.db, { dealId: DEAL, kind, at, detail });
const funding = (amount: string, at: number, reference: string, symbol = 'AAAUSDT') => ({
  userId: ids.trader!,
  dealId: DEAL,
  kind: 'funding',
  source: 'simulated',
  symbol,
  amount,
  reference,
  at,
});
const listOf = async (who: 'trader' | 'master' | 'editor', query = {}) =>
  (await server.as(who)(api.list, { query: { pageSize: 200, ...query } })).body.data.list;
const titles = async (who: 'trader' | 'master' | 'editor') => (await listOf(who)).map(({ title }) => title).reverse();
const unread = async (who: 'trader' | 'editor') => (await server.as(who)(unreadApi.count)).body.data.unread;

describe('what the engine has done', () => {
  test('is told once, whoever looks and however often; funding of a settlement in one sum; the past not at all', async () => {
    await event('closed', START - 2 * DAY_MS, 'manual');
    await event('opened', START - HOUR_MS);
    await event('filled', START - HOUR_MS);
    await event('writtenOff', START - 1500, 'AAAUSDT 余量 0.4 留下');
    await event('closed', START - 1000, 'takeProfit');
    await addLedger(
      server.db,
      funding('1.5', START - 8 * HOUR_MS, 'f1'),
      // Two deals share what their position paid.
      funding('-3', START - 8 * HOUR_MS, 'f2', 'BBBUSDT'),
      funding('-1', START - 8 * HOUR_MS, 'f2 of another', 'BBBUSDT'),
      funding('2', START - HOUR_MS, 'f3'),
    );
    const other = new Notifier(notifierOptions());
    const counts = await Promise.all([notifier.pass(), other.pass()]);
    expect(counts[0] + counts[1]).toBe(4);
    expect(await other.pass()).toBe(0);
    const list = await listOf('trader');
    expect(list.map(({ kind, level, title, text }) => [kind, level, title, text])).toEqual([
      ['trade', 'info', '已平仓', 'AAAUSDT / BBBUSDT，止盈，净盈亏 +12.50 USDT，AAAUSDT 余量 0.4 留下'],
      ['funding', 'info', '收到资金费', '+2.00 USDT，共 1 个持仓'],
      ['trade', 'info', '已开仓', 'AAAUSDT / BBBUSDT'],
      ['funding', 'info', '支付资金费', '−2.50 USDT，共 2 个持仓'],
    ]);
    expect(list[0]).toMatchObject({ at: START - 1000, readAt: null });
    expect(list[0]!.link).toMatch(new RegExp(`^/strategy/hedge\\?id=${DEAL}&strategy=[-0-9a-f]{36}$`));
    expect(await unread('trader')).toBe(4);
    expect(await listOf('master')).toEqual([]);
    const told = published.at(-1)!;
    expect(told).toMatchObject({ topic: 'notification', userId: ids.trader, key: ids.trader, data: { unread: 4 } });
  });

  test('begins with 实盘 where it is done with real money', async () => {
    const { strategyId } = (await server.db.select().from(deal).where(eq(deal.id, DEAL)))[0]!;
    await server.db.update(strategy).set({ mode: 'live' }).where(eq(strategy.id, strategyId));
    await event('opened', server.now());
    await notifier.pass();
    expect((await titles('trader')).at(-1)).toBe('实盘 · 已开仓');
    await server.db.update(strategy).set({ mode: 'paper' }).where(eq(strategy.id, strategyId));
  });

  test('a leg of a settlement that is booked later joins its sum, in the same line', async () => {
    await addLedger(server.db, funding('0.25', START - HOUR_MS, 'f4', 'BBBUSDT'));
    expect(await notifier.pass()).toBe(0);
    expect((await listOf('trader', { kind: 'funding' }))[0]?.text).toBe('+2.25 USDT，共 2 个持仓');
  });

  test('a settlement of this moment waits until its legs are booked', async () => {
    await addLedger(server.db, funding('7', server.now(), 'f5'));
    expect(await notifier.pass()).toBe(0);
    server.advance(16_000);
    expect(await notifier.pass()).toBe(1);
  });

  test('danger is told to the masters too, by the name of its owner; a stop for everybody to everybody', async () => {
    await event('liquidated', server.now(), 'AAAUSDT 被强平 1');
    await setKillSwitch(server.db, { pausedAt: server.now(), pausedBy: 'master', reason: '演练' });
    expect(await notifier.pass()).toBe(5);
    const [stop, danger] = await listOf('master');
    expect(stop).toMatchObject({ kind: 'risk', title: '全部用户已暂停开仓', text: expect.stringContaining('演练') });
    expect(danger).toMatchObject({ kind: 'risk', level: 'error', text: 'trader：AAAUSDT / BBBUSDT，AAAUSDT 被强平 1' });
    expect(await titles('editor')).toEqual(['全部用户已暂停开仓']);
  });

  test('a loss that the venue paid is told to its owner, and to masters by the name of its owner', async () => {
    const userId = ids.trader!;
    await addLedger(server.db, { userId, kind: 'bailout', amount: '420.5', reference: 'b1', at: server.now() });
    expect([await notifier.pass(), await notifier.pass()]).toEqual([2, 0]);
    const [own] = await listOf('trader');
    const text = '主账户 的亏损超出全部权益，交易所垫付 420.50 USDT';
    expect(own).toMatchObject({ kind: 'risk', level: 'error', title: '账户穿仓', text, link: '/' });
    expect((await listOf('master'))[0]).toMatchObject({ kind: 'risk', level: 'error', text: `trader：${text}` });
  });

  test('a book that fails is told to its owner and to masters, once, and so is its end; every process says so', async () => {
    const { db } = server;
    const failing = async () => (await server.as('trader')(account.failing)).body.data.failing;
    const cookie = await server.signIn('master', 'demo-master');
    const watched = async () => {
      const { body } = await server.app.inject({ url: '/api/metrics', headers: { host: 'localhost', cookie } });
      return [(await server.as('visitor')(service.health)).body.data, /^books_failing (.+)$/m.exec(body)?.[1]];
    };
    expect([await failing(), ...(await watched())]).toEqual([null, { live: true, ready: true }, '0']);
    const since = server.now();
    await beginFailing(db, ids.trader!, 'Error 23505', since);
    await beginFailing(db, ids.trader!, 'Error 1', since + 500);
    expect(await failing()).toEqual({ since, what: 'Error 23505' });
    expect(await watched()).toEqual([{ live: true, ready: true, failingBooks: 1 }, '1']);
    expect((await server.as('master')(account.failing)).body.data.failing).toBeNull();
    expect([await notifier.pass(), await notifier.pass()]).toEqual([2, 0]);
    const newest = async (who: 'trader' | 'master') => (await listOf(who))[0];
    const what = '连续多次失败（Error 23505）：不记账，不开仓也不平仓，止损不执行，请联系管理员';
    const told = { kind: 'risk', level: 'error', title: '账户处理失败' };
    expect(await newest('trader')).toMatchObject({ ...told, text: what });
    expect(await newest('master')).toMatchObject({ ...told, text: `trader：${what}` });

    await endFailing(db, ids.trader!, server.now());
    expect([await failing(), ...(await watched())]).toEqual([null, { live: true, ready: true }, '0']);
    expect([await notifier.pass(), await notifier.pass()]).toEqual([2, 0]);
    for (const who of ['trader', 'master'] as const)
      expect(await newest(who)).toMatchObject({ kind: 'risk', level: 'info', title: '账户处理已恢复' });
  });

  test('is kept for the newest lines alone', async () => {
    const at = server.now();
    await addEvents(
      server.db,
      ...Array.from({ length: KEPT_NOTIFICATIONS + 20 }, (_, i) => ({
        dealId: DEAL,
        kind: 'lost',
        at: at + i,
        detail: String(i),
      })),
    );
    await notifier.pass();
    const { body } = await server.as('trader')(api.list, { query: { current: 3, pageSize: 200 } });
    expect(body.data.total).toBe(KEPT_NOTIFICATIONS);
    expect(body.data.list).toHaveLength(100);
    expect(body.data.list.at(-1)?.text).toBe('AAAUSDT / BBBUSDT，20');
  });
});

describe('reading and muting', () => {
  test('marks some or all as read, of the reader alone', async () => {
    const before = await unread('trader');
    const [first, second] = await listOf('trader', { unread: true });
    const [editors] = await listOf('editor');
    const { body } = await server.as('trader')(api.read, { body: { ids: [first!.id, second!.id, editors!.id] } });
    expect(body.data.unread).toBe(before - 2);
    expect(await unread('editor')).toBe(1);
    expect((await server.as('trader')(api.read, { body: {} })).body.data.unread).toBe(0);
    expect(await unread('editor')).toBe(1);
    expect(published.at(-1)).toMatchObject({ userId: ids.trader, data: { unread: 0 } });
  });

  test('a muted kind is kept, and bothers nobody', async () => {
    const { body } = await server.as('trader')(api.setSettings, { body: { off: { bell: ['trade', 'funding'] } } });
    const off = { bell: ['trade', 'funding'], webhook: [], browser: [] };
    expect(body.data).toEqual({ off, browser: false, webhook: null });
    await event('opened', server.now() + 1000);
    await event('frozen', server.now() + 1000, '核对');
    await notifier.pass();
    expect(await unread('trader')).toBe(1);
    expect((await listOf('trader', { kind: 'trade' }))[0]).toMatchObject({ title: '已开仓', readAt: server.now() });
    expect((await server.as('trader')(api.setSettings, { body: { off: { bell: ['profit'] } } })).status).toBe(400);
    await server.as('trader')(api.setSettings, { body: { off: { bell: [] } } });
  });
});

describe('an address of a webhook', () => {
  test.each([
    '127.0.0.1',
    '127.255.255.254',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
    '192.0.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'fe80::1',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    'localhost',
  ])('%s is not public', (address) => expect(isPublicAddress(address)).toBe(false));

  test.each(['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700:4700::1111'])('%s is', (address) =>
    expect(isPublicAddress(address)).toBe(true),
  );

  test.each([
    ['http://hook.example/', '必须以 https:// 开头'],
    ['ftp://hook.example/', '必须以 https:// 开头'],
    ['https://user:secret@hook.example/', '不能有用户名或密码'],
    ['https://127.0.0.1/', '不是公网地址'],
    ['https://0x7f.1/', '不是公网地址'],
    ['https://2130706433/', '不是公网地址'],
    ['https://[::1]/', '不是公网地址'],
    ['https://[::ffff:10.0.0.1]/', '不是公网地址'],
    ['https://localhost:8443/hook', '不是公网地址'],
    ['https://hook.localhost./', '不是公网地址'],
    ['https://printer.local/hook', '不是公网地址'],
    ['hook.example/path', '不是完整的地址'],
  ])('%s is refused at its field', async (url, why) => {
    const { body } = await server.as('trader')(api.setWebhook, { body: { url } });
    expect(body).toMatchObject({ code: 8001, data: { fields: [{ field: 'url' }] } });
    expect(body.message).toContain(why);
  });

  test('a name that leads inside is never connected to, also when only one of its addresses does', async () => {
    const tried: string[] = [];
    const watching = (addresses: string[]) =>
      createPublicPost({
        resolve: async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        request: ((url: URL) => {
          tried.push(url.href);
          throw new Error('connected');
        }) as never,
      });
    for (const addresses of [['10.0.0.5'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1'], ['fd00::1'], []]) {
      await expect(watching(addresses)(readWebhookUrl('https://hook.example/'), '', {})).rejects.toThrow(/域名/);
    }
    expect(tried).toEqual([]);
    await expect(watching(['8.8.8.8'])(readWebhookUrl('https://hook.example/'), '', {})).rejects.toThrow('connected');
  });
});

/** Whether a receiver who has this secret finds that a delivery was signed with it. */
const isSigned = (secret: string, { headers, body }: (typeof received)[number]) => {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  return new Webhook(secret).sign(String(headers['webhook-id']), at, body) === headers['webhook-signature'];
};

describe('a webhook', () => {
  let secret = '';

  test('gives its secret out once', async () => {
    const { body } = await server.as('trader')(api.setWebhook, { body: { url: ` ${hook} ` } });
    secret = body.data.secret;
    expect(secret).toMatch(/^whsec_[\w+/]{43}=$/);
    const settings = await server.as('trader')(api.settings);
    const url = `${new URL(hook).origin}/****`;
    const state = { last: null, waiting: 0, endedAt: null, isDamaged: false };
    expect(settings.body.data.webhook).toEqual({ url, createdAt: server.now(), ...state });
    expect(settings.raw.body).not.toContain(secret);
    expect((await server.as('editor')(api.settings)).body.data.webhook).toBeNull();
    expect((await server.as('editor')(api.testWebhook)).body.code).toBe(8002);
  });

  test('keeps the rest of its address, which may be a token, sealed: not in its row, nor in the audit log', async () => {
    const [row] = await server.db.select().from(webhook).where(eq(webhook.userId, ids.trader!));
    const trail = await server.db.select().from(audit).where(eq(audit.action, 'PUT /api/notification/webhook'));
    expect(trail.length).toBeGreaterThan(0);
    expect(JSON.stringify([row, trail])).not.toContain('for=me');
  });

  test('that a version before kept in the open is sealed by the next start, and works on', async () => {
    const isOwn = eq(webhook.userId, ids.trader!);
    await server.db.update(webhook).set({ url: hook, masked: '' }).where(isOwn);
    await server.vault.keep(server.db, { purpose: 'webhook', recordId: ids.trader!, context: ids.trader! }, secret);
    await sealAddresses(server.db, server.vault);
    const [row] = await server.db.select().from(webhook).where(isOwn);
    expect(row).toMatchObject({ url: null, masked: `${new URL(hook).origin}/****` });
  });

  test('is tried on demand, signed, at the very address that its name was checked for, and not too often', async () => {
    received.length = 0;
    resolved.length = 0;
    const { body } = await server.as('trader')(api.testWebhook);
    expect(body.data).toEqual({ at: server.now(), ok: true, detail: 'HTTP 204' });
    const [call] = received;
    expect(call).toMatchObject({ path: '/in?for=me', headers: { 'content-type': 'application/json' } });
    // Nobody but our resolver knows this name, and it was asked once.
    expect(call!.headers.host).toMatch(/^hook\.example:/);
    expect(resolved).toEqual(['hook.example']);
    const stamp = String(Math.floor(server.now() / 1000));
    expect(call!.headers).toMatchObject({ 'webhook-timestamp': stamp, 'webhook-id': expect.stringMatching(/./) });
    expect(isSigned(secret, call!)).toBe(true);
    expect(isSigned(secret, { ...call!, body: `${call!.body} ` })).toBe(false);
    expect(JSON.parse(call!.body)).toMatchObject({ kind: 'system', title: '测试通知' });
    const again = await server.as('trader')(api.testWebhook);
    expect([again.status, again.headers['retry-after']]).toEqual([429, '5']);
  });

  test('is signed with the secret that was given out before, in another alphabet', async () => {
    server.advance(6_000);
    received.length = 0;
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const earlier = { url: hook, secret: `whsec_${bytes.toString('base64url')}` };
    await keepWebhookSecret(server.db, server.vault, ids.trader!, earlier);
    expect((await server.as('trader')(api.testWebhook)).body.data.ok).toBe(true);
    expect(isSigned(secret, received[0]!)).toBe(true);
  });

  test('takes no redirect anywhere', async () => {
    server.advance(6_000);
    received.length = 0;
    Object.assign(host, { status: 302, location: hook.replace('/in', '/elsewhere') });
    const { body } = await server.as('trader')(api.testWebhook);
    expect(body.data).toMatchObject({ ok: false, detail: 'HTTP 302' });
    expect(received).toHaveLength(1);
    Object.assign(host, { status: 204, location: '' });
  });

  test('gets what is new and not switched off for it, again and again later until it has arrived', async () => {
    // Whether the bell counts it is another question.
    await server.as('trader')(api.setSettings, { body: { off: { webhook: ['trade'], bell: ['risk'] } } });
    received.length = 0;
    host.status = 500;
    await event('opened', server.now());
    await event('thawed', server.now());
    await notifier.pass();
    await jobs.runDue();
    expect(received.map(({ body }) => JSON.parse(body).title)).toEqual(['冻结已解除']);
    const waiting = (await server.as('trader')(api.settings)).body.data.webhook;
    expect(waiting).toMatchObject({ waiting: 1, last: { ok: false, detail: 'HTTP 500' } });
    await jobs.runDue();
    expect(received).toHaveLength(1);
    host.status = 200;
    await later(MINUTE_MS);
    // Two processes that look at the same moment.
    const other = new Jobs(server.db);
    new Notifier(notifierOptions(other));
    await Promise.all([jobs.runDue(), other.runDue()]);
    expect(received).toHaveLength(2);
    expect(received[1]!.headers['webhook-id']).toBe(received[0]!.headers['webhook-id']);
    const settled = (await server.as('trader')(api.settings)).body.data.webhook;
    expect(settled).toMatchObject({ waiting: 0, last: { ok: true, detail: 'HTTP 200' } });
  });

  test('is given up in the end, and its owner is told', async () => {
    host.status = 500;
    await event('frozen', server.now(), '核对');
    await notifier.pass();
    received.length = 0;
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await jobs.runDue();
      await later(MINUTE_MS);
      await jobsLater(server.db, 2 * HOUR_MS);
    }
    expect(received).toHaveLength(10);
    expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect((await server.as('trader')(api.settings)).body.data.webhook?.waiting).toBe(0);
    const [told] = await listOf('trader');
    expect(told).toMatchObject({ kind: 'system', level: 'warning', title: '通知推送失败' });
    expect(told?.text).toContain('HTTP 500');
  });

  test('of many news the newest 200 wait, whatever of them was tried before', async () => {
    host.status = 500;
    await server.as('editor')(api.setWebhook, { body: { url: hook } });
    await tell(jobs, 'editor', ...Array.from({ length: 150 }, (_, i) => `early ${i}`));
    received.length = 0;
    await jobs.runDue();
    expect(received).toHaveLength(1);
    await tell(jobs, 'editor', ...Array.from({ length: 100 }, (_, i) => `late ${i}`));
    expect((await server.as('editor')(api.settings)).body.data.webhook?.waiting).toBe(200);
    host.status = 200;
    received.length = 0;
    await later(MINUTE_MS);
    await jobs.runDue();
    const titles = received.map(({ body }) => JSON.parse(body).title);
    expect([titles[0], titles.at(-1), titles.length]).toEqual(['early 50', 'late 99', 200]);
    await server.as('editor')(api.removeWebhook);
  });

  test('that is silent delays nobody else', async () => {
    await server.as('editor')(api.setWebhook, { body: { url: 'https://silent.example/in' } });
    let end: (answer: Awaited<ReturnType<typeof post>>) => void = () => {};
    const silence = new Promise<Awaited<ReturnType<typeof post>>>((done) => {
      end = done;
    });
    const asked: string[] = [];
    const patient: typeof post = async (url, ...rest) => {
      asked.push(url.hostname);
      return url.hostname === 'silent.example' ? silence : post(url, ...rest);
    };
    const ownJobs = new Jobs(server.db);
    new Notifier({ ...notifierOptions(ownJobs), post: patient });
    await tell(ownJobs, 'editor', 'first', 'second');
    ownJobs.start();
    await waitFor('the silent host to be asked', 60_000, async () => asked.length > 0);
    received.length = 0;
    host.status = 200;
    await tell(ownJobs, 'trader', 'later');
    ownJobs.wake();
    await waitFor('the news of somebody else', 60_000, async () => received.length > 0);
    // Of one owner one is on its way at a time.
    expect(asked.filter((name) => name === 'silent.example')).toHaveLength(1);
    end({ status: 204, text: '' });
    await ownJobs.stop();
    await server.as('editor')(api.removeWebhook);
  });

  test('whose host says that it is gone is sent nothing more, and its owner is told', async () => {
    host.status = 410;
    await event('thawed', server.now());
    await notifier.pass();
    await jobs.runDue();
    const { webhook: ended } = (await server.as('trader')(api.settings)).body.data;
    expect(ended).toMatchObject({ endedAt: server.now(), waiting: 0, last: { ok: false, detail: 'HTTP 410' } });
    expect((await listOf('trader'))[0]).toMatchObject({ title: '通知推送已停止' });
    received.length = 0;
    host.status = 200;
    await event('thawed', server.now());
    await notifier.pass();
    await jobs.runDue();
    expect(received).toEqual([]);
    // Another address begins anew.
    const again = await server.as('trader')(api.setWebhook, { body: { url: hook } });
    expect(again.body.data.webhook.endedAt).toBeNull();
  });

  test('that cannot be read any more says so, and its owner is told once', async () => {
    const isOwn = and(eq(secretTable.purpose, 'webhook'), eq(secretTable.recordId, ids.trader!));
    await server.db.update(secretTable).set({ sealed: 'AAAA' }).where(isOwn);
    expect((await server.as('trader')(api.settings)).body.data.webhook).toMatchObject({ isDamaged: true });
    const own = new Notifier(notifierOptions());
    await own.pass();
    await new Notifier(notifierOptions()).pass();
    const told = (await listOf('trader')).filter(({ title }) => title === '推送地址已损坏');
    expect(told).toMatchObject([{ kind: 'key', level: 'error' }]);
    await server.as('trader')(api.setWebhook, { body: { url: hook } });
    expect((await server.as('trader')(api.settings)).body.data.webhook).toMatchObject({ isDamaged: false });
  });

  test('that is taken away hears of nothing more', async () => {
    await event('thawed', server.now());
    await notifier.pass();
    await server.as('trader')(api.removeWebhook);
    received.length = 0;
    await jobs.runDue();
    expect(received).toEqual([]);
    expect((await server.as('trader')(api.settings)).body.data.webhook).toBeNull();
  });

  test('of somebody who is blocked gets nothing: neither what is new, nor what waited', async () => {
    await server.as('trader')(api.setWebhook, { body: { url: hook } });
    host.status = 500;
    await event('thawed', server.now());
    await notifier.pass();
    await jobs.runDue();
    host.status = 200;
    received.length = 0;
    const block = async (blocked: boolean) => {
      const cookie = await server.signIn('master', 'demo-master');
      const body = { userId: ids.trader, blocked };
      const answer = await server.as('visitor')(userAdmin.status, { body, headers: { cookie } });
      expect(answer.body.code).toBe(200);
    };
    await block(true);
    await event('thawed', server.now());
    await notifier.pass();
    await later(MINUTE_MS);
    expect(received).toEqual([]);
    await block(false);
    await notifier.pass();
    await jobs.runDue();
    expect(received.map(({ body }) => JSON.parse(body).title)).toContain('账户已恢复');
  });
});

/** Calls with a session of this moment: those of days ago are over. */
async function trader(endpoint: Parameters<ReturnType<typeof server.as>>[0], body?: Record<string, unknown>) {
  const cookie = await server.signIn('trader', 'demo-trader');
  return (await server.as('visitor')(endpoint, { ...(body ? { body } : {}), headers: { cookie } })).body.data as never;
}
const toldOf = async (kind: NotificationKind) => {
  const { rows } = await notificationsOf(server.db, ids.trader!, { kind }, { offset: 0, limit: 50 });
  return rows.map(({ level, title, text }) => `${level} ${title} ${text}`).reverse();
};

test('keys are told of before they end, when they are refused and when their rights change, each once', async () => {
  const inDays = (days: number) =>
    new Date(server.now() + days * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '');
  const midnight = () => Math.ceil(server.now() / DAY_MS) * DAY_MS;
  const keep = async (name: string, key: string) => {
    await trader(apiKey.create, { exchange: 'okx', name, key, secret: 'typed-secret', passphrase: 'typed' });
  };
  await keep('将到期', `demo-trade-until-${inDays(9)}`);
  await keep('将删除', `demo-trade-revoked-${inDays(1)}`);
  await keep('将放宽', `demo-trade-widen-${inDays(1)}`);
  const { db, vault, now: clock } = server;
  const watch = new KeyWatch({ db, clock, vault, keyCheck: simulatedKeyCheck(clock) }, () => {});
  let told = (await toldOf('key')).length;
  /** What is new when the watch has looked at a moment, however often it is told. */
  const newAt = async (instant: number) => {
    server.advance(instant - server.now());
    await watch.pass();
    for (let i = 0; i < 2; i += 1) await notifier.pass();
    const all = await toldOf('key');
    const before = told;
    told = all.length;
    return all.slice(before);
  };
  const end = midnight() + 9 * DAY_MS;
  const warned = (days: number) => `OKX · 将到期：${days} 天内到期，请在交易所续期或更换`;
  expect(await newAt(server.now())).toEqual([`warning 密钥即将到期 ${warned(14)}`]);
  expect((await newAt(midnight() + HOUR_MS)).sort()).toEqual([
    'error 密钥权限有变化 OKX · 将放宽：增加 提现；谁得到它就能转走资金，请立即在交易所关闭提现',
    'error 密钥认证失败 OKX · 将删除：密钥已在交易所删除',
  ]);
  // Nobody is asked again within the hour.
  expect(await watch.pass()).toBe(0);
  expect(await newAt(end - 3 * DAY_MS)).toEqual([`error 密钥即将到期 ${warned(3)}`]);
  expect(await newAt(end - DAY_MS)).toEqual([`error 密钥即将到期 ${warned(1)}`]);
  expect(await newAt(end + HOUR_MS)).toEqual(['error 密钥已过期 OKX · 将到期：交易所不再接受它，请更换']);
  // Silence says nothing of a key.
  const silence = async () => ({ ...NOTHING_SAID, outcome: 'unanswered', reason: '没有回答' }) as const;
  const silent = { ...simulatedKeyCheck(clock), check: silence };
  server.advance(2 * HOUR_MS);
  expect(await new KeyWatch({ db, clock, vault, keyCheck: silent }, () => {}).pass()).toBe(3);
  const [newest] = (await notificationsOf(db, ids.trader!, { kind: 'key' }, { offset: 0, limit: 1 })).rows;
  expect(newest?.link).toBe('/user/apiKey?exchange=okx&search=%E5%B0%86%E5%88%B0%E6%9C%9F');
  const rows = (await trader(apiKey.list)) as { list: ApiKeyRow[] };
  const byName = new Map(rows.list.map((row) => [row.name, row]));
  expect(byName.get('将删除')).toMatchObject({ state: 'failed', failures: 4, usedAt: null });
  expect(byName.get('将放宽')).toMatchObject({ state: 'dangerous', rightsBefore: ['read', 'spot', 'derivative'] });
  // Close to what its exchange lets it ask: once a day, however often it is seen.
  const nearlyOut = async () => ({ ...NOTHING_SAID, outcome: 'accepted', reason: null, weightUsed: 0.91 }) as const;
  const busy = new KeyWatch({ db, clock, vault, keyCheck: { ...silent, check: nearlyOut } }, () => {});
  server.advance(2 * HOUR_MS);
  await busy.pass();
  const news = await newAt(server.now());
  expect(news).toHaveLength(3);
  expect(news[0]).toMatch(/^warning 请求权重将用完 OKX · 将.*：一分钟内已用 91 %/);
  server.advance(2 * HOUR_MS);
  expect(await busy.pass()).toBe(3);
  expect(await newAt(server.now())).toEqual([]);
});

test('what a master does to an account is told to its owner, and so is a login from a new address', async () => {
  const as = async (cookie: string, endpoint: typeof userAdmin.role, body: Record<string, unknown>) =>
    server.as('visitor')(endpoint, { body, headers: { cookie } });
  const master = await server.signIn('master', 'demo-master');
  await as(master, userAdmin.role, { userId: ids.trader, role: 'editor' });
  await as(master, userAdmin.role, { userId: ids.trader, role: 'user' });
  const payload = { username: 'trader', password: 'demo-trader' };
  for (const remoteAddress of ['198.51.100.7', '198.51.100.7'])
    await server.app.inject({ method: 'POST', url: '/api/login', remoteAddress, payload });
  await waitFor('the outcome of the writes', 60_000, async () => {
    await notifier.pass();
    return (await toldOf('system')).length >= 4;
  });
  expect((await toldOf('system')).slice(-3).sort()).toEqual([
    'warning 从新的地址登录 198.51.100.7 第一次登录本账户；若不是您本人，请修改密码并退出其他设备',
    'warning 角色由用户改为编辑 由 master 操作；若不是您要求的，请联系管理员',
    'warning 角色由编辑改为用户 由 master 操作；若不是您要求的，请联系管理员',
  ]);
});

test('what news are made of is looked at again when any of it was written, and not before', async () => {
  const { db } = server;
  const [at, userId] = [server.now(), ids.trader!];
  const master = await server.signIn('master', 'demo-master');
  const role = { body: { userId: ids.editor!, role: 'user' as const }, headers: { cookie: master } };
  const writes: [string, () => Promise<unknown>][] = [
    ['deal', () => event('filled', at)],
    ['ledger', () => addLedger(db, funding('1', at - DAY_MS, 'stamp'))],
    ['failing', () => beginFailing(db, userId, 'Error 1', at + 1)],
    ['mended', () => endFailing(db, userId, at + 2)],
    ['paused', () => pauseBook(db, userId, { at, by: 'master', reason: '' })],
    ['paused for all', () => setKillSwitch(db, { pausedAt: at, pausedBy: 'master', reason: '再次演练' })],
    ['role', () => server.as('visitor')(userAdmin.role, role)],
    ['login', () => server.signIn('editor', 'demo-editor')],
    ['key', () => db.update(keyTable).set({ failingSince: at })],
  ];
  let stamp = await newsStamp(db);
  for (const [name, write] of writes) {
    expect([name, await newsStamp(db)]).toEqual([name, stamp]);
    await write();
    await waitFor(name, 60_000, async () => (await newsStamp(db)) !== stamp);
    // The outcome of a call is written after its answer.
    await waitFor(`${name} at rest`, 60_000, async () => {
      const before = stamp;
      stamp = await newsStamp(db);
      return stamp === before;
    });
  }
});

describe('what somebody else trades in a real account', () => {
  const live = randomUUID();
  const fills = async (...signed: string[]) =>
    server.db.insert(ledger).values(
      signed.map((quantity) => ({
        ...{ userId: ids.trader!, accountId: live, kind: 'fill', source: 'gate', symbol: 'XRPUSDT' },
        ...{ quantity, price: '2', amount: '0', reference: randomUUID(), at: server.now() },
      })),
    );
  const outside = async () =>
    (await notificationsOf(server.db, ids.trader!, { kind: 'risk' }, { offset: 0, limit: 50 })).rows
      .filter(({ title }) => title.includes('外部成交'))
      .map(({ text }) => text.split('，')[0]);

  test('is told once an hour and side, however many fills there are, and stands as it was told', async () => {
    await insertAccount(server.db, { id: live, userId: ids.trader!, venue: 'gate', name: 'GATE 实盘', mode: 'live' });
    await fills('100', '120', '-30');
    const told = ['GATE 实盘：XRPUSDT 买入 220 @ 2（2 笔）', 'GATE 实盘：XRPUSDT 卖出 30 @ 2'];
    await notifier.pass();
    expect((await outside()).sort()).toEqual(told);
    await fills('7', '-3');
    await notifier.pass();
    expect((await outside()).sort()).toEqual(told);
    // What else there is to be told goes on being told.
    server.advance(HOUR_MS);
    await fills('5');
    await notifier.pass();
    expect(await outside()).toHaveLength(3);
  });

  test('is not what an order of a deal filled that had ended by then: that is said of it', async () => {
    server.advance(HOUR_MS);
    const [orderId, at] = [randomUUID(), server.now()];
    const of = { userId: ids.trader!, accountId: live, source: 'gate', symbol: 'XRPUSDT' };
    const order = { ...of, id: orderId, dealId: DEAL, leg: 'long', side: 'buy', type: 'market', quantity: '9' };
    const asked = { purpose: 'entry', reduceOnly: false, limitPrice: '2', decisionMid: 2, state: 'filled' };
    await server.db.insert(tradeOrder).values({ ...order, ...asked, createdAt: at });
    const filled = { ...of, id: 'late-1', orderId, dealId: null, side: 'buy', quantity: '9', price: '2' };
    await server.db.insert(fill).values({ ...filled, fee: '0', maker: false, realised: '0', at });
    const row = { ...of, kind: 'fill', quantity: '9', price: '2', amount: '-18', reference: 'fill:late-1', at };
    await server.db.insert(ledger).values(row);
    await fills('4');
    await notifier.pass();
    const { rows } = await notificationsOf(server.db, ids.trader!, { kind: 'risk' }, { offset: 0, limit: 2 });
    expect(rows.map(({ title, text }) => `${title}：${text.split('；')[0]}`).sort()).toEqual([
      '实盘 · 外部成交：GATE 实盘：XRPUSDT 买入 4 @ 2，不是本系统的委托，不属于任何交易单',
      '实盘 · 迟到的成交：GATE 实盘：XRPUSDT 买入 9 @ 2，是本系统的委托，它的交易单已经结束，不属于任何交易单',
    ]);
  });
});
