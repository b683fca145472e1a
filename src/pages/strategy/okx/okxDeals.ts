import type { DealView } from '@/strategy/dealColumns';

/** What is shown of trades, of purchases for the inventory, which is no deal's, and of its hedges, which alone are held. */
export const OKX_DEALS: DealView = {
  columns: [],
  signal: '决定成交时按规模的净价差 F25',
  totals: '合计（不含库存盈亏）',
  without: ['imbalance', 'apr'],
};
