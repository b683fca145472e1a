import { Array as Arr, Integer, Number as Num, Object as Obj, Optional, type Static, String as Str } from 'typebox';
import { BARS, CHART_BARS } from './candle';
import { endpoint } from './endpoint';
import { DIRECTIONS } from './evaluate';
import { Amount, At, Choice, Figure, Gain, Moment, Percent, Price, Word } from './field';
import { HEDGE_STATES } from './lifecycle';
import { KindField, ModeField } from './strategy';
import { Instant, Maybe, OneOf, SourceName, SymbolName } from './value';

const WINDOWS = [30, 90] as const;

export const SymbolStatistics = Obj({
  days: Integer({ description: '窗口，天' }),
  volatility: Maybe(Num({ description: '年化，分数' })),
  betaBtc: Maybe(Num()),
  correlationBtc: Maybe(Num()),
  correlationEth: Maybe(Num()),
  maxDrawdown: Maybe(Num({ description: '分数，负数' })),
  return: Maybe(Num()),
});

export const FundingSummary = Obj({
  days: Integer(),
  settlements: Integer(),
  missing: Integer({ description: '按结算间隔应有而缺失的次数' }),
  meanApr: Maybe(Num({ description: '分数' })),
  positiveShare: Maybe(Num({ description: '正费率占比，分数' })),
});

export const SymbolDetail = Obj({
  source: Str(),
  kind: OneOf(['simulated', 'live', 'imported'] as const),
  symbol: Str(),
  base: Str(),
  quote: Str(),
  exchange: Str(),
  sector: Maybe(Str()),
  bars: Arr(OneOf(BARS)),
  chartBars: Arr(OneOf(CHART_BARS), {
    description: 'K 线图的周期；分钟只有实时的数据源有，只收集持仓、运行中的策略与自选的币种',
  }),
  listedAt: Instant('上市时间'),
  lastAt: Instant('最新一根 K 线'),
  tickSize: Maybe(Str()),
  lotSize: Maybe(Str()),
  minNotional: Maybe(Str({ description: 'USDT' })),
  maxLeverage: Maybe(Num()),
  price: Num(),
  priceAt: Instant(),
  mark: Maybe(Num()),
  index: Maybe(Num()),
  premium: Maybe(Num({ description: 'F3，分数' })),
  change24h: Maybe(Num()),
  high24h: Maybe(Num()),
  low24h: Maybe(Num()),
  volume24h: Maybe(Num({ description: '币' })),
  turnover24h: Maybe(Num({ description: 'USDT' })),
  openInterest: Maybe(Num({ description: 'USDT' })),
  openInterestChange24h: Maybe(Num()),
  premiumChange24h: Maybe(Num({ description: '溢价与 24 小时前之差，分数；没有采样时为空' })),
  borrowRate: Maybe(Num({ description: '借入基础币一天的利率，分数；最新一次采样，没有或交易所不公布时为空' })),
  sampledAt: Maybe(Instant('最新一次持仓量与溢价采样；没有采样时为空')),
  longShortRatio: Maybe(Num()),
  fundingRate: Maybe(Num()),
  fundingHours: Maybe(Num()),
  fundingApr: Maybe(Num()),
  nextFundingAt: Maybe(Instant()),
  rank: Maybe(Integer()),
  ranked: Integer(),
  score: Maybe(Num()),
  suggestion: Maybe(OneOf(DIRECTIONS)),
  direction: Maybe(OneOf(DIRECTIONS)),
  note: Str(),
  noteBy: Maybe(Str()),
  updatedAt: Maybe(Instant()),
  statistics: Arr(SymbolStatistics, { description: `窗口 ${WINDOWS.join('、')} 天与全部历史` }),
  fundingSummary: Arr(FundingSummary, { description: '7、30、90 天' }),
  drawdown: Obj({
    max: Maybe(Num()),
    peakAt: Maybe(Instant()),
    troughAt: Maybe(Instant()),
    recoveredAt: Maybe(Instant()),
    current: Maybe(Num()),
  }),
  /** Neighbours by symbol name within the source. */
  previous: Maybe(Str()),
  next: Maybe(Str()),
});
export type SymbolDetail = Static<typeof SymbolDetail>;

export const CandleColumns = Obj({
  symbol: Str(),
  bar: OneOf(CHART_BARS),
  formingAt: Maybe(Instant('未收盘的最后一根：价格时间；都已收盘时为空')),
  /** Opening instants; all columns have equal length. */
  time: Arr(Instant()),
  open: Arr(Num()),
  high: Arr(Num()),
  low: Arr(Num()),
  close: Arr(Num()),
  volume: Arr(Num()),
  turnover: Arr(Num()),
  ma7: Arr(Maybe(Num())),
  ma25: Arr(Maybe(Num())),
  bollUpper: Arr(Maybe(Num()), { description: '20 根均值 + 2 倍标准差' }),
  bollMiddle: Arr(Maybe(Num())),
  bollLower: Arr(Maybe(Num())),
  compare: Maybe(
    Obj({
      symbol: Str(),
      /** Both rebased to 0 at their first common bar, as fractions; null where a symbol has no bar. */
      own: Arr(Maybe(Num())),
      other: Arr(Maybe(Num())),
    }),
  ),
});
export type CandleColumns = Static<typeof CandleColumns>;

/** Bars that one reading of the own trades reaches over at most, and deals that it names. */
export const OWN_BARS = 5_000;
export const OWN_SPANS = 100;

/** The reader's own fills of one side within one bar. */
export const OwnFills = Obj({
  mode: ModeField,
  time: Instant('所在 K 线的开始'),
  side: OneOf(['buy', 'sell'] as const, { title: '方向' }),
  fills: Integer({ description: '成交笔数' }),
  quantity: Num({ description: '基础币' }),
  price: Num({ description: 'USDT，均价' }),
});
export type OwnFills = Static<typeof OwnFills>;

/** The time through which one of the reader's own deals holds, or held, the symbol. */
export const OwnSpan = Obj({
  dealId: Str({ description: '交易单' }),
  against: Arr(Str(), { title: '另一腿', description: '同一交易单的其他腿' }),
  side: Choice({ long: '做多', short: '做空' }, '方向'),
  kind: KindField,
  mode: ModeField,
  strategyId: Str(),
  strategy: Word('策略'),
  state: OneOf(HEDGE_STATES, { title: '状态' }),
  from: At('开仓'),
  to: Moment('平仓', { missing: '仍持有' }),
  quantity: Str({ title: '数量', description: '币，曾持有的最大数量' }),
  entry: Price('开仓均价', { missing: '现在没有持有' }),
  exit: Price('平仓均价', { missing: '还没有平仓' }),
  pricePnl: Gain('价格盈亏', { missing: '没有价格', text: '这个币种的一腿，已实现与浮动，不含资金费与手续费' }),
  net: Gain('净盈亏', { missing: '没有价格', formula: '价格盈亏 + 资金费 − 手续费（F11）', text: '整张交易单' }),
});
export type OwnSpan = Static<typeof OwnSpan>;

/** How far from the best price of a side depth is added up, fractions. */
export const DEPTH_REACHES = [0.001, 0.005, 0.01] as const;
/** What a size may be, USDT. */
export const LEAST_SIZE = 10;
export const MOST_SIZE = 10_000_000;

const SHORT_BOOK = '盘口不够这个规模';

/** What taking a size from one side of the book costs now. */
export const TakeCost = Obj({
  side: Choice({ buy: '买入', sell: '卖出' }, '方向', { first: null }),
  quantity: Str({ title: '数量', description: '币，规模 ÷ 中间价，按最小数量取整' }),
  price: Price('均价', { missing: SHORT_BOOK, first: null, text: '吃完这些数量的加权均价（VWAP）' }),
  slippageBps: Figure('滑点', {
    ...{ unit: 'bps', digits: 2, missing: SHORT_BOOK, first: null },
    formula: '|均价 − 中间价| / 中间价（F9）',
  }),
  slippage: Amount('滑点金额', { missing: SHORT_BOOK, first: null, text: '数量 × |均价 − 中间价|' }),
  fee: Amount('手续费', { missing: '数据源没有费率', first: null, text: '吃单费率，最低一档账户' }),
  cost: Amount('合计成本', { missing: SHORT_BOOK, first: null, text: '滑点金额 + 手续费' }),
  costBps: Figure('合计', { unit: 'bps', digits: 2, missing: SHORT_BOOK, first: null, text: '合计成本 / 规模' }),
  held: Percent('盘口可成交', { digits: 0, first: null, text: '这一侧全部挂单占所要数量的比例，最多 100%' }),
  depth: Amount('全部挂单', { digits: 0, first: null, text: '这一侧的全部挂单' }),
  within: Arr(Num(), { title: '挂单', description: `USDT，离最优价 ${DEPTH_REACHES.join('、')} 以内` }),
});
export type TakeCost = Static<typeof TakeCost>;

export const SymbolDepth = Obj({
  at: Instant('盘口时间'),
  mid: Num({ description: 'USDT，最优买卖价的中间' }),
  bid: Num({ description: 'USDT' }),
  ask: Num({ description: 'USDT' }),
  spreadBps: Num({ description: '买卖价差 / 中间价，万分之一' }),
  list: Arr(TakeCost, { description: '先买入，后卖出' }),
});
export type SymbolDepth = Static<typeof SymbolDepth>;

export const symbol = {
  detail: endpoint({
    method: 'GET',
    path: '/api/symbol/detail',
    right: 'signedIn',
    tag: '币种',
    summary: '币种的行情、统计、资金费与评价',
    query: Obj({ source: SourceName, symbol: SymbolName() }),
    data: SymbolDetail,
  }),
  candle: endpoint({
    method: 'GET',
    path: '/api/symbol/candle',
    right: 'signedIn',
    tag: '币种',
    expensive: true,
    summary: 'K 线与均线、布林带，可与另一币种比较',
    query: Obj({
      source: SourceName,
      symbol: SymbolName(),
      /** Without it the coarsest that the symbol has. */
      bar: Optional(OneOf(CHART_BARS, { title: '周期' })),
      start: Optional(Instant('开始时间')),
      end: Optional(Instant('结束时间')),
      limit: Integer({ title: '根数', minimum: 1, maximum: 5000, default: 1000, description: '最新的若干根' }),
      compare: Optional(SymbolName('比较币种')),
    }),
    data: CandleColumns,
  }),
  funding: endpoint({
    method: 'GET',
    path: '/api/symbol/funding',
    right: 'signedIn',
    tag: '币种',
    expensive: true,
    summary: '资金费结算历史，新的在后',
    query: Obj({
      source: SourceName,
      symbol: SymbolName(),
      limit: Integer({ title: '次数', minimum: 1, maximum: 5000, default: 1000 }),
    }),
    data: Obj({
      symbol: Str(),
      hours: Maybe(Num({ description: '结算间隔' })),
      time: Arr(Instant()),
      rate: Arr(Num({ description: '分数' })),
      apr: Arr(Num({ description: 'F1，分数' })),
    }),
  }),
  sample: endpoint({
    method: 'GET',
    path: '/api/symbol/sample',
    right: 'signedIn',
    tag: '币种',
    summary: '持仓量与溢价，每 5 分钟一次，新的在后；只有实时数据源里有人关注的永续有',
    query: Obj({
      source: SourceName,
      symbol: SymbolName(),
      limit: Integer({ title: '次数', minimum: 1, maximum: 2016, default: 864, description: '最新的若干次' }),
    }),
    data: Obj({
      time: Arr(Instant()),
      interest: Arr(Maybe(Num({ description: '币' }))),
      interestUsdt: Arr(Maybe(Num({ description: 'USDT，按标记价' }))),
      premium: Arr(Maybe(Num({ description: 'F3，分数' }))),
    }),
  }),
  own: endpoint({
    method: 'GET',
    path: '/api/symbol/own',
    right: 'signedIn',
    tag: '币种',
    expensive: true,
    summary: '一段时间内本人在一个币种上的成交（每根 K 线每个方向合为一行），与持有过它的交易单',
    query: Obj({
      source: SourceName,
      symbol: SymbolName(),
      bar: OneOf(CHART_BARS, { title: '周期' }),
      start: Instant('开始时间'),
      end: Instant('结束时间'),
    }),
    data: Obj({
      fills: Arr(OwnFills, { description: '旧的在前' }),
      spans: Arr(OwnSpan, { description: `新的在前，最多 ${OWN_SPANS} 行` }),
      total: Integer({ description: '持有过它的交易单' }),
    }),
  }),
  depth: endpoint({
    method: 'GET',
    path: '/api/symbol/depth',
    right: 'signedIn',
    tag: '币种',
    summary: '现在按市价买入与卖出一个规模的成本；没有盘口时为空',
    query: Obj({
      source: SourceName,
      symbol: SymbolName(),
      size: Num({ title: '规模', minimum: LEAST_SIZE, maximum: MOST_SIZE, default: 10_000, description: 'USDT' }),
    }),
    data: Obj({ depth: Maybe(SymbolDepth) }),
  }),
};
