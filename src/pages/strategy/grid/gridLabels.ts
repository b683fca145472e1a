import type { GridRange } from '#contract/kinds/grid/scan';

export const RANGE_LABEL: Record<GridRange, string> = { lowHigh: 'N 日高低', atr: 'ATR × 3' };

/** Why spot has no such figures. */
export const NO_LIQUIDATION = '现货没有强平：没有借款，也没有保证金';
export const NO_ADL = '现货没有自动减仓';

/** When the inputs of a figure were read. */
export const LIVE = '最新行情，每 3 秒读取';
