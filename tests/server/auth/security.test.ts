import { setTimeout as sleep } from 'node:timers/promises';
import { and, eq } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { apiKey } from '#contract/apiKey';
import { audit } from '#contract/audit';
import * as REFUSALS from '#contract/codes';
import { MINUTE_MS } from '#contract/duration';
import { endpoints } from '#contract/index';
import { notification } from '#contract/notification';
import { secondFactor } from '#contract/secondFactor';
import { security } from '#contract/security';
import { service } from '#contract/service';
import { session } from '#contract/session';
import { user } from '#contract/user';
import { userAdmin } from '#contract/userAdmin';
import { loginAttempt, secret as secretTable, session as sessionTable } from '#server/base/db/schema';
import { changeSecurity } from '#server/base/db/users/security';
import { hashPassword } from '#server/people/auth/password';
import { secretNews } from '#server/people/notification/notifier';
import { buildControl } from '#server/start/control';
import { cookieOf, fileApp, ORIGIN } from '../../support/app';
import { signedInUser } from '../../support/signedInUser';
import { waitFor } from '../../support/waitFor';

const PASSWORD = 'a long enough passphrase';
const KEY = { exchange: 'binance', name: '主账户', key: 'demo-trade-0001', secret: 'typed-secret' };

const server = await fileApp();
const passwordHash = await hashPassword(PASSWORD);

type Row = { method: string; path: string };
async function call(cookie: string, { method, path }: Row, payload?: object) {
  const headers = { host: 'localhost:8000', origin: ORIGIN, ...(cookie ? { cookie } : {}) };
  const raw = await server.app.inject({
    method: method as 'POST',
    url: path,
    headers,
    ...(payload ? { payload } : {}),
  });
  return { status: raw.statusCode, raw, ...(raw.json() as { code: number; message: string; data: never }) };
}
const codeFor = (secret: string) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: server.now() });

/** Something that is waited for, and what ends the waiting. */
function later(): [Promise<void>, () => void] {
  let end = () => {};
  const over = new Promise<void>((resolve) => {
    end = resolve;
  });
  return [over, end];
}

/** A session that was proved long ago. */
async function stale(name: string, role: 'master' | 'editor' | 'user' = 'user') {
  const who = await signedInUser(server.db, name, role, passwordHash);
  await server.db.update(sessionTable).set({ provenAt: 0 }).where(eq(sessionTable.userId, who.userId));
  return who;
}
const prove = (cookie: string, proof: object = { password: PASSWORD }) => call(cookie, security.prove, proof);

/** @returns the secret of its codes */
async function switchOn(cookie: string): Promise<string> {
  const { secret } = (await call(cookie, secondFactor.begin, { password: PASSWORD })).data;
  expect((await call(cookie, secondFactor.confirm, { code: codeFor(secret) })).code).toBe(200);
  server.advance(30_000);
  return secret;
}

describe('what only somebody who has proved to be himself may do', () => {
  test('is opening a real account, adding a key, a webhook or another channel, users and their roles, and the settings of safety', () => {
    const asked = endpoints.filter(({ fresh }) => fresh).map(({ method, path }) => `${method} ${path}`);
    expect(asked.sort()).toEqual([
      'POST /api/account/open/live',
      'POST /api/user',
      'POST /api/user/apiKey',
      'POST /api/user/password/reset',
      'PUT /api/notification/channel/dingtalk',
      'PUT /api/notification/channel/email',
      'PUT /api/notification/channel/feishu',
      'PUT /api/notification/channel/telegram',
      'PUT /api/notification/channel/wecom',
      'PUT /api/notification/webhook',
      'PUT /api/user/apiKey/rotate',
      'PUT /api/user/role',
      'PUT /api/user/security',
    ]);
  });

  test('is refused to a session that was opened long ago, and done by one that has proved it', async () => {
    const { userId, cookie } = await stale('busy', 'master');
    for (const endpoint of endpoints.filter(({ fresh }) => fresh)) {
      expect((await call(cookie, endpoint, {})).code).toBe(REFUSALS.freshNeeded.code);
    }
    const writes: [Row, object][] = [
      [apiKey.create, KEY],
      [notification.setWebhook, { url: 'https://93.184.215.14/hook' }],
      [userAdmin.create, { username: 'newcomer', role: 'user' }],
      [userAdmin.role, { userId, role: 'master' }],
    ];
    const codes = () => Promise.all(writes.map(async ([row, body]) => (await call(cookie, row, body)).code));
    expect(await codes()).toEqual(writes.map(() => 1015));
    expect((await prove(cookie)).data).toEqual({ freshUntil: server.now() + 10 * MINUTE_MS });
    expect(await codes()).toEqual(writes.map(() => 200));
    server.advance(10 * MINUTE_MS);
    expect(await codes()).toEqual(writes.map(() => 1015));
  });

  test('is done by who has just signed in, by no other session of theirs, and by nobody without the right', async () => {
    const { name, cookie } = await stale('twice');
    const login = await call('', session.login, { username: name, password: PASSWORD });
    expect((await call(cookieOf(login.raw)!, apiKey.create, KEY)).code).toBe(200);
    expect((await call(cookie, apiKey.create, { ...KEY, name: '另一个' })).code).toBe(1015);
    expect((await call(cookie, userAdmin.role, {})).status).toBe(403);
    expect((await call('', apiKey.create, KEY)).status).toBe(401);
    expect((await call('', security.prove, { password: PASSWORD })).status).toBe(401);
  });

  test('needs the password, or the code of who has a second factor, which nobody guesses', async () => {
    const { cookie } = await stale('guessed');
    const fieldOf = async (proof: object) => {
      const { code, data } = await prove(cookie, proof);
      return [code, (data as { fields?: { field: string }[] } | null)?.fields?.[0]?.field];
    };
    expect(await fieldOf({})).toEqual([400, 'password']);
    expect(await fieldOf({ password: PASSWORD, code: '123456' })).toEqual([400, 'password']);
    expect(await fieldOf({ code: '123456' })).toEqual([1013, 'code']);
    const secret = await switchOn(cookie);
    // What needs both to sign in is not done by a known password.
    expect(await fieldOf({ password: PASSWORD })).toEqual([1006, 'code']);
    expect(await fieldOf({ code: '000000' })).toEqual([1007, 'code']);
    expect((await call(cookie, apiKey.create, KEY)).code).toBe(1015);
    expect(await fieldOf({ code: codeFor(secret) })).toEqual([200, undefined]);
    expect(await fieldOf({ code: codeFor(secret) })).toEqual([1007, 'code']);
    expect((await call(cookie, apiKey.create, KEY)).code).toBe(200);
    const other = (await stale('unguarded')).cookie;
    for (let i = 0; i < 5; i++) expect((await prove(other, { password: `wrong ${i}` })).code).toBe(1010);
    expect((await prove(other)).status).toBe(429);
  });
});

describe('a second factor that masters must have', () => {
  const REQUIRED = { masterFactor: true };
  let first: Awaited<ReturnType<typeof stale>>;
  let secret: string;

  test('is demanded by a master who has one, and is in the audit log', async () => {
    first = await stale('chief', 'master');
    await prove(first.cookie);
    const refused = await call(first.cookie, security.setSettings, REQUIRED);
    expect(refused).toMatchObject({ code: 1018, data: { fields: [{ field: 'masterFactor' }] } });
    secret = await switchOn(first.cookie);
    const settings = (await call(first.cookie, security.settings)).data as { mastersWithout: string[] };
    expect(settings).toMatchObject({ masterFactor: false, registration: true });
    expect(settings.mastersWithout).toContain('master');
    expect(settings.mastersWithout).not.toContain('chief');
    expect((await call(first.cookie, security.setSettings, REQUIRED)).data).toMatchObject(REQUIRED);
    const rows = async () => (await call(first.cookie, { ...audit.list, path: `${audit.list.path}?pageSize=20` })).data;
    await waitFor('the outcome in the audit log', 60_000, async () =>
      (rows as () => Promise<{ list: { action: string; result: string }[] }>)().then(({ list }) =>
        list.some(({ action, result }) => action === 'PUT /api/user/security' && result === 'done'),
      ),
    );
    const { list } = (await rows()) as { list: { action: string; result: string; changes: object[] }[] };
    const row = list.find(({ action, result }) => action === 'PUT /api/user/security' && result === 'done');
    expect(row?.changes).toEqual([{ field: '管理员必须开启两步验证', before: '否', after: '是' }]);
  });

  test('leads who has none to setting one up, and lets nothing else be done before', async () => {
    const { cookie } = await stale('late', 'master');
    expect((await call(cookie, user.current)).data).toMatchObject({ role: 'master', factorNeeded: true });
    const allowed = new Set<object>([user.current, secondFactor.state, secondFactor.begin, secondFactor.confirm]);
    const others = endpoints.filter((endpoint) => endpoint.right !== 'open' && !allowed.has(endpoint));
    for (const endpoint of others) {
      const { code } = await call(cookie, endpoint, endpoint.method === 'GET' ? undefined : {});
      expect([endpoint.path, code]).toEqual([endpoint.path, 1016]);
    }
    expect((await call(cookie, secondFactor.state)).code).toBe(200);
    await switchOn(cookie);
    expect((await call(cookie, user.current)).data).toMatchObject({ factorNeeded: false });
    expect((await call(cookie, userAdmin.list)).code).toBe(200);
  });

  test('asks nothing of others, and is not switched off by a master', async () => {
    const { cookie: editor } = await stale('writer', 'editor');
    expect((await call(editor, user.current)).data).toMatchObject({ factorNeeded: false });
    expect((await call(editor, apiKey.list)).code).toBe(200);
    const { cookie, name } = await stale('later', 'master');
    const own = await switchOn(cookie);
    const removal = await call(cookie, secondFactor.remove, { password: PASSWORD, code: codeFor(own) });
    expect(removal.code).toBe(1019);
    // Who lost phone and codes gets in again, and is led to a new one.
    const control = buildControl({ db: server.db, clock: server.now, vault: async () => server.vault });
    await control.inject({ method: 'DELETE', url: '/user/factor', payload: { username: name } });
    await control.close();
    const login = await call('', session.login, { username: name, password: PASSWORD });
    expect((await call(cookieOf(login.raw)!, user.current)).data).toMatchObject({ factorNeeded: true });
  });

  test('and whose secret is damaged goes by a recovery code, also where masters must have one: its owner is told', async () => {
    const { cookie, name, userId } = await stale('unlucky', 'master');
    const begun = (await call(cookie, secondFactor.begin, { password: PASSWORD })).data as { secret: string };
    const { recoveryCodes } = (await call(cookie, secondFactor.confirm, { code: codeFor(begun.secret) })).data as {
      recoveryCodes: string[];
    };
    server.advance(30_000);
    const isOwn = and(eq(secretTable.purpose, 'secondFactor'), eq(secretTable.recordId, userId));
    await server.db.update(secretTable).set({ sealed: 'AAAA' }).where(isOwn);
    expect((await call(cookie, secondFactor.state)).data).toMatchObject({ isDamaged: true });
    const told = await secretNews(server.db, server.vault, server.now());
    expect(told.filter((news) => news.userId === userId)).toMatchObject([{ title: '两步验证的密钥已损坏' }]);
    const login = (code: string) => call('', session.login, { username: name, password: PASSWORD, code });
    expect(await login(codeFor(begun.secret))).toMatchObject({
      status: 503,
      message: expect.stringContaining('已损坏'),
    });
    const inside = cookieOf((await login(recoveryCodes[0]!)).raw)!;
    const attempts = await server.db.select().from(loginAttempt).where(eq(loginAttempt.userId, userId));
    expect(attempts.some(({ reason, result }) => reason === 'recoveryCode' && result === 'ok')).toBe(true);
    const proof = { password: PASSWORD, code: recoveryCodes[1]! };
    expect((await call(inside, secondFactor.remove, proof)).code).toBe(200);
    expect((await call(inside, user.current)).data).toMatchObject({ factorNeeded: true });
    await switchOn(inside);
    expect((await call(inside, secondFactor.state)).data).toMatchObject({ isDamaged: false });
  });

  test('is demanded no more when a master says so', async () => {
    await prove(first.cookie, { code: codeFor(secret) });
    expect((await call(first.cookie, security.setSettings, { masterFactor: false })).code).toBe(200);
    expect((await server.as('master')(userAdmin.list)).status).toBe(200);
  });
});

test('registration is closed and opened by a master', async () => {
  const { cookie } = await stale('keeper', 'master');
  await prove(cookie);
  const registers = (username: string) => call('', session.register, { username, password: PASSWORD });
  const isOpen = async () => (await server.as('visitor')(service.environment)).body.data.registration;
  expect(await isOpen()).toBe(true);
  expect((await call(cookie, security.setSettings, { registration: false })).data).toMatchObject({
    masterFactor: false,
    registration: false,
  });
  expect(await isOpen()).toBe(false);
  expect((await registers('uninvited')).code).toBe(REFUSALS.registrationClosed.code);
  const { data } = await call(cookie, userAdmin.create, { username: 'invited', role: 'user' });
  expect(data).toMatchObject({ username: 'invited' });
  await call(cookie, security.setSettings, { registration: true });
  expect((await registers('uninvited')).code).toBe(201);
});

test('a registration waits for a closing that is being written', async () => {
  const [committed, commit] = later();
  const [written, isWritten] = later();
  const closing = server.db.transaction(async (tx) => {
    await changeSecurity(tx, { registration: false });
    isWritten();
    await committed;
  });
  await written;
  const registered = call('', session.register, { username: 'at-work', password: PASSWORD });
  // It has looked whether it may, and is at the password by now.
  await Promise.race([registered, sleep(1_000)]);
  commit();
  await closing;
  expect((await registered).code).toBe(REFUSALS.registrationClosed.code);
  await server.db.transaction((tx) => changeSecurity(tx, { registration: true }));
});
