import type { GridDirection, GridSpacing } from '#contract/grid';
import type { GridLevelState } from '#contract/gridDeal';
import type { GridRange } from '#contract/gridScan';

export const DIRECTION_LABEL: Record<GridDirection, string> = { neutral: '中性', long: '做多', short: '做空' };
export const SPACING_LABEL: Record<GridSpacing, string> = { arithmetic: '等差', geometric: '等比' };
export const RANGE_LABEL: Record<GridRange, string> = { lowHigh: 'N 日高低', atr: 'ATR × 3' };

export const LEVEL_STATE_LABEL: Record<GridLevelState, string> = {
  resting: '挂着',
  waiting: '远处未挂',
  missing: '缺失',
  duplicate: '重复',
  suspended: '人手撤下',
  ended: '已结束',
};

/** When the inputs of a figure were read. */
export const LIVE = '最新行情，每 3 秒读取';
