import type { SpreadDirection, SpreadType } from '#contract/kinds/spread/scan';

export const TYPE_LABEL: Record<SpreadType, string> = {
  spotPerpetual: '现货 · 永续',
  spotFuture: '期现',
  perpetualFuture: '永续 · 季度',
  nearFar: '跨期',
};

export const DIRECTION_LABEL: Record<SpreadDirection, string> = { sellFar: '卖远买近', buyFar: '买远卖近' };

/** When the inputs of a figure were read, and why one is missing. */
export const LIVE = '最新行情，每 3 秒读取';
export const NO_PRICE = '这个规模没有完整的价格';
export const NO_EXPIRY = '两腿都没有到期日';
