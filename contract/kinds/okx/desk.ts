import {
  Array as Arr,
  Boolean as Bool,
  Integer,
  Number as Num,
  Object as Obj,
  type Static,
  String as Str,
} from 'typebox';
import { endpoint } from '../../endpoint';
import { Always, At, Figure, Gain, MaybeWord, Money, Percent, shown, Venue, Word } from '../../field';
import { CLOSE_REASONS, HEDGE_STATES, ONCE_SECONDS } from '../../lifecycle';
import { Usdt } from '../../scan';
import { Instant, Maybe, OneOf } from '../../value';

const Bps = (description: string) => Maybe(Num({ description: `${description}，bps` }));
const NO_PRICE = '没有价格';
const COINS = { form: 'word', first: null } as const;

/** What an account holds of a coin for no deal. */
export const InventoryRow = Obj({
  base: Word('币种'),
  source: Venue('交易所'),
  symbol: Str({ description: '现货代码' }),
  quantity: shown(Str(), '数量', { ...COINS, text: '不含交易单持有的与即将转出的' }),
  arriving: shown(Str(), '途中', { ...COINS, text: '正在或即将转入的' }),
  value: Money('价值', { missing: NO_PRICE }),
  target: Money('每所库存', { missing: '不管理库存' }),
  drift: Percent('偏移', {
    ...{ digits: 1, signed: true, missing: '没有库存' },
    text: '该所（含途中）占两所合计的份额减一半：0 为两所相等，±50 % 为全在一所',
  }),
});
export type InventoryRow = Static<typeof InventoryRow>;

/** What would bring a coin back to half at each venue. */
export const InventoryMove = Obj({
  base: Word('币种'),
  from: Venue('从'),
  to: Venue('到'),
  quantity: Always(Figure('数量', { digits: 4 })),
  value: Money('价值', { missing: NO_PRICE }),
  fromAccount: Maybe(Str({ description: '转出账户；没有账户时为空' })),
  toAccount: Maybe(Str({ description: '转入账户；没有账户时为空' })),
  network: MaybeWord('网络'),
  fee: Money('提币费用'),
  feeBps: Figure('费用 bps', { digits: 1, missing: NO_PRICE }),
  minutes: Figure('分钟', { digits: 0 }),
  canMove: Maybe(OneOf(['open', 'shut'] as const, { title: '充提状态' })),
});
export type InventoryMove = Static<typeof InventoryMove>;

export const ArbitrageTrade = Obj({
  id: Str(),
  at: At('时间', { seconds: true }),
  symbol: Word('现货'),
  buy: Venue('买入所'),
  sell: Venue('卖出所'),
  quantity: Str({ description: '买入所得，币' }),
  notional: Money('买入金额'),
  plannedBps: Gain('计划', { unit: 'bps', digits: 1, text: '决策时按规模的净价差 F25' }),
  realBps: Gain('实际', { unit: 'bps', digits: 1, missing: '没有两边成交' }),
  net: Gain('净利', { unit: 'USDT', missing: '没有成交' }),
  share: Percent('成交比例', { digits: 1 }),
  buyMs: Figure('买单', { unit: 'ms', digits: 0, missing: '没有回报' }),
  sellMs: Figure('卖单', { unit: 'ms', digits: 0, missing: '没有回报' }),
  apartMs: Figure('相差', { unit: 'ms', digits: 0, missing: '没有两边发出', text: '两单发出的时间差' }),
  state: shown(OneOf(HEDGE_STATES), '结果', { form: 'word' }),
  closeReason: Maybe(OneOf(CLOSE_REASONS)),
});
export type ArbitrageTrade = Static<typeof ArbitrageTrade>;

/** What was planned and what came of it, what moving the inventory back has cost, and the result with the stock marked. */
const Totals = Obj({
  notional: Num({ description: '两边都成交的买入金额之和，USDT' }),
  planned: Num({ description: '决策时的净价差 × 买入金额之和，USDT' }),
  real: Num({ description: '实际净利之和，USDT' }),
  transferFees: Num({ description: '策略建立以来两所之间划转（这些币与 USDT）的手续费，USDT' }),
  transferBps: Bps('划转手续费摊到每笔'),
  netBps: Bps('实际净利摊到每笔'),
  afterBps: Bps('扣除划转后的净利'),
  stockValue: Usdt('F31：策略自己的库存，按标记价，卖出多于买入为负；有币没有价格时为空'),
  stockPnl: Usdt('F31：库存的价值 − 买入所付 + 卖出所得'),
  hedgePnl: Usdt('对冲库存的永续：价格盈亏 + 资金费 − 手续费'),
  other: Usdt('其余：库存买卖的手续费，与没有两边成交的'),
  net: Usdt('策略净盈亏 = 实际净利之和 + 库存盈亏 + 对冲盈亏 + 其余，与策略总览的累计盈亏是同一个数'),
});

export const OkxDesk = Obj({
  totals: Totals,
  tradedToday: Num({ description: '自账户当日开始的套利买入金额，USDT' }),
  curve: Obj(
    {
      time: Arr(Instant('成交时间')),
      planned: Arr(Num({ description: '累计，USDT' })),
      real: Arr(Num({ description: '累计，USDT' })),
    },
    { description: '最近 100 笔里两边都成交的，从头累计' },
  ),
  funnel: Obj({
    seen: Integer({ description: '净价差达标的次数，持续期间只计一次' }),
    attempted: Integer({ description: '两边发出委托的次数' }),
    filled: Integer({ description: '两边都有成交的次数' }),
    profitable: Integer({ description: '扣除手续费后赚钱的次数' }),
  }),
  inventory: Arr(InventoryRow),
  moves: Arr(InventoryMove),
  trades: Arr(ArbitrageTrade, { description: '最新的 100 笔，不含库存买卖' }),
});
export type OkxDesk = Static<typeof OkxDesk>;

export const okxDesk = {
  read: endpoint({
    method: 'GET',
    path: '/api/strategy/okx',
    right: 'isMaster',
    tag: '策略',
    summary: '一个交易所套利策略的库存、每笔成交与漏斗',
    query: Obj({ id: Str({ title: '策略' }) }),
    data: OkxDesk,
  }),
  once: endpoint({
    method: 'POST',
    path: '/api/strategy/okx/once',
    right: 'isMaster',
    tag: '策略',
    summary: `策略执行一次：${ONCE_SECONDS} 秒内跳过连续触发与间隔成交一笔；净价差、库存、延迟与限额仍要满足`,
    body: Obj({ id: Str({ title: '策略' }) }),
    data: Obj({ until: Instant('在此之前有效') }),
  }),
  ban: endpoint({
    method: 'POST',
    path: '/api/strategy/okx/ban',
    right: 'isMaster',
    tag: '策略',
    summary: '把策略的一个币种或交易所列入黑名单，或移出',
    body: Obj({
      id: Str({ title: '策略' }),
      word: Str({ title: '币种或交易所', maxLength: 32 }),
      banned: Bool({ title: '列入' }),
    }),
    data: Obj({ banned: Arr(Str()), version: Integer() }),
  }),
};
