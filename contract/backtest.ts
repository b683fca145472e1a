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
import { NOT_COMPARED } from './lifecycle';
import { Basket } from './pair';
import { Instant, Maybe, OneOf, SourceName, Text } from './value';

/** A name that it does not know is refused: a mistyped one would be computed without. */
export const BacktestQuery = Obj(
  {
    source: SourceName,
    long: Basket('多头'),
    short: Basket('空头'),
    bar: Optional(OneOf(BARS, { title: '周期' })),
    start: Optional(Instant('开始时间')),
    end: Optional(Instant('结束时间')),
    days: Integer({
      title: '天数',
      minimum: 0,
      maximum: 36_500,
      default: 0,
      description: '没有开始与结束时间时，自末个共同收盘往回数；0 为全部历史',
    }),
    capital: Num({ title: '初始资金', minimum: 10, maximum: 1e12, default: 10_000, description: 'USDT' }),
    leverage: Num({ title: '杠杆', minimum: 0.1, maximum: 20, default: 1, description: '总敞口 / 权益' }),
    rebalance: Integer({
      title: '再平衡',
      minimum: 0,
      maximum: 100_000,
      default: 0,
      description: '间隔的 K 线根数，0 为不再平衡',
    }),
    fee: Num({ title: '手续费率', minimum: 0, maximum: 0.05, default: 0.0005, description: '每成交额的分数' }),
    slippage: Num({ title: '滑点', minimum: 0, maximum: 0.05, default: 0.0002, description: '每成交额的分数' }),
    funding: Bool({ title: '计入资金费', default: true }),
    entryZ: Num({
      title: '入场 z',
      minimum: 0,
      maximum: 10,
      default: 0,
      description: 'z 不高于 −入场 z 的收盘入场；0 为一直持有',
    }),
    exitZ: Num({ title: '出场 z', minimum: 0, maximum: 10, default: 0.5, description: 'z 回到 −出场 z 以上时出场' }),
    zWindow: Integer({ title: 'z 窗口', minimum: 30, maximum: 500, default: 90, description: '根' }),
    stopLoss: Num({
      title: '止损',
      minimum: 0,
      maximum: 0.9,
      default: 0,
      description: '占开仓总名义的分数，0 为不止损',
    }),
    takeProfit: Num({
      title: '止盈',
      minimum: 0,
      maximum: 5,
      default: 0,
      description: '占开仓总名义的分数，0 为不止盈',
    }),
    maxHoldingHours: Integer({
      title: '最长持有',
      minimum: 0,
      maximum: 8760,
      default: 0,
      description: '小时，0 为不限',
    }),
  },
  { additionalProperties: false },
);
export type BacktestQuery = Static<typeof BacktestQuery>;

/** Days that a backtest covers where nobody chose a period. */
export const BACKTEST_DAYS = 90;

/** One hedge from its entry to its exit, both sides together. */
export const BacktestTrade = Obj({
  openAt: Instant('开仓'),
  closeAt: Instant('平仓'),
  notional: Num({ description: '两边开仓名义之和，USDT' }),
  longPnl: Num({ description: '多头价格盈亏，USDT' }),
  shortPnl: Num({ description: '空头价格盈亏，USDT' }),
  funding: Num({ description: '收到为正，USDT' }),
  fees: Num({ description: '付出为正，USDT' }),
  slippage: Num({ description: '付出为正，USDT' }),
  shortfall: Num({ description: '穿仓：超出权益而截止于 0 的亏损，USDT，0 或正' }),
  net: Num({ description: 'USDT' }),
  return: Maybe(Num({ description: '净收益 / 开仓名义' })),
  mae: Num({ description: '最大浮亏，按各收盘，USDT' }),
  mfe: Num({ description: '最大浮盈，按各收盘，USDT' }),
  bars: Integer(),
  liquidated: Bool(),
});
export type BacktestTrade = Static<typeof BacktestTrade>;

/** One holding period of one symbol between two rebalances: a part of a hedge, not a trade. */
export const BacktestLeg = Obj({
  symbol: Str(),
  side: OneOf(['long', 'short'] as const),
  openAt: Instant('开仓'),
  closeAt: Instant('平仓'),
  openPrice: Num(),
  closePrice: Num(),
  quantity: Num({ description: '币，绝对值' }),
  notional: Num({ description: '开仓名义，USDT' }),
  pricePnl: Num({ description: 'USDT' }),
  funding: Num({ description: '收到为正，USDT' }),
  fees: Num({ description: 'USDT' }),
  slippage: Num({ description: 'USDT' }),
  net: Num({ description: 'USDT' }),
  return: Maybe(Num({ description: '净收益 / 开仓名义' })),
  bars: Integer(),
});
export type BacktestLeg = Static<typeof BacktestLeg>;

export const BacktestSummary = Obj({
  net: Num({ description: 'USDT' }),
  totalReturn: Num({ description: '分数' }),
  finalEquity: Num({ description: 'USDT' }),
  cagr: Maybe(Num()),
  sharpe: Maybe(Num()),
  sortino: Maybe(Num()),
  calmar: Maybe(Num()),
  volatility: Maybe(Num()),
  ulcer: Maybe(Num()),
  maxDrawdown: Maybe(Num({ description: '分数，负数' })),
  drawdownPeakAt: Maybe(Instant()),
  drawdownTroughAt: Maybe(Instant()),
  drawdownRecoveredAt: Maybe(Instant()),
  longestUnderwaterDays: Maybe(Num()),
  winRate: Maybe(Num({ description: '交易胜率' })),
  profitFactor: Maybe(Num()),
  payoff: Maybe(Num()),
  expectancy: Maybe(Num({ description: 'USDT / 笔' })),
  sqn: Maybe(Num()),
  trades: Integer({ description: '对冲数，自建仓到平仓为一笔；再平衡不另计' }),
  fewestTrades: Integer({ description: '少于它时，胜率、盈亏比、利润因子、期望与 SQN 为空' }),
  averageHoldDays: Maybe(Num()),
  turnover: Maybe(Num({ description: 'F22，日均，倍' })),
  costDrag: Maybe(Num({ description: 'F22，分数' })),
  betaBtc: Maybe(Num()),
  correlationBtc: Maybe(Num()),
  var95: Maybe(Num({ description: 'F24，一日，分数' })),
  cvar95: Maybe(Num()),
  longReturn: Maybe(Num({ description: '仅多头腿的收益 / 初始资金' })),
  shortReturn: Maybe(Num()),
  btcReturn: Maybe(Num()),
  averageGross: Maybe(Num({ description: '平均总敞口 / 权益' })),
  averageNet: Maybe(Num({ description: '平均净敞口 / 总敞口' })),
  liquidated: Bool({ description: '权益 <= 维持保证金而全部平仓，或成本耗尽权益' }),
  days: Num(),
  fewestDays: Integer({ description: '少于它时，夏普、索提诺与卡玛为空' }),
});
export type BacktestSummary = Static<typeof BacktestSummary>;

export const BacktestResult = Obj({
  source: Str(),
  bar: OneOf(BARS),
  long: Arr(Str()),
  short: Arr(Str()),
  start: Instant('首个收盘'),
  end: Instant('末个收盘'),
  capital: Num(),
  summary: BacktestSummary,
  /** Curves at bar closes, equal length; thinned to at most 3000 points by keeping each bucket's extremes. */
  time: Arr(Instant()),
  equity: Arr(Num()),
  drawdown: Arr(Num()),
  longLeg: Arr(Num({ description: '多头腿累计损益，USDT；两腿之和 = 权益 − 初始资金，末个收盘另加穿仓' })),
  shortLeg: Arr(Num()),
  benchmark: Arr(Maybe(Num()), { description: 'BTC 以初始资金起算的权益；未存储时为空数组' }),
  months: Arr(Obj({ month: Str({ description: 'YYYY-MM，UTC' }), return: Num() })),
  trades: Arr(BacktestTrade),
  legs: Arr(BacktestLeg),
  legTotal: Integer({ description: '全部持有段数；legs 最多 2000 段' }),
  split: Obj({
    price: Num({ description: 'USDT' }),
    funding: Num(),
    fees: Num({ description: '负数' }),
    slippage: Num({ description: '负数' }),
    shortfall: Num({ description: '穿仓：超出权益而截止于 0 的亏损，0 或正' }),
    net: Num({ description: '以上五项之和' }),
  }),
  honesty: Obj({
    barsUsed: Integer(),
    barsDropped: Integer({ description: '因某个币种缺失而剔除的 K 线' }),
    fundingExpected: Integer(),
    fundingMissing: Integer(),
    maintenanceRate: Num({ description: '维持保证金 / 总敞口；权益不高于它时强平' }),
    symbols: Arr(
      Obj({
        symbol: Str(),
        firstAt: Instant('首个收盘'),
        lastAt: Instant('末个收盘'),
        bars: Integer({ description: '可用的已存 K 线' }),
        unusable: Integer({ description: '价格无效而不可用的已存 K 线' }),
        fundingExpected: Integer(),
        fundingMissing: Integer(),
      }),
    ),
  }),
  elapsedMs: Num({ description: '计算耗时' }),
});
export type BacktestResult = Static<typeof BacktestResult>;

const Beside = Obj({
  live: Maybe(Num()),
  backtest: Maybe(Num()),
  gap: Maybe(Num({ description: '实际 − 回测' })),
});

/** A hedge beside the backtest of its pair: same notional a leg, leverage, period and cost rates. */
export const HedgeBacktest = Obj({
  at: Instant('计算时间'),
  /** Held for less than an hour or not to be backtested: then there are no inputs and no backtest figures. */
  why: Maybe(OneOf(NOT_COMPARED)),
  running: Bool({ description: '仍在进行：回测按末个收盘估值，不计平仓成本' }),
  inputs: Maybe(
    Obj({
      bar: OneOf(BARS),
      start: Instant('首个收盘'),
      end: Instant('末个收盘'),
      longNotional: Num({ description: 'USDT，实际开仓名义' }),
      shortNotional: Num({ description: 'USDT，实际开仓名义' }),
      leverage: Num({ description: '倍' }),
      fee: Num({ description: '每成交额的分数，实际的平均' }),
      slippage: Num({ description: '每成交额的分数，实际的平均，不低于 0' }),
      fundingMissing: Integer({ description: '没有存下的资金费结算' }),
      liquidated: Bool({ description: '回测中途爆仓' }),
    }),
  ),
  rows: Obj({
    net: Beside,
    netReturn: Beside,
    longPnl: Beside,
    shortPnl: Beside,
    funding: Beside,
    fees: Beside,
    slippage: Beside,
    heldHours: Beside,
    mae: Beside,
    mfe: Beside,
  }),
});
export type HedgeBacktest = Static<typeof HedgeBacktest>;

/** Pairs that one address may try within an hour without an account. */
export const TRIALS_AN_HOUR = 3;

export const backtest = {
  trial: endpoint({
    method: 'GET',
    path: '/api/test/trial',
    right: 'open',
    tag: '回测',
    expensive: true,
    refusesMore: true,
    summary: `访客试一次中性回测：所见的币种，近 ${BACKTEST_DAYS} 日一直持有，其余按默认；同样延迟，每个地址每小时 ${TRIALS_AN_HOUR} 次`,
    query: Obj({ source: SourceName, long: Basket('多头'), short: Basket('空头') }),
    data: BacktestResult,
  }),
  ofHedge: endpoint({
    method: 'GET',
    path: '/api/hedge/backtest',
    right: 'signedIn',
    tag: '回测',
    expensive: true,
    refusesMore: true,
    summary: '一张对冲单与同名义、同杠杆、同期间、同费率的回测并列；别人的单对非管理员为 404',
    query: Obj({ id: Text({ title: '对冲单', minLength: 1, maxLength: 64 }) }),
    data: HedgeBacktest,
  }),
  hedge: endpoint({
    method: 'GET',
    path: '/api/test/hedge',
    right: 'signedIn',
    tag: '回测',
    expensive: true,
    refusesMore: true,
    summary: '中性回测：用已存 K 线实算',
    query: BacktestQuery,
    data: BacktestResult,
  }),
};
