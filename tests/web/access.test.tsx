import { waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { accessOf } from '#contract/access';
import { type Route, routes } from '@/routes';
import { openConsole, place, screen, type Who } from '../support/webConsole';

const PEOPLE: Who[] = ['master', 'editor', 'trader', 'auditor', 'visitor'];

/** What each person sees in the menu, group by group. `auditor` is a role that the console does not know. */
const MENU: Record<string, string[]> = {
  master: [
    '账户总览',
    ...['账户管理', '用户中心', 'API 密钥'],
    ...['策略管理', '策略总览', '期货价差', '资金费率', '跨所费率', '多空对冲', '交易所套利', '花式网格', '订单列表'],
    ...['数据指标', '中性选币', '中性实盘统计'],
    ...['策略回测', '中性回测'],
  ],
  editor: ['账户总览', '账户管理', 'API 密钥', '策略管理', '多空对冲', '数据指标', '中性选币', '策略回测', '中性回测'],
  visitor: ['数据指标', '中性选币'],
};
MENU.trader = MENU.auditor = MENU.editor!;

const FORBIDDEN = '抱歉，你没有权限访问该页面';

/** Screens are the leaves of the route table. */
const leaves = (list: Route[]): Route[] => list.flatMap((route) => (route.routes ? leaves(route.routes) : [route]));
const OTHERS = ['/indicator/hedge', '/test/hedge', '/indicator/symbol/detail/:symbol', '/login', '/register', '/*'];
/** Headings of screens with data of their own, which nobody answers here: that they ask for it says that they are open. */
const READING: Record<string, string> = {
  '/': '加载失败',
  '/user/apiKey': 'API 密钥',
  '/user/center': '用户中心',
  '/strategy/overview': '策略总览',
  '/strategy/fundingRate': '资金费率',
  '/strategy/cexRate': '跨所费率',
  '/strategy/hedge': '加载失败',
  '/strategy/okx': '交易所套利',
  '/strategy/order': '订单列表',
  '/indicator/static': '加载失败',
  '/strategy/spread': '期货价差',
  '/strategy/grid': '花式网格',
};
const plain = leaves(routes).filter(({ path }) => !OTHERS.includes(path));

const may = (who: Who, right: Route['access']): boolean => {
  if (who === 'visitor') return accessOf(undefined)[right ?? 'isMaster'];
  return accessOf(who === 'trader' ? 'user' : who)[right ?? 'isMaster'];
};

/** The menu itself; an open group is a menu within it. */
const menu = async () => (await screen.findAllByRole('menu'))[0]!;

async function openGroups(): Promise<void> {
  for (const title of within(await menu()).queryAllByRole('menuitem', { expanded: false }))
    await userEvent.click(title);
}

test.each(PEOPLE)('the menu of %s holds what he may open, and no more', async (who) => {
  openConsole('/indicator/hedge', who);
  await openGroups();
  const whole = await menu();
  await waitFor(() => {
    const labels = within(whole)
      .getAllByRole('menuitem')
      .map((item) => item.textContent);
    expect(labels).toEqual(MENU[who]);
  });
});

describe.each(['master', 'editor', 'trader', 'auditor'] as Who[])('opened by its address as %s', (who) => {
  test.each(plain.map(({ path, name, access }) => [path, name, may(who, access)] as const))(
    '%s %s is there: %s',
    async (path, name, allowed) => {
      openConsole(path, who);
      if (allowed) expect(await screen.findByRole('heading', { name: READING[path] ?? name })).toBeVisible();
      else expect(await screen.findByText(FORBIDDEN)).toBeVisible();
      expect(place()).toBe(path);
    },
  );
});

test.each(leaves(routes).filter(({ access }) => access === 'signedIn' || access === 'isMaster'))(
  'a visitor who opens $path by its address signs in first',
  async ({ path }) => {
    const address = path.replace(':symbol', 'BTCUSDT');
    openConsole(`${address}?tab=2`);
    await waitFor(() => expect(place()).toBe(`/login?callback=${encodeURIComponent(`${address}?tab=2`)}`));
  },
);
