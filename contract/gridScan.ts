import {
  Array as Arr,
  Boolean as Bool,
  Integer,
  Number as Num,
  Object as Obj,
  Optional,
  type Static,
  String as Str,
} from 'typebox';
import { endpoint } from './endpoint';
import { Fraction, Obstacles, ScannedAt, scanQuery, Usdt } from './scan';
import { Maybe, OneOf } from './value';

/** How far a range reaches: the lowest and highest price of the days, or three average daily ranges either way of the last close. */
export const GRID_RANGES = ['lowHigh', 'atr'] as const;
export type GridRange = (typeof GRID_RANGES)[number];

/** What is known of the hours before: nothing yet where they are being read, or fewer than three days of them. */
export const GRID_PASTS = ['known', 'pending', 'short'] as const;

const Price = (description: string) => Maybe(Num({ description: `${description}，USDT` }));

export const GridCandidate = Obj({
  id: Str({ description: '数据源与代码' }),
  source: Str(),
  base: Str(),
  symbol: Str({ description: '永续代码' }),
  price: Num({ description: '最新价，USDT' }),
  lower: Price('区间下限'),
  upper: Price('区间上限'),
  width: Fraction('区间上限 / 下限 − 1'),
  position: Fraction('现价在区间里的位置，0 为下限，1 为上限'),
  volatility: Fraction('小时收益的年化波动率'),
  step: Fraction('等比间距'),
  profit: Fraction('F27：每格净利占买入价，扣除两笔挂单手续费，最窄一格'),
  dailyPairs: Maybe(Num({ description: '每天的套利次数：按小时 K 线重放，每根每格最多走一步' })),
  inRange: Fraction('价格在区间内的小时占比'),
  dailyNet: Usdt('每天的网格利润，按规模'),
  gridApr: Fraction('网格利润年化，占规模'),
  fundingApr: Fraction('F1，按预测费率，正数为多头付出'),
  turnover24h: Usdt('24h 成交额'),
  depth: Usdt('5 % 以内较薄一侧的深度'),
  adl: Maybe(Integer({ description: '自动减仓等级 1-5' })),
  past: OneOf(GRID_PASTS),
  obstacles: Arr(Obstacles, { description: '现在不能做的原因' }),
});
export type GridCandidate = Static<typeof GridCandidate>;

export const gridScan = {
  list: endpoint({
    method: 'GET',
    path: '/api/market/grid',
    right: 'isMaster',
    tag: '策略行情',
    summary: '适合做网格的永续：自动区间、每格净利与按历史重放的成交次数，按网格年化排列',
    query: Obj({
      ...scanQuery,
      days: Integer({ title: '区间天数', minimum: 3, maximum: 30, default: 14 }),
      cells: Integer({ title: '格数', minimum: 2, maximum: 200, default: 40 }),
      range: OneOf(GRID_RANGES, { title: '区间算法', default: 'lowHigh' }),
      source: Optional(Str({ title: '交易所', pattern: '^[a-z0-9-]{1,32}$' })),
      minProfit: Optional(Num({ title: '最低每格净利', minimum: 0, maximum: 10, description: '分数' })),
      minPairs: Optional(Num({ title: '最低每天次数', minimum: 0, maximum: 10_000 })),
      minInRange: Optional(Num({ title: '最低区间内占比', minimum: 0, maximum: 1, description: '分数' })),
      minTurnover: Optional(Num({ title: '最低成交额', minimum: 0, maximum: 1e15, description: 'USDT' })),
      minDepth: Optional(Num({ title: '最低深度', minimum: 0, maximum: 1e15, description: 'USDT' })),
      actionable: Optional(Bool({ title: '现在可做' })),
    }),
    data: Obj({ list: Arr(GridCandidate), total: Integer(), at: ScannedAt }),
  }),
};
