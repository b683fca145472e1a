import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gzipSync } from 'node:zlib';
import type { LiveExchange } from '#contract/candle';
import { fileApp } from '../../support/app';
import { atEnd } from '../../support/atEnd';

const SHELL = '<!DOCTYPE html><html lang="zh-CN"><title>shell</title></html>';
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2000))});`;

const folder = await mkdtemp(path.join(tmpdir(), 'console-'));
await mkdir(path.join(folder, 'static'));
const files: Record<string, string | Buffer> = {
  'index.html': SHELL,
  'index.html.br': brotliCompressSync(SHELL),
  'umi.0123abcd.js': SCRIPT,
  'umi.0123abcd.js.br': brotliCompressSync(SCRIPT),
  'umi.0123abcd.js.gz': gzipSync(SCRIPT),
  'umi.0123abcd.js.map': '{"sources":["secret.ts"]}',
  'favicon.svg': '<svg/>',
  '.env': 'SECRET=1',
  'static/logo.89abcdef.svg': '<svg/>',
};
for (const [name, content] of Object.entries(files)) await writeFile(path.join(folder, name), content);
const shellOf = (venues: string) => SHELL.replace('<html', `<html data-venues="${venues}"`);
const server = await fileApp({ console: folder });
atEnd(() => rm(folder, { recursive: true }));

const PAGE = 'text/html,application/xhtml+xml,*/*;q=0.8';
const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  server.app.inject({ method, url, headers: { host: 'localhost:8000', ...headers } });

describe('a file of the console', () => {
  test.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br', 'br'],
  ])('goes out compressed for %s', async (accepted, encoding) => {
    const response = await get('/umi.0123abcd.js', { 'accept-encoding': accepted });
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': expect.stringContaining('javascript'),
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    });
    if (encoding === 'br') expect(brotliDecompressSync(response.rawPayload).toString()).toBe(SCRIPT);
  });

  test('goes out plain for who takes nothing else', async () => {
    const response = await get('/umi.0123abcd.js');
    expect(response.headers).not.toHaveProperty('content-encoding');
    expect(response.body).toBe(SCRIPT);
  });

  test('lasts a year only when its name changes with it', async () => {
    expect((await get('/static/logo.89abcdef.svg')).headers['cache-control']).toContain('immutable');
    const icon = await get('/favicon.svg');
    expect(icon.headers['cache-control']).toBe('no-cache');
    expect((await get('/favicon.svg', { 'if-none-match': String(icon.headers.etag) })).statusCode).toBe(304);
  });

  test.each([
    '/umi.0123abcd.js.map',
    '/umi.0123abcd.js.br',
    '/.env',
    '/gone.89abcdef.js',
    '/static/',
    '/static',
    '/index.html',
    '/..%2f..%2fetc%2fpasswd',
    '/static/%2e%2e/%2e%2e/package.json',
    '/%00',
  ])('%s is not one', async (url) => {
    for (const accept of ['*/*', PAGE]) {
      const response = await get(url, { accept });
      expect(response.statusCode).toBeGreaterThanOrEqual(400);
      expect(response.statusCode).toBeLessThan(500);
      expect(response.body).not.toMatch(/SECRET|secret\.ts|root:/);
    }
  });

  test.each(['/gone.89abcdef.js', '/umi.0123abcd.js.map', '/logo.png'])(
    'missing as %s never gets the shell',
    async (url) => {
      const response = await get(url, { accept: PAGE });
      expect(response.statusCode).toBe(404);
      expect(response.json().code).toBe(404);
    },
  );
});

describe('the page shell', () => {
  test.each([
    '/',
    '/?callback=x',
    '/login?callback=%2Ftest%2Fhedge',
    '/user',
    '/user/apiKey',
    '/indicator/hedge/',
    '/test/hedge?long=BTCUSDT&short=ETHUSDT',
    '/indicator/symbol/detail/1000PEPEUSDT',
    '/indicator/symbol/detail/BTC%2FUSDT%3AUSDT',
    '/indicator/symbol/detail/BTC.P',
    `/indicator/symbol/detail/${encodeURIComponent('我踏马来了USDT')}`,
  ])('stands at %s', async (url) => {
    const response = await get(url, { accept: PAGE });
    expect({ status: response.statusCode, body: response.body }).toEqual({
      status: 200,
      body: shellOf('simulated simulated-okx simulated-bybit'),
    });
    expect(response.headers).toMatchObject({ 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-cache' });
    expect((await get(url, {}, 'HEAD')).statusCode).toBe(200);
  });

  test.each(['/nowhere', '/user/nobody', '/indicator/symbol/detail', '/indicator/symbol/detail/a/b', '//evil'])(
    'says 404 at %s',
    async (url) => {
      const page = await get(url, { accept: PAGE });
      expect({ status: page.statusCode, body: page.body }).toEqual({
        status: 404,
        body: shellOf('simulated simulated-okx simulated-bybit'),
      });
      const script = await get(url, { accept: '*/*' });
      expect({ status: script.statusCode, code: script.json().code }).toEqual({ status: 404, code: 404 });
    },
  );

  test.each(['/api', '/api/', '/api/nothing', '/api/user/nothing'])('never stands at %s', async (url) => {
    const response = await get(url, { accept: PAGE });
    expect({ status: response.statusCode, code: response.json().code }).toEqual({ status: 404, code: 404 });
  });

  test.each([
    { followed: ['okx', 'gate'] as LiveExchange[], body: shellOf('okx-live gate-live') },
    { followed: [], body: SHELL },
  ])('names the exchanges of a server without a simulated market: $followed', async ({ followed, body }) => {
    const environment = { demo: false, simulated: false, trading: 'paper' as const, followed, accounts: [] };
    const real = await fileApp({ console: folder, config: { environment } });
    const request = { url: '/indicator/hedge', headers: { host: 'localhost:8000', accept: PAGE } };
    expect((await real.app.inject(request)).body).toBe(body);
  });

  test('answers no write', async () => {
    expect((await get('/login', { accept: PAGE }, 'POST')).statusCode).toBe(404);
  });
});
