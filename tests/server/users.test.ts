import { eq, sql } from 'drizzle-orm';
import { Secret, TOTP } from 'otpauth';
import { type AuditRow, audit } from '#contract/audit';
import { SIMULATED } from '#contract/candle';
import { DAY_MS, HOUR_MS } from '#contract/duration';
import { endpoints } from '#contract/index';
import { DEFAULT_SETTINGS, hedgeConfig } from '#contract/kinds/hedge/config';
import { notification } from '#contract/notification';
import { password } from '#contract/password';
import { secondFactor } from '#contract/secondFactor';
import { session } from '#contract/session';
import { user } from '#contract/user';
import { userAdmin } from '#contract/userAdmin';
import { openBook } from '#server/base/db/books/book';
import { createConfig } from '#server/base/db/hedges/hedgeConfig';
import { account, book, equityPoint } from '#server/base/db/schema';
import { findUser } from '#server/base/db/users/user';
import { noteAttempt } from '#server/people/auth/loginRecord';
import { originOf } from '#server/people/user/sessionRow';
import { buildControl } from '#server/start/control';
import { settleDemoUsers } from '#server/start/demo/demoUsers';
import { cookieOf, fileApp, ORIGIN } from '../support/app';
import { signedInUser } from '../support/signedInUser';
import { waitFor } from '../support/waitFor';

const PASSWORD = 'a long enough passphrase';
const WRONG = 'open sesame';
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

const logged: string[] = [];
const woken: string[] = [];
const server = await fileApp({
  desk: { wake: async (userId) => void woken.push(userId) },
  config: { logLevel: 'error' },
  log: { write: (line) => void logged.push(line) },
});

/** Sessions of before a day that passed are over: calls are made with a cookie of their own. */
const cookies = new Map<string, string>();
async function cookieOfUser(who: string): Promise<string> {
  const cookie = cookies.get(who) ?? (await server.signIn(who, `demo-${who}`));
  cookies.set(who, cookie);
  return cookie;
}
const as = (who: string) =>
  (async (endpoint, input = {}) =>
    server.as('visitor')(endpoint, { ...input, headers: { cookie: await cookieOfUser(who) } })) as ReturnType<
    typeof server.as
  >;
const master = () => as('master');
const letPass = (ms: number) => {
  cookies.clear();
  server.advance(ms);
};
const idOf = async (name: string) => (await findUser(server.db, name))!.id;
const rowOf = async (name: string) => (await master()(userAdmin.list, { query: { search: name } })).body.data.list[0]!;

/** Calls by a cookie; answers the body. */
async function callWith(
  cookie: string | undefined,
  { method, path }: { method: string; path: string },
  payload?: object,
) {
  const headers = { host: 'localhost:8000', origin: ORIGIN, 'user-agent': CHROME, ...(cookie ? { cookie } : {}) };
  const response = await server.app.inject({
    method: method as 'GET',
    url: path,
    headers,
    ...(payload ? { payload } : {}),
  });
  return { status: response.statusCode, body: response.json(), raw: response };
}

/**
 * The newest rows of the audit log, once they are all there with their outcome: it comes after the answer, as does the
 * whole row of what was refused unread.
 */
async function audited(
  query: Record<string, unknown>,
  isThere: (rows: AuditRow[]) => boolean = (rows) => rows.length > 0,
): Promise<AuditRow[]> {
  let list: AuditRow[] = [];
  await waitFor('the outcome of every write', 60_000, async () => {
    list = (await master()(audit.list, { query })).body.data.list;
    return isThere(list) && list.every(({ result }) => result !== 'unknown');
  });
  return list;
}

const rowsText = async () => {
  const tables = [
    'audit',
    'audit_result',
    'login_attempt',
    'one_time_code',
    'recovery_code',
    'second_factor',
    'secret',
    'app_user',
    'idempotency',
  ];
  const all = await Promise.all(tables.map((table) => server.db.execute(sql.raw(`select * from ${table}`))));
  return JSON.stringify(
    all.map(({ rows }) => rows),
    (_key, value) => (typeof value === 'bigint' ? String(value) : value),
  );
};

describe('the audit log', () => {
  test('has a row for every write of the contract, whoever serves it and however it ends', async () => {
    const writes = endpoints.filter(({ method }) => method !== 'GET');
    const exempt = writes.filter((endpoint) => endpoint.audited === false);
    // The one has a record of its own, the others only tell what would be.
    expect(exempt.map(({ path }) => path).sort()).toEqual([
      ...['/api/hedge/single/preview', '/api/login', '/api/opening/preview'],
      ...['/api/strategy/grid/replay', '/api/strategy/preview'],
    ]);
    const { cookie, userId } = await signedInUser(server.db, 'everything', 'editor');
    // Signing out comes last: without a session there is nobody to write down.
    const inTurn = writes.filter((endpoint) => !exempt.includes(endpoint)).sort((a) => (a === session.logout ? 1 : -1));
    for (const endpoint of inTurn) await callWith(cookie, endpoint, endpoint.body && { userId: 'nobody', note: 'x' });
    const rows = await audited({ actorId: userId, pageSize: 200 }, ({ length }) => length === inTurn.length);
    expect(rows.map(({ action }) => action).sort()).toEqual(
      inTurn.map(({ method, path }) => `${method} ${path}`).sort(),
    );
    expect(new Set(rows.map(({ actor, role }) => `${actor} ${role}`))).toEqual(new Set(['everything editor']));
    const isMaster = endpoints
      .filter(({ right }) => right === 'isMaster')
      .map(({ method, path }) => `${method} ${path}`);
    for (const row of rows)
      if (isMaster.includes(row.action)) expect(row).toMatchObject({ result: 'refused', code: 403 });
  });

  test('says in words what was switched, and names what lies within by its own name', async () => {
    const cookie = await server.signIn('trader', 'demo-trader');
    await callWith(cookie, notification.setSettings, { browser: true, off: { bell: ['funding', 'trade'] } });
    const [row] = await audited({ action: 'PUT /api/notification/setting' });
    expect(row?.changes).toEqual([
      { field: '不计未读的类别', before: '无', after: '资金费、成交' },
      { field: '浏览器弹出', before: '否', after: '是' },
    ]);
    // Of what nobody found there is its id alone, once.
    const pairId = '00000000-0000-4000-8000-000000000001';
    await callWith(cookie, hedgeConfig.removePair, { pairId });
    const [refused] = await audited({ action: 'DELETE /api/user/config/hedge/pair', object: pairId });
    expect(refused).toMatchObject({ object: pairId, result: 'refused', changes: [] });
  });

  test('says who, what, before and after, from where, and what came of it; filters and pages find it', async () => {
    const asked = await callWith(await server.signIn('trader', 'demo-trader'), user.binanceId, {
      binanceId: '4455667788',
    });
    const again = await callWith(await server.signIn('trader', 'demo-trader'), user.binanceId, {
      binanceId: '99887766',
    });
    const [second, first] = await audited(
      { action: 'PUT /api/user/binanceId', result: 'done' },
      ({ length }) => length === 2,
    );
    expect(first).toMatchObject({ changes: [{ field: '币安 UID', before: null, after: '4455667788' }] });
    expect(second).toMatchObject({
      at: server.now(),
      actorId: await idOf('trader'),
      actor: 'trader',
      role: 'user',
      title: '绑定自己的币安 UID',
      address: '127.0.0.1',
      code: 200,
      message: null,
      changes: [{ field: '币安 UID', before: '4455667788', after: '99887766' }],
    });
    expect(second!.requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect([asked.body.code, again.body.code]).toEqual([200, 200]);
    const count = async (query: Record<string, unknown>) => (await master()(audit.list, { query })).body.data.total;
    expect(await count({ action: 'PUT /api/user/binanceId', start: server.now() + 1 })).toBe(0);
    expect(await count({ actorId: 'no id' })).toBe(0);
    expect(await count({ object: '%' })).toBe(0);
    // Blanks ask for nothing.
    expect(await count({ object: ' \n\ufeff' })).toBe(await count({}));
    const { body } = await master()(audit.list, {
      query: { pageSize: 1, current: 2, action: 'PUT /api/user/binanceId' },
    });
    expect(body.data.list).toHaveLength(1);
    expect((await master()(audit.list, { query: { sort: 'actor' } })).status).toBe(400);
  });

  test('cannot be changed, not even by the owner of the tables', async () => {
    for (const table of ['audit', 'audit_result']) {
      for (const statement of [`update ${table} set code = 0`, `delete from ${table}`, `truncate ${table} cascade`]) {
        await expect(server.db.execute(sql.raw(statement))).rejects.toThrow();
      }
    }
  });

  test('comes first: what cannot be written down is not done, and says so', async () => {
    logged.length = 0;
    await server.db.execute(sql`alter table audit rename to audit_away`);
    const refused = await as('trader')(user.binanceId, { body: { binanceId: '11112222' } });
    // That it was refused cannot be written down either.
    await waitFor('the line of the log', 60_000, () => logged.join().includes('could not be recorded'));
    await server.db.execute(sql`alter table audit_away rename to audit`);
    expect(refused.status).toBe(500);
    expect((await rowOf('trader')).binanceId).toBe('99887766');
  });

  test('leaves an outcome that could not be written unknown, which the log tells and the caller is not kept by', async () => {
    await server.db.execute(sql`alter table audit_result rename to result_away`);
    logged.length = 0;
    const done = await as('trader')(user.binanceId, { body: { binanceId: '33334444' } });
    expect(done.body.code).toBe(200);
    await waitFor('the line of the log', 60_000, () => logged.length > 0);
    await server.db.execute(sql`alter table result_away rename to audit_result`);
    expect(logged.join()).toContain('the outcome of a write could not be recorded');
    const [row] = (await master()(audit.list, { query: { result: 'unknown' } })).body.data.list;
    expect(row).toMatchObject({ actor: 'trader', code: null, changes: [{ field: '币安 UID', after: '33334444' }] });
    // Nothing more of it will come: it must not keep the other tests waiting.
    await server.db.execute(sql`insert into audit_result values (${row!.id}::bigint, 200, 200, 'ok', null, null)`);
  });
});

describe('users', () => {
  test('are listed with their account, switch and last login, searched, filtered and ordered', async () => {
    letPass(DAY_MS + HOUR_MS);
    await callWith(undefined, session.login, { username: 'trader', password: 'demo-trader' });
    await callWith(undefined, session.login, { username: 'trader', password: WRONG });
    const { data } = (await master()(userAdmin.list, { query: { sort: '-name' } })).body;
    expect(data.list.map(({ name }) => name)).toEqual(['trader', 'master', 'everything', 'editor']);
    expect(data.list[0]).toMatchObject({
      role: 'user',
      status: 'active',
      demo: true,
      binanceId: '33334444',
      hedging: null,
      hedges: 0,
      apiKeys: 0,
      equity: null,
      lastLoginAt: server.now(),
      lastLoginAddress: '127.0.0.1',
      lastLoginDevice: 'Chrome 141 · Windows 10',
    });
    expect(data.counters).toEqual({ active24h: 2, failedLogins24h: 1, keysExpiring: 0, ownerless: 0 });
    const namesOf = async (query: Record<string, unknown>) =>
      (await master()(userAdmin.list, { query })).body.data.list.map(({ name }) => name);
    expect(await namesOf({ search: 'EVERY' })).toEqual(['everything']);
    expect(await namesOf({ search: '3333' })).toEqual(['trader']);
    expect(await namesOf({ role: 'editor', sort: 'name' })).toEqual(['editor', 'everything']);
    expect(await namesOf({ status: 'blocked' })).toEqual([]);
    expect((await master()(userAdmin.list, { query: { sort: 'passwordHash' } })).status).toBe(400);
  });

  test('show what their accounts were worth last, and gained in thirty days without deposits', async () => {
    const { userId } = await signedInUser(server.db, 'wealthy');
    await openBook(server.db, userId, { at: server.now(), by: 'wealthy', venue: SIMULATED });
    const zeros = { funding: 0, fees: 0, slippage: 0, traded: 0, longPnl: 0, shortPnl: 0, net: 0, gross: 0 };
    const point = (days: number, equity: number, transfers: number) =>
      server.db
        .insert(equityPoint)
        .values({ userId, accountId: userId, at: server.now() - days * DAY_MS, equity, transfers, ...zeros });
    await point(40, 1_000, 1_000);
    await point(31, 1_100, 1_000);
    await point(1, 1_700, 1_500);
    const onPaper = { equity: 1_700, pnl30d: 100 };
    expect(await rowOf('wealthy')).toMatchObject({ ...onPaper, liveEquity: null, livePnl30d: null });
    // Real money is told apart.
    const [real] = await server.db
      .insert(account)
      .values({ userId, venue: 'binance-live', mode: 'live', name: '实盘' })
      .returning();
    const at = server.now() - DAY_MS;
    await server.db
      .insert(equityPoint)
      .values({ userId, accountId: real!.id, at, equity: 900, transfers: 1_000, ...zeros });
    expect(await rowOf('wealthy')).toMatchObject({ ...onPaper, liveEquity: 900, livePnl30d: -100 });
  });

  test('are invited by a code that is shown once, sets a password once, and signs nobody in', async () => {
    const { data } = (await master()(userAdmin.create, { body: { username: 'invited', role: 'editor' } })).body;
    expect(data).toMatchObject({ username: 'invited', expiresAt: server.now() + DAY_MS });
    expect(await rowOf('invited')).toMatchObject({ status: 'pending', role: 'editor', demo: false });
    const redeem = (code: string, newPassword = PASSWORD) =>
      callWith(undefined, password.redeem, { username: 'Invited', code, newPassword });
    expect((await callWith(undefined, session.login, { username: 'invited', password: '' })).status).toBe(400);
    expect((await callWith(undefined, session.login, { username: 'invited', password: 'x' })).body.code).toBe(1001);
    expect((await redeem('WRONG-WRONG-WRONG-WRONG')).body.code).toBe(1009);
    expect((await redeem(data.code, 'password123')).body).toMatchObject({
      code: 1003,
      data: { fields: [{ field: 'newPassword' }] },
    });
    const done = await redeem(` ${data.code.toLowerCase().replaceAll('-', ' ')}`);
    expect(done.body).toEqual({ code: 200, message: 'ok', data: null });
    expect(cookieOf(done.raw)).toBeUndefined();
    expect((await redeem(data.code)).body.code).toBe(1009);
    expect(await server.signIn('invited', PASSWORD)).toMatch(/^session=/);
    expect((await master()(userAdmin.create, { body: { username: 'lNVITED', role: 'user' } })).body.code).toBe(1002);
    expect(await rowsText()).not.toContain(data.code);
  });

  test('change role at once, but not the last master', async () => {
    const masterId = await idOf('master');
    const demote = (userId: string) => master()(userAdmin.role, { body: { userId, role: 'user' } });
    expect((await demote(masterId)).body.code).toBe(1008);
    expect((await master()(userAdmin.status, { body: { userId: masterId, blocked: true } })).body.code).toBe(1008);
    expect((await demote('no id')).status).toBe(404);
    const invited = await idOf('invited');
    const cookie = await server.signIn('invited', PASSWORD);
    await master()(userAdmin.role, { body: { userId: invited, role: 'master' } });
    expect((await callWith(cookie, userAdmin.list)).status).toBe(200);
    // Each of two masters takes the other one's role away at the same moment: one of them stays.
    const [first, second] = await Promise.all([
      demote(invited),
      callWith(cookie, userAdmin.role, { userId: masterId, role: 'user' }),
    ]);
    const codes = [first.body.code, second.body.code];
    expect(codes.filter((code) => code === 200)).toHaveLength(1);
    // Whichever it was.
    await server.db.execute(sql`update app_user set role = 'master' where name in ('master', 'invited')`);
    await master()(userAdmin.role, { body: { userId: invited, role: 'user' } });
    const [row] = await audited({ action: 'PUT /api/user/role', object: invited });
    expect(row).toMatchObject({ object: 'invited', changes: [{ field: '角色', after: '普通用户' }] });
  });

  test('are kept out by a block, also by the next start of a demo, and let in again', async () => {
    const userId = await idOf('trader');
    const cookie = await server.signIn('trader', 'demo-trader');
    woken.length = 0;
    await master()(userAdmin.status, { body: { userId, blocked: true } });
    expect(woken).toEqual([userId]);
    expect((await callWith(cookie, user.current)).status).toBe(401);
    await settleDemoUsers(server.db, server.now, true);
    expect((await callWith(undefined, session.login, { username: 'trader', password: 'demo-trader' })).body.code).toBe(
      1004,
    );
    expect(await rowOf('trader')).toMatchObject({ status: 'blocked', sessions: 0 });
    await master()(userAdmin.status, { body: { userId, blocked: false } });
    cookies.delete('trader');
    expect(await server.signIn('trader', 'demo-trader')).toMatch(/^session=/);
  });

  test('have their hedging switched in the master’s name, once there are settings', async () => {
    const userId = await idOf('wealthy');
    const turn = (enabled: boolean) => master()(userAdmin.hedging, { body: { userId, enabled } });
    expect((await turn(true)).body.code).toBe(5002);
    await createConfig(server.db, userId, { settings: DEFAULT_SETTINGS, at: server.now(), by: 'wealthy' });
    expect((await turn(true)).body.data).toEqual({ userId, enabled: true, running: 0 });
    expect(await rowOf('wealthy')).toMatchObject({ hedging: true });
    await server.db.update(book).set({ pausedAt: server.now() }).where(eq(book.userId, userId));
    expect(await rowOf('wealthy')).toMatchObject({ hedging: true, paused: true });
    await turn(false);
    const [row] = await audited({ action: 'PUT /api/user/hedging' });
    expect(row).toMatchObject({ object: 'wealthy', changes: [{ field: '启用', before: '是', after: '否' }] });
  });

  test('lose password and sessions by a reset, and get in by its code while it is good', async () => {
    const userId = await idOf('invited');
    const cookie = await server.signIn('invited', PASSWORD);
    const reset = async () => (await master()(userAdmin.resetPassword, { body: { userId } })).body.data;
    const old = await reset();
    const { code } = await reset();
    expect((await callWith(cookie, user.current)).status).toBe(401);
    const redeem = (text: string) =>
      callWith(undefined, password.redeem, { username: 'invited', code: text, newPassword: `${PASSWORD} 2` });
    expect((await redeem(old.code)).body.code).toBe(1009);
    letPass(DAY_MS);
    expect((await redeem(code)).body.code).toBe(1009);
    expect((await redeem((await reset()).code)).body.code).toBe(200);
    expect(await server.signIn('invited', `${PASSWORD} 2`)).toMatch(/^session=/);
    const own = await master()(userAdmin.resetPassword, { body: { userId: await idOf('master') } });
    expect(own.body.code).toBe(1014);
  });
});

describe('one’s own password', () => {
  const change = (cookie: string, body: object) => callWith(cookie, password.change, body);
  const NEW = 'another long passphrase';

  test('changes with the old one, and ends all other sessions', async () => {
    const first = await server.signIn('invited', `${PASSWORD} 2`);
    const other = await server.signIn('invited', `${PASSWORD} 2`);
    const refusal = async (body: object) => {
      const answer = await change(first, { password: `${PASSWORD} 2`, newPassword: NEW, ...body });
      return [answer.body.code, answer.body.data?.fields?.[0]?.field];
    };
    expect(await refusal({ password: WRONG })).toEqual([1010, 'password']);
    expect(await refusal({ newPassword: `${PASSWORD} 2` })).toEqual([1011, 'newPassword']);
    expect(await refusal({ newPassword: 'short' })).toEqual([400, 'newPassword']);
    expect(await refusal({ newPassword: '1234567890' })).toEqual([1003, 'newPassword']);
    const done = await change(first, { password: `${PASSWORD} 2`, newPassword: NEW });
    expect(done.body).toMatchObject({ code: 200, data: { revoked: 2 } });
    expect([(await callWith(first, user.current)).status, (await callWith(other, user.current)).status]).toEqual([
      200, 401,
    ]);
    expect(await server.signIn('invited', NEW)).toMatch(/^session=/);
  });

  test('is not guessed by who has a session', async () => {
    const cookie = await server.signIn('invited', NEW);
    const codes: number[] = [];
    for (let i = 0; i < 6; i++)
      codes.push((await change(cookie, { password: `${WRONG} ${i}`, newPassword: PASSWORD })).body.code);
    expect(codes).toEqual([1010, 1010, 1010, 1010, 1010, 429]);
    const locks = (await master()(userAdmin.locks)).body.data.list;
    expect(locks).toContainEqual(expect.objectContaining({ kind: 'password', user: 'invited' }));
  });
});

describe('the second factor', () => {
  const ACCOUNT = { username: 'careful', password: PASSWORD };
  const login = (code?: string) => callWith(undefined, session.login, { ...ACCOUNT, ...(code ? { code } : {}) });
  let cookie: string;
  let secret: string;
  let recoveryCodes: string[];
  /** What an authenticator shows at this moment. */
  const codeNow = () => TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: server.now() });

  test('is switched on with the password and a first code, which ends other sessions and gives recovery codes once', async () => {
    cookie = cookieOf((await callWith(undefined, session.register, ACCOUNT)).raw)!;
    const other = await server.signIn(ACCOUNT.username, PASSWORD);
    expect((await callWith(cookie, secondFactor.confirm, { code: '123456' })).body.code).toBe(1013);
    expect((await callWith(cookie, secondFactor.begin, { password: WRONG })).body.code).toBe(1010);
    const begun = (await callWith(cookie, secondFactor.begin, { password: PASSWORD })).body.data;
    secret = begun.secret;
    expect(begun.uri).toBe(
      `otpauth://totp/Hedge%20Console:careful?issuer=Hedge%20Console&secret=${secret}&algorithm=SHA1&digits=6&period=30`,
    );
    expect((await login()).body.code).toBe(201);
    const wrong = await callWith(cookie, secondFactor.confirm, { code: '000000' });
    expect(wrong.body).toMatchObject({ code: 1007, data: { fields: [{ field: 'code' }] } });
    const confirmed = await callWith(cookie, secondFactor.confirm, { code: codeNow() });
    ({ recoveryCodes } = confirmed.body.data);
    expect(new Set(recoveryCodes).size).toBe(10);
    expect((await callWith(other, user.current)).status).toBe(401);
    expect((await callWith(cookie, secondFactor.state)).body.data).toEqual({
      enabledAt: server.now(),
      recoveryLeft: 10,
      isDamaged: false,
    });
    expect((await callWith(cookie, secondFactor.begin, { password: PASSWORD })).body.code).toBe(1012);
    expect(await rowOf('careful')).toMatchObject({ secondFactor: true });
  });

  test('asks for a code at the login, which works once and within a minute', async () => {
    expect((await login()).body).toMatchObject({ code: 1006, data: { fields: [{ field: 'code' }] } });
    // The code that switched it on was used by that.
    expect((await login(codeNow())).body.code).toBe(1007);
    server.advance(30_000);
    const code = codeNow();
    const [first, second] = await Promise.all([login(code), login(code)]);
    expect([first.body.code, second.body.code].sort()).toEqual([1007, 201]);
    server.advance(60_000);
    const late = codeNow();
    server.advance(60_000);
    expect((await login(late)).body.code).toBe(1007);
    letPass(15 * 60_000);
    expect((await login(` ${codeNow().slice(0, 3)} ${codeNow().slice(3)} `)).body.code).toBe(201);
  });

  test('takes each recovery code once, however it is typed', async () => {
    const [code] = recoveryCodes;
    expect((await login(code!.toLowerCase().replaceAll('-', ' '))).body.code).toBe(201);
    expect((await login(code)).body.code).toBe(1007);
    expect((await callWith(cookie, secondFactor.state)).body.data).toMatchObject({ recoveryLeft: 9 });
    server.advance(60_000);
    const renewed = await callWith(cookie, secondFactor.renew, { password: PASSWORD, code: codeNow() });
    expect(renewed.body.data.recoveryCodes).toHaveLength(10);
    expect((await login(recoveryCodes[1])).body.code).toBe(1007);
    recoveryCodes = renewed.body.data.recoveryCodes;
  });

  test('is not guessed, from however many addresses', async () => {
    letPass(15 * 60_000);
    const from = (i: number, code: string) =>
      server.app.inject({
        method: 'POST',
        url: '/api/login',
        remoteAddress: `198.51.100.${i}`,
        payload: { ...ACCOUNT, code },
      });
    const codes: number[] = [];
    for (let i = 0; i < 7; i++) codes.push((await from(i, '000000')).json().code);
    expect(codes).toEqual([1007, 1007, 1007, 1007, 1007, 429, 429]);
    expect((await from(9, codeNow())).json().message).toContain('验证码错误次数过多');
    const lock = (await master()(userAdmin.locks)).body.data.list.find(({ kind }) => kind === 'code')!;
    expect(lock).toMatchObject({ user: 'careful' });
    await master()(userAdmin.unlock, { body: { id: lock.id } });
    expect((await from(10, codeNow())).json().code).toBe(201);
  });

  test('goes with password and code, or by a master who resets both; nobody but its owner ever sees its secret', async () => {
    const text = await rowsText();
    for (const hidden of [secret, ...recoveryCodes, recoveryCodes[0]!.replaceAll('-', '')])
      expect(text).not.toContain(hidden);
    const remove = (code: string) => callWith(cookie, secondFactor.remove, { password: PASSWORD, code });
    expect((await remove('000000')).body.code).toBe(1007);
    expect((await remove(recoveryCodes[0]!)).body.code).toBe(200);
    expect((await login()).body.code).toBe(201);
    const begun = (await callWith(cookie, secondFactor.begin, { password: PASSWORD })).body.data;
    secret = begun.secret;
    server.advance(60_000);
    expect((await callWith(cookie, secondFactor.confirm, { code: codeNow() })).body.code).toBe(200);
    const userId = await idOf('careful');
    const reset = (await master()(userAdmin.resetPassword, { body: { userId, removeSecondFactor: true } })).body.data;
    await callWith(undefined, password.redeem, { username: 'careful', code: reset.code, newPassword: PASSWORD });
    expect((await login()).body.code).toBe(201);
    expect((await server.db.execute(sql`select * from secret`)).rows).toEqual([]);
  });

  test('is switched off by a command on the machine for who lost phone and codes; that is told and audited', async () => {
    cookie = await server.signIn(ACCOUNT.username, PASSWORD);
    secret = (await callWith(cookie, secondFactor.begin, { password: PASSWORD })).body.data.secret;
    server.advance(60_000);
    await callWith(cookie, secondFactor.confirm, { code: codeNow() });
    expect((await login()).body.code).toBe(1006);
    const control = buildControl({ db: server.db, clock: server.now, vault: async () => server.vault });
    const off = async (username: string) =>
      (await control.inject({ method: 'DELETE', url: '/user/factor', payload: { username } })).json();
    expect((await off('nobody-of-that-name')).code).toBe(404);
    expect((await off('Careful')).data).toEqual({ had: true });
    expect((await callWith(cookie, user.current)).status).toBe(401);
    expect((await login()).body.code).toBe(201);
    expect((await off('careful')).data).toEqual({ had: false });
    await control.close();
    const [, first] = await audited({ action: 'user factor-off' });
    expect(first).toMatchObject({
      ...{ actor: '命令行', object: 'careful', title: '命令行：关闭两步验证', address: '本机', result: 'done' },
      changes: [{ field: '两步验证', before: '是', after: '否' }],
    });
  });
});

describe('looking on as somebody', () => {
  test('shows what the user sees, refuses every write, and is in the audit log as the master', async () => {
    const cookie = await server.signIn('master', 'demo-master');
    const trader = await idOf('trader');
    const own = (await callWith(cookie, user.current)).body.data;
    expect((await callWith(cookie, userAdmin.view, { userId: own.id })).body.code).toBe(1014);
    const begun = await callWith(cookie, userAdmin.view, { userId: trader });
    expect(begun.body.data).toEqual({ userId: trader, name: 'trader' });
    expect((await callWith(cookie, user.current)).body.data).toMatchObject({
      ...{ id: trader, name: 'trader', role: 'user', viewer: 'master' },
    });
    expect((await callWith(cookie, userAdmin.list)).status).toBe(403);
    const writes = endpoints.filter(
      (endpoint) => endpoint.method !== 'GET' && endpoint.right !== 'open' && endpoint !== userAdmin.leaveView,
    );
    const answers = await Promise.all(writes.map((endpoint) => callWith(cookie, endpoint, endpoint.body && {})));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.message}`))).toEqual(
      new Set(['403 正在以 trader 的身份只读查看，不能操作；请先退出查看']),
    );
    expect((await callWith(cookie, userAdmin.leaveView)).body.code).toBe(200);
    expect((await callWith(cookie, user.current)).body.data).toEqual({ ...own, viewer: null });
    const audible = writes.filter((endpoint) => endpoint.audited !== false);
    const looking = (rows: AuditRow[]) => rows.filter(({ message }) => message?.includes('只读查看'));
    const refused = await audited(
      { result: 'refused', pageSize: 200 },
      (rows) => looking(rows).length === audible.length,
    );
    expect(new Set(looking(refused).map(({ actor }) => actor))).toEqual(new Set(['master']));
    const [left] = await audited({ action: 'DELETE /api/user/view' });
    expect(left).toMatchObject({ actor: 'master', changes: [{ field: '查看的用户', before: 'trader', after: null }] });
    expect((await audited({ action: 'POST /api/user/view', result: 'done' }))[0]).toMatchObject({
      object: 'trader',
      changes: [{ field: '查看的用户', before: null, after: 'trader' }],
    });
  });

  test('ends with the role that allows it', async () => {
    const { cookie } = await signedInUser(server.db, 'second', 'master');
    await callWith(cookie, userAdmin.view, { userId: await idOf('trader') });
    await master()(userAdmin.role, { body: { userId: await idOf('second'), role: 'user' } });
    expect((await callWith(cookie, user.current)).body.data).toMatchObject({ name: 'second', viewer: null });
  });
});

describe('sessions and logins', () => {
  test('of everybody are listed and ended, but for the session that asks', async () => {
    const cookie = await server.signIn('editor', 'demo-editor');
    const { list, total } = (await master()(userAdmin.sessions, { query: { userId: await idOf('editor') } })).body.data;
    expect(total).toBe(list.length);
    expect(list[0]).toMatchObject({ user: 'editor', role: 'editor', current: false, origin: 'loopback' });
    const end = (body: object) => master()(userAdmin.revoke, { body });
    expect((await end({ id: list[0]!.id })).body.data).toEqual({ revoked: 1 });
    expect((await end({ id: list[0]!.id })).status).toBe(404);
    expect((await end({})).status).toBe(400);
    expect((await callWith(cookie, user.current)).status).toBe(401);
    await server.signIn('editor', 'demo-editor');
    expect((await end({ userId: await idOf('editor') })).body.data).toEqual({ revoked: 1 });
    const all = (await master()(userAdmin.sessions)).body.data.list;
    const own = all.find(({ current }) => current)!;
    expect((await end({ id: own.id })).body.code).toBe(1014);
    await end({ userId: await idOf('master') });
    expect((await master()(user.current)).status).toBe(200);
  });

  test('are recorded with their reason, without what may be a password, and locks are lifted', async () => {
    const login = (username: string, word: string) => callWith(undefined, session.login, { username, password: word });
    for (let i = 0; i < 6; i++) await login('editor', WRONG);
    await login('hunter2-typed-as-a-name', WRONG);
    const { list } = (await master()(userAdmin.attempts, { query: { pageSize: 3 } })).body.data;
    expect(list.map(({ user: who, result, reason, times }) => [who, result, reason, times])).toEqual([
      ['hu***', 'refused', 'unknownName', 1],
      ['editor', 'locked', 'tooMany', 1],
      ['editor', 'refused', 'wrongPassword', 5],
    ]);
    expect(list[0]).toMatchObject({ address: '127.0.0.1', device: 'Chrome 141 · Windows 10', userId: null });
    const locks = (await master()(userAdmin.locks)).body.data.list;
    const mine = locks.find(({ kind, user: who }) => kind === 'pair' && who === 'editor')!;
    expect(mine).toMatchObject({ address: '127.0.0.1', failures: 5, lockedUntil: server.now() + 60_000 });
    expect((await login('editor', 'demo-editor')).body.code).toBe(429);
    expect((await master()(userAdmin.unlock, { body: { id: mine.id } })).body.data).toEqual({ id: mine.id });
    expect((await master()(userAdmin.unlock, { body: { id: mine.id } })).status).toBe(404);
    expect((await login('editor', 'demo-editor')).body.code).toBe(201);
  });

  test('are counted where they are refused: nobody fills the log by trying', async () => {
    const total = async (query = {}) => (await master()(userAdmin.attempts, { query })).body.data;
    const before = (await total()).total;
    const refused = (name: string, address: string) =>
      noteAttempt(
        { db: server.db, clock: server.now },
        { address, userAgent: 'x' },
        { name, user: null, reason: 'unknownName' },
      );
    for (let i = 0; i < 600; i++) await refused(`name-${i}`, i < 40 ? '192.0.2.77' : `10.${i >> 8}.${i & 255}.1`);
    expect((await total()).total - before).toBeLessThanOrEqual(501);
    const [ofOne] = (await total({ address: '192.0.2.77' })).list;
    expect(ofOne).toMatchObject({ times: 40, userId: null });
    const [many] = (await total({ pageSize: 1 })).list;
    expect(many).toMatchObject({ user: '***', address: '' });
    expect(many!.times).toBeGreaterThan(50);
  });

  test.each([
    ['127.0.0.1', 'loopback'],
    ['::ffff:127.0.0.1', 'loopback'],
    ['10.1.2.3', 'private'],
    ['fd12::1', 'private'],
    ['100.64.0.9', 'private'],
    ['8.8.8.8', 'public'],
    ['2606:4700:4700::1111', 'public'],
    ['224.0.0.1', 'unknown'],
    ['somewhere', 'unknown'],
  ])('from %s come from %s', (address, origin) => expect(originOf(address)).toBe(origin));

  test('and audits hold no secret that anybody sent', async () => {
    const text = await rowsText();
    for (const secret of [PASSWORD, 'another long', 'demo-', WRONG, 'hunter2', 'password123'])
      expect(text).not.toContain(secret);
  });
});

describe('preferences', () => {
  const NOTHING = { rise: null, numbers: null, timeZone: null };

  test('are one’s own, change only where something is given, and come with the account', async () => {
    expect((await as('editor')(user.preference)).body.data).toEqual(NOTHING);
    await as('trader')(user.setPreference, { body: { rise: 'red' } });
    await as('trader')(user.setPreference, { body: { numbers: 'compact' } });
    const kept = { rise: 'red', numbers: 'compact', timeZone: null };
    expect((await as('trader')(user.setPreference, { body: {} })).body.data).toEqual(kept);
    expect((await as('trader')(user.current)).body.data.preference).toEqual(kept);
  });

  test.each([
    ['an unknown colour habit', { rise: 'blue' }, 'rise'],
    ['an unknown way of writing amounts', { numbers: 'roman' }, 'numbers'],
  ])('refuse %s at its field', async (_, body, field) => {
    const { status, body: answer } = await as('editor')(user.setPreference, { body });
    expect(status).toBe(400);
    expect(answer.data).toMatchObject({ fields: [{ field }] });
  });
});
