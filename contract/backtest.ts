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
import { Basket } from './pair';
import { Instant, Maybe, OneOf, SourceName } from './value';

export const BacktestQuery = Obj({
  source: SourceName,
  long: Basket('多头'),
  short: Basket('空头'),
  bar: Optional(OneOf(BARS, { title: '周期' })),
  start: Optional(Instant('开始时间')),
  end: Optional(Instant('结束时间')),
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
});
export type BacktestQuery = Static<typeof BacktestQuery>;

/** One holding period of one symbol between two rebalances. */
export const BacktestTrade = Obj({
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
export type BacktestTrade = Static<typeof BacktestTrade>;

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
  trades: Integer(),
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
  liquidated: Bool(),
  days: Num(),
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
  longLeg: Arr(Num({ description: '多头腿累计损益，USDT' })),
  shortLeg: Arr(Num()),
  benchmark: Arr(Maybe(Num()), { description: 'BTC 以初始资金起算的权益；未存储时为空数组' }),
  months: Arr(Obj({ month: Str({ description: 'YYYY-MM，UTC' }), return: Num() })),
  trades: Arr(BacktestTrade),
  tradeTotal: Integer({ description: '全部交易数；trades 最多 2000 笔' }),
  split: Obj({
    price: Num({ description: 'USDT' }),
    funding: Num(),
    fees: Num({ description: '负数' }),
    slippage: Num({ description: '负数' }),
    net: Num(),
  }),
  honesty: Obj({
    barsUsed: Integer(),
    barsDropped: Integer({ description: '因某个币种缺失而剔除的 K 线' }),
    fundingExpected: Integer(),
    fundingMissing: Integer(),
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

export const backtest = {
  hedge: endpoint({
    method: 'GET',
    path: '/api/test/hedge',
    right: 'signedIn',
    tag: '回测',
    summary: '中性回测：用已存 K 线实算',
    query: BacktestQuery,
    data: BacktestResult,
  }),
};
