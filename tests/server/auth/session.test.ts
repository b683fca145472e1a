import { eq } from 'drizzle-orm';
import { HOUR_MS, MINUTE_MS } from '#contract/duration';
import { evaluate } from '#contract/evaluate';
import { service } from '#contract/service';
import { session } from '#contract/session';
import { user } from '#contract/user';
import { session as sessionTable, user as userTable } from '../../../server/base/db/schema';
import { setBlocked } from '../../../server/base/db/users/user';
import { cookieOf, fileApp, ORIGIN, testApp } from '../../support/app';

const server = await fileApp();

/** Asks who is signed in by this cookie; answers the HTTP status. */
const statusWith = async (cookie: string) =>
  (await server.app.inject({ url: '/api/user', headers: { host: 'localhost:8000', cookie } })).statusCode;
const trader = () => server.signIn('trader', 'demo-trader');

describe('the session cookie', () => {
  test('is out of reach of scripts and other sites, and its token is stored only as a hash', async () => {
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { username: 'trader', password: 'demo-trader' },
    });
    expect(response.headers['set-cookie']).toMatch(
      /^session=[A-Za-z0-9_-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const token = cookieOf(response)!.split('=')[1]!;
    const rows = await server.db.select().from(sessionTable);
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows.every((row) => /^[0-9a-f]{64}$/.test(row.tokenHash))).toBe(true);
  });

  test('is Secure and bound to the host behind TLS, which only a trusted proxy may claim', async () => {
    const login = {
      method: 'POST',
      url: '/api/login',
      payload: { username: 'trader', password: 'demo-trader' },
    } as const;
    const headers = { 'x-forwarded-proto': 'https' };
    const behind = await testApp({ db: server.db, config: { trustedProxy: ['10.0.0.9'] } });
    const trusted = await behind.app.inject({ ...login, headers, remoteAddress: '10.0.0.9' });
    expect(trusted.headers['set-cookie']).toMatch(/^__Host-session=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect(trusted.headers['strict-transport-security']).toBe('max-age=31536000');
    const claimed = await behind.app.inject({ ...login, headers, remoteAddress: '10.0.0.8' });
    expect(claimed.headers['set-cookie']).toMatch(/^session=/);
    expect(claimed.headers).not.toHaveProperty('strict-transport-security');
    await behind.close();
  });

  test.each(['session=', 'session=short', `session=${'A'.repeat(43)}`, 'session=%00'])(
    '%s is a visitor',
    async (cookie) => {
      expect(await statusWith(cookie)).toBe(401);
    },
  );
});

describe('a session', () => {
  test('gets a new token at every login, and the old one is worth nothing', async () => {
    const first = await trader();
    const again = await server.app.inject({
      method: 'POST',
      url: '/api/login',
      headers: { host: 'localhost:8000', origin: ORIGIN, cookie: first },
      payload: { username: 'trader', password: 'demo-trader' },
    });
    const second = cookieOf(again)!;
    expect(second).not.toBe(first);
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200]);
  });

  test('is never the one that somebody planted in the browser before', async () => {
    const planted = `session=${'P'.repeat(43)}`;
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/login',
      headers: { host: 'localhost:8000', origin: ORIGIN, cookie: planted },
      payload: { username: 'trader', password: 'demo-trader' },
    });
    expect(cookieOf(answer)).toMatch(/^session=[A-Za-z0-9_-]{43}$/);
    expect(cookieOf(answer)).not.toBe(planted);
    expect(await statusWith(planted)).toBe(401);
  });

  test('ends after twelve idle hours, and use keeps it', async () => {
    const cookie = await trader();
    for (let i = 0; i < 3; i++) {
      server.advance(12 * HOUR_MS - 1);
      expect(await statusWith(cookie)).toBe(200);
    }
    server.advance(12 * HOUR_MS);
    expect(await statusWith(cookie)).toBe(401);
  });

  test('ends after seven days however busy', async () => {
    const cookie = await trader();
    for (let hours = 0; hours + 11 < 7 * 24; hours += 11) {
      server.advance(11 * HOUR_MS);
      expect(await statusWith(cookie)).toBe(200);
    }
    server.advance(7 * 24 * HOUR_MS - 15 * 11 * HOUR_MS);
    expect(await statusWith(cookie)).toBe(401);
  });

  test('notes when it was seen at most once a minute', async () => {
    const cookie = await trader();
    const seen = async () => {
      const response = await server.app.inject({ url: '/api/user/session', headers: { cookie } });
      const rows = response.json().data.list as { current: boolean; seenAt: number; createdAt: number }[];
      const row = rows.find(({ current }) => current)!;
      return row.seenAt - row.createdAt;
    };
    server.advance(MINUTE_MS - 1);
    expect(await seen()).toBe(0);
    server.advance(1);
    expect(await seen()).toBe(MINUTE_MS);
    server.advance(MINUTE_MS - 1);
    expect(await seen()).toBe(MINUTE_MS);
  });

  test('feels another role at the next request', async () => {
    const cookie = await server.signIn('editor', 'demo-editor');
    const write = () =>
      server.app.inject({
        method: evaluate.note.method,
        url: evaluate.note.path,
        headers: { host: 'localhost:8000', origin: ORIGIN, cookie },
        payload: {},
      });
    expect((await write()).statusCode).toBe(400);
    await server.db.update(userTable).set({ role: 'user' }).where(eq(userTable.name, 'editor'));
    expect((await write()).statusCode).toBe(403);
    await server.db.update(userTable).set({ role: 'constructor' }).where(eq(userTable.name, 'editor'));
    expect((await write()).statusCode).toBe(403);
    expect(await statusWith(cookie)).toBe(200);
    await server.db.update(userTable).set({ role: 'editor' }).where(eq(userTable.name, 'editor'));
  });

  test('ends with the block of its user, also when only the flag was set', async () => {
    const cookie = await trader();
    await server.db.update(userTable).set({ blocked: true }).where(eq(userTable.name, 'trader'));
    expect(await statusWith(cookie)).toBe(401);
    const [row] = await server.db.select().from(userTable).where(eq(userTable.name, 'trader'));
    await setBlocked(server.db, row!.id, false);
    expect(await statusWith(cookie)).toBe(200);
  });
});

describe('POST /api/logout', () => {
  test('ends the session, clears the cookie and what the browser keeps', async () => {
    const cookie = await trader();
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/logout',
      headers: { host: 'localhost:8000', origin: ORIGIN, cookie },
    });
    expect(response.json()).toEqual({ code: 200, message: 'ok', data: null });
    expect(response.headers['set-cookie']).toMatch(/^session=; .*Expires=Thu, 01 Jan 1970/);
    expect(response.headers['clear-site-data']).toBe('"cache"');
    expect(await statusWith(cookie)).toBe(401);
  });

  test('is fine with nobody to sign out', async () => {
    expect((await server.as('visitor')(session.logout)).body.code).toBe(200);
  });
});

describe('GET and DELETE /api/user/session', () => {
  test('list and end one’s own sessions only', async () => {
    const mine = await server.signIn('master', 'demo-master');
    const other = await server.signIn('master', 'demo-master');
    const foreign = await trader();
    const call = (method: 'GET' | 'DELETE', cookie: string, payload?: object) =>
      server.app.inject({
        method,
        url: '/api/user/session',
        headers: { host: 'localhost:8000', origin: ORIGIN, cookie },
        ...(payload ? { payload } : {}),
      });
    const idOf = async (cookie: string) =>
      ((await call('GET', cookie)).json().data.list as { id: string; current: boolean }[]).find((row) => row.current)!
        .id;

    const listed = (await call('GET', mine)).json().data;
    expect(listed.total).toBe(2);
    expect(listed.list[0].expiresAt - listed.list[0].seenAt).toBe(12 * HOUR_MS);

    expect((await call('DELETE', mine, { id: await idOf(foreign) })).statusCode).toBe(404);
    expect((await call('DELETE', mine, { id: 'no uuid' })).statusCode).toBe(404);
    expect((await call('DELETE', mine, { id: 'x'.repeat(65) })).statusCode).toBe(400);
    expect(await statusWith(foreign)).toBe(200);

    expect((await call('DELETE', mine, { id: await idOf(other) })).json().data).toEqual({ revoked: 1 });
    expect([await statusWith(mine), await statusWith(other)]).toEqual([200, 401]);

    await server.signIn('master', 'demo-master');
    expect((await call('DELETE', mine)).json().data).toEqual({ revoked: 1 });
    expect(await statusWith(mine)).toBe(200);
  });
});

describe('GET /api/user', () => {
  test('answers exactly the fields of its schema', async () => {
    const { body } = await server.as('master')(user.current);
    expect(Object.keys(body.data).sort()).toEqual(Object.keys(user.current.data.properties).sort());
    expect(body.data).toMatchObject({ name: 'master', role: 'master', demo: true });
  });
});

describe('GET /api/health and /api/environment', () => {
  test('tell the version to signed-in users only', async () => {
    expect((await server.as('visitor')(service.health)).body.data).toEqual({ live: true, ready: true });
    expect((await server.as('trader')(service.health)).body.data).toEqual({
      live: true,
      ready: true,
      version: '9.9.9',
    });
  });

  test('name the demo accounts in a demo', async () => {
    const { body } = await server.as('visitor')(service.environment);
    expect(body.data.accounts.map(({ name }) => name)).toEqual(['master', 'editor', 'trader']);
  });
});
