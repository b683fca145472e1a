import { Array as Arr, Boolean as Bool, Integer, Object as Obj, type Static, String as Str } from 'typebox';
import { isOneMarket, VENUES } from '../../candle';
import { Kept } from '../../decimal';
import type { FieldErrors } from '../../envelope';
import { Maybe, OneOf } from '../../value';

/** How spot of a coin is bought at one venue and sold at another at once, either way round. null switches a rule off. */
export const OkxParams = Obj(
  {
    one: OneOf(VENUES, { title: '交易所 A' }),
    other: OneOf(VENUES, { title: '交易所 B' }),
    coins: Arr(Str({ pattern: '^[^\\u0000-\\u001f\\uD800-\\uDFFF]{1,32}$' }), {
      title: '币种',
      minItems: 1,
      maxItems: 20,
      uniqueItems: true,
    }),
    legNotional: Kept({
      title: '每腿名义',
      minimum: 50,
      maximum: 1_000_000,
      description: 'USDT，每边；盘口浅时按净价差仍达标的深度缩小',
    }),
    stockNotional: Maybe(
      Kept({
        title: '每所库存',
        minimum: 0,
        maximum: 10_000_000,
        description:
          'USDT，每个币在每个交易所；启动后买足，多出两所合计的会卖出，0 即全部卖出；留空 = 不买也不卖，只用已有的币',
      }),
    ),
    hedge: Bool({
      title: '对冲库存',
      description:
        '在交易所 A 做空同币种永续，数量随策略自己的库存调整（一倍杠杆，另占保证金，收付资金费），库存卖完即平；关掉则库存全额承担涨跌',
    }),
    entryBps: Kept({
      title: '开仓净价差',
      minimum: 0,
      maximum: 1000,
      description: 'bps，F25：按规模扣除两边手续费后不低于它才成交',
    }),
    triggers: Integer({
      title: '连续触发',
      minimum: 1,
      maximum: 40,
      description: '次，每 250 毫秒一次报价，连续这么多次达标才成交',
    }),
    maxDelayMs: Integer({
      title: '最大延迟',
      minimum: 20,
      maximum: 5000,
      description: '毫秒，任一所现在的延迟超过它就不成交',
    }),
    maxImbalance: Kept({
      title: '最大不平衡',
      minimum: 0,
      maximum: 1_000_000,
      description: 'USDT，两边成交差不超过它就计入库存，超过则立即补齐或退回',
    }),
    cooldownSeconds: Integer({ title: '间隔', minimum: 0, maximum: 3600, description: '秒，同一方向两笔之间' }),
    maxDeals: Integer({ title: '最大并行', minimum: 1, maximum: 20 }),
    dailyLossLimit: Maybe(
      Kept({ title: '单日最大亏损', minimum: 1, maximum: 10_000_000, description: 'USDT，自账户的当日开始，全账户' }),
    ),
    auto: Bool({ title: '自动执行', description: '关掉后只在点「执行一次」时成交；库存照常管理' }),
    dailyNotional: Maybe(
      Kept({
        title: '单日成交上限',
        minimum: 50,
        maximum: 100_000_000,
        description: 'USDT，自账户当日开始的套利买入金额，不含库存买卖；留空 = 不限',
      }),
    ),
    banned: Arr(Str({ pattern: '^[^\\u0000-\\u001f\\uD800-\\uDFFF]{1,32}$' }), {
      title: '黑名单',
      maxItems: 40,
      uniqueItems: true,
      description: '币种或交易所：不再买卖，已有的库存不动',
    }),
    slippageCap: Kept({ title: '滑点上限', minimum: 1, maximum: 500, description: 'bps，相对决策时中间价' }),
  },
  { additionalProperties: false },
);
export type OkxParams = Static<typeof OkxParams>;

export const DEFAULT_OKX: OkxParams = {
  one: 'simulated',
  other: 'simulated-okx',
  coins: [],
  legNotional: 2000,
  stockNotional: 5000,
  hedge: true,
  entryBps: 3,
  triggers: 2,
  maxDelayMs: 500,
  maxImbalance: 20,
  cooldownSeconds: 5,
  maxDeals: 3,
  dailyLossLimit: 500,
  auto: true,
  dailyNotional: null,
  banned: [],
  slippageCap: 30,
};

/** Rules across fields: the form and the server ask the same function. */
export function okxErrors({ one, other, legNotional, stockNotional }: OkxParams): FieldErrors['fields'] {
  const errors: FieldErrors['fields'] = [];
  if (one === other) errors.push({ field: 'other', message: '要两个不同的交易所' });
  if (!isOneMarket(one, other)) errors.push({ field: 'other', message: '实时行情与模拟行情不能配成一对' });
  if (stockNotional !== null && stockNotional > 0 && stockNotional < legNotional) {
    errors.push({ field: 'stockNotional', message: '每所库存不能小于每腿名义，留空 = 不管理库存' });
  }
  return errors;
}
