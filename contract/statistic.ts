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
import { BARS } from './candle';
import { endpoint } from './endpoint';
import { CLOSE_REASONS, NOT_COMPARED } from './lifecycle';
import { STRATEGY_MODES } from './strategy';
import { Instant, Maybe, OneOf, Text } from './value';

const Usdt = (description?: string) => Num({ description: description ? `USDT，${description}` : 'USDT' });
const Fraction = (description?: string) => Num({ description: description ? `分数，${description}` : '分数' });
const Day = Str({ description: 'YYYY-MM-DD，UTC' });

/** Hedges that are held against their backtest in one answer, newest first. */
export const COMPARED_HEDGES = 200;

/** What the statistics are narrowed down by. Days are UTC days. */
export const StatisticQuery = Obj({
  start: Optional(Instant('开始')),
  end: Optional(Instant('结束')),
  mode: Optional(OneOf(STRATEGY_MODES, { title: '模式', description: '不给时：有实盘账户先看实盘' })),
  userId: Optional(Text({ title: '用户', maxLength: 64 })),
  source: Optional(Str({ title: '交易所', pattern: '^[a-z0-9-]{1,32}$', description: '账户所在的交易所' })),
  accountId: Optional(Text({ title: '账户', maxLength: 64 })),
  strategyId: Optional(Text({ title: '策略', maxLength: 64, description: '只限对冲单的统计与归因，净值仍为账户的' })),
  pair: Optional(Text({ title: '交易对', maxLength: 140, description: '多头,空头，首尾空白不计' })),
});
export type StatisticQuery = Static<typeof StatisticQuery>;

/**
 * Over whole UTC days of the chosen accounts together, time-weighted (F18). `null` where a figure is undefined.
 */
export const StatisticFigures = Obj({
  equity: Usdt('期末'),
  net: Usdt('期末权益 − 期初权益 − 划转'),
  days: Num({ description: '天' }),
  fewestDays: Integer({ description: '少于它时，夏普、索提诺与卡玛为空' }),
  index: Num({ description: '累积净值，期初为 1' }),
  totalReturn: Fraction(),
  cagr: Maybe(Fraction('F20')),
  sharpe: Maybe(Num({ description: 'F19' })),
  sortino: Maybe(Num({ description: 'F19' })),
  calmar: Maybe(Num({ description: 'F20' })),
  volatility: Maybe(Fraction('年化')),
  ulcer: Maybe(Fraction('F20')),
  maxDrawdown: Maybe(Fraction('F20，0 或负')),
  drawdownPeakAt: Maybe(Instant()),
  drawdownTroughAt: Maybe(Instant()),
  drawdownRecoveredAt: Maybe(Instant()),
  drawdownDays: Maybe(Num({ description: '高点到最低点，天' })),
  recoveryDays: Maybe(Num({ description: '最低点到恢复，天；未恢复为空' })),
  longestUnderwaterDays: Maybe(Num({ description: '天' })),
  dayWinRate: Maybe(Fraction('盈利日 / 全部日')),
  turnover: Maybe(Num({ description: 'F22，日均，倍' })),
  costDrag: Maybe(Fraction('F22')),
  traded: Usdt('成交额'),
  fees: Usdt('付出为正'),
  slippage: Usdt('付出为正，已含在价格盈亏里'),
  funding: Usdt('收到为正'),
  betaBtc: Maybe(Num({ description: 'F17' })),
  betaT: Maybe(Num({ description: 'beta 的 t 值' })),
  correlationBtc: Maybe(Num({ description: 'F17' })),
  var95: Maybe(Fraction('F24，亏损为正')),
  cvar95: Maybe(Fraction('F24，亏损为正')),
  winningPeriods: Integer(),
  losingPeriods: Integer(),
  meanReturn: Maybe(Fraction('每日')),
  bestReturn: Maybe(Fraction()),
  worstReturn: Maybe(Fraction()),
  longestWins: Integer({ description: '天' }),
  longestLosses: Integer({ description: '天' }),
  returnDeviation: Maybe(Fraction('每日，ddof 1')),
});
export type StatisticFigures = Static<typeof StatisticFigures>;

/** F21 over hedges that ended in the period after something was filled. */
export const HedgeFigures = Obj({
  count: Integer(),
  net: Usdt('F11'),
  winRate: Maybe(Fraction()),
  profitFactor: Maybe(Num()),
  payoff: Maybe(Num()),
  expectancy: Maybe(Usdt('每单')),
  sqn: Maybe(Num()),
  fewest: Integer({ description: '少于这么多单时，胜率、盈亏比、利润因子、期望与 SQN 为空' }),
  averageHours: Maybe(Num({ description: '小时' })),
});
export type HedgeFigures = Static<typeof HedgeFigures>;

/** Columns of equal length, one row a whole UTC day. */
export const StatisticDaily = Obj({
  day: Arr(Day),
  equity: Arr(Usdt('日末')),
  transfers: Arr(Usdt('当日划转，已从收益中剔除')),
  return: Arr(Maybe(Fraction('F18；当日没有权益为空'))),
  index: Arr(Num(), { description: '净值，期初为 1' }),
  drawdown: Arr(Fraction('F20')),
  long: Arr(Usdt('多头腿价格盈亏')),
  short: Arr(Usdt('空头腿价格盈亏')),
  funding: Arr(Usdt('收到为正')),
  fees: Arr(Usdt('付出为负')),
  net: Arr(Usdt('日末权益 − 日初权益 − 划转')),
  /** 1 plus what the part has added to the index so far; less 1 each they sum up to the index less 1. */
  longIndex: Arr(Num()),
  shortIndex: Arr(Num()),
  fundingIndex: Arr(Num()),
  feesIndex: Arr(Num()),
  btcReturn: Arr(Maybe(Fraction())),
  sharpe30: Arr(Maybe(Num({ description: 'F19，近 30 日' }))),
  beta30: Arr(Maybe(Num({ description: 'F17，近 30 日' }))),
  neutrality: Arr(Maybe(Fraction('F10，日末'))),
  /** Accounts without a record in that day; their equity is carried over. */
  missing: Arr(Integer()),
});
export type StatisticDaily = Static<typeof StatisticDaily>;

export const ATTRIBUTIONS = ['user', 'pair', 'coin', 'side', 'reason', 'holding'] as const;
export type AttributionBy = (typeof ATTRIBUTIONS)[number];

/** Buckets of the holding time: from the instant both legs stood to the end. `unopened`: they never both stood. */
export const HOLDINGS = ['unopened', 'under4h', 'under1d', 'under3d', 'under7d', 'under30d', 'over30d'] as const;
export type HoldingBucket = (typeof HOLDINGS)[number];

/** One row of an attribution. Hedges are counted; by coin and by side the money is that of the leg in question. */
export const AttributionRow = Obj({
  key: Str({ description: '用户名、多头 / 空头、币种、long 或 short、平仓原因、持有时长' }),
  count: Integer(),
  winRate: Maybe(Fraction('净盈亏 > 0 的对冲单占比；不足 10 单时为空')),
  price: Usdt(),
  funding: Usdt('收到为正'),
  fees: Usdt('付出为负'),
  net: Usdt('三项之和'),
  traded: Usdt('成交额'),
});
export type AttributionRow = Static<typeof AttributionRow>;

const Rows = Arr(AttributionRow);

export const Statistic = Obj({
  at: Instant('计算时间'),
  mode: OneOf(STRATEGY_MODES, { description: '这些数字是哪一种钱的' }),
  hasReal: Bool({ description: '有人有实盘账户' }),
  users: Arr(Obj({ id: Str(), name: Str() }), { description: '有账户的用户' }),
  places: Arr(Obj({ id: Str(), userId: Str(), name: Str(), venue: Str() }), { description: '各用户的账户' }),
  strategies: Arr(Obj({ id: Str(), userId: Str(), name: Str() }), { description: '各用户的对冲策略' }),
  pairs: Arr(Obj({ long: Str(), short: Str() }), { description: '交易过的对' }),
  /** Accounts of the filter. */
  accounts: Integer(),
  /** Ends of the days below; null without a whole day. */
  from: Maybe(Instant()),
  to: Maybe(Instant()),
  figures: Maybe(StatisticFigures),
  hedges: HedgeFigures,
  daily: StatisticDaily,
  months: Arr(Obj({ month: Str({ description: 'YYYY-MM，UTC' }), return: Fraction() })),
  attribution: Obj({ user: Rows, pair: Rows, coin: Rows, side: Rows, reason: Rows, holding: Rows }),
  quality: Obj({
    /** Days on which some account has no record. */
    missingDays: Arr(Day),
    missingAccountDays: Integer(),
    transferCount: Integer({ description: '从收益中剔除的划转，不含开户' }),
    transfers: Usdt('剔除的划转净额'),
    unexplained: Usdt('权益变化与价格、资金费、手续费之和的差'),
    /** Hedges that still run: in the daily figures at their marks, in nothing that counts hedges. */
    running: Integer(),
  }),
});
export type Statistic = Static<typeof Statistic>;

const split = {
  live: Usdt('实际净盈亏，F11'),
  backtest: Usdt('同一对、同一期间、目标名义、零成本、计资金费'),
  gap: Usdt('实际 − 回测 = 以下五项之和'),
  slippage: Usdt('付出为负'),
  fees: Usdt('付出为负'),
  funding: Usdt('实收资金费 − 回测资金费（按成交名义）'),
  missed: Usdt('回测按成交名义 − 按目标名义'),
  rest: Usdt('其余：成交时刻与 K 线收盘之差、再平衡'),
  traded: Usdt('成交额'),
  bps: Maybe(Num({ description: '差额 / 成交额，bps' })),
};

export const ComparedHedge = Obj({
  id: Str(),
  user: Str(),
  long: Str(),
  short: Str(),
  openedAt: Instant('开仓'),
  closedAt: Instant('平仓'),
  closeReason: Maybe(OneOf(CLOSE_REASONS)),
  bar: OneOf(BARS),
  fundingMissing: Integer({ description: '没有存下的资金费结算' }),
  ...split,
});
export type ComparedHedge = Static<typeof ComparedHedge>;

export const Comparison = Obj({
  at: Instant('计算时间'),
  /** Of the filter, newest first, 200 at most. */
  list: Arr(ComparedHedge),
  /** Over `list`; null when it is empty. */
  totals: Maybe(Obj(split)),
  left: Arr(
    Obj({ id: Str(), user: Str(), long: Str(), short: Str(), closedAt: Instant('平仓'), why: OneOf(NOT_COMPARED) }),
  ),
  /** Ended hedges of the filter beyond the newest ones. */
  older: Integer(),
});
export type Comparison = Static<typeof Comparison>;

export const statistic = {
  all: endpoint({
    method: 'GET',
    path: '/api/hedge/statistic',
    expensive: true,
    right: 'isMaster',
    tag: '统计',
    summary: '对冲统计：净值、风险、日收益与归因，跨用户',
    query: StatisticQuery,
    data: Statistic,
  }),
  compare: endpoint({
    method: 'GET',
    path: '/api/hedge/statistic/compare',
    expensive: true,
    right: 'isMaster',
    tag: '统计',
    summary: '实际结果与同一对、同一期间回测的差额',
    query: StatisticQuery,
    data: Comparison,
  }),
};
