import { waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as REFUSALS from '#contract/codes';
import { session } from '#contract/session';
import {
  answers,
  arrived,
  environmentIs,
  openConsole,
  place,
  refuses,
  screen,
  sent,
  signedInAs,
} from '../support/webConsole';

const submit = () => userEvent.click(screen.getByRole('button', { name: /^登\s*录$/ }));

async function fill(name = 'trader', password = 'demo-trader'): Promise<void> {
  await userEvent.type(await screen.findByLabelText('用户名'), name);
  await userEvent.type(screen.getByLabelText('密码'), password);
}

test('asks for both fields before it asks the server', async () => {
  openConsole('/login');
  await screen.findByLabelText('用户名');
  await submit();
  expect(await screen.findByText('请输入用户名')).toBeVisible();
  expect(screen.getByText('请输入密码')).toBeVisible();
  expect(sent.map(({ path }) => path)).not.toContain('/api/login');
});

test('a demo account is filled in by one click, and leads to the callback', async () => {
  environmentIs({ demo: true, accounts: [{ name: 'trader', password: 'demo-trader', role: 'user' }] });
  openConsole(`/login?callback=${encodeURIComponent('/user/apiKey?tab=1')}`);
  await userEvent.click(await screen.findByRole('button', { name: 'trader · 普通用户' }));
  answers(session.login, null);
  signedInAs('trader');
  await submit();
  await arrived('/user/apiKey?tab=1');
  expect(await screen.findByRole('heading', { name: 'API 密钥' })).toBeVisible();
  expect(sent.find(({ path }) => path === '/api/login')?.body).toEqual({ username: 'trader', password: 'demo-trader' });
});

test('no accounts are shown where there is no demo', async () => {
  openConsole('/login');
  await screen.findByLabelText('用户名');
  await waitFor(() => expect(sent.map(({ path }) => path)).toContain('/api/environment'));
  expect(screen.queryByText(/演示/)).not.toBeInTheDocument();
});

test('a wrong password marks the field and takes the focus there', async () => {
  openConsole('/login');
  await fill();
  refuses(session.login, REFUSALS.wrongPassword);
  await submit();
  expect(await screen.findByText('请检查用户名，并重新输入密码')).toBeVisible();
  expect(await screen.findByText('用户名或密码错误')).toBeInTheDocument();
  await waitFor(() => expect(screen.getByLabelText('密码')).toHaveFocus());
  expect(place()).toBe('/login');
});

test('a locked login counts the seconds down and opens again', async () => {
  openConsole('/login');
  await fill();
  refuses(session.login, { code: 429, message: '请 4 秒后再试', status: 429 });
  await submit();
  expect(await screen.findByRole('button', { name: /^请 [1-4] 秒后再试$/ })).toBeDisabled();
  await waitFor(() => expect(screen.getByRole('button', { name: /^登\s*录$/ })).toBeEnabled());
});

test('who is signed in goes on', async () => {
  openConsole('/login?callback=%2Fuser%2FapiKey', 'trader');
  await arrived('/user/apiKey');
});

test('who wants another account stays', async () => {
  openConsole('/login?callback=%2Fuser%2Fcenter&switch=1', 'trader');
  expect(await screen.findByLabelText('用户名')).toBeVisible();
});

test('the way to register and back keeps the callback', async () => {
  openConsole('/login?callback=%2Ftest%2Fhedge%3Flong%3DA');
  await userEvent.click(await screen.findByRole('link', { name: '注册账户' }));
  await arrived('/register?callback=%2Ftest%2Fhedge%3Flong%3DA');
  await userEvent.click(await screen.findByRole('link', { name: /去登录/ }));
  await arrived('/login?callback=%2Ftest%2Fhedge%3Flong%3DA');
});

test('offers no registration where that is closed', async () => {
  environmentIs({ registration: false });
  openConsole('/login');
  await screen.findByLabelText('用户名');
  await waitFor(() => expect(screen.queryByText('注册账户')).not.toBeInTheDocument());
  expect(screen.getByText('使用一次性代码')).toBeVisible();
});
