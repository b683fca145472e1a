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
import { Change, Count, Days, Figure, Word } from './field';
import { Instant, Maybe, OneOf, SourceName, SymbolName, Text } from './value';
import { wordsOf } from './words';

/** Most coins on one side of a pair. */
export const BASKET_SIZE = 20;

/** A symbol or a comma-separated basket. */
export const Basket = (title: string) =>
  Text({ title, minLength: 1, maxLength: 1300, description: '逗号分隔，币种首尾空白不计' });

/** The coins of a basket in the order given, without blanks and repetitions. */
export function basketOf(text: string): string[] {
  return [...new Set(text.split(',').map((symbol) => symbol.trim()))].filter((symbol) => symbol !== '');
}

/**
 * Why a pair is doubtful. The first three: the relation is unreliable, for b <= 0, ADF p > 0.1 or R2 < 0.2.
 * `againstZ`: long the spread while z > 0, so that reversion works against it.
 */
export const PAIR_WARNING_LABEL = {
  hedgeRatio: 'b ≤ 0',
  adf: 'ADF p > 0.1',
  fit: 'R² < 0.2',
  againstZ: '方向与 z 相反',
} as const;
export const PAIR_WARNINGS = wordsOf(PAIR_WARNING_LABEL);
export type PairWarning = (typeof PAIR_WARNINGS)[number];

export const PairFacts = Obj({
  source: Str(),
  bar: OneOf(BARS),
  commonBars: Arr(OneOf(BARS), { description: '所有币种都有的周期' }),
  long: Arr(Str()),
  short: Arr(Str()),
  bars: Integer({ description: '使用的已收盘的共同 K 线根数' }),
  formingAt: Maybe(Instant('未收盘的最后一点：现价的时间；现价不比收盘新时为空')),
  /** Columns of equal length, ascending by time (bar closes); the last is at `formingAt` where that is given. */
  time: Arr(Instant()),
  ratio: Arr(Num(), { description: '多头指数 / 空头指数，起点为 1' }),
  spread: Arr(Num(), { description: 'F13 对数价差' }),
  z: Arr(Maybe(Num()), { description: 'F14' }),
  correlation: Maybe(Num({ description: 'F17，对数收益' })),
  betaLong: Maybe(Num({ description: '多头对 BTC 的 beta' })),
  betaShort: Maybe(Num({ description: '空头对 BTC 的 beta' })),
  hedgeRatio: Maybe(Num({ description: 'F13 的 b：ln 多头 对 ln 空头 的 OLS 斜率' })),
  rSquared: Maybe(Num()),
  currentZ: Maybe(Num({ description: '最后一根收盘的 z' })),
  presentZ: Maybe(Num({ description: 'F14，现价对窗口的均值与标准差' })),
  presentRatio: Maybe(Num({ description: '多头现价 / 空头现价；一篮币种时为空' })),
  warnings: Arr(OneOf(PAIR_WARNINGS)),
  mean: Maybe(Num()),
  sd: Maybe(Num()),
  halfLife: Maybe(Num({ description: 'F15，单位：根；不回归时为空' })),
  adfP: Maybe(Num({ description: 'F16，MacKinnon 1994' })),
  fundingAprDifference: Maybe(Num({ description: '空头资金费 APR − 多头资金费 APR：持有该对的资金费年化' })),
  return30: Maybe(Num({ description: '最近 30 根的比价收益' })),
  return90: Maybe(Num()),
});
export type PairFacts = Static<typeof PairFacts>;

/** A pair whose daily closes were cointegrated over the last 180 days, and that the reader's own desk has nothing to say against. */
export const PairSuggestion = Obj({
  long: Str({ description: '现在相对便宜的一边' }),
  short: Str(),
  bar: OneOf(BARS, { description: '以下数字的周期与窗口：对冲配置的 z 周期与 z 窗口' }),
  bars: Integer({ description: '根' }),
  adfP: Num({ description: 'F16，MacKinnon 1994' }),
  rSquared: Num(),
  halfLife: Num({ description: 'F15，天' }),
  z: Num({ description: 'F14，按现价' }),
});
export type PairSuggestion = Static<typeof PairSuggestion>;

/** Most pairs of one coin that are named. */
export const COIN_PAIRS = 10;

/** A pair with a coin that the reader's desk would look at, by the bars and the window of its settings. */
export const CoinPair = Obj({
  long: Word('做多', { text: '现在相对便宜的一边' }),
  short: Word('做空'),
  z: Figure('z', { signed: true, formula: 'F14，按现价', live: true }),
  adfP: Figure('ADF p', { digits: 3, formula: 'F16，MacKinnon 1994', text: '越小越可能回归' }),
  rSquared: Figure('R²', { text: '对冲比回归的解释度' }),
  halfLife: Days('半衰期', { formula: 'F15', missing: '不回归' }),
  hedgeRatio: Figure('对冲比 b', { digits: 3, text: 'ln 多头 对 ln 空头 的 OLS 斜率（F13）' }),
  correlation: Figure('相关', { text: '对数收益的 Pearson 相关（F17）' }),
  fundingAprDifference: Change('资金费差', {
    formula: '空头资金费年化 − 多头资金费年化',
    text: '持有这一对每年收到的资金费',
    missing: '数据源没有资金费',
    live: true,
  }),
  bar: OneOf(BARS, { description: '以上数字的周期' }),
  bars: Count('窗口', '以上数字用的 K 线根数', { spare: true }),
  warnings: Arr(OneOf(PAIR_WARNINGS), { description: '对冲配置会提示的问题；没有时为空' }),
});
export type CoinPair = Static<typeof CoinPair>;

/** The rules of a desk under the names and in the units of a backtest. */
export const BacktestRules = Obj({
  bar: OneOf(BARS),
  zWindow: Integer({ description: '根' }),
  entryZ: Num(),
  exitZ: Num(),
  stopLoss: Num({ description: '占开仓总名义的分数，0 为不止损' }),
  takeProfit: Num({ description: '占开仓总名义的分数，0 为不止盈' }),
  maxHoldingHours: Integer({ description: '小时，0 为不限' }),
});
export type BacktestRules = Static<typeof BacktestRules>;

export const pair = {
  suggestion: endpoint({
    method: 'GET',
    path: '/api/hedge/pair/suggestion',
    right: 'signedIn',
    tag: '选币',
    expensive: true,
    summary: '模拟行情中现在协整最稳、按自己的对冲配置检验通过的一对；没有时为空',
    data: Obj({
      pair: Maybe(PairSuggestion),
      isOwn: Bool({ description: '这一对已在自己的交易台上，不能再添加：别的都在了' }),
      rules: BacktestRules,
    }),
  }),
  ofCoin: endpoint({
    method: 'GET',
    path: '/api/hedge/pair/coin',
    right: 'signedIn',
    tag: '选币',
    expensive: true,
    summary: '含一个币种的配对：与成交额前列的同板块币种日线协整的，按自己的对冲配置检验后排列',
    query: Obj({ source: SourceName, symbol: SymbolName() }),
    data: Obj({
      list: Arr(CoinPair, { description: `没有问题的在前，再按 ADF p；最多 ${COIN_PAIRS} 对` }),
      rules: BacktestRules,
    }),
  }),
  facts: endpoint({
    method: 'GET',
    path: '/api/hedge/pair',
    right: 'signedIn',
    tag: '选币',
    expensive: true,
    summary: '一对（或两篮）币种的比价、相关、beta、价差 z、半衰期',
    query: Obj({
      source: SourceName,
      long: Basket('多头'),
      short: Basket('空头'),
      bar: Optional(OneOf(BARS, { title: '周期' })),
      bars: Integer({ title: '窗口', minimum: 30, maximum: 1500, default: 90, description: '根' }),
    }),
    data: PairFacts,
  }),
};
