import { Array as Arr, Integer, Object as Obj, type Static, String as Str } from 'typebox';
import { endpoint } from './endpoint';
import { Fraction, Usdt } from './scan';
import { Instant, Maybe, OneOf, SourceName, SymbolName } from './value';

/** What the deals of one expiry made together. */
export const SpreadExpiry = Obj({
  far: Str({ description: '有到期日的一腿；没有的为两腿代码' }),
  expiresAt: Maybe(Instant('到期日')),
  deals: Integer({ description: '开成的交易单' }),
  running: Integer({ description: '其中还持有的' }),
  edgeOpen: Fraction('理论价差：开仓时 F5，按名义加权'),
  edgeTaken: Fraction('实得价差：成交均价之比 − 1，按名义加权'),
  pricePnl: Usdt('价格盈亏'),
  funding: Usdt('资金费'),
  fees: Usdt('手续费'),
  net: Usdt('净盈亏'),
  expected: Usdt('持有的预计到期收益'),
});
export type SpreadExpiry = Static<typeof SpreadExpiry>;

/** A deal of one's own that went over to the next expiry: into the pair that is asked for, or out of it. */
export const SpreadRoll = Obj({
  at: Instant('移仓完成'),
  way: OneOf(['in', 'out'], { title: '移入或移出所问的组合' }),
  from: Str({ description: '原来的远腿' }),
  to: Str({ description: '新的远腿' }),
});
export type SpreadRoll = Static<typeof SpreadRoll>;

export const spreadDesk = {
  dates: endpoint({
    method: 'GET',
    path: '/api/strategy/spread/dates',
    right: 'isMaster',
    tag: '策略',
    summary: '两个标的各自的到期日，与自己的交易单移入、移出这一组合的时间，至多 90 天前',
    query: Obj({ source: SourceName, near: SymbolName('近腿'), far: SymbolName('远腿') }),
    data: Obj({
      expiries: Arr(Obj({ symbol: Str(), at: Instant('到期') }), { description: '先近腿，后远腿；不会到期的没有' }),
      rolls: Arr(SpreadRoll, { description: '早的在前' }),
    }),
  }),
  figures: endpoint({
    method: 'GET',
    path: '/api/strategy/spread',
    right: 'isMaster',
    tag: '策略',
    summary: '一个期货价差策略的成交质量与各到期日的盈亏，最新的 1000 张交易单',
    query: Obj({ id: Str({ title: '策略' }) }),
    data: Obj({
      edgeOpen: Fraction('理论价差'),
      edgeTaken: Fraction('实得价差'),
      takenShare: Fraction('实得 / 理论'),
      secondFillMs: Maybe(Integer({ description: '第二腿首笔成交平均晚多少毫秒' })),
      opened: Integer({ description: '两腿都建成的交易单' }),
      unmatched: Integer({ description: '单腿未配上的交易单：单腿回退的，与现在裸腿的' }),
      expiries: Arr(SpreadExpiry, { description: '到期晚的在前' }),
    }),
  }),
};
