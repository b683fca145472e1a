import { Integer, Number as Num, Object as Obj, type Static, String as Str } from 'typebox';
import { VENUES } from '../../candle';
import { endpoint } from '../../endpoint';
import { AtLeast, Change, Choice, ChoiceFilter, Figure, Money, Percent, shown, Venue, VenueFilter } from '../../field';
import { ACTIONABLE, Obstacles, replays, scanQuery, scanRows } from '../../scan';
import { Instant, Maybe, OneOf, SymbolName } from '../../value';
import { GRID_MARKET_LABEL } from './params';

/** How far a range reaches: the lowest and highest price of the days, or three average daily ranges either way of the last close. */
export const GRID_RANGES = ['lowHigh', 'atr'] as const;
export type GridRange = (typeof GRID_RANGES)[number];

/** What is known of the hours before: nothing yet where they are being read, or fewer of them than twice the days of the range. */
export const GRID_PASTS = ['known', 'pending', 'short'] as const;

const UNREAD = '历史还没有读完';
const BEFORE = '区间天数 N：取最近 N 天之前的 N 天（14 天时为第 15–28 天）';
const HOURS = '最近 N 天（14 天时为第 1–14 天）的小时 K 线，区间取自更早的 N 天';

export const GridCandidate = Obj({
  id: Str({ description: '数据源与代码' }),
  base: Str(),
  symbol: Str({ description: '代码' }),
  past: OneOf(GRID_PASTS),
  market: Choice(GRID_MARKET_LABEL, '市场'),
  source: Venue('交易所'),
  price: shown(Num(), '现价', { form: 'price' }),
  lower: Maybe(Num({ description: '区间下限，USDT' })),
  upper: Maybe(Num({ description: '区间上限，USDT' })),
  position: Figure('区间', {
    first: 'ascend',
    text: '自动区间与现价的位置；那段时间的高低，或其最后收盘上下各 3 个日均波幅（ATR）',
    window: BEFORE,
  }),
  result: Change('样本外', {
    missing: UNREAD,
    formula: 'F27：(网格利润 + 浮动盈亏 + 资金费 − 手续费) / 规模',
    text: '样本外重放 N 天的总收益，不是年化：按这个区间与规模，每格每根最多走一步，止损 20%；价格没有进过区间为 0',
    window: HOURS,
  }),
  ...replays((days) => ({
    missing: '还没有读完，或历史不足',
    formula: 'F30：网格利润 + 浮动盈亏 + 资金费 − 手续费，占规模',
    text: `区间取自 ${days} 天前那时的最近 N 天，此后按它持有 ${days} 天；不是年化，每小时更新`,
  })),
  dailyPairs: Figure('预计每日成交', {
    digits: 1,
    missing: UNREAD,
    text: '每天完成的配对次数：样本外重放，每根每格最多走一步，偏低',
    window: HOURS,
  }),
  profit: Percent('每格净利', {
    digits: 3,
    missing: UNREAD,
    formula: 'F27：(卖 × (1 − 费) − 买 × (1 + 费)) / 买',
    text: '最窄一格，两笔都是挂单；现货买入的手续费从币里扣（F28）',
    live: true,
  }),
  step: Percent('间距', { digits: 3, missing: UNREAD }),
  obstacles: Obstacles(),
  volatility: Percent('波动', { digits: 0, missing: UNREAD, text: '小时对数收益的标准差 × √8760', window: HOURS }),
  width: Percent('区间宽', { digits: 1, missing: UNREAD }),
  inRange: Percent('区间内', { digits: 0, missing: UNREAD, text: '收盘价在区间内的小时占比', window: HOURS }),
  dailyNet: Figure('每日网格利润', { text: '只是配对的利润，不含浮动盈亏与资金费', window: HOURS }),
  fundingApr: Percent('资金费年化', {
    signed: true,
    first: 'ascend',
    formula: 'F1',
    text: '正数多头付出、空头收取；现货没有',
    live: true,
  }),
  depth: Money('5% 深度', { digits: 0, missing: '没有盘口' }),
  turnover24h: Money('24h 成交额', { digits: 0 }),
  adl: Figure('ADL', { digits: 0, first: 'ascend' }),
});
export type GridCandidate = Static<typeof GridCandidate>;

/** What the coins are narrowed down by. */
export const GRID_FILTERS = {
  source: VenueFilter(),
  market: ChoiceFilter(GRID_MARKET_LABEL, '市场'),
  actionable: ACTIONABLE,
  minProfit: AtLeast('每格净利', '%', { maximum: 10 }),
  minPairs: AtLeast('每日套利', '次', { prefix: '每日', maximum: 10_000 }),
  minInRange: AtLeast('区间内', '%', { maximum: 1 }),
  minTurnover: AtLeast('24h 成交额', '万', { prefix: '成交额', maximum: 1e15 }),
  minDepth: AtLeast('5% 深度', '万', { prefix: '深度', maximum: 1e15 }),
};

/** A range by the closed hours of one instrument, and the figures that it comes of. */
export const GridSuggestion = Obj({
  lower: Num({ description: '区间下限，取到最小价格单位，USDT' }),
  upper: Num({ description: '区间上限，取到最小价格单位，USDT' }),
  price: Num({ description: '最后一根小时 K 线的收盘，USDT' }),
  low: Num({ description: '这些天的最低价，USDT' }),
  high: Num({ description: '这些天的最高价，USDT' }),
  atr: Num({ description: '日均波幅：每 24 小时的高低差，含与前一收盘的缺口，取平均，USDT' }),
  from: Instant('第一根开盘'),
  until: Instant('最后一根收盘'),
});
export type GridSuggestion = Static<typeof GridSuggestion>;

/** Over how many days a range may look back. */
export const RANGE_DAYS = { minimum: 3, maximum: 30, default: 14 } as const;

const asked = {
  days: Integer({ title: '区间天数', ...RANGE_DAYS }),
  range: OneOf(GRID_RANGES, { title: '区间算法', default: 'lowHigh' }),
};

export const gridScan = {
  list: endpoint({
    method: 'GET',
    path: '/api/market/grid',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: '适合做网格的永续与现货：自动区间、每格净利与样本外的重放，按样本外重放的总收益排列',
    query: Obj({
      ...scanQuery,
      ...asked,
      cells: Integer({ title: '格数', minimum: 2, maximum: 200, default: 40 }),
      ...GRID_FILTERS,
    }),
    data: scanRows(GridCandidate),
  }),
  range: endpoint({
    method: 'GET',
    path: '/api/market/grid/range',
    right: 'isMaster',
    tag: '策略行情',
    expensive: true,
    summary: '一个标的的自动区间：N 日高低，或最后收盘上下各 3 个日均波幅；历史不满 N 天时拒绝',
    query: Obj({ ...asked, source: OneOf(VENUES, { title: '交易所' }), symbol: SymbolName('交易对') }),
    data: GridSuggestion,
  }),
};
