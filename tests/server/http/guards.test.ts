import { ORIGIN, testApp } from '../../support/app';

let server: Awaited<ReturnType<typeof testApp>>;
let cookie: string;
beforeAll(async () => {
  server = await testApp({ config: { allowedHosts: ['Console.Example'], trustedProxy: ['10.0.0.9'] } });
  cookie = await server.signIn('trader', 'demo-trader');
});
afterAll(() => server.close());

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
      'base-uri': "'self'",
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
