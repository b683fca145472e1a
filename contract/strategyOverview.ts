import {
  Array as Arr,
  Boolean as Bool,
  Integer,
  Number as Num,
  Object as Obj,
  Optional,
  Partial as Some,
  type Static,
  String as Str,
} from 'typebox';
import { endpoint } from './endpoint';
import { NOTE_LENGTH } from './evaluate';
import { Change, Count, Figure, Gain, Money, Percent, shown, Word } from './field';
import { HEDGE_STATES, HELD_BRIEFLY } from './lifecycle';
import { listOf } from './list';
import { opens } from './opens';
import { ResumeWithLimit } from './pause';
import { STRATEGY_KINDS, STRATEGY_MODES, STRATEGY_STATES } from './strategy';
import { LimitsUsed, StrategyLimits } from './strategyLimits';
import { DealRow, HeldBackField, NO_HELD_PRICE } from './strategyRow';
import { Unguarded } from './unguarded';
import { Instant, Maybe, OneOf, Text } from './value';

/** What happens to strategies, in the words of the feed. */
export const FEED_KINDS = ['entry', 'exit', 'funding', 'config', 'breaker', 'trouble'] as const;
export type FeedKind = (typeof FEED_KINDS)[number];
export const FEED_SEVERITIES = ['info', 'warning', 'error'] as const;
export type FeedSeverity = (typeof FEED_SEVERITIES)[number];

/** Days before today over which drawdown, Sharpe and correlation look back. */
export const TRACK_DAYS = 30;
/** How many events the feed shows. */
export const FEED_LENGTH = 100;

const money = (description: string) => Maybe(Num({ description: `${description}，USDT` }));
/** Why nothing is said in relation to capital. */
export const NOTHING_HELD = '还没有持有过';

export const OverviewRow = Obj({
  id: Str(),
  userId: Str(),
  user: Str(),
  own: Bool({ description: '自己的策略才能启停与改限额' }),
  kind: OneOf(STRATEGY_KINDS, { title: '类型' }),
  name: Str(),
  mode: OneOf(STRATEGY_MODES),
  leavesCoin: Bool({ description: '停止而不卖出时，持有的币留在账户，交易单结束' }),
  state: OneOf(STRATEGY_STATES, { title: '状态' }),
  single: Optional(Bool({ description: '只开一笔：不能再启动、暂停或修改；否则不给出' })),
  heldBack: HeldBackField,
  switchedAt: Maybe(Instant('启停时间')),
  symbols: Arr(Str(), { description: '标的的代码' }),
  accounts: Arr(
    Obj({
      venue: Str({ description: '交易所；不是内置交易所的行情源用首个账户' }),
      name: Maybe(Str({ description: '账户的名称；还没有开户为空' })),
    }),
    { description: '按参数要用到的账户' },
  ),
  unguarded: Optional(Unguarded),
  ended: Integer({ description: '已结束的交易单' }),
  today: Gain('今日盈亏', { missing: NO_HELD_PRICE, text: '自 UTC 零点，含浮动盈亏' }),
  net: Gain('累计盈亏', {
    missing: NO_HELD_PRICE,
    formula: '价格盈亏 + 资金费 − 手续费',
    text: 'USDT，自创建以来，含库存按标记价（F31）',
  }),
  roi: Change('收益率', { missing: NOTHING_HELD, formula: '累计盈亏 / 持有期间的平均占用本金', text: 'F12' }),
  apr: Change('年化', { missing: HELD_BRIEFLY, formula: '累计盈亏 / Σ(占用本金 × 天数) × 365', text: 'F12' }),
  capital: Money('占用本金', { text: 'F12：衍生品腿的保证金与现货的成本，含库存' }),
  notional: Money('名义', { missing: NO_HELD_PRICE, text: '持有的各腿与库存的名义之和，按标记价' }),
  exposure: Figure('净敞口', {
    missing: NO_HELD_PRICE,
    text: 'F10，USDT，含库存；两腿数量相等的按一个价格计，基差不算敞口',
  }),
  pricePnl: money('价格盈亏，已实现与浮动'),
  funding: Gain('资金费'),
  fees: Figure('手续费', { text: '付出为正' }),
  drawdown: money('自 30 日内最高累计净盈亏的回落'),
  drawdownShare: Percent('回撤', {
    missing: NOTHING_HELD,
    text: '现在比 30 日内最高累计盈亏低多少，占持有期间的平均占用本金；处于最高时为 0',
  }),
  sharpe: Figure('夏普', { missing: '不足 20 日', text: 'F19，日盈亏', window: '30 天' }),
  winRate: Percent('胜率', { digits: 0, missing: '不足 10 张' }),
  turnover: Figure('当日换手', { missing: NOTHING_HELD, text: 'F22：今日成交名义 / 持有期间的平均占用本金' }),
  running: Count('持有', '持有或正在进出的交易单'),
  heartbeatAt: Maybe(Instant('引擎最近一次续约')),
  errors24h: Count('错误 24h', '24 小时内的拒单、疑单、裸腿、冻结与强平'),
  week: Arr(money('累计净盈亏'), { description: '最近 7 个 UTC 零点与现在' }),
  limits: StrategyLimits,
  used: LimitsUsed,
  tripped: Maybe(Str({ description: '熔断的原因' })),
  trippedAt: Maybe(Instant('熔断时间')),
  note: Str({ description: '备注' }),
  noteBy: Maybe(Str()),
  noteAt: Maybe(Instant('备注时间')),
});
export type OverviewRow = Static<typeof OverviewRow>;

/** What of a row is other than it was. */
const OverviewChange = Obj({ id: Str(), fields: Some(OverviewRow) });
export type OverviewChange = Static<typeof OverviewChange>;

/** What the days before today brought a strategy. */
export const OverviewDays = Obj({
  id: Str(),
  daily: Arr(money('一日的盈亏'), { description: `最近 ${TRACK_DAYS} 个 UTC 日，不含今日` }),
  riskShare: Maybe(Num({ description: '风险贡献：日盈亏与全部策略合计的协方差 / 合计的方差，分数；不足 20 日为空' })),
});
export type OverviewDays = Static<typeof OverviewDays>;

const FeedRow = Obj({
  id: Str(),
  at: Instant(),
  strategyId: Str(),
  strategy: Str(),
  user: Str(),
  kind: OneOf(FEED_KINDS),
  severity: OneOf(FEED_SEVERITIES),
  text: Str(),
});
export type FeedRow = Static<typeof FeedRow>;

const { frozen, oneLegSince, openedAt, heldDays, funding, net, roi, apr } = DealRow.properties;

/** A deal that runs, and whose it is. */
export const RunningDeal = Obj({
  id: Str(),
  userId: Str(),
  mode: OneOf(STRATEGY_MODES),
  symbols: shown(Arr(Str(), { description: '先多头，后空头；同一个只有一次，不用的没有' }), '标的', { form: 'word' }),
  user: Word('用户'),
  kind: shown(OneOf(STRATEGY_KINDS), '类型', { form: 'word' }),
  strategyId: Str(),
  strategy: Word('策略'),
  state: shown(OneOf(HEDGE_STATES), '状态', { form: 'word' }),
  value: Money('名义', { missing: NO_HELD_PRICE, text: '两腿现在的数量 × 标记价，USDT' }),
  ...{ frozen, oneLegSince, funding, net, roi, apr, heldDays, openedAt },
});
export type RunningDeal = Static<typeof RunningDeal>;

const row = { right: 'isMaster', tag: '策略' } as const;

export const strategyOverview = {
  list: endpoint({
    ...row,
    method: 'GET',
    path: '/api/strategy/overview',
    expensive: true,
    summary: '所有用户的策略与对冲台：状态、资金、盈亏、风险与限额',
    query: Obj({
      since: Optional(Integer({ title: '接着', minimum: 0, description: '手上那一份的 at：只答它之后变了的' })),
    }),
    data: Obj({
      at: Instant(),
      today: Instant('今日（UTC）零点'),
      since: Maybe(Instant('接着哪一份；为空时 list 就是全部')),
      list: Arr(OverviewRow, { description: '新的策略；一个已有的在此，整行以此为准' }),
      changed: Arr(OverviewChange, { description: '已有的策略变了的字段' }),
      gone: Arr(Str(), { description: '不在了的策略' }),
    }),
  }),
  days: endpoint({
    ...row,
    method: 'GET',
    path: '/api/strategy/overview/day',
    expensive: true,
    summary: '所有策略以往各日的盈亏、风险贡献与相关性：一日之内不变',
    data: Obj({
      today: Instant('今日（UTC）零点'),
      list: Arr(OverviewDays),
      correlation: Arr(Arr(Maybe(Num())), {
        description: 'F17：两两 30 日日盈亏的相关系数，与 list 同序；共同的天数不足 20 为空',
      }),
    }),
  }),
  deals: endpoint({
    ...row,
    method: 'GET',
    path: '/api/strategy/overview/deal',
    summary: '一个策略进行中的交易单，任何用户的',
    query: Obj({ id: Str({ title: '策略' }) }),
    data: Obj({ list: Arr(DealRow) }),
  }),
  running: endpoint({
    ...row,
    method: 'GET',
    path: '/api/strategy/running',
    summary: '进行中的交易单与对冲单，所有用户的或一个用户的，新的在前',
    query: Obj({ userId: Optional(Str({ title: '用户', maxLength: 64 })) }),
    data: listOf(RunningDeal),
  }),
  feed: endpoint({
    ...row,
    method: 'GET',
    path: '/api/strategy/overview/event',
    summary: `最近 ${FEED_LENGTH} 件事：开仓、平仓、资金费、配置、熔断、异常`,
    query: Obj({
      id: Optional(Str({ title: '策略' })),
      kind: Optional(OneOf(FEED_KINDS, { title: '类别' })),
      severity: Optional(OneOf(FEED_SEVERITIES, { title: '级别' })),
    }),
    data: Obj({ list: Arr(FeedRow) }),
  }),
  note: endpoint({
    ...row,
    method: 'PUT',
    path: '/api/strategy/note',
    summary: '修改自己一个策略的备注',
    body: Obj({ id: Str({ title: '策略' }), note: Text({ title: '备注', maxLength: NOTE_LENGTH }) }),
    data: Obj({ id: Str(), note: Str(), noteBy: Maybe(Str()), noteAt: Maybe(Instant('备注时间')) }),
  }),
  limit: endpoint({
    ...row,
    method: 'PUT',
    path: '/api/strategy/limit',
    summary: '设置自己一个策略的限额；突破即熔断：不再开仓并通知，恢复需要原因',
    body: Obj({ id: Str({ title: '策略' }), limits: StrategyLimits, resume: ResumeWithLimit, ...opens }),
    data: Obj({ limits: StrategyLimits, resumed: Bool({ description: '提高的限额解除了它自己的熔断' }) }),
  }),
};
