import { BARS } from '#contract/candle';
import { flagCodec, numberCodec, textCodec, useQueryState, wordCodec } from '@/components/useQueryState';

export const TABS = ['funding', 'statistics', 'evaluate'] as const;

const codecs = {
  source: textCodec('simulated'),
  /** `null`: the coarsest bar that the coin has. */
  bar: wordCodec(BARS, null),
  ma: wordCodec(['on', 'off'], 'on'),
  boll: flagCodec,
  compare: textCodec(),
  /** Visible part of the chart, UTC ms; `null`: the newest bars. */
  from: numberCodec(null),
  to: numberCodec(null),
  tab: wordCodec(TABS, 'funding'),
};

/** What the address says beside the symbol. */
export const useDetailState = () => useQueryState(codecs);
