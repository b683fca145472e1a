import { CHART_BARS, type ChartBar } from '#contract/candle';
import { flagCodec, numberCodec, textCodec, useQueryState, wordCodec } from '@/components/useQueryState';
import { HOME_SOURCE } from '@/services/home';

export const TABS = ['funding', 'interest', 'depth', 'pairs', 'statistics', 'evaluate', 'own'] as const;

export const detailCodecs = {
  source: textCodec(HOME_SOURCE),
  /** `null`: the coarsest bar that the coin has. */
  bar: wordCodec(CHART_BARS, null),
  ma: wordCodec(['on', 'off'], 'on'),
  boll: flagCodec,
  /** What the reader traded himself. */
  own: wordCodec(['on', 'off'], 'on'),
  compare: textCodec(),
  /** Visible part of the chart, UTC ms; `null`: the newest bars. */
  from: numberCodec(null),
  to: numberCodec(null),
  tab: wordCodec(TABS, 'funding'),
  /** What the depth is priced at, USDT. */
  size: numberCodec(10_000),
};

/** The bar that the address asks for where the coin has it, else its coarsest. */
export const barIn = (bars: readonly ChartBar[], wanted: ChartBar | null): ChartBar | null =>
  wanted !== null && bars.includes(wanted) ? wanted : (bars[0] ?? null);

/** What the address says beside the symbol. */
export const useDetailState = () => useQueryState(detailCodecs);
