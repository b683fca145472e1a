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
import { SIMULATED_SOURCES } from '../../candle';
import { endpoint } from '../../endpoint';
import { Fraction, Obstacles, ScannedAt, scanQuery, Usdt } from '../../scan';
import { Instant, Maybe, OneOf, SymbolName } from '../../value';
import { GRID_MARKETS } from './params';

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
  market: OneOf(GRID_MARKETS, { title: '市场' }),
  symbol: Str({ description: '代码' }),
  price: Num({ description: '最新价，USDT' }),
  lower: Price('区间下限'),
  upper: Price('区间上限'),
  width: Fraction('区间上限 / 下限 − 1'),
  position: Fraction('现价在区间里的位置，0 为下限，1 为上限'),
  volatility: Fraction('小时收益的年化波动率'),
  step: Fraction('等比间距'),
  profit: Fraction('F27：每格净利占买入价，扣除两笔挂单手续费（现货买入的从币里扣，F28），最窄一格'),
  dailyPairs: Maybe(Num({ description: '每天的套利次数：按小时 K 线重放，每根每格最多走一步' })),
  inRange: Fraction('价格在区间内的小时占比'),
  dailyNet: Usdt('每天的网格利润，按规模'),
  gridApr: Fraction('网格利润年化，占规模'),
  fundingApr: Fraction('F1，按预测费率，正数为多头付出；现货没有，为空'),
  turnover24h: Usdt('24h 成交额'),
  depth: Usdt('5 % 以内较薄一侧的深度'),
  adl: Maybe(Integer({ description: '自动减仓等级 1-5' })),
  past: OneOf(GRID_PASTS),
  obstacles: Arr(Obstacles, { description: '现在不能做的原因' }),
});
export type GridCandidate = Static<typeof GridCandidate>;

/** A range by the closed hours of one instrument, and the figures that it comes of. */
export const GridSuggestion = Obj({
  lower: Num({ description: '区间下限，取到最小价格单位，USDT' }),
  upper: Num({ description: '区间上限，取到最小价格单位，USDT' }),
  price: Num({ description: '最后一根小时 K 线的收盘，USDT' }),
  low: Num({ description: '这些天的最低价，USDT' }),
  high: Num({ description: '这些天的最高价，USDT' }),
  atr: Num({ description: '日均波幅：每 24 小时的高低差，含与前一收盘的缺口，取平均，USDT' }),
  from: Instant('第一根开盘'),
  until: Instant('最后一根收盘'),
});
export type GridSuggestion = Static<typeof GridSuggestion>;

/** Over how many days a range may look back. */
export const RANGE_DAYS = { minimum: 3, maximum: 30, default: 14 } as const;

const asked = {
  days: Integer({ title: '区间天数', ...RANGE_DAYS }),
  range: OneOf(GRID_RANGES, { title: '区间算法', default: 'lowHigh' }),
};

export const gridScan = {
  list: endpoint({
    method: 'GET',
    path: '/api/market/grid',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: '适合做网格的永续与现货：自动区间、每格净利与按历史重放的成交次数，按网格年化排列',
    query: Obj({
      ...scanQuery,
      ...asked,
      cells: Integer({ title: '格数', minimum: 2, maximum: 200, default: 40 }),
      source: Optional(Str({ title: '交易所', pattern: '^[a-z0-9-]{1,32}$' })),
      market: Optional(OneOf(GRID_MARKETS, { title: '市场' })),
      minProfit: Optional(Num({ title: '最低每格净利', minimum: 0, maximum: 10, description: '分数' })),
      minPairs: Optional(Num({ title: '最低每天次数', minimum: 0, maximum: 10_000 })),
      minInRange: Optional(Num({ title: '最低区间内占比', minimum: 0, maximum: 1, description: '分数' })),
      minTurnover: Optional(Num({ title: '最低成交额', minimum: 0, maximum: 1e15, description: 'USDT' })),
      minDepth: Optional(Num({ title: '最低深度', minimum: 0, maximum: 1e15, description: 'USDT' })),
      actionable: Optional(Bool({ title: '现在可开仓' })),
    }),
    data: Obj({ list: Arr(GridCandidate), total: Integer(), at: ScannedAt }),
  }),
  range: endpoint({
    method: 'GET',
    path: '/api/market/grid/range',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: '一个标的的自动区间：N 日高低，或最后收盘上下各 3 个日均波幅；历史不满 N 天时拒绝',
    query: Obj({ ...asked, source: OneOf(SIMULATED_SOURCES, { title: '交易所' }), symbol: SymbolName('交易对') }),
    data: GridSuggestion,
  }),
};
