import { MINUTE_MS } from '#contract/duration';
import { loginFailure } from '#server/base/db/schema';
import { findUser, setBlocked } from '#server/base/db/users/user';
import { fileApp, testApp } from '../../support/app';

/** How long logins waited, ms. */
const waits: number[] = [];
const server = await fileApp({ pause: async (ms) => void waits.push(ms) });

/** Tries to sign in from an address, by a script without cookies. */
const login = (username: string, password: string, remoteAddress = '192.0.2.1', { app } = server) =>
  app.inject({ method: 'POST', url: '/api/login', remoteAddress, payload: { username, password } });
const codeOf = async (response: ReturnType<typeof login>) => (await response).json().code;

describe('POST /api/login', () => {
  test('answers 201 and takes the name in any case', async () => {
    const response = await login('TRADER', 'demo-trader');
    expect(response.json()).toEqual({ code: 201, message: 'ok', data: null });
    expect(response.statusCode).toBe(200);
  });

  test('names the fields that are missing', async () => {
    const { data, code } = (await server.app.inject({ method: 'POST', url: '/api/login' })).json();
    expect(code).toBe(400);
    expect(data.fields).toEqual([
      { field: 'username', message: '请输入用户名' },
      { field: 'password', message: '请输入密码' },
    ]);
  });

  test('tells a blocked user only when he knows his password', async () => {
    const { id } = (await findUser(server.db, 'editor'))!;
    await setBlocked(server.db, id, true);
    expect(await codeOf(login('editor', 'wrong', '192.0.2.2'))).toBe(1001);
    expect(await codeOf(login('editor', 'demo-editor', '192.0.2.2'))).toBe(1004);
    await setBlocked(server.db, id, false);
  });

  test('locks a name from an address after five failures, longer each time, and a success forgets them', async () => {
    const from = '192.0.2.3';
    for (let i = 0; i < 5; i++) expect(await codeOf(login('trader', 'wrong', from))).toBe(1001);
    const locked = await login('trader', 'demo-trader', from);
    expect(locked.statusCode).toBe(429);
    expect(locked.json().message).toBe('登录失败次数过多，请 60 秒后再试');
    expect(locked.headers['retry-after']).toBe('60');
    server.advance(MINUTE_MS);
    expect(await codeOf(login('trader', 'wrong', from))).toBe(1001);
    expect((await login('trader', 'wrong', from)).json().message).toContain('请 120 秒后再试');
    server.advance(2 * MINUTE_MS);
    expect(await codeOf(login('trader', 'demo-trader', from))).toBe(201);
    for (let i = 0; i < 4; i++) expect(await codeOf(login('trader', 'wrong', from))).toBe(1001);
    expect(await codeOf(login('trader', 'demo-trader', from))).toBe(201);
  });

  test('leaves the owner in while another address is locked out of his account', async () => {
    for (let i = 0; i < 6; i++) await login('master', 'wrong', '192.0.2.4');
    expect(await codeOf(login('master', 'demo-master', '192.0.2.5'))).toBe(201);
  });

  test('forgets failures after a quiet quarter of an hour', async () => {
    const from = '192.0.2.6';
    for (let i = 0; i < 4; i++) await login('trader', 'wrong', from);
    server.advance(15 * MINUTE_MS);
    for (let i = 0; i < 5; i++) expect(await codeOf(login('trader', 'wrong', from))).toBe(1001);
    expect(await codeOf(login('trader', 'wrong', from))).toBe(429);
  });

  test('lets five of twenty parallel guesses through', async () => {
    const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf(login('trader', 'wrong', '192.0.2.7'))));
    expect(codes.filter((code) => code === 1001)).toHaveLength(5);
    expect(codes.filter((code) => code === 429)).toHaveLength(15);
  });

  test('counts over a restart', async () => {
    const from = '192.0.2.8';
    for (let i = 0; i < 5; i++) await login('trader', 'wrong', from);
    const restarted = await testApp({ db: server.db, clock: server.now });
    expect((await login('trader', 'demo-trader', from, restarted)).statusCode).toBe(429);
    await restarted.close();
  });

  test('holds an address that tries many names up for seconds, and its whole IPv6 network with it', async () => {
    for (let i = 0; i < 30; i++) expect(await codeOf(login(`name${i}`, 'wrong', `2001:db8:0:1::${i + 1}`))).toBe(1001);
    const from = '2001:db8:0:1:ffff::1';
    // Asking again while it lasts brings no lock of its own.
    for (let i = 0; i < 10; i++) {
      expect((await login('trader', 'demo-trader', from)).json().message).toContain('请 1 秒后再试');
    }
    expect(await codeOf(login('trader', 'demo-trader', '2001:db8:0:2::1'))).toBe(201);
    for (const second of [1, 2, 4, 8, 10, 10]) {
      server.advance(second * 1000);
      await login(`later${second}`, 'wrong', from);
    }
    server.advance(10_000);
    expect(await codeOf(login('trader', 'demo-trader', from))).toBe(201);
  });

  test('keeps no count of names that an address tries while it is locked', async () => {
    const from = '192.0.2.11';
    const counts = () => server.db.$count(loginFailure);
    for (let i = 0; i < 30; i++) await login(`first${i}`, 'wrong', from);
    const before = await counts();
    for (let i = 0; i < 40; i++) expect(await codeOf(login(`next${i}`, 'wrong', from))).toBe(429);
    expect(await counts()).toBe(before);
  });

  test('lets others in from an address that goes on and on with one name', async () => {
    const from = '192.0.2.9';
    for (let i = 0; i < 60; i++) await login('trader', 'wrong', from);
    expect(await codeOf(login('trader', 'demo-trader', from))).toBe(429);
    expect(await codeOf(login('editor', 'demo-editor', from))).toBe(201);
    expect(await codeOf(login('trader', 'demo-trader', '192.0.2.10'))).toBe(201);
  });

  test('slows a name that many addresses try, and never locks it', async () => {
    waits.length = 0;
    const guesses = Array.from({ length: 60 }, (_, i) => i);
    for (const i of guesses) expect(await codeOf(login('editor', 'wrong', `198.51.100.${i}`))).toBe(1001);
    expect(waits).toHaveLength(40);
    expect(waits.slice(0, 3)).toEqual([100, 200, 300]);
    expect(Math.max(...waits)).toBe(3000);
    expect(await codeOf(login('editor', 'demo-editor', '198.51.100.200'))).toBe(201);
    expect(waits.at(-1)).toBe(3000);
    server.advance(15 * MINUTE_MS);
    expect(await codeOf(login('editor', 'demo-editor', '198.51.100.200'))).toBe(201);
    expect(waits).toHaveLength(41);
  });
});

describe('an unknown name', () => {
  test('is answered, counted and locked like a known one', async () => {
    const answers = async (name: string, from: string) => {
      const seen: unknown[] = [];
      for (let i = 0; i < 7; i++) {
        const { statusCode, body, headers } = await login(name, 'wrong', from);
        seen.push({ statusCode, body, headers: { ...headers, date: '' } });
      }
      return seen;
    };
    expect(await answers('nobody', '192.0.2.20')).toEqual(await answers('trader', '192.0.2.21'));
  });

  test('waits in the same queue for the hashing, which a flood fills without stopping the server', async () => {
    let answered = 0;
    const flood = Array.from({ length: 250 }, async (_, i) => {
      const answer = await login(`ghost${i}`, 'wrong', `203.0.113.${i}`);
      answered += 1;
      return answer;
    });
    const before = server.app.inject('/api/health').then(() => answered);
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ statusCode }) => statusCode === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]!.json().message).toBe('登录与注册的人过多，请 2 秒后再试');
    expect(answers.every((answer) => [1001, 429].includes(answer.json().code))).toBe(true);
    // Who has nothing to do with logging in was answered meanwhile.
    expect(await before).toBeLessThan(250);
    expect((await server.app.inject('/api/health')).json().data.ready).toBe(true);
    expect(await codeOf(login('trader', 'demo-trader', '192.0.2.30'))).toBe(201);
  });
});
