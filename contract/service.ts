import { Array as Arr, Boolean as Bool, Integer, Object as Obj, Optional, type Static, String as Str } from 'typebox';
import { LIVE_EXCHANGES, LIVE_NAMES, liveSource, SIMULATED_SOURCES, type VenueSource } from './candle';
import { endpoint } from './endpoint';
import { spaced } from './spaced';
import { OneOf } from './value';

/** What a server trades with: play money alone, money of the exchanges' test networks too, or real money too. */
export const TRADINGS = ['paper', 'testnet', 'live'] as const;
export type Trading = (typeof TRADINGS)[number];

/** What a page needs to know of the server before anybody has signed in. */
export const Environment = Obj({
  demo: Bool({ description: '演示环境：模拟行情与演示账户' }),
  simulated: Bool({ description: '有模拟行情；没有时各页面先显示第一个实时跟踪的交易所，首个账户也在那里' }),
  trading: OneOf(TRADINGS, {
    description: 'live：可以开实盘账户与实盘策略；testnet：同样，但在交易所的测试网，没有真钱',
  }),
  liveMaxNotional: Optional(
    Integer({ description: '每个实盘账户的名义上限，USDT：持有的与在途的合计；只有模拟盘时不给出' }),
  ),
  local: Optional(
    Arr(OneOf(LIVE_NAMES), { description: '真实委托发往本机地址的交易所：替身交易所，或通往交易所的代理' }),
  ),
  followed: Arr(OneOf(LIVE_NAMES), { description: '实时跟踪的交易所' }),
  preparing: Bool({ description: '演示交易的历史还在生成，账户数字随之变化' }),
  told: Optional(
    Obj(
      { day: Integer({ minimum: 0 }), days: Integer({ minimum: 1 }) },
      { description: '演示历史已生成到第几天、共几天；没有在生成时没有' },
    ),
  ),
  registration: Optional(Bool({ description: '是否开放注册；现在不能确定时没有' })),
  accounts: Arr(Obj({ name: Str(), password: Str(), role: Str() }), { description: '演示账户；非演示环境为空' }),
});
export type Environment = Static<typeof Environment>;

/** The venues of a server, the one that it opens on first: what is simulated before what is followed. */
export const venuesOf = ({ simulated, followed }: Pick<Environment, 'simulated' | 'followed'>): VenueSource[] => [
  ...(simulated ? SIMULATED_SOURCES : []),
  ...followed.map(liveSource),
];

/** The exchanges that are followed, as people call them. */
export const followedNames = ({ followed }: Pick<Environment, 'followed'>): string =>
  followed.map((name) => LIVE_EXCHANGES[name]).join('、');

/** What a demo says of its prices and its money, wherever it says that it is one. */
export const demoWords = (of: Pick<Environment, 'followed'>): string =>
  of.followed.length === 0
    ? '演示环境：模拟行情'
    : spaced(`演示环境：模拟行情，另有${followedNames(of)}的真实行情（标「实时」）；资金都是模拟的`);

export const service = {
  health: endpoint({
    method: 'GET',
    path: '/api/health',
    right: 'open',
    tag: '服务',
    summary: '存活与就绪，有账户连续处理失败时的个数；版本号仅对已登录用户',
    data: Obj({
      live: Bool(),
      ready: Bool(),
      failingBooks: Optional(Integer({ description: '连续处理失败的账户数；没有时不给出' })),
      version: Optional(Str()),
    }),
  }),
  ready: endpoint({
    method: 'GET',
    path: '/api/health/ready',
    right: 'open',
    tag: '服务',
    summary: '就绪才答复 200；否则 HTTP 503，message 写明原因：数据库、迁移、磁盘、演示历史或交易引擎',
    data: Obj({ ready: Bool() }),
  }),
  environment: endpoint({
    method: 'GET',
    path: '/api/environment',
    right: 'open',
    tag: '服务',
    summary: '运行环境：是否演示、演示账户、有没有模拟行情',
    data: Environment,
  }),
};
