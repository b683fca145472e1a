import { accessOf } from '#contract/access';
import { routes } from '../../src/routes';

type Row = [path: string, label: string | undefined, access: string, menu: 'shown' | 'hidden'];

/** The table the product's owner gave; a route is changed here first. */
const FIXED: Row[] = [
  ['/', '账户总览', 'signedIn', 'shown'],
  ['/user', '账户管理', 'group', 'shown'],
  ['/user/center', '用户中心', 'isMaster', 'shown'],
  ['/user/apiKey', 'API 密钥', 'signedIn', 'shown'],
  ['/login', '登录', 'open', 'hidden'],
  ['/register', '注册', 'open', 'hidden'],
  ['/strategy', '策略管理', 'group', 'shown'],
  ['/strategy/overview', '策略总览', 'isMaster', 'shown'],
  ['/strategy/spread', '期货价差', 'isMaster', 'shown'],
  ['/strategy/fundingRate', '资金费率', 'isMaster', 'shown'],
  ['/strategy/cexRate', '跨所费率', 'isMaster', 'shown'],
  ['/strategy/hedge', '多空对冲', 'signedIn', 'shown'],
  ['/strategy/okx', '交易所套利', 'isMaster', 'shown'],
  ['/strategy/grid', '花式网格', 'isMaster', 'shown'],
  ['/strategy/order', '订单列表', 'isMaster', 'shown'],
  ['/indicator', '数据指标', 'group', 'shown'],
  ['/indicator/hedge', '中性选币', 'open', 'shown'],
  ['/indicator/static', '中性实盘统计', 'isMaster', 'shown'],
  ['/indicator/symbol/detail/:symbol', '币种详情', 'signedIn', 'hidden'],
  ['/test', '策略回测', 'group', 'shown'],
  ['/test/hedge', '中性回测', 'signedIn', 'shown'],
  ['/*', undefined, 'open', 'hidden'],
];

const ICONS: Record<string, string> = {
  '/': 'smile',
  '/user': 'smile',
  '/strategy': 'crown',
  '/indicator': 'crown',
  '/test': 'crown',
};

const all = routes.flatMap((route) => [route, ...(route.routes ?? [])]);

describe('the route table', () => {
  test.each(FIXED)('%s is %s for %s, %s in the menu', (path, label, access, menu) => {
    const route = all.find((row) => row.path === path);
    expect(route).toBeDefined();
    if (label !== undefined) expect(route?.name).toBe(label);
    expect(route?.routes ? 'group' : (route?.access ?? 'open')).toBe(access);
    expect(route?.hideInMenu === true ? 'hidden' : 'shown').toBe(menu);
    expect(route?.icon).toBe(ICONS[path]);
  });

  test('has no other paths', () => {
    expect(all.map(({ path }) => path).sort()).toEqual(FIXED.map(([path]) => path).sort());
  });

  test('names only rights that access.ts knows', () => {
    const known = Object.keys(accessOf('master'));
    for (const { access } of all) if (access !== undefined) expect(known).toContain(access);
  });

  test('shows login and register without menu and header', () => {
    for (const path of ['/login', '/register']) expect(all.find((row) => row.path === path)?.layout).toBe(false);
  });
});
