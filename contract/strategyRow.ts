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
import { ExitRule } from './dealOutlook';
import { Change, Count, Days, Figure, Gain, Moment, Money, Percent } from './field';
import { RestingLegs } from './legsEntry';
import { CLOSE_REASONS, HEDGE_STATES, HELD_BRIEFLY, HOLD_BACKS, LEGS, PAIR_BLOCKS } from './lifecycle';
import { KindField, ModeField, ParamsField, STRATEGY_STATES } from './strategy';
import { LimitsUsed, StrategyLimits } from './strategyLimits';
import { HeldTarget } from './targetHold';
import { Unguarded } from './unguarded';
import { Instant, Maybe, OneOf } from './value';

const money = (description: string) => Maybe(Num({ description: `${description}，USDT` }));

/** Both legs of a target. */
export const places = {
  long: Str({ description: '多头腿的代码' }),
  longSource: Str({ description: '多头腿的行情源' }),
  short: Str({ description: '空头腿的代码' }),
  shortSource: Str({ description: '空头腿的行情源' }),
};

const StrategyTarget = Obj({
  id: Str(),
  ...places,
  block: Maybe(OneOf(PAIR_BLOCKS, { title: '现在不开仓的原因' })),
  held: HeldTarget,
  rounds: Integer({ description: '已做轮数' }),
  triggeredAt: Maybe(Instant('最近开仓')),
});

/** A strategy of one deal: opened at no worse prices than a person confirmed, once; it stops by itself when that has ended. */
const Single = Obj(
  {
    until: Instant('到这时还没有开仓就放弃'),
    refused: Maybe(OneOf(PAIR_BLOCKS, { title: '没有开仓的原因' })),
  },
  { description: '单笔：只开一张交易单，结束后自动停止；不是单笔时不给出' },
);

/** Why nothing is said of what hangs on the price of what is held. */
export const NO_HELD_PRICE = '持有的标的没有价格';

/** What keeps a strategy from opening whatever it says itself. */
export const HeldBackField = Maybe(
  OneOf(HOLD_BACKS, { description: '运行也不开仓：它那一种资金的所有策略都被暂停，或没有估值' }),
);

export const StrategyRow = Obj({
  id: Str(),
  kind: KindField,
  name: Str(),
  mode: ModeField,
  state: OneOf(STRATEGY_STATES, { title: '状态' }),
  heldBack: HeldBackField,
  version: Integer(),
  params: ParamsField,
  createdAt: Instant('创建时间'),
  updatedAt: Instant('保存时间'),
  updatedBy: Str(),
  switchedAt: Moment('启停', { spare: true, missing: '还没有启动过' }),
  switchedBy: Maybe(Str()),
  targets: Arr(StrategyTarget),
  single: Optional(Single),
  twin: Optional(
    Obj(
      { id: Str(), name: Maybe(Str({ description: '已删除的为空' })) },
      { description: '实盘的模拟对照，或由它转来的最新的实盘；没有时不给出' },
    ),
  ),
  running: Count('持有', '持有或正在进出的交易单'),
  unguarded: Optional(Unguarded),
  alerts: Optional(Integer({ description: '它的交易单与标的现在的提醒，条；没有时不给出' })),
  ended: Count('已结束', '已结束的交易单'),
  notional: Money('名义', { missing: NO_HELD_PRICE, text: '持有的两腿名义之和，按标记价' }),
  pricePnl: Gain('价格盈亏', { missing: NO_HELD_PRICE, text: '已实现与浮动' }),
  funding: Gain('资金费'),
  fees: Figure('手续费', { text: '付出为正' }),
  net: Gain('净盈亏', {
    missing: NO_HELD_PRICE,
    formula: '价格盈亏 + 资金费 − 手续费',
    text: 'USDT，自创建以来',
  }),
  today: Gain('今日', { missing: NO_HELD_PRICE, text: 'USDT，自 UTC 零点，含浮动盈亏' }),
  exposure: Figure('净敞口', {
    ...{ signed: true, missing: NO_HELD_PRICE, formula: '多头 + 空头（F10）', text: 'USDT，带方向，含库存' },
  }),
  limits: StrategyLimits,
  used: LimitsUsed,
});
export type StrategyRow = Static<typeof StrategyRow>;

const DealLeg = Obj({
  leg: OneOf(LEGS),
  isUsed: Bool({ description: '只买或只卖的交易单（补库存、现货网格）不用另一腿' }),
  source: Str(),
  symbol: Str(),
  quantity: Str({ description: '币，带方向' }),
  opened: Str({ description: '币，曾持有的最大数量' }),
  entry: Maybe(Num({ description: 'USDT，开仓均价' })),
  mark: Maybe(Num({ description: 'USDT' })),
  pricePnl: money('价格盈亏'),
  funding: money('资金费'),
  fees: money('手续费'),
});

export const DealRow = Obj({
  id: Str(),
  mode: ModeField,
  state: OneOf(HEDGE_STATES),
  stateAt: Instant('状态时间'),
  createdAt: Instant('创建时间'),
  openedAt: Moment('开仓', { missing: '还没有开成' }),
  closedAt: Moment('平仓', { missing: '还没有平仓' }),
  closeReason: Maybe(OneOf(CLOSE_REASONS)),
  refusal: Optional(Str({ description: '委托被拒的原因，最近一笔；没有开成的才给出' })),
  closeAsked: Bool({ description: '已请求平仓' }),
  unguarded: Optional(Bool({ description: '无人看护：策略已停止而没有平仓，只能平仓或先接管' })),
  frozen: Maybe(Str({ description: '冻结的原因，冻结时不发送委托' })),
  mayThaw: Bool({ description: '可由人恢复；没有冻结，或引擎正在自动核对时不能' }),
  oneLegSince: Maybe(Instant('裸腿自')),
  signalOpen: Change('开仓信号', { text: '开仓时的名义净年化' }),
  settled: Maybe(Integer({ description: '持有以来的结算次数' })),
  leastSettled: Maybe(Integer({ description: '最短持有，F8 的结算次数' })),
  rateOpen: Maybe(Num({ description: '触发费率：开仓时每期的预测费率，分数' })),
  heldDays: Days('持有时长', { missing: '还没有开成' }),
  expiresAt: Maybe(Instant('到期日；不会到期的为空')),
  daysLeft: Maybe(Num({ description: '持有的到到期的天数' })),
  exitLevel: Maybe(Num({ description: '目标价差：F5 平仓水平不高于它时平仓，分数；没有目标的为空' })),
  edgeOpen: Maybe(Num({ description: '理论价差：开仓时 F5，分数' })),
  edgeTaken: Maybe(Num({ description: '实得价差：两腿成交均价之比 − 1，分数' })),
  expected: money('预计到期收益：两腿价格收敛到同一价，扣交割费与平仓手续费，含已收资金费'),
  longFilled: Maybe(Num({ description: '多头腿成交率：成交额占计划名义，分数' })),
  shortFilled: Maybe(Num({ description: '空头腿成交率：成交量占多头腿成交量，分数' })),
  secondFillMs: Maybe(Integer({ description: '第二腿首笔成交比第一腿晚多少毫秒' })),
  resting: Maybe(RestingLegs),
  rolledFrom: Maybe(Str({ description: '由哪张交易单移仓而来' })),
  alerts: Arr(Str(), { description: '现在的提醒' }),
  taken: Optional(Str({ description: '哪一腿被账户上的外部成交抵掉了多少' })),
  uneven: Optional(Bool({ description: '两腿的数量差超过最小数量能解释的' })),
  mendable: Optional(Bool({ description: '两腿明显不等，且至少差一个最小数量：可以补齐或退回' })),
  legs: Arr(DealLeg, { description: '先多头，后空头' }),
  imbalance: Percent('数量偏差', { digits: 3, spare: true, missing: '没有持仓' }),
  pricePnl: money('价格盈亏'),
  realised: Num({ description: '其中已实现的，两腿合计，USDT' }),
  reducing: Optional(Integer({ description: '正在平掉持有的百分之几' })),
  closedPart: Optional(Num({ description: '持有中已平掉的部分：两腿都至少平掉这么多，分数' })),
  funding: Gain('资金费', { text: 'USDT，收到为正' }),
  fees: Figure('手续费'),
  net: Gain('净盈亏', { missing: '没有价格', formula: '价格盈亏 + 资金费 − 手续费（F11），USDT' }),
  netClosed: Gain('现在平得', {
    missing: '没有持有，或没有可用的盘口价格',
    text: '现在全部平掉后整单的净盈亏，已扣平仓手续费与滑点，USDT',
  }),
  rules: Arr(ExitRule, { description: '自动平仓的条件，先看的在前；已结束、或只由人平仓的没有' }),
  liquidationDistance: Percent('距强平', {
    missing: '不会强平，或现在读不到',
    formula: 'F23：|标记价 − 强平价| / 标记价',
    text: '两腿里更近的一腿，该所其他价格不变时',
  }),
  roi: Change('收益率', {
    missing: '没有价格',
    formula: '净盈亏 / 占用本金（F12）',
    text: '占用本金：衍生品腿的保证金与现货的成本',
  }),
  apr: Change('年化', { missing: HELD_BRIEFLY, formula: '收益率 × 365 / 持有天数（F12）' }),
});
export type DealRow = Static<typeof DealRow>;
