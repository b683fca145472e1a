import { Array as Arr, Integer, Number as Num, Object as Obj, Optional, type Static, String as Str } from 'typebox';
import { Waterfall } from '../../dealOutlook';
import { endpoint } from '../../endpoint';
import { RestingLegs } from '../../legsEntry';
import { HEDGE_STATES, LEGS } from '../../lifecycle';
import { Fraction, Usdt } from '../../scan';
import { Instant, Maybe, OneOf } from '../../value';

/** How far the margin ratios of two venues may be apart before a transfer is suggested, a fraction. */
export const RATIO_APART = 0.2;

export const VenueMargin = Obj({
  source: Str({ description: '交易所' }),
  balance: Usdt('保证金余额；没有账户或读不到时为空'),
  free: Usdt('可用保证金'),
  marginRatio: Fraction('F23：维持保证金 / 保证金余额，1 为强平'),
});
export type VenueMargin = Static<typeof VenueMargin>;

const Price = (description: string) => Maybe(Num({ description: `${description}，USDT` }));

const RateLeg = Obj({
  leg: OneOf(LEGS),
  source: Str(),
  symbol: Str(),
  quantity: Str({ description: '币，带方向' }),
  filled: Fraction('已成交占这一腿应有的；应有为开仓时的名义按当时中间价'),
  entry: Price('开仓均价'),
  mark: Price('标记价'),
  liquidationPrice: Price('其他价格不变时的强平价'),
  liquidationDistance: Fraction('F23，|标记价 − 强平价| / 标记价'),
  rate: Fraction('本期预测费率'),
  hours: Maybe(Num({ description: '结算间隔，小时' })),
  nextAt: Maybe(Instant('下次结算')),
  funding: Num({ description: '资金费，收到为正，USDT' }),
  free: Usdt('该所可用保证金'),
});

/** `neutral`: both hold the same coins; `unbalanced`: by more than a part of the larger; `oneLeg`: one holds nothing. */
export const RATE_BALANCES = ['neutral', 'unbalanced', 'oneLeg'] as const;

export const RateDeal = Obj({
  id: Str(),
  state: OneOf(HEDGE_STATES),
  openedAt: Maybe(Instant('开仓')),
  days: Maybe(Num({ description: '持有天数' })),
  balance: Maybe(OneOf(RATE_BALANCES, { title: '平衡' })),
  legs: Arr(RateLeg, { description: '先做多，后做空' }),
  resting: Maybe(RestingLegs),
  lacking: Maybe(
    Obj(
      { leg: OneOf(LEGS), quantity: Num({ description: '币' }), value: Usdt('按标记价') },
      { description: '较小一腿还差多少；可补齐或退回' },
    ),
  ),
  oneLegSince: Maybe(Instant('裸腿自')),
  completesAt: Maybe(Instant('到时自动放宽滑点补齐')),
  unwindsAt: Maybe(Instant('到时自动退回')),
  attempts: Integer({ description: '没有做完的委托次数' }),
  frozen: Maybe(Str()),
  taken: Optional(Str({ description: '哪一腿被账户上的外部成交抵掉了多少' })),
  gapOpen: Fraction('开仓价差：做空均价 / 做多均价 − 1'),
  gapNow: Fraction('现在价差：做空标记价 / 做多标记价 − 1'),
  aprOpen: Fraction('开仓时的费率差，F7 毛年化'),
  aprNow: Fraction('现在的费率差，F7 毛年化'),
  horizonAt: Maybe(Instant('计划持有期满')),
  waterfall: Waterfall,
});
export type RateDeal = Static<typeof RateDeal>;

export const cexRateDesk = {
  margins: endpoint({
    method: 'GET',
    path: '/api/strategy/cexRate',
    right: 'isMaster',
    tag: '策略',
    summary: '一个跨所费率策略两所的保证金率；一所高出另一所 20 个百分点时建议划转多少',
    query: Obj({ id: Str({ title: '策略' }) }),
    data: Obj({
      venues: Arr(VenueMargin, { description: '先做多所，后做空所' }),
      move: Maybe(Obj({ from: Str(), to: Str(), amount: Usdt('划转后两所保证金率相等，不超过转出方的可用保证金') })),
    }),
  }),
  deals: endpoint({
    method: 'GET',
    path: '/api/strategy/cexRate/deals',
    right: 'isMaster',
    tag: '策略',
    summary: '一个跨所费率策略进行中的交易单：两腿进度、强平距离、价差与费率差的开仓与现在、盈亏瀑布',
    query: Obj({ id: Str({ title: '策略' }) }),
    data: Obj({ list: Arr(RateDeal) }),
  }),
};
