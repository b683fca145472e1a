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
import { AccountBalance, AccountPosition, AccountRow, figures } from './accountRows';
import { Decimal } from './decimal';
import { endpoint } from './endpoint';
import { ACCOUNT_TROUBLES } from './lifecycle';
import { opens } from './opens';
import { LimitedDay, Pause, ResumeWithLimit } from './pause';
import { ModeField, STRATEGY_KINDS, STRATEGY_MODES } from './strategy';
import { Instant, Maybe, OneOf, SourceName, SymbolName, Text } from './value';

export {
  AccountBalance,
  AccountPosition,
  AccountRow,
  FEW_DAYS,
  NO_DEAL,
  NO_MARK,
  NO_VALUE,
  NO_VARIANCE,
  type PositionBadge,
  UNPRICED,
} from './accountRows';

const Usdt = (description?: string) => Decimal({ description: description ? `USDT，${description}` : 'USDT' });

/** Margin ratio (F23) from which it is shown as a warning, and as a danger. */
export const MARGIN_WARNING = 0.6;
export const MARGIN_DANGER = 0.8;

export const AccountRisk = Obj({
  marginRatio: Maybe(Num({ description: 'F23，维持保证金 / 保证金余额（币按抵押率计）；多个账户时为其中最高的' })),
  leverage: Maybe(Num({ description: '总敞口 / 权益，倍' })),
  gross: Maybe(Num({ description: 'USDT' })),
  net: Maybe(Num({ description: 'USDT，F10' })),
  neutrality: Maybe(Num({ description: 'F10，净 / 总' })),
  betaExposure: Maybe(Num({ description: 'USDT，Σ 名义 × 30 日 beta（BTC）' })),
  /** Held coins without a 30-day beta: the sum is undefined then. */
  withoutBeta: Arr(Str()),
  nearest: Maybe(Obj({ symbol: Str(), price: Num(), distance: Num({ description: '分数' }) })),
  largest: Maybe(Obj({ symbol: Str(), share: Num({ description: '占总敞口的分数' }) })),
});
export type AccountRisk = Static<typeof AccountRisk>;

export const AccountCarry = Obj({
  next: Maybe(
    Obj({ at: Instant('下次结算'), amount: Num({ description: 'USDT，ΣF2，收到为正' }), positions: Integer() }),
  ),
  funding1d: Usdt('近 24 小时收到'),
  funding7d: Usdt(),
  funding30d: Usdt(),
  fees30d: Usdt('付出为正'),
  traded30d: Usdt('成交额'),
  fee: Maybe(Obj({ maker: Num({ description: '分数' }), taker: Num({ description: '分数' }) })),
});
export type AccountCarry = Static<typeof AccountCarry>;

/** Half hours: every zone's midnight but three lies on one. */
export const DAY_BOUNDARY_STEP = 30;
/** What the whole account may lose on a day; then it is paused. */
export const AccountLossLimit = Maybe(
  Num({ title: '账户单日最大亏损', minimum: 1, maximum: 100_000_000, decimals: 2, description: 'USDT；空为不限' }),
);
const DayBoundary = Integer({
  title: '当日开始',
  minimum: 0,
  maximum: 1440 - DAY_BOUNDARY_STEP,
  multipleOf: DAY_BOUNDARY_STEP,
  description: 'UTC 零点后的分钟，整点或半点',
});

/** Who pauses an account that has reached its limit. */
export const LOSS_GUARD = '风控';

/** All that keeps the strategies of a user from opening, whatever the market says. */
export const AccountStops = Obj({
  pausedForAll: Maybe(Pause),
  paused: Maybe(Pause),
  dailyLossLimit: AccountLossLimit,
  unvalued: Maybe(Str({ description: '模拟账户里没有价格的持仓：权益未知，模拟不开新仓' })),
  unvaluedLive: Maybe(Str({ description: '实盘账户里没有价格的持仓：权益未知，实盘不开新仓' })),
  tripped: Arr(
    Obj({
      id: Str(),
      name: Str({ description: '策略的名称' }),
      kind: OneOf(STRATEGY_KINDS, { title: '类型' }),
      reason: Str({ description: '熔断的原因' }),
      at: Maybe(Instant('熔断时间')),
      single: Optional(Bool({ description: '只开一笔：不能恢复；否则不给出' })),
    }),
    { description: '已熔断的策略：各自不开新仓' },
  ),
  unjudged: Arr(
    Obj({
      id: Str(),
      name: Str({ description: '策略的名称' }),
      kind: OneOf(STRATEGY_KINDS, { title: '类型' }),
    }),
    { description: '估值缺失的策略：它自己当日的盈亏未知，不开新仓；账户估值缺失时不列' },
  ),
  troubles: Arr(
    Obj({
      account: Str({ description: '实盘账户的名称' }),
      what: OneOf(ACCOUNT_TROUBLES, { title: '异常' }),
      reason: Str({ description: '原因；没有更多可说时为空' }),
      held: Str({ description: '其间什么发得出去，什么不能' }),
      at: Instant('开始时间'),
    }),
    { description: '有异常的实盘账户：其中不开新仓' },
  ),
  outages: Arr(Str(), { description: '没有应答的交易所，按数据源' }),
});
export type AccountStops = Static<typeof AccountStops>;

export const AccountState = Obj({
  mode: ModeField,
  /** When the first money came in. */
  openedAt: Instant('开户时间'),
  enabled: Bool(),
  paused: Maybe(Pause),
  pausedForAll: Maybe(Pause),
  unvalued: Maybe(Str({ description: '模拟账户里没有价格的持仓：权益未知，模拟不开新仓' })),
  unvaluedLive: Maybe(Str({ description: '实盘账户里没有价格的持仓：权益未知，实盘不开新仓' })),
  dailyLossLimit: AccountLossLimit,
  running: Integer({ description: '未结束的交易单' }),
  /** `failed`: it could not be asked, which is never read as flat. */
  venue: OneOf(['ok', 'failed'] as const),
  /** Names of the accounts whose venues could not be asked: figures that need them are null. */
  unanswered: Arr(Str()),
  /** Held symbols without a price: what needs it is null. */
  unpriced: Arr(Str()),
  /** Of the oldest price in use. */
  priceAt: Maybe(Instant('价格时间')),
  equity: Maybe(Usdt('账本现金 + 持仓按标记价的价值 + 账户间在途')),
  inTransit: Usdt('账户间划转途中；单看一个账户时为 0'),
  available: Maybe(Usdt()),
  unrealised: Maybe(Usdt()),
  net: Maybe(Usdt('权益 − 累计划转')),
  /** Minutes after 00:00 UTC at which the next day begins, and the day that runs. */
  dayBoundary: DayBoundary,
  day: LimitedDay,
  today: Maybe(
    Obj({
      /** Where the day begins: its start, or the opening of the account within it. */
      since: Instant(),
      pnl: Num({ description: 'USDT，扣除划转' }),
      return: Maybe(Num({ description: 'F18，分数' })),
    }),
  ),
  annualised30d: Maybe(Num({ description: '近 30 日时间加权收益 × 365 / 天数；记录不足 30 天为空' })),
  drawdown: Maybe(Num({ description: 'F20，分数，按 UTC 日收盘的历史最高；0 或负' })),
  underWaterDays: Maybe(Num({ description: '自最高点起的天数' })),
  risk: AccountRisk,
  carry: AccountCarry,
  balances: Arr(AccountBalance),
  /** Of the accounts whose venues answered; null: none did. */
  positions: Maybe(Arr(AccountPosition)),
});
export type AccountState = Static<typeof AccountState>;

export const EQUITY_RANGES = ['1d', '7d', '30d', '90d', 'all'] as const;
export type EquityRange = (typeof EQUITY_RANGES)[number];

/** Points of a curve at most. */
export const CURVE_POINTS = 2_000;

export const EquityMark = Obj({
  at: Instant(),
  kind: OneOf(['open', 'close', 'transfer', 'bailout'] as const),
  text: Str({ description: '多 / 空，或划转、穿仓垫付的 USDT' }),
});
export type EquityMark = Static<typeof EquityMark>;

const curve = {
  /** Columns of equal length, thinned to 2,000 points at most. */
  time: Arr(Instant()),
  equity: Arr(Num(), { description: 'USDT' }),
  drawdown: Arr(Num(), { description: 'F20，分数，时间加权，按 UTC 日收盘的历史最高' }),
  /** Time-weighted; both 100 at the first point that has them. */
  index: Arr(Num(), { description: '账户，起点为 100，扣除划转' }),
  btc: Arr(Maybe(Num()), { description: 'BTC，起点为 100' }),
};

export const EquityCurve = Obj({
  ...curve,
  marks: Arr(EquityMark),
  /** Marks left out for their number. */
  marksLeftOut: Integer(),
});
export type EquityCurve = Static<typeof EquityCurve>;

/** One day of the account's calendar; figures are null where nothing was recorded in it. */
export const AccountDay = Obj({
  day: Str({ description: 'YYYY-MM-DD：以当日开始为零点的时区里的日期' }),
  price: Maybe(Num({ description: 'USDT' })),
  funding: Maybe(Num({ description: 'USDT，收到为正' })),
  fees: Maybe(Num({ description: 'USDT，付出为负' })),
  net: Maybe(Num({ description: 'USDT，三项之和' })),
  return: Maybe(Num({ description: 'F18，分数' })),
});
export type AccountDay = Static<typeof AccountDay>;

export const AllAccounts = Obj({
  at: Instant('计算时间'),
  mode: ModeField,
  hasReal: Bool({ description: '有人有实盘账户' }),
  /** Everybody who has an account of that mode, whatever else the filter says. */
  users: Arr(Obj({ id: Str(), name: Str() })),
  list: Arr(AccountRow),
  /** The accounts of the list as one. */
  total: Obj(figures),
  /** The accounts of the list as one by whole days (UTC), then now. */
  curve: Obj(curve),
});
export type AllAccounts = Static<typeof AllAccounts>;

const One = {
  accountId: Optional(Text({ title: '账户', maxLength: 64, description: '只看自己的一个账户；不给则是合计' })),
  mode: Optional(
    OneOf(STRATEGY_MODES, { title: '模式', description: '合计哪一种账户，两种不相加；不给则是实盘的，没有时模拟的' }),
  ),
};

export const account = {
  all: endpoint({
    method: 'GET',
    path: '/api/account/all',
    expensive: true,
    right: 'isMaster',
    tag: '账户',
    summary: '全部用户的账户：权益、盈亏、夏普、beta、回撤，合计曲线与 BTC 对比；模拟与实盘分开看，不相加',
    query: Obj({
      userId: Optional(Str({ title: '用户', maxLength: 64 })),
      mode: Optional(OneOf(STRATEGY_MODES, { title: '模式', description: '不给则是实盘的，没有时模拟的' })),
    }),
    data: AllAccounts,
  }),
  state: endpoint({
    method: 'GET',
    path: '/api/account',
    right: 'signedIn',
    tag: '账户',
    summary: '自己的权益、风险、资金费、余额与持仓：实盘或模拟账户合计，或任一账户',
    query: Obj(One),
    data: Obj({ at: Instant('计算时间'), account: Maybe(AccountState) }),
  }),
  equity: endpoint({
    method: 'GET',
    path: '/api/account/equity',
    expensive: true,
    right: 'signedIn',
    tag: '账户',
    summary: '自己的权益曲线、回撤与 BTC 对比',
    query: Obj({ ...One, range: OneOf(EQUITY_RANGES, { title: '区间', default: '30d' }) }),
    data: EquityCurve,
  }),
  daily: endpoint({
    method: 'GET',
    path: '/api/account/daily',
    right: 'signedIn',
    tag: '账户',
    summary: '自己每日的盈亏：价格、资金费、手续费',
    query: Obj({
      ...One,
      days: Integer({ title: '天数', minimum: 1, maximum: 400, default: 90 }),
    }),
    data: Obj({ days: Arr(AccountDay) }),
  }),
  ignore: endpoint({
    method: 'PUT',
    path: '/api/account/ignored',
    right: 'signedIn',
    tag: '账户',
    summary: '忽略自己账户里没有交易单解释的持仓，或取消忽略：不再警示，直到它的数量变了；其余照旧',
    body: Obj(
      {
        accountId: Text({ title: '账户', maxLength: 64 }),
        source: SourceName,
        symbol: SymbolName('合约'),
        ignored: Bool({ title: '忽略' }),
      },
      { additionalProperties: false },
    ),
    data: Obj({ unexplained: Maybe(Decimal({ description: '忽略的数量，带符号；取消后为空' })) }),
  }),
  failing: endpoint({
    method: 'GET',
    path: '/api/account/failing',
    right: 'signedIn',
    tag: '账户',
    summary: '自己的账户是否连续处理失败：此间不记账，不开仓也不平仓，止损不执行',
    data: Obj({
      failing: Maybe(Obj({ since: Instant('开始时间'), what: Str({ description: '错误的类别与代码' }) })),
    }),
  }),
  dayBoundary: endpoint({
    method: 'PUT',
    path: '/api/account/dayBoundary',
    right: 'signedIn',
    tag: '账户',
    summary: '修改自己账户的当日开始；进行中的一日不缩短，新的时刻从它结束后起用',
    body: Obj({ dayBoundary: DayBoundary }, { additionalProperties: false }),
    data: Obj({ dayBoundary: DayBoundary, day: LimitedDay }),
  }),
  stops: endpoint({
    method: 'GET',
    path: '/api/account/stops',
    right: 'signedIn',
    tag: '账户',
    summary: '现在不让自己的策略开仓的一切：暂停、账户上限、估值缺失与各策略的熔断',
    data: AccountStops,
  }),
  lossLimit: endpoint({
    method: 'PUT',
    path: '/api/account/lossLimit',
    right: 'signedIn',
    tag: '账户',
    summary: '设置自己账户的单日最大亏损：达到即暂停整个账户的开仓；resume 一并解除因它而设、新上限不再达到的暂停',
    body: Obj({ dailyLossLimit: AccountLossLimit, resume: ResumeWithLimit, ...opens }, { additionalProperties: false }),
    data: Obj({ dailyLossLimit: AccountLossLimit, resumed: Bool({ description: '解除了暂停' }) }),
  }),
};
