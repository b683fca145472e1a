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
import { SIMULATED_SOURCES } from '../../candle';
import { endpoint } from '../../endpoint';
import { Obstacles, ScannedAt, SourcesBetween, scanQuery, Usdt } from '../../scan';
import { Maybe, OneOf } from '../../value';

const Bps = (description: string) => Maybe(Num({ description: `${description}，bps` }));
const Price = (description: string) => Maybe(Num({ description }));
const CanMove = (description: string) => Maybe(Bool({ description }));

export const ArbitrageCandidate = Obj({
  id: Str({ description: '币种与两个交易所，与方向无关' }),
  base: Str(),
  perpetual: Maybe(Str({ description: '买入所的永续代码' })),
  buy: Str({ description: '买入所' }),
  ask: Price('买入所卖一'),
  sell: Str({ description: '卖出所' }),
  bid: Price('卖出所买一'),
  grossBps: Bps('卖出所买一 / 买入所卖一 − 1'),
  feesBps: Bps('两所吃单手续费之和'),
  slippageBps: Bps('F9，两腿之和'),
  netBps: Bps('F25，按规模'),
  profit: Usdt('F25，按规模'),
  quantity: Num({ description: '两腿的数量，按共同步长取整' }),
  fillable: Usdt('F25 不低于 0 的最大规模'),
  heldSeconds: Maybe(Num({ description: '最优价扣手续费后连续为正的时间，秒；现在不为正则为 0' })),
  coinOut: CanMove('买入所可以提币'),
  coinIn: CanMove('卖出所可以充币'),
  moneyOut: CanMove('卖出所可以提 USDT'),
  moneyIn: CanMove('买入所可以充 USDT'),
  transferFee: Usdt('把币与 USDT 移回的费用'),
  transferMinutes: Maybe(Num({ description: '移回所需分钟，两笔同时' })),
  transferBps: Bps('移回费用占该规模，不含在净价差内'),
  buyerCash: Usdt('买入所账户的可用余额；没有账户或读不到时为空'),
  sellerCoin: Maybe(Num({ description: '卖出所账户的库存，币，不含交易单持有的；没有账户时为空' })),
  buyLatencyMs: Maybe(Num({ description: '现在发往买入所的委托在路上多久，毫秒' })),
  sellLatencyMs: Maybe(Num({ description: '现在发往卖出所的委托在路上多久，毫秒' })),
  ageMs: Num({ description: '较旧一侧报价的年龄，毫秒' }),
  obstacles: Arr(Obstacles, { description: '现在不能做的原因' }),
});
export type ArbitrageCandidate = Static<typeof ArbitrageCandidate>;

export const arbitrageScan = {
  list: endpoint({
    method: 'GET',
    path: '/api/market/arbitrage',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: '两个交易所现货之间的价差，每个币种与每两个交易所取较好的方向，按净价差排列',
    query: Obj({
      ...scanQuery,
      sources: SourcesBetween,
      buy: Optional(OneOf(SIMULATED_SOURCES, { title: '买入所' })),
      sell: Optional(OneOf(SIMULATED_SOURCES, { title: '卖出所' })),
      minNetBps: Optional(Num({ title: '最低净价差', minimum: -10_000, maximum: 10_000, description: 'bps' })),
      minProfit: Optional(Num({ title: '最低净利', minimum: -1e9, maximum: 1e9, description: 'USDT' })),
      minHeldSeconds: Optional(Num({ title: '最短持续', minimum: 0, maximum: 86_400, description: '秒' })),
      transferable: Optional(Bool({ title: '充提都开放' })),
      stocked: Optional(Bool({ title: '两边有库存', description: '买入所余额与卖出所的币都够这个规模' })),
      actionable: Optional(Bool({ title: '现在可开仓' })),
    }),
    data: Obj({ list: Arr(ArbitrageCandidate), total: Integer(), at: ScannedAt }),
  }),
};
