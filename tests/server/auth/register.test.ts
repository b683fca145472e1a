import { eq } from 'drizzle-orm';
import { evaluate } from '#contract/evaluate';
import { PAPER_CAPITAL } from '#contract/kinds/hedge/config';
import { book, user } from '#server/base/db/schema';
import { openMissingAccounts } from '#server/desk/account/openAccount';
import { cookieOf, fileApp, NO_MARKETS, ORIGIN, testApp } from '../../support/app';

const server = await fileApp();

const PASSWORD = '长夜漫漫 quiet river 42';
const register = (payload: object, remoteAddress = '192.0.2.1') =>
  server.app.inject({ method: 'POST', url: '/api/register', remoteAddress, payload });
const fieldOf = (response: Awaited<ReturnType<typeof register>>) => response.json().data.fields[0];

describe('POST /api/register', () => {
  test('signs the new user in, whose role is user whatever the body says', async () => {
    const response = await register({ username: '王小明', password: PASSWORD, role: 'master', id: '1' });
    expect(response.json()).toEqual({ code: 201, message: 'ok', data: null });
    const headers = { host: 'localhost:8000', origin: ORIGIN, cookie: cookieOf(response)! };
    const me = await server.app.inject({ url: '/api/user', headers });
    expect(me.json().data).toMatchObject({ name: '王小明', role: 'user', demo: false });
    const write = await server.app.inject({ method: 'PUT', url: evaluate.note.path, headers, payload: {} });
    expect(write.statusCode).toBe(403);
    expect(await server.signIn('王小明', PASSWORD)).toMatch(/^session=/);
  });

  test.each(['TRADER', 'Trader', '王小明'])('refuses the taken name %s', async (username) => {
    const response = await register({ username, password: PASSWORD });
    expect(response.json()).toMatchObject({ code: 1002, data: { fields: [{ field: 'username' }] } });
  });

  test('takes a name for the same in any case and however a keyboard composes it', async () => {
    expect((await register({ username: 'Zo\u00eb', password: PASSWORD })).json().code).toBe(201);
    expect((await register({ username: 'ZO\u00cb', password: PASSWORD })).json().code).toBe(1002);
    expect(await server.signIn('zoe\u0308', PASSWORD)).toMatch(/^session=/);
  });

  test.each([
    ['traderа', 'a Cyrillic letter among Latin ones'],
    ['αlpha', 'a Greek one'],
    ['漢字кот', 'Cyrillic among Chinese'],
    ['ｍaster', 'a full-width letter'],
    ['user２', 'a full-width digit'],
    ['user²', 'a superscript'],
    ['user٣', 'a digit of another script'],
    ['ﬁnance', 'a ligature'],
    ['zoe\u0308', 'a composed letter in its parts'],
    ['abc\u1160', 'an invisible letter'],
  ])('refuses %j: %s', async (username) => {
    const response = await register({ username, password: PASSWORD }, '192.0.2.60');
    expect(response.statusCode).toBe(400);
    expect(fieldOf(response)).toEqual({ field: 'username', message: expect.stringMatching(/^用户名/) });
  });

  test.each(['交易员A', 'Иванов', 'たろう-01', '김철수', 'Łukasz.K'])('takes %s', async (username) => {
    expect((await register({ username, password: PASSWORD }, '192.0.2.61')).json().code).toBe(201);
  });

  test.each(['tradеr', 'rnaster', 'TRADER', 'еditоr', 'Edlt0r', 'ЕDITOR', 'иванов'])(
    'refuses %s, which looks like a name that somebody has',
    async (username) => {
      const { code, data } = (await register({ username, password: PASSWORD }, '192.0.2.62')).json();
      expect([400, 1002]).toContain(code);
      expect(data.fields[0].field).toBe('username');
    },
  );

  test.each([
    ['сосо', 'coco'],
    ['modern', 'modem'],
    ['user-1', 'user-l'],
    ['ВАТОН', 'batoh'],
  ])('takes %s for %s', async (first, second) => {
    expect((await register({ username: first, password: PASSWORD }, '192.0.2.63')).json().code).toBe(201);
    const answer = (await register({ username: second, password: PASSWORD }, '192.0.2.63')).json();
    expect(answer).toMatchObject({ code: 1002, data: { fields: [{ field: 'username' }] } });
  });

  test('lets one of two that look alike have the name', async () => {
    const both = ['paypa1', 'paypal'].map((username) => register({ username, password: PASSWORD }, '192.0.2.64'));
    expect((await Promise.all(both)).map((answer) => answer.json().code).sort()).toEqual([1002, 201]);
  });

  test('lets one of several at once have the name', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => register({ username: 'wanted', password: PASSWORD })));
    expect(answers.map((answer) => answer.json().code).sort()).toEqual([1002, 1002, 201]);
  });

  test.each([
    ['1234567890', 1003],
    ['QwertyUiop', 1003],
    ['somebody-new', 1005],
    ['SOMEBODY-NEW', 1005],
    ['2026 Somebody-New!', 1005],
    ['ｓｏｍｅｂｏｄｙ-new 2026', 1005],
  ])('refuses the password %s', async (password, code) => {
    const response = await register({ username: 'somebody-new', password });
    expect(response.json()).toMatchObject({ code, data: { fields: [{ field: 'password' }] } });
  });

  test.each([
    [{ username: 'ab', password: PASSWORD }, 'username', '用户名至少 3 个字符'],
    [{ username: 'a b c', password: PASSWORD }, 'username', '用户名的格式不正确'],
    [{ username: '<img>', password: PASSWORD }, 'username', '用户名的格式不正确'],
    [{ username: 'good', password: 'nine.char' }, 'password', '密码至少 10 个字符'],
    [{ username: 'good', password: 'x'.repeat(201) }, 'password', '密码最多 200 个字符'],
    [{ username: 'good', password: 'ten chars \u0000' }, 'password', '密码的格式不正确'],
    [{ username: 'good', password: 'ten chars \ud800' }, 'password', '密码的格式不正确'],
    [{ username: ['good'], password: PASSWORD }, 'username', '用户名的格式不正确，应为文字'],
    [{ password: PASSWORD }, 'username', '请输入用户名'],
  ])('answers 400 at the field: %j', async (payload, field, message) => {
    const response = await register(payload);
    expect(response.statusCode).toBe(400);
    expect(fieldOf(response)).toEqual({ field, message });
  });

  test('is limited per address', async () => {
    for (let i = 0; i < 20; i++) {
      expect((await register({ username: 'trader', password: PASSWORD }, '192.0.2.50')).json().code).toBe(1002);
    }
    const answer = await register({ username: 'latecomer', password: PASSWORD }, '192.0.2.50');
    expect(answer.statusCode).toBe(429);
    expect(answer.json().message).toBe('注册次数过多，请 60 秒后再试');
    expect((await register({ username: 'latecomer', password: PASSWORD }, '192.0.2.51')).json().code).toBe(201);
  });
});

describe('a paper account', () => {
  const bookOwner = async (name: string) => {
    const [row] = await server.db
      .select({ id: user.id, book: book.userId })
      .from(user)
      .leftJoin(book, eq(book.userId, user.id))
      .where(eq(user.name, name));
    return row!;
  };

  test('is open with its capital once somebody has registered', async () => {
    await register({ username: '新来的', password: PASSWORD }, '192.0.2.70');
    const { id, book: opened } = await bookOwner('新来的');
    expect(opened).toBe(id);
    expect((await server.venue.margin(id)).equity).toBe(String(PAPER_CAPITAL));
  });

  test('is opened at the next sign-in of who has none, or with the next start of the server, and only once', async () => {
    const { id } = await bookOwner('新来的');
    await server.db.delete(book).where(eq(book.userId, id));
    await server.signIn('新来的', PASSWORD);
    expect((await bookOwner('新来的')).book).toBe(id);
    await server.db.delete(book);
    await openMissingAccounts({ ...server, clock: server.now, markets: NO_MARKETS });
    await openMissingAccounts({ ...server, clock: server.now, markets: NO_MARKETS });
    const [owners, users] = [await server.db.select().from(book), await server.db.select().from(user)];
    expect(owners.map(({ userId }) => userId).sort()).toEqual(users.map((row) => row.id).sort());
    expect((await server.venue.margin(id)).equity).toBe(String(PAPER_CAPITAL));
  });

  test('of the demo waits for its past, which opens it', async () => {
    const preparing = await testApp({ db: server.db, preparing: () => true });
    await server.db.delete(book);
    await preparing.signIn('trader', 'demo-trader');
    expect((await bookOwner('trader')).book).toBeNull();
    await preparing.close();
  });
});
