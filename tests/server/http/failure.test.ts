import { market } from '#contract/market';
import { fileApp, NO_MARKETS } from '../../support/app';

const lines: string[] = [];
let failure: Error = new Error();
const server = await fileApp({
  config: { logLevel: 'info' },
  log: { write: (line) => void lines.push(line) },
  markets: {
    ...NO_MARKETS,
    list: async () => {
      throw failure;
    },
  },
});
beforeEach(() => {
  lines.length = 0;
});

const records = () => lines.map((line) => JSON.parse(line) as Record<string, unknown>);

describe('a failure of the server', () => {
  test('shows the caller a number and nothing else', async () => {
    failure = new TypeError('select secret_column from app_user where key = hunter2');
    const { status, body } = await server.as('trader')(market.source);
    expect(status).toBe(500);
    expect(body).toEqual({
      code: 500,
      data: null,
      message: expect.stringMatching(/^服务器内部错误.*（请求编号 [0-9a-f-]{36}）$/),
    });
    const logged = records().find(({ msg }) => msg === 'request failed')!;
    expect(body.message).toContain(String(logged.requestId));
    const { type, frames } = logged.err as { type: string; frames: string[] };
    expect(type).toBe('TypeError');
    expect(frames.length).toBeGreaterThan(0);
    for (const frame of frames) expect(frame).toMatch(/^at /);
    expect(lines.join('')).not.toContain('hunter2');
  });

  test('is logged by class, code and place, never by its message', async () => {
    const cause = Object.assign(new Error('password hunter2'), { code: '22P02' });
    failure = new Error('Failed query: select $1\nparams: hunter2', { cause });
    await server.as('trader')(market.source);
    expect(lines.join('')).not.toContain('hunter2');
    const { err } = records().find(({ msg }) => msg === 'request failed') as { err: { cause: unknown } };
    expect(err.cause).toMatchObject({ type: 'Error', code: '22P02' });
  });

  test.each([502, 503, 504])('keeps no status of another server: %i', async (statusCode) => {
    failure = Object.assign(new Error('upstream says hunter2'), { statusCode });
    const { status, body } = await server.as('trader')(market.source);
    expect(status).toBe(statusCode === 503 ? 503 : 500);
    expect(body.message).not.toContain('hunter2');
  });

  test('that is no error object is a failure all the same', async () => {
    failure = 'just text' as unknown as Error;
    const { status, body } = await server.as('trader')(market.source);
    expect({ status, code: body.code }).toEqual({ status: 500, code: 500 });
  });
});

describe('log lines', () => {
  test('are one JSON record each, whatever a caller writes', async () => {
    const forged = '"}\n{"level":50,"msg":"forged"}\r\n\u2028';
    await server.app.inject({ url: `/api/health?x=${encodeURIComponent(forged)}`, headers: { 'user-agent': 'x\ty' } });
    await server.app.inject({ method: 'POST', url: '/api/login', payload: { username: forged, password: forged } });
    expect(records().length).toBe(lines.length);
    expect(lines.every((line) => line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(records().some(({ msg }) => msg === 'forged')).toBe(false);
  });

  test('never hold a password, a cookie or a token', async () => {
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { username: 'editor', password: 'demo-editor' },
    });
    const cookie = String(response.headers['set-cookie']).split(';')[0]!;
    await server.app.inject({ url: '/api/user', headers: { cookie, authorization: 'Bearer open-sesame' } });
    expect(lines.length).toBeGreaterThan(0);
    const text = lines.join('');
    for (const secret of ['demo-editor', cookie.split('=')[1]!, 'open-sesame']) expect(text).not.toContain(secret);
  });
});
