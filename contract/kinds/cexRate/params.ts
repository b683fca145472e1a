import { Array as Arr, Integer, Object as Obj, type Static, String as Str } from 'typebox';
import { isOneMarket, VENUES } from '../../candle';
import { fraction, Kept } from '../../decimal';
import type { FieldErrors } from '../../envelope';
import { entryFields } from '../../legsEntry';
import { Maybe, OneOf } from '../../value';

/** How a coin's perpetuals are held against each other at two venues. Fractions, not percent; null switches a rule off. */
export const CexRateParams = Obj(
  {
    long: OneOf(VENUES, { title: '做多所' }),
    short: OneOf(VENUES, { title: '做空所' }),
    coins: Arr(Str({ pattern: '^[^\\u0000-\\u001f\\uD800-\\uDFFF]{1,32}$' }), {
      title: '币种',
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
    }),
    legNotional: Kept({ title: '每腿名义', minimum: 50, maximum: 1_000_000, description: 'USDT，每所一腿' }),
    leverage: Kept({ title: '合约杠杆', minimum: 1, maximum: 10, description: '倍，两所相同' }),
    maxDeals: Integer({ title: '最大并行', minimum: 1, maximum: 20 }),
    planHours: Integer({
      title: '计划持有',
      minimum: 8,
      maximum: 8760,
      description: '小时，F7 净年化按它计算（四笔手续费与价差在内）',
    }),
    entryApr: fraction('开仓名义净年化', 0, 10, 'F7：按规模与计划持有计算的名义净年化不低于它时开仓'),
    exitApr: Maybe(fraction('平仓费率差', -5, 5, '现在的费率差（F7 毛年化）不高于它时平仓')),
    minHoldingHours: Integer({
      title: '最短持有',
      minimum: 0,
      maximum: 720,
      description: '小时，满了才因费率差收窄而平仓；止损与到期不受限',
    }),
    takeProfit: Maybe(fraction('止盈', 0.0001, 5, '两腿合计净盈亏占开仓总名义（两边之和）的分数')),
    stopLoss: Maybe(fraction('止损', 0.001, 0.9, '两腿合计净亏损占开仓总名义（两边之和）的分数')),
    maxHoldingHours: Maybe(Integer({ title: '最长持有', minimum: 8, maximum: 8760, description: '小时' })),
    dailyLossLimit: Maybe(
      Kept({ title: '单日最大亏损', minimum: 1, maximum: 10_000_000, description: 'USDT，自账户的当日开始，全账户' }),
    ),
    ...entryFields('挂这么久还没成交的部分', '挂满 2 分钟'),
    slippageCap: Kept({ title: '滑点上限', minimum: 1, maximum: 500, description: 'bps，相对决策时中间价' }),
  },
  { additionalProperties: false },
);
export type CexRateParams = Static<typeof CexRateParams>;

export const DEFAULT_CEX_RATE: CexRateParams = {
  long: 'simulated',
  short: 'simulated-okx',
  coins: [],
  legNotional: 5000,
  leverage: 3,
  maxDeals: 3,
  planHours: 168,
  entryApr: 0.05,
  exitApr: 0,
  minHoldingHours: 8,
  takeProfit: null,
  stopLoss: 0.02,
  maxHoldingHours: 720,
  dailyLossLimit: 500,
  orderType: 'market',
  convertSeconds: 60,
  slippageCap: 20,
};

/** Rules across fields: the form and the server ask the same function. */
export function cexRateErrors(params: CexRateParams): FieldErrors['fields'] {
  const { long, short, minHoldingHours, maxHoldingHours } = params;
  const errors: FieldErrors['fields'] = [];
  if (long === short) errors.push({ field: 'short', message: '两腿要在不同的交易所' });
  if (!isOneMarket(long, short)) errors.push({ field: 'short', message: '实时行情与模拟行情不能配成一对' });
  if (maxHoldingHours !== null && maxHoldingHours < minHoldingHours) {
    errors.push({ field: 'maxHoldingHours', message: '最长持有不能短于最短持有' });
  }
  return errors;
}
