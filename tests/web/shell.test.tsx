import { act, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { history } from '@umijs/max';
import { HttpResponse } from 'msw';
import { account } from '#contract/account';
import { flatten } from '#contract/flatten';
import { fundingScan } from '#contract/kinds/fundingRate/scan';
import { service } from '#contract/service';
import { session } from '#contract/session';
import { strategies } from '#contract/strategies';
import { user } from '#contract/user';
import { XLM } from '../support/scanFixtures';
import {
  accountOf,
  answers,
  arrived,
  environmentIs,
  openConsole,
  person,
  place,
  refuses,
  responds,
  screen,
  sent,
  signedInAs,
  visit,
} from '../support/webConsole';

const OVERVIEW = '账户正在开立';

beforeEach(() => answers(account.state, { at: 0, account: null }));

describe('startup', () => {
  test('is blank until the user is known, and asks for him once', async () => {
    let release = () => {};
    const known = new Promise<void>((resolve) => {
      release = resolve;
    });
    responds(user.current, async () => {
      await known;
      return HttpResponse.json({ code: 200, message: 'ok', data: accountOf('trader') });
    });
    const { container } = visit('/');
    await waitFor(() => expect(sent.map(({ path }) => path)).toEqual(['/api/user']));
    expect(container).toHaveTextContent('');
    act(() => release());
    expect(await screen.findByText(OVERVIEW)).toBeVisible();
    expect(sent.filter(({ path }) => path === '/api/user')).toHaveLength(1);
  });

  test.each([
    ['a server that is down', () => HttpResponse.error(), /无法连接服务器/],
    [
      'an error of the server',
      () => HttpResponse.json({ code: 500, message: '服务器出错', data: null }, { status: 500 }),
      /服务器出错/,
    ],
    ["a proxy's page", () => HttpResponse.html('<html></html>'), /无法识别/],
  ])('%s ends in a screen with a retry, which works', async (_, answer, text) => {
    responds(user.current, answer);
    visit('/');
    const title = await screen.findByRole('heading', { name: '无法加载控制台' });
    const alert = title.closest<HTMLElement>('[role="alert"]')!;
    expect(alert).toHaveTextContent(text);
    signedInAs('trader');
    await userEvent.click(within(alert).getByRole('button', { name: /重\s*试/ }));
    expect(await screen.findByText(OVERVIEW)).toBeVisible();
  });
});

describe('groups', () => {
  test.each([
    ['/user', 'master', '/user/center'],
    ['/user', 'trader', '/user/apiKey'],
    ['/strategy', 'master', '/strategy/overview'],
    ['/strategy', 'trader', '/strategy/hedge'],
    ['/strategy/', 'editor', '/strategy/hedge'],
    ['/indicator', 'visitor', '/indicator/hedge'],
    ['/test', 'trader', '/test/hedge'],
  ])('%s opened by %s goes to %s', async (group, who, screenOf) => {
    openConsole(group, who);
    await arrived(screenOf);
  });
});

describe('refused and unknown', () => {
  test.each([
    ['/user/center', '抱歉，你没有权限访问该页面'],
    ['/no/such/screen', '没有这个页面'],
  ])('%s stands in the frame: the menu, what holds for every screen, and a way home', async (address, title) => {
    environmentIs({ demo: true });
    openConsole(address, 'trader');
    expect(await screen.findByText(title)).toBeVisible();
    expect(await screen.findByText(/演示环境/)).toBeVisible();
    expect(screen.getByRole('menuitem', { name: /账户总览/ })).toBeVisible();
    await userEvent.click(screen.getByRole('link', { name: '返回账户总览' }));
    await arrived('/');
  });

  test('the 403 screen names who may, leads to another account and back, and to a screen open to all, which is no trial to who is signed in', async () => {
    openConsole('/user/center?tab=audit', 'trader');
    expect(await screen.findByText('抱歉，你没有权限访问该页面')).toBeVisible();
    expect(screen.getByText(/管理员（master）/)).toBeVisible();
    expect(screen.queryByText(/访客体验/)).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: '中性选币' })).toHaveAttribute('href', '/indicator/hedge');
    await userEvent.click(screen.getByRole('link', { name: '换个账户登录' }));
    expect(await screen.findByRole('heading', { name: '登录' })).toBeVisible();
    const { search } = history.location;
    expect(new URLSearchParams(search).get('callback')).toBe('/user/center?tab=audit');
  });

  test('a visitor who clicks his way to a screen inside the trial gets the 403 screen', async () => {
    openConsole('/indicator/hedge');
    await screen.findByText(/访客体验：最多 20 个币种/);
    act(() => history.push('/test/hedge'));
    expect(await screen.findByText('抱歉，你没有权限访问该页面')).toBeVisible();
    expect(place()).toBe('/test/hedge');
    expect(screen.getByText(/任意登录账户/)).toBeVisible();
    expect(screen.getByRole('link', { name: /访客体验/ })).toHaveAttribute('href', '/indicator/hedge');
  });

  test('an unknown address offers a search of the screens that one may open', async () => {
    openConsole('/no/such/screen', 'trader');
    expect(await screen.findByText('没有这个页面')).toBeVisible();
    await userEvent.type(screen.getByRole('combobox'), '回测');
    await userEvent.keyboard('{Enter}');
    await arrived('/test/hedge');
  });
});

describe('header', () => {
  test('the group of the screen that is opened is open in the menu from the beginning', async () => {
    answers(fundingScan.list, { list: [XLM], total: 1, all: 1, hidden: [], at: 0 });
    answers(strategies.list, { list: [] });
    openConsole('/strategy/fundingRate', 'master');
    const group = await screen.findByRole('menuitem', { name: /策略管理/ });
    expect(group).toHaveAttribute('aria-expanded', 'true');
    await person.click(group);
    await waitFor(() => expect(group).toHaveAttribute('aria-expanded', 'false'));
  });

  test('says who is signed in, and signs him out of this tab', async () => {
    openConsole('/', 'editor');
    await userEvent.click(await screen.findByRole('button', { name: /editor · 编辑/ }));
    answers(session.logout, null);
    signedInAs('visitor');
    await userEvent.click(await screen.findByRole('menuitem', { name: '退出登录' }));
    expect(await screen.findByRole('heading', { name: '登录' })).toBeVisible();
    expect(place()).toBe('/login');
    expect(sent.at(-2)).toMatchObject({ method: 'POST', path: '/api/logout' });
    act(() => history.push('/user/apiKey'));
    expect(await screen.findByText('抱歉，你没有权限访问该页面')).toBeVisible();
  });

  test.each([
    [0, true],
    [11, false],
  ])('with %s deals of any kind the flatten button is disabled: %s', async (deals, isDisabled) => {
    answers(flatten.held, { deals, unguarded: [] });
    openConsole('/', 'trader');
    const all = await screen.findByRole('button', { name: '全部平仓' });
    await screen.findByText(OVERVIEW);
    await waitFor(() => expect((all as HTMLButtonElement).disabled).toBe(isDisabled));
  });

  test('another tab that signs out takes this one along', async () => {
    openConsole('/', 'trader');
    await screen.findByText(OVERVIEW);
    act(() => {
      window.dispatchEvent(new StorageEvent('storage', { key: 'session', newValue: 'signedOut 1' }));
    });
    await arrived('/login');
    expect(await screen.findByRole('heading', { name: '登录' })).toBeVisible();
  });

  test('a failed sign-out says so and stays', async () => {
    openConsole('/', 'trader');
    await userEvent.click(await screen.findByRole('button', { name: /trader · 普通用户/ }));
    refuses(session.logout, { code: 503, message: '服务器正在停止', status: 503 });
    await userEvent.click(await screen.findByRole('menuitem', { name: '退出登录' }));
    expect(await screen.findByText('503: 服务器正在停止')).toBeInTheDocument();
    expect(place()).toBe('/');
  });

  test('theme and colour habit hold, and are kept', async () => {
    openConsole('/', 'trader');
    const root = document.documentElement;
    await userEvent.click(await screen.findByRole('button', { name: '外观' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: '深色' }));
    expect(root).toHaveAttribute('data-theme', 'dark');
    expect(root).toHaveAttribute('data-rise', 'green');
    await userEvent.click(screen.getByRole('button', { name: '外观' }));
    await userEvent.click(await screen.findByRole('menuitem', { name: '红涨绿跌' }));
    expect(root).toHaveAttribute('data-rise', 'red');
    expect(localStorage.getItem('theme')).toBe('dark');
    expect(localStorage.getItem('rise')).toBe('red');
  });

  test('the banner of a demo stands only where the server says so', async () => {
    environmentIs({ demo: true });
    openConsole('/', 'trader');
    expect(await screen.findByText('演示环境：模拟行情')).toBeVisible();
    expect(screen.queryByText(/访客体验/)).not.toBeInTheDocument();
  });

  test('the banner of a demo tells real prices from simulated ones, and that no money is real', async () => {
    const followed = ['binance', 'gate'] as const;
    environmentIs({ demo: true, followed: [...followed] });
    openConsole('/', 'trader');
    expect(
      await screen.findByText('演示环境：模拟行情，另有币安、Gate 的真实行情（标「实时」）；资金都是模拟的'),
    ).toBeVisible();
  });

  test.each(['/', '/strategy/hedge', '/user/apiKey'])("%s says that its owner's account fails", async (address) => {
    answers(account.failing, { failing: { since: Date.UTC(2026, 0, 15, 12), what: 'Error 23505' } });
    openConsole(address, 'trader');
    const words = await screen.findByText('止损不执行');
    const banner = words.closest('.ant-alert')!;
    expect(banner).toHaveClass('ant-alert-error');
    expect(banner).toHaveTextContent(/账户处理失败：自 .+ 起不记账/);
    const code = within(banner as HTMLElement).getByText('Error 23505');
    expect(code).not.toBeVisible();
    await userEvent.click(screen.getByText('详情'));
    expect(code).toBeVisible();
  });

  test('on test networks nothing is called real, and the banner says so', async () => {
    environmentIs({ trading: 'testnet', followed: ['okx'], local: [] });
    answers(user.current, { ...accountOf('trader'), testnet: true });
    visit('/');
    expect(await screen.findByText('测试网：行情、委托与资金都是交易所测试网的，没有真钱')).toBeVisible();
    expect(await screen.findByText('测试网', { selector: 'header span, .ant-pro-global-header *' })).toBeVisible();
    expect(screen.queryByText('实盘')).not.toBeInTheDocument();
  });

  test('the banner names the exchanges whose real orders go to this machine', async () => {
    environmentIs({ trading: 'live', followed: ['okx', 'gate'], local: ['okx'] });
    openConsole('/', 'trader');
    expect(await screen.findByText(/^OKX的真实委托发往本机的地址/)).toBeVisible();
    expect(await screen.findByText('实盘')).toBeVisible();
  });

  test('the banner says while the past of the demo is still made, and takes that back', async () => {
    let preparing = true;
    answers(service.environment, () => ({
      ...{ demo: true, simulated: true, trading: 'paper' as const, followed: [], preparing, accounts: [] },
      ...(preparing && { told: { day: 23, days: 60 } }),
    }));
    openConsole('/', 'trader');
    expect(await screen.findByText(/正在生成演示交易：已生成 23 \/ 60 天/)).toBeVisible();
    preparing = false;
    expect(await screen.findByText('演示环境：模拟行情')).toBeVisible();
  });
});
