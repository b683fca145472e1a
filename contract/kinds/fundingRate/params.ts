import { Array as Arr, Integer, Object as Obj, Optional, type Static, String as Str } from 'typebox';
import { VENUES } from '../../candle';
import { fraction, Kept } from '../../decimal';
import type { FieldErrors } from '../../envelope';
import { sliceErrors } from '../../slices';
import { Maybe, OneOf } from '../../value';

/** How coins are held against their short perpetuals at one venue. Fractions, not percent; null switches a rule off. */
export const FundingParams = Obj(
  {
    source: OneOf(VENUES, { title: '交易所' }),
    coins: Arr(Str({ pattern: '^[^\\u0000-\\u001f\\uD800-\\uDFFF]{1,32}$' }), {
      title: '币种',
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
    }),
    legNotional: Kept({ title: '每腿名义', minimum: 50, maximum: 1_000_000, description: 'USDT，每轮买入的现货' }),
    leverage: Kept({ title: '合约杠杆', minimum: 1, maximum: 5, description: '倍；现货没有杠杆' }),
    maxDeals: Integer({ title: '最大并行轮数', minimum: 1, maximum: 20 }),
    coinCap: Maybe(
      Kept({
        title: '单币上限',
        minimum: 50,
        maximum: 10_000_000,
        description: 'USDT，同一币种所有策略的现货名义之和',
      }),
    ),
    planHours: Integer({
      title: '计划持有',
      minimum: 8,
      maximum: 8760,
      description: '小时，净年化按它计算（四笔手续费与滑点在内）',
    }),
    entryApr: fraction('开仓名义净年化', 0, 10, '按规模与计划持有计算的名义净年化不低于它时开仓'),
    roundStep: fraction('逐轮提高门槛', 0, 1, '同一币种每多做一轮，开仓名义净年化再提高这么多'),
    flipRate: fraction('反转费率', 0.00001, 0.02, '每期；费率反向超过它，满最短持有后平仓'),
    exitApr: Optional(
      Maybe(
        fraction('平仓年化', 0, 10, '上一期结算与本期预测的年化都低于它，满最短持有后平仓；留空时只在费率反转后平仓'),
      ),
    ),
    maxHoldingHours: Maybe(
      Integer({ title: '最长持有', minimum: 8, maximum: 8760, description: '小时；回本期数必须放得下' }),
    ),
    stopLoss: Maybe(fraction('止损', 0.001, 0.9, '净亏损占开仓总名义（两边之和）的分数')),
    dailyLossLimit: Maybe(
      Kept({ title: '单日最大亏损', minimum: 1, maximum: 10_000_000, description: 'USDT，自账户的当日开始，全账户' }),
    ),
    slices: Integer({ title: 'TWAP 份数', minimum: 1, maximum: 20 }),
    sliceSeconds: Integer({ title: 'TWAP 间隔', minimum: 5, maximum: 600, description: '秒' }),
    slippageCap: Kept({ title: '滑点上限', minimum: 1, maximum: 500, description: 'bps，相对决策时中间价' }),
  },
  { additionalProperties: false },
);
export type FundingParams = Static<typeof FundingParams>;

export const DEFAULT_FUNDING: FundingParams = {
  source: 'simulated',
  coins: [],
  legNotional: 5000,
  leverage: 2,
  maxDeals: 3,
  coinCap: 20_000,
  planHours: 720,
  entryApr: 0.03,
  roundStep: 0.01,
  flipRate: 0.0003,
  exitApr: null,
  maxHoldingHours: 1440,
  stopLoss: 0.03,
  dailyLossLimit: 500,
  slices: 4,
  sliceSeconds: 15,
  slippageCap: 20,
};

/** Rules across fields: the form and the server ask the same function. */
export function fundingErrors(params: FundingParams): FieldErrors['fields'] {
  const { legNotional, slices, coinCap, planHours, maxHoldingHours } = params;
  const errors: FieldErrors['fields'] = sliceErrors(legNotional, slices);
  if (coinCap !== null && coinCap < legNotional) {
    errors.push({ field: 'coinCap', message: '单币上限不能小于每腿名义' });
  }
  if (maxHoldingHours !== null && maxHoldingHours < planHours) {
    errors.push({ field: 'maxHoldingHours', message: '最长持有不能短于计划持有' });
  }
  return errors;
}
