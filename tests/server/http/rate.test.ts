import { testApp } from '../../support/app';

let server: Awaited<ReturnType<typeof testApp>>;
beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

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

test('a user has 1200, wherever he calls from', async () => {
  const cookie = await server.signIn('editor', 'demo-editor');
  expect(new Set(await statuses(1200, '192.0.2.3', cookie))).toEqual(new Set([200]));
  expect((await ask('192.0.2.4', cookie)).statusCode).toBe(429);
});
