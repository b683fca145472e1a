import { Array as Arr, Integer, Number as Num, Object as Obj, type Static, String as Str } from 'typebox';
import { endpoint } from './endpoint';
import { GRID_DIRECTIONS } from './grid';
import { HEDGE_STATES, LEGS } from './lifecycle';
import { Fraction, Usdt } from './scan';
import { Instant, Maybe, OneOf } from './value';

/** `waiting` is farther from the price than what is placed; `missing` and `duplicate` are wrong; `suspended` was taken back by a person. */
export const GRID_LEVEL_STATES = ['resting', 'waiting', 'missing', 'duplicate', 'suspended', 'ended'] as const;
export type GridLevelState = (typeof GRID_LEVEL_STATES)[number];

const Price = (description: string) => Maybe(Num({ description: `${description}，USDT` }));
const Coins = (description: string) => Str({ description: `${description}，币` });

export const GridRow = Obj({
  strategyId: Str(),
  dealId: Maybe(Str({ description: '最新一张交易单；还没有时为空，各项按参数' })),
  state: Maybe(OneOf(HEDGE_STATES)),
  symbol: Str(),
  direction: OneOf(GRID_DIRECTIONS),
  price: Price('最新价'),
  lower: Num({ description: '区间下限，跟随后的，USDT' }),
  upper: Num({ description: '区间上限，跟随后的，USDT' }),
  position: Fraction('现价在区间里的位置，0 为下限，1 为上限'),
  cells: Integer({ description: '格数' }),
  stepLeast: Fraction('最窄一格的间距'),
  stepMost: Fraction('最宽一格的间距'),
  profitLeast: Fraction('F27：最窄一格的净利占买入价'),
  profitMost: Fraction('F27：最宽一格的净利占买入价'),
  capital: Num({ description: '投入 = 网格名义 ÷ 杠杆，USDT' }),
  leverage: Num({ description: '倍' }),
  pairs24h: Integer({ description: '最近 24 小时完成的套利次数' }),
  pairs: Integer({ description: '完成的套利次数' }),
  gridProfit: Usdt('网格利润：配对成交的价差扣除两笔手续费'),
  floating: Usdt('浮动盈亏 = 净盈亏 − 网格利润'),
  net: Usdt('净盈亏，含资金费与全部手续费'),
  gridApr: Fraction('网格利润年化，占投入；不足一天为空'),
  netApr: Fraction('净盈亏年化，占投入；不足一天为空'),
  fees: Usdt('手续费，付出为正'),
  funding: Usdt('资金费'),
  held: Coins('持有，带方向'),
  liquidationLow: Price('只用投入承担时，跌到这里强平'),
  liquidationHigh: Price('只用投入承担时，涨到这里强平'),
  ordersLive: Integer({ description: '实际挂单数' }),
  ordersDue: Integer({ description: '应有挂单数' }),
  openedAt: Maybe(Instant('开始')),
  endedAt: Maybe(Instant('结束')),
});
export type GridRow = Static<typeof GridRow>;

export const GridLevel = Obj({
  cell: Integer({ description: '第几格，0 为最初区间的最低一格' }),
  leg: OneOf(LEGS),
  lower: Num({ description: 'USDT' }),
  upper: Num({ description: 'USDT' }),
  held: Coins('这一格持有，带方向'),
  side: OneOf(['buy', 'sell']),
  price: Num({ description: '该挂的价格，USDT' }),
  quantity: Coins('该挂的数量'),
  state: OneOf(GRID_LEVEL_STATES),
  orders: Integer({ description: '实际挂着的委托数' }),
  pairs: Integer({ description: '这一格完成的套利次数' }),
  profit: Num({ description: '这一格的网格利润，USDT' }),
});
export type GridLevel = Static<typeof GridLevel>;

export const GridTrade = Obj({
  at: Instant('成交时间'),
  cell: Maybe(Integer({ description: '第几格；底仓与平仓为空' })),
  side: OneOf(['buy', 'sell']),
  price: Num({ description: 'USDT' }),
  quantity: Coins('数量'),
  profit: Usdt('与这一格上一笔配对的利润；没有配对时为空'),
});
export type GridTrade = Static<typeof GridTrade>;

const row = { right: 'isMaster', tag: '策略' } as const;
const Deal = Obj({ id: Str({ title: '交易单' }) });

export const gridDeal = {
  list: endpoint({
    ...row,
    method: 'GET',
    path: '/api/strategy/grid',
    summary: '自己的网格：每个策略最新一张交易单的区间、挂单、网格利润与浮动盈亏',
    data: Obj({ list: Arr(GridRow) }),
  }),
  ladder: endpoint({
    ...row,
    method: 'GET',
    path: '/api/strategy/grid/ladder',
    summary: '一张网格交易单的每一格：该挂什么、挂了没有、赚了多少；与最近 200 笔成交',
    query: Deal,
    data: Obj({ levels: Arr(GridLevel, { description: '价格从高到低' }), trades: Arr(GridTrade) }),
  }),
  repair: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/grid/repair',
    summary: '修复：人手撤掉的档位重新挂出',
    body: Deal,
    data: Obj({ id: Str() }),
  }),
};
