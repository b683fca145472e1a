import { Array as Arr, Boolean as Bool, Integer, Object as Obj, Optional, type Static, String as Str } from 'typebox';
import { endpoint } from '../../endpoint';
import { Fraction, Usdt } from '../../scan';
import { Instant, SourceName } from '../../value';

/** Days of the heat map. */
export const HEAT_DAYS = 30;

export const FundingDesk = Obj({
  deals: Integer({ description: '持有的轮' }),
  deployed: Usdt('占用本金：现货全额与合约保证金'),
  notional: Usdt('持有的合约名义，按标记价；有的现在没有价格时为空'),
  weightedApr: Fraction('F1 按合约名义加权，本期预测费率，正为收；有的现在没有费率时为空'),
  capitalApr: Fraction('同样的资金费占本金（F12）的年化'),
  cashToday: Usdt('今日收到的资金费，自账户的当日开始'),
  cashMonth: Usdt('最近 30 天收到的资金费'),
  predicted: Usdt('开成的各轮按开仓时预测费率应收'),
  received: Usdt('其中实收'),
  receivedShare: Fraction('实收 / 应收'),
  hours: Arr(Obj({ at: Instant('整点'), cash: Usdt('那时结算的资金费，按现在的预测费率') }), {
    description: '未来 24 小时',
  }),
  real: Bool({ description: '实盘的，否则模拟的' }),
  hasReal: Bool({ description: '有实盘的资金费率策略，不与模拟的相加' }),
});
export type FundingDesk = Static<typeof FundingDesk>;

export const fundingRateDesk = {
  figures: endpoint({
    method: 'GET',
    path: '/api/strategy/fundingRate',
    right: 'isMaster',
    tag: '策略',
    summary: '自己所有资金费率策略的占用、加权年化、收到的资金费与未来 24 小时的预计：模拟的，或实盘的',
    query: Obj({ real: Optional(Bool({ title: '实盘', description: '不给则是实盘的，没有时模拟的' })) }),
    data: FundingDesk,
  }),
  heat: endpoint({
    method: 'GET',
    path: '/api/market/past/funding',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: '一个交易所成交额最大的币种逐日的资金费年化，与逐次结算年化的分布，最近 30 天',
    query: Obj({ source: Optional(SourceName) }),
    data: Obj({
      days: Arr(Instant('UTC 日')),
      rows: Arr(
        Obj({ base: Str(), perpetual: Str(), apr: Arr(Fraction('当日已结算的费率之和 × 8760 / 它们覆盖的小时')) }),
      ),
      bins: Arr(
        Obj({ from: Fraction('年化不低于'), to: Fraction('年化低于'), count: Integer({ description: '结算次数' }) }),
        { description: '首尾两格不封口' },
      ),
    }),
  }),
};
