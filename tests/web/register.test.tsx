import { waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import * as REFUSALS from '#contract/codes';
import { session } from '#contract/session';
import { answers, arrived, environmentIs, openConsole, refuses, screen, sent, signedInAs } from '../support/webConsole';

async function fill(password = 'korrekt pferd', repeated = password): Promise<void> {
  await userEvent.type(await screen.findByLabelText('用户名'), 'newcomer');
  await userEvent.type(screen.getByLabelText('密码'), password);
  await userEvent.type(screen.getByLabelText('确认密码'), repeated);
}

const submit = () => userEvent.click(screen.getByRole('button', { name: '注册并登录' }));

test('makes an account and goes to the callback', async () => {
  openConsole('/register?callback=%2Fuser%2FapiKey');
  await fill();
  expect(screen.getByText(/模拟账户，本金 100,000 USDT/)).toBeVisible();
  answers(session.register, null);
  signedInAs('trader');
  await submit();
  await arrived('/user/apiKey');
  expect(sent.find(({ path }) => path === '/api/register')?.body).toEqual({
    username: 'newcomer',
    password: 'korrekt pferd',
  });
});

test('ticks the rules off while the password is typed', async () => {
  openConsole('/register');
  const rules = () => screen.getAllByRole('listitem').map((item) => item.textContent);
  await userEvent.type(await screen.findByLabelText('密码'), 'short');
  await waitFor(() => expect(rules()[0]).toBe('○ 至少 10 个字符（现在 5 个）'));
  await userEvent.type(screen.getByLabelText('密码'), ' but longer');
  await waitFor(() => expect(rules()).toEqual(['✓ 至少 10 个字符（现在 16 个）', '✓ 不含用户名', '○ 两次输入一致']));
  await userEvent.type(screen.getByLabelText('确认密码'), 'short but longer');
  await waitFor(() => expect(rules()[2]).toBe('✓ 两次输入一致'));
});

test('refuses what is too short or not repeated, without asking the server', async () => {
  openConsole('/register');
  await fill('short', 'other');
  await submit();
  expect(await screen.findByText('密码至少 10 个字符')).toBeVisible();
  expect(await screen.findByText('两次输入的密码不一致')).toBeVisible();
  expect(sent.map(({ path }) => path)).not.toContain('/api/register');
});

test.each([
  { refusal: REFUSALS.nameTaken, label: '用户名' },
  { refusal: REFUSALS.commonPassword, label: '密码' },
  { refusal: REFUSALS.passwordIsName, label: '密码' },
])('the refusal $refusal.code lands on the field $label', async ({ refusal, label }) => {
  openConsole('/register');
  await fill();
  refuses(session.register, refusal);
  await submit();
  const field = screen.getByLabelText(label);
  await waitFor(() => expect(field).toBeInvalid());
  await waitFor(() => expect(field).toHaveAccessibleDescription(expect.stringContaining(refusal.message)));
});

test('what a 400 says of a field lands on that field', async () => {
  openConsole('/register');
  await fill();
  const fields = [{ field: 'username', message: '用户名含有不允许的字符' }];
  refuses(session.register, { code: 400, message: '请检查填写的内容', status: 400, data: { fields } });
  await submit();
  expect(await screen.findByText('用户名含有不允许的字符')).toBeVisible();
});

test('says that registration is closed, and whom to ask', async () => {
  environmentIs({ registration: false });
  openConsole('/register');
  expect(await screen.findByText('注册已关闭，请联系管理员开户')).toBeVisible();
  expect(screen.queryByLabelText('用户名')).not.toBeInTheDocument();
  expect(screen.getByText('已有账户，去登录')).toBeVisible();
});
