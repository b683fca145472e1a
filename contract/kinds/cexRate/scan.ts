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
import { endpoint } from '../../endpoint';
import { listQuery } from '../../list';
import { Fraction, Obstacles, ScannedAt, SourcesBetween, scanQuery, Usdt } from '../../scan';
import { Instant, Maybe, OneOf } from '../../value';

/** `opposite`: the long leg's rate is negative and the short leg's positive, so that both legs receive. */
export const RATE_SIGNS = ['positive', 'negative', 'opposite'] as const;
export type RateSign = (typeof RATE_SIGNS)[number];

/** What a row is to be read with; unlike an obstacle it keeps nobody from acting. `interval`: the venues settle at other times. */
export const RATE_NOTES = ['interval'] as const;
export type RateNote = (typeof RATE_NOTES)[number];

/** How the legs are assumed to go in: both taking, or the leg that saves more resting while the other one takes what it was filled with. */
export const RATE_ENTRIES = ['taker', 'maker'] as const;
export type RateEntry = (typeof RATE_ENTRIES)[number];

/** Whether leaving is paid for: `rolled` holds on after the planned hours. */
export const RATE_EXITS = ['counted', 'rolled'] as const;
export type RateExit = (typeof RATE_EXITS)[number];

/** The highest fee tier that the venues of the built-in market grade; the lowest, 0, is that of the paper accounts. */
export const TOP_TIER = 2;

const Hours = (leg: string) => Maybe(Num({ description: `${leg}的结算间隔，小时` }));

export const CexRateCandidate = Obj({
  id: Str({ description: '币种与两个交易所，不随方向变' }),
  base: Str(),
  long: Str({ description: '做多的交易所' }),
  short: Str({ description: '做空的交易所' }),
  longSymbol: Str(),
  shortSymbol: Str(),
  longRate: Fraction('做多所本期预测费率'),
  shortRate: Fraction('做空所本期预测费率'),
  longHours: Hours('做多所'),
  shortHours: Hours('做空所'),
  longNextAt: Maybe(Instant('做多所下次结算')),
  shortNextAt: Maybe(Instant('做空所下次结算')),
  rateGap: Fraction('费率差，折成每 8 小时'),
  grossApr: Fraction('F7 毛年化'),
  quantity: Num({ description: '两腿的数量，按共同步长取整' }),
  fees: Fraction('两腿手续费，按假设的开仓方式、平仓成本与费率等级'),
  openEdge: Fraction('F5 开仓价差'),
  closeLevel: Fraction('F5 平仓价差'),
  netApr: Fraction('F7 持有计划小时的净年化，按 F29 预期费率；平仓价差取现在的，展期不计时取两所中间价之差'),
  netAprAtRate: Fraction('本期外推：同上，当作两所本期预测费率一直不变'),
  paybackDays: Maybe(Num({ description: '按 F29 预期费率，到结算收入付清所计成本还有几天' })),
  capacity: Usdt('净年化不低于筛选下限（没有则为 0）的最大每腿规模'),
  replay: Fraction('最近 7 天两所已结算费率之差的和，减现在所计的成本'),
  openInterest: Usdt('两所中较小的持仓量'),
  notes: Arr(OneOf(RATE_NOTES), { description: '要留意而不妨碍开仓的' }),
  obstacles: Arr(Obstacles, { description: '现在不能做的原因' }),
});
export type CexRateCandidate = Static<typeof CexRateCandidate>;

const RateCell = Obj({
  source: Str(),
  symbol: Str(),
  rate: Fraction('本期预测费率'),
  rate8h: Fraction('预测费率，折成每 8 小时'),
  apr: Fraction('F1'),
  hours: Hours('合约'),
  nextAt: Maybe(Instant('下次结算')),
});
export type RateCell = Static<typeof RateCell>;

export const RateMatrixRow = Obj({
  base: Str(),
  cells: Arr(RateCell, { description: '上了该币种永续合约的交易所' }),
  bestLong: Maybe(Str({ description: '年化最低的交易所' })),
  bestShort: Maybe(Str({ description: '年化最高的交易所' })),
  aprGap: Fraction('最高与最低年化之差'),
  openInterest: Usdt('各所持仓量之和'),
});
export type RateMatrixRow = Static<typeof RateMatrixRow>;

const filters = {
  search: scanQuery.search,
  minOpenInterest: Optional(Num({ title: '最低持仓量', minimum: 0, maximum: 1e15, description: 'USDT' })),
};

export const cexRateScan = {
  list: endpoint({
    method: 'GET',
    path: '/api/market/cexRate',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: '同一币种在两个交易所的永续费率差，每对取较好的方向，按净年化排列',
    query: Obj({
      ...scanQuery,
      ...filters,
      hours: Num({ title: '持有小时', minimum: 1, maximum: 8760, default: 168 }),
      entry: OneOf(RATE_ENTRIES, {
        title: '开仓方式',
        default: 'taker',
        description: 'taker 双市价；maker 手续费省得多的一腿挂单，另一腿吃单对冲，价格仍按吃单',
      }),
      exit: OneOf(RATE_EXITS, {
        title: '平仓成本',
        default: 'counted',
        description: 'counted 计入两笔平仓手续费与 F5 平仓价差；rolled 展期，不计平仓',
      }),
      tier: Integer({
        title: '费率等级',
        minimum: 0,
        maximum: TOP_TIER,
        default: 0,
        description: 'VIP 等级，两所相同',
      }),
      sources: SourcesBetween,
      funded: Optional(Bool({ title: '双边有账户', description: '两个交易所都有自己的、入过金的账户' })),
      sign: Optional(OneOf(RATE_SIGNS, { title: '费率符号' })),
      minNetApr: Optional(Num({ title: '最低净年化', minimum: 0, maximum: 1000, description: '分数' })),
      actionable: Optional(Bool({ title: '现在可开仓' })),
    }),
    data: Obj({ list: Arr(CexRateCandidate), total: Integer(), at: ScannedAt }),
  }),
  matrix: endpoint({
    method: 'GET',
    path: '/api/market/cexRate/matrix',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: '每个币种在各交易所的永续费率，按年化之差排列',
    query: Obj({ ...listQuery(50), ...filters }),
    data: Obj({ list: Arr(RateMatrixRow), total: Integer(), at: ScannedAt }),
  }),
};
