import { setTimeout as sleep } from 'node:timers/promises';
import { Secret, TOTP } from 'otpauth';
import { password } from '#contract/password';
import { secondFactor } from '#contract/secondFactor';
import { session } from '#contract/session';
import { user } from '#contract/user';
import { userAdmin } from '#contract/userAdmin';
import { changePassword } from '#server/base/db/users/user';
import { hashPassword } from '#server/people/auth/password';
import { buildControl } from '#server/start/control';
import { cookieOf, fileApp, ORIGIN } from '../../support/app';
import { signedInUser } from '../../support/signedInUser';
import { waitFor } from '../../support/waitFor';

const PASSWORD = 'a long enough passphrase';
const NEW = 'another long passphrase';

let waiting: (() => void)[] = [];
let people = 0;

const server = await fileApp();
const wake = () => new Promise<void>((resolve) => void waiting.push(resolve));
/** Its engine takes a new account up when the test lets it: until then a login is past its checks and not over. */
const slow = await fileApp({ db: server.db, clock: server.now, vault: server.vault, desk: { wake } });
const passwordHash = await hashPassword(PASSWORD);
beforeEach(() => {
  waiting = [];
});

const call = async (
  app: typeof server.app,
  { method, path }: { method: string; path: string },
  payload: object,
  cookie = '',
) => {
  const headers = { host: 'localhost:8000', origin: ORIGIN, ...(cookie ? { cookie } : {}) };
  const raw = await app.inject({ method: method as 'POST', url: path, headers, payload });
  return { code: raw.json().code as number, data: raw.json().data, cookie: cookieOf(raw) };
};
const newUser = () => signedInUser(server.db, `somebody${++people}`, 'user', passwordHash);
const isIn = async (cookie: string | undefined) =>
  cookie !== undefined && (await call(server.app, { method: 'GET', path: user.current.path }, {}, cookie)).code === 200;
const sessionsOf = async (userId: string) =>
  (await server.as('master')(userAdmin.sessions, { query: { userId } })).body.data.total;
const codeFor = (secret: string) => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: server.now() });

async function switchOn(cookie: string): Promise<string> {
  const { secret } = (await call(server.app, secondFactor.begin, { password: PASSWORD }, cookie)).data;
  expect((await call(server.app, secondFactor.confirm, { code: codeFor(secret) }, cookie)).code).toBe(200);
  return secret;
}
async function byCommand(method: 'PUT' | 'DELETE', url: string, payload: object): Promise<void> {
  const control = buildControl({ db: server.db, clock: server.now, vault: async () => server.vault });
  expect((await control.inject({ method, url, payload })).json().code).toBe(200);
  await control.close();
}

/** Three logins that have found everything right, then the change, then the rest of the logins. */
async function race(login: () => ReturnType<typeof call>, change: () => Promise<unknown>) {
  let over = 0;
  const logins = [login(), login(), login()].map((one) =>
    one.finally(() => {
      over += 1;
    }),
  );
  await waitFor('three logins at work', 60_000, () => waiting.length + over === 3);
  expect(waiting.length).toBeGreaterThan(0);
  await change();
  for (const goOn of waiting) goOn();
  return Promise.all(logins);
}

test.each<[string, number, (who: Awaited<ReturnType<typeof newUser>>) => Promise<unknown>, number]>([
  [
    'a password change',
    1001,
    ({ cookie }) => call(server.app, password.change, { password: PASSWORD, newPassword: NEW }, cookie),
    1,
  ],
  ['a master’s reset', 1001, ({ userId }) => server.as('master')(userAdmin.resetPassword, { body: { userId } }), 0],
  ['a block', 1004, ({ userId }) => server.as('master')(userAdmin.status, { body: { userId, blocked: true } }), 0],
  ['the second factor', 1006, ({ cookie }) => switchOn(cookie), 1],
  [
    'a new password by command',
    1001,
    ({ name }) => byCommand('PUT', '/user/password', { username: name, password: NEW }),
    0,
  ],
])('a login at work does not outlive %s', async (_what, code, change, kept) => {
  const who = await newUser();
  const answers = await race(
    () => call(slow.app, session.login, { username: who.name, password: PASSWORD }),
    () => change(who),
  );
  expect(answers.map((answer) => answer.code)).toContain(code);
  expect(await Promise.all(answers.map(({ cookie }) => isIn(cookie)))).toEqual([false, false, false]);
  expect(await sessionsOf(who.userId)).toBe(kept);
  const { list } = (await server.as('master')(userAdmin.attempts, { query: { userId: who.userId } })).body.data;
  expect(list.filter(({ result }) => result === 'ok')).toHaveLength(
    answers.filter((answer) => answer.code === 201).length,
  );
});

test('a login by a code of the second factor does not outlive its removal by command', async () => {
  const who = await newUser();
  const secret = await switchOn(who.cookie);
  server.advance(30_000);
  const answers = await race(
    () => call(slow.app, session.login, { username: who.name, password: PASSWORD, code: codeFor(secret) }),
    () => byCommand('DELETE', '/user/factor', { username: who.name }),
  );
  expect(await Promise.all(answers.map(({ cookie }) => isIn(cookie)))).toEqual([false, false, false]);
  expect(await sessionsOf(who.userId)).toBe(0);
});

test('a registration at work does not outlive a block', async () => {
  const name = `newcomer${++people}`;
  const registered = call(slow.app, session.register, { username: name, password: PASSWORD });
  await waitFor('an account', 60_000, () => waiting.length === 1);
  const [row] = (await server.as('master')(userAdmin.list, { query: { search: name } })).body.data.list;
  await server.as('master')(userAdmin.status, { body: { userId: row!.id, blocked: true } });
  waiting[0]!();
  const { code, cookie } = await registered;
  expect(code).toBe(1004);
  await server.as('master')(userAdmin.status, { body: { userId: row!.id, blocked: false } });
  expect(await isIn(cookie)).toBe(false);
});

test('a login waits for a change that is being written', async () => {
  const { userId, name } = await newUser();
  await call(server.app, session.login, { username: name, password: PASSWORD });
  let commit = () => {};
  const committed = new Promise<void>((resolve) => {
    commit = resolve;
  });
  let changed = () => {};
  const isChanged = new Promise<void>((resolve) => {
    changed = resolve;
  });
  const change = server.db.transaction(async (tx) => {
    await changePassword(tx, userId, null);
    changed();
    await committed;
  });
  await isChanged;
  const login = call(server.app, session.login, { username: name, password: PASSWORD });
  await Promise.race([login, sleep(500)]);
  commit();
  await change;
  const { code, cookie } = await login;
  expect(code).toBe(1001);
  expect(await isIn(cookie)).toBe(false);
  expect(await sessionsOf(userId)).toBe(0);
});

test('a one-time code sets one password, however many use it at once', async () => {
  const { userId, name } = await newUser();
  const { code } = (await server.as('master')(userAdmin.resetPassword, { body: { userId } })).body.data;
  const words = [1, 2, 3, 4].map((n) => `${NEW} ${n}`);
  const answers = await Promise.all(
    words.map((newPassword) => call(server.app, password.redeem, { username: name, code, newPassword })),
  );
  expect(answers.map((answer) => answer.code).sort((a, b) => b - a)).toEqual([1009, 1009, 1009, 200]);
  const logins = await Promise.all(
    words.map((word) => call(server.app, session.login, { username: name, password: word })),
  );
  expect(logins.map((answer) => answer.code === 201)).toEqual(answers.map((answer) => answer.code === 200));
});

test('a password change at work does not outlive a master’s reset', async () => {
  const { userId, name, cookie } = await newUser();
  const change = call(server.app, password.change, { password: PASSWORD, newPassword: NEW }, cookie);
  const reset = server.as('master')(userAdmin.resetPassword, { body: { userId } });
  const [{ code }, { body }] = await Promise.all([change, reset]);
  // Whichever came first: the reset is the last word.
  expect([200, 401, 1010]).toContain(code);
  expect((await call(server.app, session.login, { username: name, password: NEW })).code).toBe(1001);
  const redeemed = { username: name, code: body.data.code, newPassword: `${NEW} 2` };
  expect((await call(server.app, password.redeem, redeemed)).code).toBe(200);
});
