import { Array as Arr, Object as Obj, type Static, String as Str } from 'typebox';
import { endpoint } from './endpoint';
import { Fraction, Usdt } from './scan';
import { Maybe } from './value';

/** How far the margin ratios of two venues may be apart before a transfer is suggested, a fraction. */
export const RATIO_APART = 0.2;

export const VenueMargin = Obj({
  source: Str({ description: '交易所' }),
  equity: Usdt('权益；没有账户或读不到时为空'),
  free: Usdt('可用保证金'),
  marginRatio: Fraction('F23：维持保证金 / 保证金余额，1 为强平'),
});
export type VenueMargin = Static<typeof VenueMargin>;

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
};
