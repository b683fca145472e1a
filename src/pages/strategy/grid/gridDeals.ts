import type { DealView } from '@/strategy/dealColumns';

/** What is shown of grids: their legs are no counterparts, and their figures a year stand with the strategy. */
export const GRID_DEALS: DealView = {
  columns: [],
  signal: '开始时最窄一格的净利 F27，占买入价',
  without: ['imbalance', 'roi', 'apr'],
};
