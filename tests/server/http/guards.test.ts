import { fileApp, ORIGIN } from '../../support/app';
import { exchangeOver } from '../../support/rawExchange';

const server = await fileApp({ config: { allowedHosts: ['Console.Example'], trustedProxy: ['10.0.0.9'] } });
const cookie = await server.signIn('trader', 'demo-trader');

const host = 'localhost:8000';

describe('a write', () => {
  const write = async (headers: Record<string, string>, remoteAddress = '127.0.0.1') =>
    (
      await server.app.inject({
        method: 'DELETE',
        url: '/api/user/session',
        remoteAddress,
        headers: { host, ...headers },
        payload: {},
      })
    ).statusCode;

  test.each<[string, Record<string, string>, number]>([
    ['our own origin', { origin: ORIGIN }, 200],
    ['another port', { origin: 'http://localhost:9000' }, 403],
    ['another scheme', { origin: 'https://localhost:8000' }, 403],
    ['another host', { origin: 'http://evil.example' }, 403],
    ['another name of this machine', { origin: 'http://127.0.0.1:8000' }, 403],
    ['a name that begins like ours', { origin: 'http://localhost:8000.evil.example' }, 403],
    ['a sandboxed page', { origin: 'null' }, 403],
    ['an empty origin', { origin: '' }, 403],
    ['no origin, same-origin by the browser', { 'sec-fetch-site': 'same-origin' }, 200],
    ['no origin, same site', { 'sec-fetch-site': 'same-site' }, 403],
    ['no origin, another site', { 'sec-fetch-site': 'cross-site' }, 403],
    ['no origin, no site', {}, 403],
    [
      'a foreign origin that claims to be same-origin',
      { origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' },
      403,
    ],
  ])('with the cookie from %s', async (_from, headers, status) => {
    expect(await write({ cookie, ...headers })).toBe(status);
  });

  test.each<[string, Record<string, string>, number]>([
    ['a script', {}, 401],
    ['another site', { origin: 'http://evil.example' }, 403],
    ['another site without origin', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('without a cookie from %s', async (_from, headers, status) => {
    expect(await write(headers)).toBe(status);
  });

  test('with any cookie at all must prove where it comes from', async () => {
    expect(await write({ cookie: 'theme=dark' })).toBe(403);
  });

  test('behind TLS compares with what the trusted proxy says, and the default port goes without saying', async () => {
    const forwarded = { host: 'console.example:443', 'x-forwarded-proto': 'https', origin: 'https://console.example' };
    expect(await write(forwarded, '10.0.0.9')).toBe(401);
    expect(await write(forwarded, '10.0.0.8')).toBe(403);
  });

  test('is not smuggled in by a GET', async () => {
    const headers = { host, cookie, 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' };
    const response = await server.app.inject({ url: '/api/user/session?_method=DELETE', headers });
    expect(response.json().data.total).toBe(1);
  });
});

describe('a stream', () => {
  // What opens is refused for its topic, after the guard.
  const open = async (headers: Record<string, string>) =>
    (await server.app.inject({ url: '/api/stream?topics=order:all', headers: { host, cookie, ...headers } })).json();

  test.each<Record<string, string>>([
    { origin: 'http://evil.example' },
    { origin: 'http://localhost:9000' },
    { origin: 'null' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' },
  ])('for a page of another origin is refused: %j', async (headers) => {
    expect(await open(headers)).toEqual({ code: 403, message: '请求来源不是本站，已拒绝', data: null });
  });

  test.each<Record<string, string>>([
    {},
    { origin: ORIGIN },
    { 'sec-fetch-site': 'same-origin' },
    { origin: ORIGIN, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ])('for our own page passes: %j', async (headers) => {
    expect(await open(headers)).toEqual({ code: 403, message: '你没有权限执行此操作', data: null });
  });
});

describe('an address spelt in another way', () => {
  const raw = (target: string, fields: string[] = [], method = 'GET', name = 'localhost') =>
    exchangeOver(
      server.app,
      `${[`${method} ${target} HTTP/1.1`, `Host: ${name}`, 'Connection: close', ...fields].join('\r\n')}\r\n\r\n`,
    );

  test.each([
    '/%61pi/user',
    '/api/%75ser',
    '/%61%70%69/%75%73%65%72?x=1',
    'http://localhost/api/user',
    'http://localhost:1/%61pi/user?x=1',
  ])('%s is the call that it leads to: with its session, never stored', async (target) => {
    const answer = await raw(target, [`Cookie: ${cookie}`]);
    expect(answer.json()).toMatchObject({ code: 200, data: { name: 'trader' } });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect((await raw(target)).status).toBe(401);
  });

  test.each(['/%61pi/nothing', 'http://localhost/api/nothing'])('%s is no file and never stored', async (target) => {
    const answer = await raw(target, ['Accept: text/html']);
    expect(answer.json()).toMatchObject({ code: 404 });
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  test.each(['/%61pi/user/session', 'http://localhost/api/user/session'])(
    '%s is guarded as a write',
    async (target) => {
      expect((await raw(target, [`Cookie: ${cookie}`, 'Origin: http://evil.example'], 'DELETE')).status).toBe(403);
    },
  );

  test('names no host that is not ours', async () => {
    expect((await raw('http://evil.example/api/health')).status).toBe(421);
    expect((await raw('http://evil.example@localhost/api/health')).status).toBe(421);
    expect((await raw('http://localhost/api/health', [], 'GET', 'evil.example')).status).toBe(421);
    expect((await raw('http://localhost/api/health')).status).toBe(200);
  });
});

describe('the Host header', () => {
  const status = async (name: string, headers: Record<string, string> = {}, remoteAddress = '127.0.0.1') => {
    const response = await server.app.inject({
      url: '/api/health',
      headers: { host: name, ...headers },
      remoteAddress,
    });
    expect(response.json().code).toBe(response.statusCode);
    return response.statusCode;
  };

  test.each([
    'localhost',
    'localhost:8000',
    'LOCALHOST:1',
    '127.0.0.1:8000',
    '[::1]:8000',
    '[::1]',
    'console.example:80',
  ])('%s is ours', async (name) => expect(await status(name)).toBe(200));

  test.each([
    'evil.example',
    'localhost.evil.example',
    'evil.example:8000',
    'localhost@evil.example',
    'evil.example#localhost',
    'localhost:8000:1',
    '127.0.0.1.evil.example',
    '[::2]',
    '0.0.0.0:8000',
  ])('%j is not', async (name) => expect(await status(name)).toBe(421));

  test('is taken from X-Forwarded-Host of the trusted proxy only', async () => {
    const headers = { 'x-forwarded-host': 'evil.example' };
    expect(await status('localhost', headers, '10.0.0.9')).toBe(421);
    expect(await status('localhost', headers, '10.0.0.8')).toBe(200);
  });

  test('guards pages that are no API as well', async () => {
    expect((await server.app.inject({ url: '/', headers: { host: 'evil.example' } })).statusCode).toBe(421);
  });
});

describe('every answer', () => {
  test.each(['/api/health', '/api/nothing', '/api/user', '/login'])('%s carries the security headers', async (url) => {
    const { headers } = await server.app.inject({ url, headers: { host } });
    const policy = String(headers['content-security-policy']);
    const directives = Object.fromEntries(
      policy.split(';').map((part) => [part.split(' ')[0], part.split(' ').slice(1).join(' ')] as const),
    );
    expect(directives).toMatchObject({
      'default-src': "'self'",
      'script-src': "'self'",
      'script-src-attr': "'none'",
      'connect-src': "'self'",
      'object-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'frame-ancestors': "'none'",
    });
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
    });
    expect(headers).not.toHaveProperty('strict-transport-security');
  });

  test('of the API is never stored', async () => {
    for (const url of ['/api/health', '/api/nothing', '/api/user', '/api/openapi.json']) {
      expect((await server.app.inject(url)).headers['cache-control']).toBe('no-store');
    }
  });
});
