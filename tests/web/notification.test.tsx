import { act, screen, waitFor, within } from '@testing-library/react';
import { account } from '#contract/account';
import { hedgeConfig } from '#contract/kinds/hedge/config';
import { hedge } from '#contract/kinds/hedge/desk';
import { type NotificationRow, type NotificationSettings, notification } from '#contract/notification';
import { pushChannel } from '#contract/pushChannel';
import { secondFactor } from '#contract/secondFactor';
import { session } from '#contract/session';
import { unread } from '#contract/unread';
import { installLiveBrowser, TestEventSource } from '../support/liveBrowser';
import { answers, openConsole, person, place, refuses, sent, sentTo } from '../support/webConsole';

const AT = Date.UTC(2026, 10, 20, 8);
const LINES: NotificationRow[] = [
  {
    id: '2',
    kind: 'risk',
    level: 'error',
    title: '对冲单已冻结',
    text: 'BTCUSDT / ETHUSDT，核对持仓前不再下单',
    link: '/strategy/hedge?id=h1',
    at: AT,
    readAt: null,
  },
  {
    id: '1',
    kind: 'funding',
    level: 'info',
    title: '收到资金费',
    text: '+2.00 USDT，共 4 笔',
    link: null,
    at: AT - 1000,
    readAt: AT,
  },
];
const settingsOf = (off: Partial<NotificationSettings['off']>, more: Partial<NotificationSettings> = {}) => ({
  off: { bell: [], webhook: [], browser: [], ...off },
  browser: false,
  webhook: null,
  ...more,
});
const HOOK = { url: 'https://hook.example/in', createdAt: AT, last: null, waiting: 0, endedAt: null, isDamaged: false };

const written = () => sent.filter(({ method }) => method !== 'GET');
const last = () => written().at(-1);

beforeEach(() => {
  answers(account.state, { at: 0, account: null });
  answers(unread.count, { unread: 1 });
  answers(notification.list, { list: LINES, total: 2 });
  answers(notification.settings, settingsOf({ bell: ['funding'] }));
  answers(pushChannel.list, { list: [] });
});

async function openDrawer() {
  openConsole('/', 'trader');
  await person.click(await screen.findByRole('button', { name: '通知，1 条未读' }));
  return screen.findByRole('dialog', { name: '通知' });
}

test('the bell says how much is unread; its list leads to what a line is about and marks it as read', async () => {
  const drawer = await openDrawer();
  const line = (await within(drawer).findByText('对冲单已冻结')).closest('button')!;
  expect(within(line).getByText('风控 · 需要处理')).toBeInTheDocument();
  expect(within(line).getByLabelText('未读')).toBeInTheDocument();
  const read = within(drawer).getByText('收到资金费').closest('button')!;
  expect(read).toBeDisabled();
  answers(notification.read, { unread: 0 });
  answers(hedgeConfig.desk, { settings: null } as never);
  answers(hedge.list, { list: [], total: 0 } as never);
  await person.click(line);
  await waitFor(() => expect(place()).toBe('/strategy/hedge?id=h1'));
  expect(last()).toMatchObject({ path: notification.read.path, body: { ids: ['2'] } });
  expect(await screen.findByRole('button', { name: '通知' })).toBeInTheDocument();
});

test('the list is narrowed down by kind and by what is unread, and can be read all at once', async () => {
  const drawer = await openDrawer();
  await within(drawer).findByText('收到资金费');
  await person.click(within(drawer).getByLabelText('只看未读'));
  await person.click(within(drawer).getByLabelText('类别筛选'));
  await person.click(await screen.findByText('密钥'));
  const asked = () => sentTo(notification.list).at(-1)!.query;
  await waitFor(() => expect(Object.fromEntries(asked())).toMatchObject({ unread: 'true', kind: 'key', current: '1' }));
  answers(notification.read, { unread: 0 });
  await person.click(within(drawer).getByRole('button', { name: '全部已读' }));
  await waitFor(() => expect(last()).toMatchObject({ path: notification.read.path, body: {} }));
  await waitFor(() => expect(within(drawer).getByRole('button', { name: '全部已读' })).toBeDisabled());
});

test('kinds are switched off by each way of its own; a webhook is set, refused at its field, tried, and its secret is shown once', async () => {
  const drawer = await openDrawer();
  await person.click(within(drawer).getByRole('tab', { name: '提醒与推送' }));
  expect(await within(drawer).findByRole('checkbox', { name: '资金费：铃铛' })).not.toBeChecked();
  expect(within(drawer).getByRole('checkbox', { name: '资金费：推送' })).toBeChecked();
  answers(notification.setSettings, settingsOf({ bell: ['funding'], webhook: ['trade'] }));
  await person.click(within(drawer).getByRole('checkbox', { name: '成交：推送' }));
  await waitFor(() => expect(last()?.body).toEqual({ off: { webhook: ['trade'] } }));
  await waitFor(() => expect(within(drawer).getByRole('checkbox', { name: '成交：推送' })).not.toBeChecked());
  expect(within(drawer).getByRole('switch', { name: '浏览器通知' })).toBeDisabled();

  await person.click(within(drawer).getByRole('button', { name: '设置推送地址' }));
  const dialog = await screen.findByRole('dialog', { name: '推送地址' });
  const why = '推送地址不可用：不是公网地址';
  refuses(notification.setWebhook, { code: 8001, message: why, data: { fields: [{ field: 'url', message: why }] } });
  await person.type(within(dialog).getByLabelText('推送地址'), 'https://10.0.0.1/in');
  await person.click(within(dialog).getByRole('button', { name: '保存并生成密钥' }));
  expect(await within(dialog).findByText(why)).toBeInTheDocument();
  answers(notification.setWebhook, { webhook: HOOK, secret: 'whsec_once' });
  await person.clear(within(dialog).getByLabelText('推送地址'));
  await person.type(within(dialog).getByLabelText('推送地址'), HOOK.url);
  await person.click(within(dialog).getByRole('button', { name: '保存并生成密钥' }));
  expect(await within(drawer).findByLabelText('签名密钥')).toHaveValue('whsec_once');

  const result = { at: AT, ok: false, detail: '域名指向非公网地址' };
  answers(notification.testWebhook, result);
  answers(notification.settings, settingsOf({}, { webhook: { ...HOOK, last: result, waiting: 3 } }));
  await person.click(within(drawer).getByRole('button', { name: '发送测试' }));
  expect(await within(drawer).findByText(/失败（域名指向非公网地址）/)).toHaveTextContent('3 条等待重试');
  answers(notification.settings, settingsOf({}, { webhook: { ...HOOK, isDamaged: true } }));
  await person.click(within(drawer).getByRole('button', { name: '发送测试' }));
  expect(await within(drawer).findByText('已损坏：请重新设置')).toBeVisible();
});

test('a channel is set up by a form that says where its token is found, tried, and taken away', async () => {
  const drawer = await openDrawer();
  await person.click(within(drawer).getByRole('tab', { name: '提醒与推送' }));
  await person.click(await within(drawer).findByRole('button', { name: /添加推送渠道/ }));
  await person.click(await screen.findByRole('menuitem', { name: '飞书' }));
  const dialog = await screen.findByRole('dialog', { name: '推送到飞书' });
  expect(within(dialog).getByRole('list', { name: '怎样取得' })).toHaveTextContent('签名校验');
  await person.click(within(dialog).getByRole('button', { name: /保 ?存/ }));
  expect(await within(dialog).findByText('请输入Webhook 地址')).toBeInTheDocument();
  const why = '推送地址不可用：应形如 https://open.feishu.cn/open-apis/bot/v2/hook/…，从机器人的设置里复制';
  refuses(pushChannel.feishu, { code: 8001, message: why, data: { fields: [{ field: 'url', message: why }] } });
  await person.type(within(dialog).getByLabelText('Webhook 地址'), ' https://oapi.dingtalk.com/x');
  await person.click(within(dialog).getByRole('button', { name: /保 ?存/ }));
  expect(await within(dialog).findByText(why)).toBeInTheDocument();
  // A secret that is left empty is none.
  expect(last()).toMatchObject({ path: pushChannel.feishu.path, body: { url: 'https://oapi.dingtalk.com/x' } });
  expect(Object.keys(last()?.body as object)).toEqual(['url']);

  const state = { createdAt: AT, last: null, waiting: 0, endedAt: null, isDamaged: false };
  const feishu = { channel: 'feishu' as const, address: 'open.feishu.cn/****', ...state };
  answers(pushChannel.feishu, feishu);
  answers(pushChannel.list, { list: [feishu] });
  await person.clear(within(dialog).getByLabelText('Webhook 地址'));
  await person.type(within(dialog).getByLabelText('Webhook 地址'), 'https://open.feishu.cn/open-apis/bot/v2/hook/x');
  await person.type(within(dialog).getByLabelText('签名密钥'), 'sign');
  await person.click(within(dialog).getByRole('button', { name: /保 ?存/ }));
  const line = await within(drawer).findByRole('listitem', { name: '飞书' });
  expect(last()?.body).toEqual({ url: 'https://open.feishu.cn/open-apis/bot/v2/hook/x', secret: 'sign' });
  expect(line).toHaveTextContent('open.feishu.cn/****');
  expect(line).toHaveTextContent('还没有推送');

  const result = { at: AT, ok: false, detail: '错误 19021：sign match fail' };
  answers(pushChannel.test, result);
  answers(pushChannel.list, { list: [{ ...feishu, last: result, waiting: 2, isDamaged: true }] });
  await person.click(within(line).getByRole('button', { name: '测试发送' }));
  expect(await screen.findByText('没有送达：错误 19021：sign match fail')).toBeInTheDocument();
  expect(await within(line).findByText(/失败（错误 19021/)).toHaveTextContent('2 条等待重试');
  expect(within(line).getByText('已损坏：请重新设置')).toBeInTheDocument();
  expect(last()).toMatchObject({ path: pushChannel.test.path, body: { channel: 'feishu' } });

  await person.click(within(line).getByRole('button', { name: /停 ?用/ }));
  const question = await screen.findByRole('dialog', { name: /停用/ });
  answers(pushChannel.remove, null);
  answers(pushChannel.list, { list: [] });
  await person.click(within(question).getByRole('button', { name: /停 ?用/ }));
  await waitFor(() => expect(line).not.toBeInTheDocument());
  expect(last()).toMatchObject({ method: 'DELETE', path: pushChannel.remove.path, body: { channel: 'feishu' } });
});

test('the form of mail asks for a server, its port and both addresses', async () => {
  const drawer = await openDrawer();
  await person.click(within(drawer).getByRole('tab', { name: '提醒与推送' }));
  await person.click(await within(drawer).findByRole('button', { name: /添加推送渠道/ }));
  await person.click(await screen.findByRole('menuitem', { name: '邮件' }));
  const dialog = await screen.findByRole('dialog', { name: '推送到邮件' });
  const typed = { 'SMTP 服务器': 'smtp.example.com', 用户名: 'me', 密码或授权码: 'code', 发件邮箱: 'me@example.com' };
  for (const [label, text] of Object.entries(typed)) await person.type(within(dialog).getByLabelText(label), text);
  await person.type(within(dialog).getByLabelText('收件邮箱'), 'nobody');
  await person.click(within(dialog).getByRole('button', { name: /保 ?存/ }));
  expect(await within(dialog).findByText('收件邮箱应为一个邮箱地址')).toBeInTheDocument();
  await person.type(within(dialog).getByLabelText('收件邮箱'), '@example.com');
  answers(pushChannel.email, {} as never);
  await person.click(within(dialog).getByRole('button', { name: /保 ?存/ }));
  const sender = { user: 'me', password: 'code', from: 'me@example.com', to: 'nobody@example.com' };
  await waitFor(() =>
    expect(last()?.body).toEqual({ host: 'smtp.example.com', security: 'tls', port: 465, ...sender }),
  );
});

test('what comes live is counted at once', async () => {
  const uninstall = installLiveBrowser();
  openConsole('/', 'trader');
  await screen.findByRole('button', { name: '通知，1 条未读' });
  await waitFor(() => expect(TestEventSource.open[0]?.topics).toContain('notification'));
  act(() => TestEventSource.open[0]!.send('notification', { unread: 120, at: AT }));
  expect(await screen.findByRole('button', { name: '通知，120 条未读' })).toHaveTextContent('99+');
  uninstall();
});

describe('a browser that can show notifications', () => {
  /** What jsdom lacks of it. */
  class TestNotification {
    static permission: NotificationPermission = 'default';
    static asked = 0;
    static readonly shown: { title: string; body: string | undefined; tag: string | undefined }[] = [];
    static async requestPermission(): Promise<NotificationPermission> {
      TestNotification.asked += 1;
      TestNotification.permission = 'granted';
      return 'granted';
    }
    onclick: (() => void) | null = null;
    constructor(title: string, { body, tag }: NotificationOptions) {
      TestNotification.shown.push({ title, body, tag });
    }
    close() {}
  }
  beforeEach(() => {
    Object.assign(window, { Notification: TestNotification });
  });
  afterEach(() => {
    delete (window as { Notification?: unknown }).Notification;
  });

  test('is asked on a click in the profile alone, and shows what comes from then on, of the kinds that are on', async () => {
    const uninstall = installLiveBrowser();
    answers(session.list, { list: [], total: 0 });
    answers(secondFactor.state, { enabledAt: null, recoveryLeft: 0, isDamaged: false });
    openConsole('/', 'trader');
    await person.click(await screen.findByRole('button', { name: /trader · 普通用户/ }));
    await person.click(await screen.findByRole('menuitem', { name: '个人设置' }));
    const profile = await screen.findByRole('dialog', { name: '个人设置' });
    const toggle = await within(profile).findByRole('switch', { name: '浏览器通知' });
    expect([TestNotification.asked, toggle.getAttribute('aria-checked')]).toEqual([0, 'false']);
    const on = settingsOf({ browser: ['trade'] }, { browser: true });
    answers(notification.setSettings, on);
    answers(notification.settings, on);
    await person.click(toggle);
    await waitFor(() => expect(last()?.body).toEqual({ browser: true }));
    expect(TestNotification.asked).toBe(1);
    await waitFor(() => expect(toggle).toBeChecked());
    await waitFor(() => expect(sent.map(({ path }) => path)).toContain(notification.list.path));
    const line = { level: 'warning', text: '币安 · 主账户：3 天内到期', link: null, at: AT, readAt: null } as const;
    const fresh: NotificationRow[] = [
      { ...line, id: '4', kind: 'key', title: '密钥即将到期' },
      { ...line, id: '3', kind: 'trade', title: '已开仓' },
    ];
    answers(notification.list, { list: [...fresh, ...LINES], total: 4 });
    act(() => TestEventSource.open[0]!.send('notification', { unread: 3, at: AT }));
    const shown = { title: '密钥即将到期', body: line.text, tag: 'notification-4' };
    await waitFor(() => expect(TestNotification.shown).toEqual([shown]));
    act(() => TestEventSource.open[0]!.send('notification', { unread: 2, at: AT }));
    await waitFor(() => expect(screen.getByRole('button', { name: '通知，2 条未读' })).toBeInTheDocument());
    expect(TestNotification.shown).toEqual([shown]);
    // Another tab turns to other kinds.
    answers(notification.settings, settingsOf({ browser: ['key'] }, { browser: true }));
    const next: NotificationRow[] = [
      { ...line, id: '6', kind: 'key', title: '密钥即将到期' },
      { ...line, id: '5', kind: 'trade', title: '已平仓' },
    ];
    answers(notification.list, { list: [...next, ...fresh, ...LINES], total: 6 });
    act(() => TestEventSource.open[0]!.send('notification', { unread: 4, at: AT }));
    const closed = { title: '已平仓', body: line.text, tag: 'notification-5' };
    await waitFor(() => expect(TestNotification.shown).toEqual([shown, closed]));
    uninstall();
  });
});

test('a visitor has no bell, and asks for nothing', async () => {
  openConsole('/indicator/hedge');
  await screen.findByText(/访客体验/);
  expect(screen.queryByRole('button', { name: /通知/ })).not.toBeInTheDocument();
  expect(sent.map(({ path }) => path)).not.toContain(unread.count.path);
});
