import type { Right } from '#contract/access';
import { STRATEGY_KIND_LABEL, type StrategyKind } from '#contract/strategyKind';
import { KINDS } from './kinds';

export interface Route {
  path: string;
  /** In the menu, where the path is none for it. */
  key?: string;
  name?: string;
  icon?: string;
  component?: string;
  access?: Right;
  layout?: false;
  hideInMenu?: boolean;
  routes?: Route[];
}

const GROUP = '@/components/RouteGroup';

/** The route table: paths, labels, icons and rights. Umi builds the router and the menu from it. */
export const routes: Route[] = [
  { path: '/login', name: '登录', component: './login', layout: false, hideInMenu: true },
  { path: '/register', name: '注册', component: './register', layout: false, hideInMenu: true },
  // Without a key of its own the menu makes one of this path from all that the route holds, its screen included, each time that it is drawn.
  { path: '/', key: '/', name: '账户总览', icon: 'smile', component: './overview', access: 'signedIn' },
  {
    path: '/user',
    name: '账户管理',
    icon: 'smile',
    component: GROUP,
    access: 'open',
    routes: [
      { path: '/user/center', name: '用户中心', component: './user/center', access: 'isMaster' },
      { path: '/user/apiKey', name: 'API 密钥', component: './user/apiKey', access: 'signedIn' },
    ],
  },
  {
    path: '/strategy',
    name: '策略管理',
    icon: 'crown',
    component: GROUP,
    access: 'open',
    routes: [
      { path: '/strategy/overview', name: '策略总览', component: './strategy/overview', access: 'isMaster' },
      ...(Object.keys(KINDS) as StrategyKind[]).map((kind) => ({
        path: `/strategy/${kind}`,
        name: STRATEGY_KIND_LABEL[kind],
        component: `./strategy/${kind}`,
        access: KINDS[kind].access,
      })),
      { path: '/strategy/order', name: '订单列表', component: './strategy/order', access: 'isMaster' },
    ],
  },
  {
    path: '/indicator',
    name: '数据指标',
    icon: 'crown',
    component: GROUP,
    access: 'open',
    routes: [
      { path: '/indicator/hedge', name: '中性选币', component: './indicator/hedge', access: 'open' },
      { path: '/indicator/static', name: '中性实盘统计', component: './indicator/static', access: 'isMaster' },
      {
        path: '/indicator/symbol/detail/:symbol',
        name: '币种详情',
        component: './indicator/symbol/detail',
        access: 'signedIn',
        hideInMenu: true,
      },
    ],
  },
  {
    path: '/test',
    name: '策略回测',
    icon: 'crown',
    component: GROUP,
    access: 'open',
    routes: [{ path: '/test/hedge', name: '中性回测', component: './test/hedge', access: 'signedIn' }],
  },
  { path: '/*', component: './404', access: 'open', hideInMenu: true },
];
