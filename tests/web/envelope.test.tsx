import { act, waitFor } from '@testing-library/react';
import { AxiosError } from 'axios';
import { HttpResponse } from 'msw';
import { account } from '#contract/account';
import { apiKey } from '#contract/apiKey';
import { session } from '#contract/session';
import { CallError } from '@/services/CallError';
import { call } from '@/services/call';
import { envelopeConfig } from '@/services/envelope';
import {
  answers,
  arrived,
  openConsole,
  place,
  refuses,
  responds,
  screen,
  sent,
  signedInAs,
  toasts,
} from '../support/webConsole';

const SCREEN = '/user/apiKey?tab=1';

/** The console at a screen for signed-in users, and a call made there. */
async function inside(): Promise<void> {
  answers(apiKey.list, { list: [], total: 0 });
  answers(apiKey.desk, { closed: null, exchange: null, accounts: [] });
  openConsole(SCREEN, 'trader');
  await screen.findByText('还没有交易所密钥');
}

const list = () => act(() => call(session.list, {}).catch((error: unknown) => error));

test('200 passes the data on', async () => {
  await inside();
  answers(session.list, { list: [], total: 0 });
  await expect(call(session.list, {})).resolves.toEqual({ list: [], total: 0 });
  expect(toasts()).toEqual([]);
  expect(place()).toBe(SCREEN);
});

test.each([
  ['/user/apiKey', '/user/apiKey'],
  ['//evil.example', '/'],
])('201 goes to the callback %s of the address', async (callback, path) => {
  openConsole(`/login?callback=${encodeURIComponent(callback)}`);
  await screen.findByRole('heading', { name: '登录' });
  signedInAs('trader');
  answers(session.login, null);
  await act(() => call(session.login, { body: { username: 'a', password: 'b' } }));
  await arrived(path);
});

test('201 without a callback goes to the front page', async () => {
  answers(account.state, { at: 0, account: null });
  openConsole('/login');
  await screen.findByRole('heading', { name: '登录' });
  signedInAs('trader');
  answers(session.login, null);
  await act(() => call(session.login, { body: { username: 'a', password: 'b' } }));
  await arrived('/');
  expect(await screen.findByText('账户正在开立')).toBeVisible();
});

test('401 goes to the sign-in page with path and query, and says that the session ran out', async () => {
  await inside();
  refuses(session.list, { code: 401, message: '请先登录', status: 401 });
  await list();
  await arrived(`/login?callback=${encodeURIComponent(SCREEN)}`);
  expect(await screen.findByRole('status')).toHaveTextContent('登录已过期');
  expect(toasts()).toEqual([]);
});

test('a 401 inside an envelope of HTTP 200 is one as well', async () => {
  await inside();
  refuses(session.list, { code: 401, message: '请先登录' });
  await list();
  await arrived(`/login?callback=${encodeURIComponent(SCREEN)}`);
});

test.each(['/login', '/login?callback=%2Fuser%2FapiKey', '/register'])(
  'a 401 at %s leaves the address as it is',
  async (at) => {
    openConsole(at);
    await screen.findByRole('main');
    refuses(session.list, { code: 401, message: '请先登录', status: 401 });
    await list();
    expect(place()).toBe(at);
  },
);

test('a 401 in the trial keeps the visitor there and says what was refused', async () => {
  openConsole('/indicator/hedge');
  await screen.findByText(/访客体验/);
  refuses(session.list, { code: 401, message: '请先登录', status: 401 });
  await list();
  expect(place()).toBe('/indicator/hedge');
  await waitFor(() => expect(toasts()).toContain('请先登录'));
});

test('any other code is a toast with its message, and rejects with code and message', async () => {
  await inside();
  refuses(session.list, { code: 1004, message: '账户已停用，请联系管理员' });
  const error = await list();
  await waitFor(() => expect(toasts()).toEqual(['账户已停用，请联系管理员']));
  expect(error).toMatchObject({ name: 'CallError', code: 1004, message: '账户已停用，请联系管理员' });
});

test('a failed request with a body is a toast of its code and message, and hands on the fields', async () => {
  await inside();
  const fields = [{ field: 'username', message: '请输入用户名' }];
  refuses(session.list, { code: 400, message: '请检查填写的内容', status: 400, data: { fields } });
  const error = await list();
  await waitFor(() => expect(toasts()).toEqual(['400: 请检查填写的内容']));
  expect(error).toMatchObject({ code: 400, fields });
});

test.each([
  [502, '502: 服务器暂时无法处理请求，请稍后重试'],
  [404, '404: 请求未被接受，请刷新页面后重试'],
  [200, '200: 服务器返回了无法识别的内容，请刷新页面重试'],
])("a proxy's page with status %i is a failed request that says what to do", async (status, text) => {
  await inside();
  responds(session.list, () => HttpResponse.html('<html><body>nginx</body></html>', { status }));
  await list();
  await waitFor(() => expect(toasts()).toEqual([text]));
});

test.each([['null'], ['[]'], ['"ok"'], ['{"code":"200","message":"ok"}'], ['{"data":{}}'], ['']])(
  'the body %s is no envelope',
  async (body) => {
    await inside();
    responds(session.list, () => new HttpResponse(body, { headers: { 'content-type': 'application/json' } }));
    const error = await list();
    expect(error).toMatchObject({ code: 200, failed: true });
  },
);

test('no network is a toast of the error code and what to do', async () => {
  await inside();
  responds(session.list, () => HttpResponse.error());
  await list();
  await waitFor(() => expect(toasts()).toEqual(['ERR_NETWORK: 无法连接服务器，请检查网络后重试']));
});

test('cookies go along, and an answer that is not there after ten seconds is a failure that says what to do', () => {
  const told: string[] = [];
  const config = envelopeConfig({
    complain: (text) => told.push(text),
    arrive: () => {},
    leave: () => {},
    lead: () => {},
    here: () => ({ pathname: '/', search: '', open: false }),
  });
  expect(config).toMatchObject({ timeout: 10_000, withCredentials: true });
  const late = new AxiosError('timeout of 10000ms exceeded', 'ECONNABORTED');
  expect(() => config.errorConfig?.errorHandler?.(late, {})).toThrow(CallError);
  expect(told).toEqual(['ECONNABORTED: 请求超时，请检查网络后重试']);
});

test('several failures at once show one toast for each distinct text', async () => {
  await inside();
  refuses(session.list, { code: 1004, message: '账户已停用，请联系管理员' });
  refuses(session.revoke, { code: 404, message: '没有找到该会话', status: 404 });
  await act(() =>
    Promise.allSettled([
      call(session.list, {}),
      call(session.list, {}),
      call(session.list, {}),
      call(session.revoke, { body: { id: 'x' } }),
    ]),
  );
  await waitFor(() => expect(toasts().sort()).toEqual(['404: 没有找到该会话', '账户已停用，请联系管理员'].sort()));
});

test('failures that differ only in the number of their request are one toast', async () => {
  await inside();
  for (const number of ['a-1', 'a-2']) {
    refuses(session.list, { code: 500, message: `服务器内部错误（请求编号 ${number}）`, status: 500 });
    await list();
  }
  await waitFor(() => expect(toasts()).toEqual(['500: 服务器内部错误（请求编号 a-2）']));
});

test('a call that is quiet about its failure shows no toast and still rejects', async () => {
  await inside();
  refuses(session.list, { code: 1004, message: '账户已停用，请联系管理员' });
  await expect(call(session.list, {}, { quiet: () => true })).rejects.toMatchObject({ code: 1004 });
  expect(toasts()).toEqual([]);
});

test('a call that its caller gave up is no error for the person', async () => {
  await inside();
  responds(session.list, () => new Promise<Response>(() => {}));
  const controller = new AbortController();
  const outcome = call(session.list, {}, { signal: controller.signal });
  controller.abort();
  await expect(outcome).rejects.toMatchObject({ code: 'ERR_CANCELED' });
  expect(toasts()).toEqual([]);
});

test('values go out as the query and as the JSON body', async () => {
  await inside();
  answers(session.revoke, { revoked: 1 });
  await call(session.revoke, { body: { id: 'x' } });
  expect(sent.at(-1)).toMatchObject({ method: 'DELETE', path: '/api/user/session', body: { id: 'x' } });
});

test('each write has a name of its own, or the one that its caller repeats it by', async () => {
  await inside();
  answers(session.logout, null);
  for (const idempotencyKey of [undefined, undefined, 'again', 'again']) {
    await act(() => call(session.logout, {}, { idempotencyKey }));
  }
  await list();
  const keys = (method: string) =>
    sent.filter((one) => one.method === method).map(({ headers }) => headers.get('idempotency-key'));
  const [first, second, ...repeated] = keys('POST');
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).not.toBe(first);
  expect(repeated).toEqual(['again', 'again']);
  expect(new Set(keys('GET'))).toEqual(new Set([null]));
});
