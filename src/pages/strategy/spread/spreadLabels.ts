import type { HedgeSettings } from '#contract/hedgeConfig';
import type { SpreadDirection, SpreadType } from '#contract/spreadScan';

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

/** How both legs come in. */
export const ENTRY_LABEL: Record<HedgeSettings['orderType'], string> = { market: '双市价', maker: '挂单+对冲' };
export const ENTRY_HELP =
  '挂单+对冲：成交较少的一腿挂在本方最优价，成交多少另一腿就按市价对冲多少；开仓条件与成本仍按两腿吃单计。移仓总是双市价一次进';
