import { connect } from 'node:net';
import { testApp } from '../../support/app';

let server: Awaited<ReturnType<typeof testApp>>;
beforeAll(async () => {
  server = await testApp();
});
afterAll(() => server.close());

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
  });

  test.each(['\\u0000', '\\ud800', 'a\\udfff'])('with %s in a text is refused at the field', async (text) => {
    const { status, body } = await post(`{"username":"${text}","password":"demo-trader"}`, 'application/json');
    expect(status).toBe(400);
    expect(body.data.fields).toEqual([{ field: 'username', message: '用户名的格式不正确' }]);
  });

  test('with a whole surrogate pair is fine', async () => {
    expect((await post('{"username":"\\ud83d\\ude00","password":"wrong"}', 'application/json')).body.code).toBe(1001);
  });

  test('over 64 kB is refused', async () => {
    const { status, body } = await post(JSON.stringify({ username: 'x'.repeat(70_000) }), 'application/json');
    expect({ status, ...body }).toEqual({ status: 413, code: 413, message: '提交的内容过大', data: null });
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

  test('gets the envelope on the wire when it is no HTTP', async () => {
    await server.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.app.server.address() as { port: number };
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write('nonsense\r\n\r\n'));
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(JSON.parse(answer.split('\r\n\r\n')[1]!)).toEqual({ code: 400, message: '请求格式不正确', data: null });
  });
});
