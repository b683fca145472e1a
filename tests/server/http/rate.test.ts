import { fileApp, ORIGIN } from '../../support/app';
import { atEnd } from '../../support/atEnd';
import { testDatabase } from '../../support/testDatabase';

const disk = { isFull: false };
const db = await testDatabase();
const own = new Proxy(db, {
  get(target, name) {
    const value = Reflect.get(target, name);
    if (typeof value !== 'function') return value;
    if (name !== 'insert' || !disk.isFull) return value.bind(target);
    return () => {
      throw Object.assign(new Error('no space left'), { code: '53100' });
    };
  },
});
const server = await fileApp({ db: own });
atEnd(() => server.db.close());

const ask = (remoteAddress: string, cookie?: string, url = '/api/environment') =>
  server.app.inject({ url, remoteAddress, headers: cookie ? { cookie } : {} });

async function statuses(count: number, remoteAddress: string, cookie?: string): Promise<number[]> {
  const seen: number[] = [];
  for (let i = 0; i < count; i++) seen.push((await ask(remoteAddress, cookie)).statusCode);
  return seen;
}

test('a visitor’s address has 600 calls a minute; users and other addresses go on', async () => {
  expect(new Set(await statuses(600, '192.0.2.1'))).toEqual(new Set([200]));
  const refused = await ask('192.0.2.1');
  expect(refused.statusCode).toBe(429);
  expect(refused.json()).toEqual({
    code: 429,
    data: null,
    message: expect.stringMatching(/^请求过于频繁，请 \d{1,2} 秒后再试$/),
  });
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  for (const spelt of ['/%61pi/environment', '/api/%65nvironment', '/%61pi/nothing']) {
    expect((await ask('192.0.2.1', undefined, spelt)).statusCode).toBe(429);
  }
  expect((await ask('192.0.2.2')).statusCode).toBe(200);
  const cookie = await server.signIn('trader', 'demo-trader');
  expect((await ask('192.0.2.1', cookie)).statusCode).toBe(200);
});

test('a user has 1200, wherever he calls from, beside what a full disk refused', async () => {
  const cookie = await server.signIn('editor', 'demo-editor');
  disk.isFull = true;
  for (let i = 0; i < 20; i += 1) {
    const payload = { screen: '/order', name: '满', query: '' };
    const headers = { cookie, host: 'localhost:8000', origin: ORIGIN };
    const refused = await server.app.inject({ method: 'PUT', url: '/api/view', headers, payload });
    expect(refused.json()).toMatchObject({ code: 503, message: '磁盘已满，现在不能保存，请联系管理员' });
  }
  disk.isFull = false;
  expect(new Set(await statuses(1200, '192.0.2.3', cookie))).toEqual(new Set([200]));
  expect((await ask('192.0.2.4', cookie)).statusCode).toBe(429);
});
