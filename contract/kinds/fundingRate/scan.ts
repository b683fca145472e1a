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
import { Fraction, Obstacles, ScannedAt, scanQuery, Usdt } from '../../scan';
import { Instant, Maybe, OneOf } from '../../value';

/** `carry` holds the coin against a short perpetual, `reverse` is the other way round. */
export const CARRY_DIRECTIONS = ['carry', 'reverse'] as const;
export type CarryDirection = (typeof CARRY_DIRECTIONS)[number];

export const FundingCandidate = Obj({
  id: Str({ description: '数据源与币种' }),
  source: Str(),
  base: Str(),
  spot: Str({ description: '现货代码' }),
  perpetual: Str({ description: '永续代码' }),
  direction: OneOf(CARRY_DIRECTIONS),
  settledRate: Fraction('上次结算的费率'),
  predictedRate: Fraction('本期预测费率'),
  hours: Num({ description: '结算间隔，小时' }),
  nextAt: Maybe(Instant('下次结算')),
  apr: Fraction('F1，按预测费率'),
  mean7Apr: Fraction('最近 7 天平均费率年化'),
  mean30Apr: Fraction('最近 30 天平均费率年化'),
  positiveShare: Fraction('最近 30 天正费率的结算占比'),
  streak: Integer({ description: '连续同号的结算次数，负数为负费率' }),
  basis: Fraction('永续中间价 / 现货中间价 − 1'),
  quantity: Num({ description: '两腿的数量，按共同步长取整' }),
  entryCost: Fraction('开仓：两腿手续费与滑点 F9'),
  exitCost: Fraction('平仓：两腿手续费与滑点 F9'),
  breakEven: Maybe(Integer({ description: 'F8，按 F29 预期费率的结算次数，一年内收不回没有' })),
  breakEvenHours: Maybe(Num({ description: 'F8 所需小时，到最后一次结算' })),
  expectedApr: Fraction('F29，持有计划小时内预期收到的资金费年化'),
  netApr: Fraction('持有计划小时的净年化，按 F29 预期费率'),
  netAprAtRate: Fraction('本期外推：同上，当作本期预测费率一直不变'),
  borrowApr: Fraction('借币年利率，只有反向需要'),
  openInterest: Usdt('持仓量'),
  turnover24h: Usdt('永续 24h 成交额'),
  depth: Usdt('5 % 以内两腿较薄一侧的深度'),
  adl: Maybe(Integer({ description: '自动减仓等级 1-5' })),
  collateralRatio: Fraction('抵押率'),
  fundingCap: Fraction('每次结算费率的上限，下限为其负数'),
  obstacles: Arr(Obstacles, { description: '现在不能做的原因' }),
});
export type FundingCandidate = Static<typeof FundingCandidate>;

/** What keeps rows away, by the name that the query has for it. */
export const FUNDING_FILTERS = [
  'search',
  'source',
  'direction',
  'actionable',
  'minApr',
  'maxBreakEvenHours',
  'minTurnover',
  'minDepth',
  'top',
  'lowAdl',
] as const;
export type FundingFilter = (typeof FUNDING_FILTERS)[number];

export const fundingScan = {
  list: endpoint({
    method: 'GET',
    path: '/api/market/fundingRate',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: '同一交易所现货与永续的资金费机会，按净年化排列',
    query: Obj({
      ...scanQuery,
      hours: Num({ title: '持有小时', minimum: 1, maximum: 8760, default: 168 }),
      source: Optional(Str({ title: '交易所', pattern: '^[a-z0-9-]{1,32}$' })),
      direction: Optional(OneOf(CARRY_DIRECTIONS, { title: '方向' })),
      minApr: Optional(Num({ title: '最低年化', minimum: 0, maximum: 1000, description: 'F29 预期费率年化，分数' })),
      maxBreakEvenHours: Optional(Num({ title: '最长回本小时', minimum: 1, maximum: 87_600 })),
      minTurnover: Optional(Num({ title: '最低成交额', minimum: 0, maximum: 1e15, description: 'USDT' })),
      minDepth: Optional(Num({ title: '最低深度', minimum: 0, maximum: 1e15, description: 'USDT' })),
      top: Optional(Integer({ title: '成交额前几名', minimum: 1, maximum: 1000 })),
      lowAdl: Optional(Bool({ title: 'ADL 不高于 2' })),
      actionable: Optional(Bool({ title: '现在可开仓' })),
    }),
    data: Obj({
      list: Arr(FundingCandidate),
      total: Integer(),
      all: Integer({ description: '不筛选时的机会数' }),
      hidden: Arr(
        Obj({ filter: OneOf(FUNDING_FILTERS), rows: Integer({ description: '不符合这一条的机会数，不论其他条件' }) }),
        { description: '没有机会符合时：每一条筛选各挡住多少，多的在前' },
      ),
      at: ScannedAt,
    }),
  }),
};
