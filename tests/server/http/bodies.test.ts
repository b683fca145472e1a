import { DEFAULT_SETTINGS } from '#contract/kinds/hedge/config';
import { fileApp, ORIGIN } from '../../support/app';
import { exchangeOver } from '../../support/rawExchange';

const server = await fileApp();

const post = async (payload: string | undefined, type?: string) => {
  const response = await server.app.inject({
    method: 'POST',
    url: '/api/login',
    headers: type ? { 'content-type': type } : {},
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: response.statusCode, body: response.json() };
};

describe('a body', () => {
  const good = JSON.stringify({ username: 'trader', password: 'demo-trader' });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'text/json',
    'application/jsonp',
  ])('of type %s is refused', async (type) => {
    expect(await post(good, type)).toEqual({
      status: 415,
      body: { code: 415, message: '只接受 JSON 请求体', data: null },
    });
  });

  test('of JSON may name its charset', async () => {
    expect((await post(good, 'application/json; charset=utf-8')).body.code).toBe(201);
  });

  test.each(['{', '{"username":}', 'null,', '\ufeff{}x', "{'username':1}"])('%j is no JSON', async (text) => {
    expect(await post(text, 'application/json')).toEqual({
      status: 400,
      body: { code: 400, message: '请求体不是正确的 JSON', data: null },
    });
  });

  test.each([
    '{"__proto__":{"role":"master"},"username":"trader","password":"demo-trader"}',
    '{"constructor":{"prototype":{"role":"master"}},"username":"trader","password":"demo-trader"}',
  ])('cannot reach a prototype: %s', async (text) => {
    expect((await post(text, 'application/json')).status).toBe(400);
    expect(({} as { role?: string }).role).toBeUndefined();
  });

  test.each(['[]', '"text"', '1', 'true'])('%s is no object', async (text) => {
    const { status, body } = await post(text, 'application/json');
    expect({ status, code: body.code }).toEqual({ status: 400, code: 400 });
  });

  test.each(['', 'null'])('%j where one is needed names the missing fields', async (text) => {
    const { body } = await post(text, 'application/json');
    expect(body.data.fields.map(({ field }: { field: string }) => field)).toEqual(['username', 'password']);
  });

  test('may be empty where none is needed, whatever its type says', async () => {
    for (const headers of [{}, { 'content-type': 'application/json' }]) {
      const response = await server.app.inject({ method: 'POST', url: '/api/logout', headers });
      expect(response.statusCode).toBe(200);
    }
    expect((await server.app.inject({ method: 'POST', url: '/api/logout', payload: {} })).statusCode).toBe(200);
  });

  test.each(['\\u0000', '\\ud800', 'a\\udfff'])('with %s in a text is refused at the field', async (text) => {
    const { status, body } = await post(`{"username":"${text}","password":"demo-trader"}`, 'application/json');
    expect(status).toBe(400);
    expect(body.data.fields).toEqual([{ field: 'username', message: '用户名的格式不正确' }]);
  });

  test('with a whole surrogate pair is fine', async () => {
    expect((await post('{"username":"\\ud83d\\ude00","password":"wrong"}', 'application/json')).body.code).toBe(1001);
  });

  test.each(['login', 'logout', 'hedge/flatten'])(
    'that nests deeper than any call asks is refused: %s',
    async (call) => {
      const cookie = await server.signIn('trader', 'demo-trader');
      for (const [open, close] of [
        ['{"a":', '}'],
        ['[', ']'],
        ['{"username":', '}'],
      ] as const) {
        const response = await server.app.inject({
          method: 'POST',
          url: `/api/${call}`,
          headers: {
            host: 'localhost:8000',
            origin: ORIGIN,
            cookie,
            'idempotency-key': open,
            'content-type': 'application/json',
          },
          payload: `${open.repeat(4000)}1${close.repeat(4000)}`,
        });
        expect({ status: response.statusCode, body: response.json() }).toEqual({
          status: 400,
          body: { code: 400, message: '请求体嵌套过深，最多 16 层', data: null },
        });
      }
    },
  );

  test.each(['{"reason":"now"}', '[1]', '"text"', '1'])('%s where none is needed is refused', async (payload) => {
    const headers = { host: 'localhost:8000', origin: ORIGIN, 'content-type': 'application/json' };
    const response = await server.app.inject({ method: 'POST', url: '/api/logout', headers, payload });
    expect({ status: response.statusCode, body: response.json() }).toEqual({
      status: 400,
      body: { code: 400, message: '这个请求不需要请求体', data: null },
    });
  });

  test('that is no UTF-8 is refused, not kept with other characters', async () => {
    const response = await server.app.inject({
      method: 'POST',
      url: '/api/login',
      headers: { 'content-type': 'application/json' },
      payload: Buffer.from('{"username":"\xe9","password":"x"}', 'latin1'),
    });
    expect({ status: response.statusCode, message: response.json().message }).toEqual({
      status: 400,
      message: '请求体不是正确的 UTF-8 文字',
    });
  });

  test('over 64 kB is refused', async () => {
    const { status, body } = await post(JSON.stringify({ username: 'x'.repeat(70_000) }), 'application/json');
    expect({ status, ...body }).toEqual({ status: 413, code: 413, message: '提交的内容过大', data: null });
  });
});

describe('a number with more digits than are kept', () => {
  const settings = JSON.stringify({ ...DEFAULT_SETTINGS, dailyLossLimit: null });
  const save = async (field: string, written: string) => {
    const cookie = await server.signIn('trader', 'demo-trader');
    const { statusCode, ...response } = await server.app.inject({
      method: 'POST',
      url: '/api/user/config/hedge',
      headers: { host: 'localhost:8000', origin: ORIGIN, cookie, 'content-type': 'application/json' },
      payload: settings.replace(new RegExp(`"${field}":[^,}]+`), `"${field}":${written}`),
    });
    return { status: statusCode, fields: response.json().data?.fields };
  };

  test.each([
    ['legNotional', '100.123456789012345678', '每腿名义的位数过多，超出能够保留的精度'],
    ['legNotional', '100.12345678000000000000001', '每腿名义的位数过多，超出能够保留的精度'],
    ['legNotional', '100.123456789', '每腿名义最多 8 位小数'],
    ['leverage', '1.000000001', '杠杆最多 8 位小数'],
    ['dailyLossLimit', '500.0000000000000000001', '单日最大亏损的位数过多，超出能够保留的精度'],
    ['stopLoss', '0.01234567891', '止损最多 10 位小数'],
    ['maxHedges', '5.00000000000000000001', '最大并行对数的位数过多，超出能够保留的精度'],
  ])('is refused at its field: %s %s', async (field, written, message) => {
    expect(await save(field, written)).toEqual({ status: 400, fields: [{ field, message }] });
  });

  test.each([['100.12345678'], ['999999.12345678'], ['1e3'], ['2000.0000000000000000']])(
    'is not %s',
    async (written) => {
      // The source that no market has is refused next.
      expect(await save('legNotional', written)).toMatchObject({ status: 200, fields: [{ field: 'source' }] });
    },
  );

  test('is refused in a query, and none in a text', async () => {
    const cookie = await server.signIn('trader', 'demo-trader');
    const url = '/api/test/hedge?long=A&short=B&capital=';
    const ask = (number: string) => server.app.inject({ url: `${url}${number}`, headers: { cookie } });
    expect((await ask('1000.12345678901234567')).json().data.fields).toEqual([
      { field: 'capital', message: '初始资金的位数过多，超出能够保留的精度' },
    ]);
    expect((await ask('1000.5')).statusCode).toBe(200);
    const quoted = '{"username":"1.00000000000000000001 \\" 2.00000000000000000001","password":"x"}';
    expect((await post(quoted, 'application/json')).body.code).toBe(1001);
  });
});

describe('what is no proper request', () => {
  test('gets the envelope for a broken URL', async () => {
    const response = await server.app.inject('/api/%E0%A4%A');
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({ code: 400, message: '请求格式不正确', data: null });
  });

  test('gets the envelope for an unknown address, in every method', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'] as const) {
      const response = await server.app.inject({ method, url: '/api/nothing' });
      expect({ status: response.statusCode, body: response.json() }).toEqual({
        status: 404,
        body: { code: 404, message: '没有这个地址', data: null },
      });
    }
  });

  test.each([
    ['no HTTP', 'nonsense\r\n\r\n', 400, '请求格式不正确'],
    [
      'an endless header',
      `GET /api/health HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      '请求头过大',
    ],
    [
      'a broken URL',
      'GET /api/%E0%A4%A HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      400,
      '请求格式不正确',
    ],
  ])('gets the envelope on the wire for %s, and no browser reads more into it', async (_what, sent, code, message) => {
    const answer = await exchangeOver(server.app, sent);
    expect(answer.status).toBe(code);
    expect(answer.json()).toEqual({ code, message, data: null });
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});
