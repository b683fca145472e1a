import { Boolean as Bool, Integer, Object as Obj, Optional, type Static } from 'typebox';
import { VENUES } from '../../candle';
import { Kept } from '../../decimal';
import type { FieldErrors } from '../../envelope';
import { Labelled, Maybe, OneOf, SymbolName } from '../../value';
import { wordsOf } from '../../words';

/** `long` buys low and sells high, `short` sells high and buys low, `neutral` is long below where it began and short above. */
export const GRID_DIRECTION_LABEL = { neutral: '中性', long: '做多', short: '做空' } as const;
export const GRID_DIRECTIONS = wordsOf(GRID_DIRECTION_LABEL);
export type GridDirection = (typeof GRID_DIRECTIONS)[number];

/** What is traded: a contract with margin, or the coin itself. */
export const GRID_MARKET_LABEL = { perpetual: '永续', spot: '现货' } as const;
export type GridMarket = keyof typeof GRID_MARKET_LABEL;
export const GRID_MARKETS = wordsOf(GRID_MARKET_LABEL);

/** With what a spot grid begins: coin bought for USDT at the market, or coin that the account holds for nothing else. */
export const GRID_INVEST_LABEL = { quote: '计价币（USDT）', base: '标的币' } as const;

/** Levels lie at equal distances or at equal ratios. */
export const GRID_SPACING_LABEL = { arithmetic: '等差', geometric: '等比' } as const;
export const GRID_SPACINGS = wordsOf(GRID_SPACING_LABEL);

const price = (title: string, description: string) =>
  Kept({ title, minimum: 0.00000001, maximum: 10_000_000, description: `USDT，${description}` });
const share = (title: string, description: string) =>
  Maybe(Kept({ title, minimum: 0.001, maximum: 10, description, decimals: 10 }));

/** How one instrument is bought and sold between two prices. Fractions, not percent; null switches a rule off. */
export const GridParams = Obj(
  {
    source: OneOf(VENUES, { title: '交易所' }),
    market: Optional(Labelled(GRID_MARKET_LABEL, { title: '市场', default: 'perpetual' })),
    symbol: SymbolName('交易对'),
    direction: Labelled(GRID_DIRECTION_LABEL, { title: '方向' }),
    spacing: Labelled(GRID_SPACING_LABEL, { title: '间距' }),
    lower: price('区间下限', '最低一档'),
    upper: price('区间上限', '最高一档'),
    cells: Integer({ title: '格数', minimum: 2, maximum: 200, description: '相邻两档之间为一格，每格数量相同' }),
    legNotional: Kept({
      title: '总名义',
      minimum: 50,
      maximum: 1_000_000,
      description: 'USDT，全部格子按区间上限计；投入 = 名义 ÷ 杠杆。投入标的币时也填 USDT，折成的币数见试算',
    }),
    leverage: Kept({ title: '杠杆', minimum: 1, maximum: 20, description: '现货没有杠杆，填 1' }),
    invest: Optional(Labelled(GRID_INVEST_LABEL, { title: '投入', default: 'quote' })),
    triggerAbove: Maybe(price('涨到才开始', '价格不低于它时开始；留空立即开始')),
    triggerBelow: Maybe(price('跌到才开始', '价格不高于它时开始；留空立即开始')),
    trailing: Bool({
      title: '跟随价格',
      description: '做多价格越过上限时区间上移一格，做空越过下限时下移一格；中性不跟随',
    }),
    compound: Bool({
      title: '复投',
      description: '已配对的网格利润按占投入的比例加大之后买入（卖出）的每格数量，向下取整',
    }),
    stopLow: Maybe(price('跌破离场', '低于区间下限；撤掉全部挂单并平仓')),
    stopHigh: Maybe(price('涨破离场', '高于区间上限；撤掉全部挂单并平仓')),
    stopLoss: share('止损', '净亏损占投入的分数'),
    takeProfit: share('止盈', '净盈利占投入的分数'),
    dailyLossLimit: Maybe(
      Kept({ title: '单日最大亏损', minimum: 1, maximum: 10_000_000, description: 'USDT，自账户的当日开始，全账户' }),
    ),
    maxOrders: Integer({
      title: '挂单上限',
      minimum: 2,
      maximum: 200,
      description: '只挂离现价最近的这么多档，价格移动时换挂',
    }),
    slippageCap: Kept({ title: '滑点上限', minimum: 1, maximum: 500, description: 'bps，底仓与平仓相对决策时中间价' }),
  },
  { additionalProperties: false },
);
export type GridParams = Static<typeof GridParams>;

export const DEFAULT_GRID: GridParams & Required<Pick<GridParams, 'market' | 'invest'>> = {
  source: 'simulated',
  market: 'perpetual',
  symbol: '',
  direction: 'neutral',
  spacing: 'geometric',
  lower: 1,
  upper: 2,
  cells: 40,
  legNotional: 10_000,
  leverage: 2,
  invest: 'quote',
  triggerAbove: null,
  triggerBelow: null,
  trailing: false,
  compound: false,
  stopLow: null,
  stopHigh: null,
  stopLoss: 0.2,
  takeProfit: null,
  dailyLossLimit: 500,
  maxOrders: 40,
  slippageCap: 20,
};

/** Of one that was saved before there were others it is a contract. */
export const isSpotGrid = ({ market }: Pick<GridParams, 'market'>): boolean => market === 'spot';

const SPOT_IS_LONG: Record<Exclude<GridDirection, 'long'>, string> = {
  short: '现货没有可借的币，不能做空',
  neutral: '现货没有可借的币，不能先卖出',
};

/** Rules across fields: the form and the server ask the same function. */
export function gridErrors(params: GridParams): FieldErrors['fields'] {
  const { direction, leverage, invest, lower, upper, triggerAbove, triggerBelow, trailing, stopLow, stopHigh } = params;
  const errors: FieldErrors['fields'] = [];
  if (isSpotGrid(params)) {
    if (direction !== 'long') errors.push({ field: 'direction', message: SPOT_IS_LONG[direction] });
    if (leverage !== 1) errors.push({ field: 'leverage', message: '现货没有杠杆，请填 1' });
  } else if (invest === 'base') {
    errors.push({ field: 'invest', message: '永续合约只用 USDT 作保证金，请选计价币' });
  }
  if (upper <= lower) errors.push({ field: 'upper', message: '区间上限要高于区间下限' });
  if (stopLow !== null && stopLow >= lower) errors.push({ field: 'stopLow', message: '跌破离场要低于区间下限' });
  if (stopHigh !== null && stopHigh <= upper) errors.push({ field: 'stopHigh', message: '涨破离场要高于区间上限' });
  if (triggerAbove !== null && triggerBelow !== null) {
    errors.push({ field: 'triggerBelow', message: '触发价只填一个' });
  }
  if (trailing && direction === 'neutral') errors.push({ field: 'trailing', message: '中性网格不能跟随价格' });
  return errors;
}
