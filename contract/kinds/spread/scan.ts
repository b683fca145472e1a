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

/** Two instruments of one coin, the near leg first: the one that has less to its expiry, or none of its own. */
export const SPREAD_TYPES = ['spotPerpetual', 'spotFuture', 'perpetualFuture', 'nearFar'] as const;
export type SpreadType = (typeof SPREAD_TYPES)[number];

/** `sellFar` sells the far leg and buys the near one, `buyFar` is the other way round. */
export const SPREAD_DIRECTIONS = ['sellFar', 'buyFar'] as const;
export type SpreadDirection = (typeof SPREAD_DIRECTIONS)[number];

/** What is known of the basis of the last 90 days: nothing yet where it is being worked out or is shorter than 30 days. */
export const BASIS_PASTS = ['known', 'pending', 'short'] as const;

const Price = (description: string) => Maybe(Num({ description: `${description}，USDT` }));

export const SpreadCandidate = Obj({
  id: Str({ description: '数据源与两腿代码' }),
  source: Str(),
  base: Str(),
  type: OneOf(SPREAD_TYPES),
  near: Str({ description: '近腿代码' }),
  far: Str({ description: '远腿代码' }),
  perpetual: Maybe(Str({ description: '该币种在这里的永续代码' })),
  expiresAt: Maybe(Instant('先到期一腿的到期日')),
  days: Maybe(Num({ description: '到先到期一腿的剩余天数' })),
  nearBid: Price('近腿买一'),
  nearAsk: Price('近腿卖一'),
  farBid: Price('远腿买一'),
  farAsk: Price('远腿卖一'),
  basis: Price('远腿中间价 − 近腿中间价'),
  basisRate: Fraction('远腿中间价 / 近腿中间价 − 1'),
  annualised: Fraction('F4，不足 3 天没有'),
  direction: OneOf(SPREAD_DIRECTIONS),
  quantity: Num({ description: '两腿的数量，按共同步长取整' }),
  spread: Price('F6，这个方向按最优价'),
  spreadShare: Fraction('F6，占近腿中间价'),
  openEdge: Fraction('F5 可成交开仓'),
  closeLevel: Fraction('F5 现在平仓'),
  expectedLevel: Fraction('F26 预期平仓水平'),
  fees: Fraction('四笔手续费，交割的一腿以交割费代替'),
  net: Fraction('持有到期或计划天数的净收益，未年化'),
  netApr: Fraction('F26 净年化，不足 3 天没有'),
  borrowApr: Fraction('借币年利率，只有先卖现货需要'),
  fundingApr: Fraction('F1，永续腿的预测费率在这个方向的年化，正数为收'),
  netFunding: Fraction('同净收益，加上永续腿 F29 预期的资金费'),
  netFundingApr: Fraction('F26 净年化，含永续腿 F29 预期的资金费；没有永续腿时就是净年化'),
  netFundingAprAtRate: Fraction('本期外推：同上，当作本期预测费率一直不变'),
  z: Fraction('F14，基差率相对最近 90 天'),
  percentile: Fraction('基差率在最近 90 天的分位'),
  past: OneOf(BASIS_PASTS),
  depth: Usdt('5 % 以内两腿较薄一侧的深度'),
  turnover24h: Usdt('24h 成交额较少一腿的成交额'),
  quotedAt: Instant('两腿报价中较旧的一个'),
  obstacles: Arr(Obstacles, { description: '现在不能做的原因' }),
});
export type SpreadCandidate = Static<typeof SpreadCandidate>;

export const spreadScan = {
  list: endpoint({
    method: 'GET',
    path: '/api/market/spread',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: '同一交易所期现与跨期的价差机会，按净年化排列',
    query: Obj({
      ...scanQuery,
      days: Num({ title: '持有天数', minimum: 1, maximum: 365, default: 7, description: '只用于没有到期日的组合' }),
      source: Optional(Str({ title: '交易所', pattern: '^[a-z0-9-]{1,32}$' })),
      type: Optional(OneOf(SPREAD_TYPES, { title: '类型' })),
      minNetApr: Optional(Num({ title: '最低净年化', minimum: 0, maximum: 1000, description: '分数' })),
      minDepth: Optional(Num({ title: '最低深度', minimum: 0, maximum: 1e15, description: 'USDT' })),
      minTurnover: Optional(
        Num({ title: '最低成交额', minimum: 0, maximum: 1e15, description: 'USDT，24h，成交较少的一腿' }),
      ),
      maxDays: Optional(Num({ title: '最长剩余天数', minimum: 0, maximum: 3650 })),
      actionable: Optional(Bool({ title: '现在可开仓' })),
    }),
    data: Obj({ list: Arr(SpreadCandidate), total: Integer(), at: ScannedAt }),
  }),
};
