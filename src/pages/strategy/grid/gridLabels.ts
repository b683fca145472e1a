import type { GridDirection, GridInvest, GridSpacing } from '#contract/kinds/grid/params';
import type { GridRange } from '#contract/kinds/grid/scan';

export const DIRECTION_LABEL: Record<GridDirection, string> = { neutral: '中性', long: '做多', short: '做空' };
export const INVEST_LABEL: Record<GridInvest, string> = { quote: '计价币（USDT）', base: '标的币' };
export const SPACING_LABEL: Record<GridSpacing, string> = { arithmetic: '等差', geometric: '等比' };
export const RANGE_LABEL: Record<GridRange, string> = { lowHigh: 'N 日高低', atr: 'ATR × 3' };

/** Why spot has no such figures. */
export const NO_LIQUIDATION = '现货没有强平：没有借款，也没有保证金';
export const NO_ADL = '现货没有自动减仓';

/** When the inputs of a figure were read. */
export const LIVE = '最新行情，每 3 秒读取';
