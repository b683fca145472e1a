import { Array as Arr, Integer, Number as Num, Object as Obj, type Static, String as Str, Unknown } from 'typebox';
import { Kept } from '../../decimal';
import { endpoint } from '../../endpoint';
import { Always, Choice, Count, Exact, Figure, Gain, Price, shown } from '../../field';
import { HEDGE_STATES, LEGS } from '../../lifecycle';
import { Fraction, Usdt } from '../../scan';
import { Instant, Maybe, OneOf } from '../../value';
import { GRID_DIRECTIONS, GRID_MARKETS, GRID_SPACINGS } from './params';

/**
 * `waiting` is farther from the price than what is placed; `paused` would add while nothing is to be added; `missing` and
 * `duplicate` are wrong; `suspended` was taken back by a person.
 */
export const GRID_LEVEL_STATE_LABEL = {
  resting: '挂着',
  waiting: '远处未挂',
  paused: '暂停未挂',
  missing: '缺失',
  duplicate: '重复',
  suspended: '人手撤下',
  ended: '已结束',
} as const;
export type GridLevelState = keyof typeof GRID_LEVEL_STATE_LABEL;

const PriceOf = (description: string) => Maybe(Num({ description: `${description}，USDT` }));
const Coins = (description: string) => Str({ description: `${description}，币` });

const NO_PRICE = '没有价格';
/** Why spot has no such figure. */
export const NO_FUNDING = '现货没有资金费';

export const GridRow = Obj({
  strategyId: Str(),
  dealId: Maybe(Str({ description: '最新一张交易单；还没有时为空，各项按参数' })),
  state: Maybe(OneOf(HEDGE_STATES)),
  market: OneOf(GRID_MARKETS, { title: '市场' }),
  symbol: Str(),
  direction: OneOf(GRID_DIRECTIONS),
  price: PriceOf('最新价'),
  lower: Num({ description: '区间下限，跟随后的，USDT' }),
  upper: Num({ description: '区间上限，跟随后的，USDT' }),
  position: Fraction('现价在区间里的位置，0 为下限，1 为上限'),
  cells: Integer({ description: '格数' }),
  spacing: OneOf(GRID_SPACINGS),
  stepLeast: Fraction('最窄一格的间距'),
  stepMost: Fraction('最宽一格的间距'),
  profitLeast: Fraction('F27：最窄一格的净利占买入价'),
  profitMost: Fraction('F27：最宽一格的净利占买入价'),
  capital: Num({ description: '投入 = 总名义 ÷ 杠杆，USDT' }),
  leverage: Num({ description: '倍' }),
  pairs24h: Integer({ description: '最近 24 小时完成的套利次数' }),
  pairs: Integer({ description: '完成的套利次数' }),
  gridProfit: Gain('网格利润', {
    ...{ formula: 'F27：Σ 配对成交的 (卖 − 买) × 数量 − 两笔手续费', text: 'USDT，最新一张交易单' },
  }),
  floating: Gain('浮动盈亏', {
    ...{ missing: NO_PRICE, formula: '净盈亏 − 网格利润', text: '还没有配对的持仓与它们的手续费、资金费' },
  }),
  net: Gain('总盈亏', { missing: NO_PRICE }),
  gridReturn: Fraction('网格利润占投入'),
  netReturn: Fraction('净盈亏占投入'),
  gridApr: Fraction('网格利润年化，占投入；运行不足 30 天为空'),
  netApr: Fraction('净盈亏年化，占投入；运行不足 30 天为空'),
  fees: Figure('手续费'),
  funding: Gain('资金费', { missing: NO_FUNDING }),
  held: Coins('持有，带方向'),
  liquidationLow: PriceOf('只用投入承担时，跌到这里强平；现货没有'),
  liquidationHigh: PriceOf('只用投入承担时，涨到这里强平；现货没有'),
  ordersLive: Integer({ description: '实际挂单数' }),
  ordersDue: Integer({ description: '应有挂单数' }),
  openedAt: Maybe(Instant('开始')),
  endedAt: Maybe(Instant('结束')),
});
export type GridRow = Static<typeof GridRow>;

export const GridLevel = Obj({
  cell: Count('格', '第几格，0 为最初区间的最低一格'),
  leg: OneOf(LEGS),
  lower: Num({ description: 'USDT' }),
  upper: Num({ description: 'USDT' }),
  held: Coins('这一格持有，带方向'),
  side: OneOf(['buy', 'sell']),
  price: Always(Price('该挂')),
  quantity: Exact('数量 / 持有'),
  state: Choice(GRID_LEVEL_STATE_LABEL, '状态'),
  orders: Integer({ description: '实际挂着的委托数' }),
  pairs: Integer({ description: '这一格完成的套利次数' }),
  lastBuy: shown(
    Maybe(Obj({ at: Instant('成交时间'), price: Num({ description: 'USDT' }) }, { description: '这一格最近一次买入' })),
    '最近买入',
    { form: 'price' },
  ),
  profit: Always(Gain('配对利润')),
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

/** A stretch of time in which the price lay beyond the range, by the closes of hours. */
const GridAway = Obj({
  from: Instant('离开区间'),
  until: Maybe(Instant('回到区间；还在区间外为空')),
  side: OneOf(['above', 'below'] as const),
});

/** What a cell bought and sold, or sold and bought back. */
export const GridPair = Obj({
  cell: Integer({ description: '第几格' }),
  from: Instant('先成交的一笔'),
  entry: Num({ description: 'USDT' }),
  at: Instant('后成交的一笔'),
  exit: Num({ description: 'USDT' }),
  profit: Num({ description: 'F27，USDT' }),
});
export type GridPair = Static<typeof GridPair>;

/** How a grid did, whether it traded or was replayed. */
const figures = {
  inRange: Fraction('价格在区间内的时间占比，按小时收盘与现在'),
  fillsPerDay: Maybe(Num({ description: '每天成交笔数；不足一天为空' })),
  mostHeld: Num({ description: '最多持有，币，不带方向' }),
  mostHeldValue: Num({ description: '最多持有时按当时价格，USDT' }),
  drawdown: Fraction('F20：(投入 + 净盈亏) 相对此前最高的最大回撤，按小时收盘与现在；0 或负'),
  drawdownUsdt: Num({ description: '同一时刻的回撤，USDT；0 或负' }),
  hold: Usdt('同样的投入在开始时全部买币、持有到现在（期末）的盈亏'),
  versusHold: Usdt('净盈亏 − 持有的盈亏'),
};

export const GridRecord = Obj({
  ...figures,
  away: Arr(GridAway, { description: '价格离开区间的时段，新的在后，至多 50 段' }),
  awayShare: Fraction('区间外的时间占比'),
  pairs: Arr(GridPair, { description: '最近 100 次配对' }),
});
export type GridRecord = Static<typeof GridRecord>;

/** Days that a person chooses from. */
export const GRID_REPLAY_DAYS = [7, 30, 90] as const;
/** Why a replay ended before its time. */
export const GRID_REPLAY_ENDS = ['stopLow', 'stopHigh', 'stopLoss', 'takeProfit'] as const;

export const GridReplay = Obj({
  ...figures,
  startedAt: Maybe(Instant('开始；触发价与区间一直没有满足则为空')),
  endedAt: Maybe(Instant('按离场规则结束；没有则为空')),
  endReason: Maybe(OneOf(GRID_REPLAY_ENDS)),
  bars: Integer({ description: '重放的小时 K 线' }),
  pairCount: Integer({ description: '完成的套利次数' }),
  gridProfit: Num({ description: 'F27，USDT' }),
  floating: Num({ description: '净盈亏 − 网格利润，USDT' }),
  funding: Usdt('资金费，收到为正；现货没有，为空'),
  fees: Num({ description: '手续费，付出为正，USDT' }),
  net: Num({ description: 'USDT' }),
  apr: Fraction('净盈亏年化，占投入；不足一天为空'),
  time: Arr(Instant('小时收盘')),
  netCurve: Arr(Num(), { description: '净盈亏，USDT' }),
});
export type GridReplay = Static<typeof GridReplay>;

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
    summary: '修复网格：人手撤掉的档位重新挂出',
    body: Deal,
    data: Obj({ id: Str() }),
  }),
  record: endpoint({
    ...row,
    method: 'GET',
    path: '/api/strategy/grid/record',
    summary: '一张网格交易单的表现：在区间内的时间、每天成交、最多持有、回撤、对比持有，离开区间的时段与最近的配对',
    query: Deal,
    data: GridRecord,
  }),
  replay: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/grid/replay',
    summary: '同一组参数在最近 7 / 30 / 90 天的小时 K 线上重放：每根每格最多走一步，资金费按已结算的',
    audited: false,
    body: Obj({
      params: Unknown({ title: '参数', description: '按网格的参数表；错误指明 params 下的字段' }),
      days: Integer({ title: '天数', minimum: 1, maximum: 90 }),
    }),
    data: GridReplay,
  }),
  shift: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/grid/shift',
    summary: '手动把网格的区间移动若干格；移出区间而还持有的格子保留平仓单，平掉后消失',
    body: Obj({
      ...Deal.properties,
      cells: Integer({ title: '格数', minimum: -200, maximum: 200, description: '正数上移，负数下移' }),
    }),
    data: Obj({ lower: Num({ description: 'USDT' }), upper: Num({ description: 'USDT' }) }),
  }),
  addMargin: endpoint({
    ...row,
    method: 'POST',
    path: '/api/strategy/grid/margin',
    summary: '追加网格的投入：这张交易单的杠杆随之降低，强平价更远；每格数量不变',
    body: Obj({
      ...Deal.properties,
      amount: Kept({ title: '追加投入', minimum: 1, maximum: 1_000_000, description: 'USDT' }),
    }),
    data: Obj({ capital: Num({ description: '投入，USDT' }), leverage: Num({ description: '倍' }) }),
  }),
};
