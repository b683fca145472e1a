import type { DealView } from '@/strategy/dealColumns';

/** What is shown of trades and of purchases for the inventory: nothing of them is held. */
export const OKX_DEALS: DealView = {
  columns: [],
  signal: '决定成交时按规模的净价差 F25',
  without: ['imbalance', 'heldDays', 'funding', 'apr'],
};
