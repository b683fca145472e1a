import { Array as Arr, Integer, Number as Num, Object as Obj, type Static, String as Str } from 'typebox';
import { endpoint } from '../../endpoint';
import { Fraction, OBSTACLES, Usdt } from '../../scan';
import { Instant, Maybe, OneOf, SourceName, SymbolName } from '../../value';

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

/** What it takes to let the expiring leg of a deal go on in the next expiry, at its quantity now. */
export const RollQuote = Obj({
  from: Str({ description: '现在的远腿' }),
  to: Str({ description: '下一到期的远腿' }),
  source: Str(),
  expiresAt: Instant('下一到期日'),
  days: Num({ description: '到下一到期的天数' }),
  quantity: Num({ description: '币，每腿' }),
  closePrice: Maybe(Num({ description: 'USDT，按数量平掉现在远腿的均价' })),
  openPrice: Maybe(Num({ description: 'USDT，按数量开下一远腿的均价' })),
  gap: Maybe(Num({ description: '移仓所得：开下一远腿与平现在远腿的价差占平仓价，按方向，正为收' })),
  fees: Maybe(Num({ description: '两笔手续费，USDT' })),
  slippage: Maybe(Num({ description: '两笔滑点 F9，USDT' })),
  cost: Maybe(Num({ description: '手续费与滑点之和，USDT；近腿不买卖，没有成本' })),
  netApr: Maybe(Num({ description: 'F26：下一到期按这个数量的净年化，含永续腿 F29 预期的资金费，按全新开仓计' })),
  obstacles: Arr(OneOf(OBSTACLES), { description: '现在不能移仓的原因' }),
  refusal: Maybe(Str({ description: '账户容不下新的一腿的原因' })),
});
export type RollQuote = Static<typeof RollQuote>;

const DealId = Obj({ id: Str({ title: '交易单' }) });

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
      unmatched: Integer({ description: '单腿未配上的交易单：单腿退回的，与现在裸腿的' }),
      expiries: Arr(SpreadExpiry, { description: '到期晚的在前' }),
    }),
  }),
  rollQuote: endpoint({
    method: 'GET',
    path: '/api/strategy/deal/roll',
    right: 'isMaster',
    tag: '策略',
    summary: '把一张交易单的远腿移到下一到期要付多少',
    query: DealId,
    data: RollQuote,
  }),
  roll: endpoint({
    method: 'POST',
    path: '/api/strategy/deal/roll',
    right: 'isMaster',
    tag: '策略',
    summary: '移仓一张交易单：先开下一到期的远腿，成交后接过近腿，再平掉现在的远腿',
    body: DealId,
    data: Obj({ id: Str() }),
  }),
};
