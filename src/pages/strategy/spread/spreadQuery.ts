import { SIMULATED_SOURCES } from '#contract/candle';
import { SPREAD_TYPES } from '#contract/kinds/spread/scan';
import { numberCodec, type StateOf, textCodec, wordCodec, yesNoCodec } from '@/components/useQueryState';
import { SCAN_PLACE } from '@/scan/scanPlace';
import { listQuery } from '@/table/listQuery';

/** Everything of the scanner that a reload and a link keep. */
export const spreadQuery = listQuery(
  {
    search: textCodec(),
    source: wordCodec(SIMULATED_SOURCES, null),
    type: wordCodec(SPREAD_TYPES, null),
    minNetApr: numberCodec(null),
    minDepth: numberCodec(null),
    minTurnover: numberCodec(null),
    maxDays: numberCodec(null),
    actionable: yesNoCodec,
  },
  { ...SCAN_PLACE, size: numberCodec(10_000), days: numberCodec(7) },
);

export type SpreadState = StateOf<typeof spreadQuery.codecs>;

export const toApi = (state: SpreadState) => ({
  ...spreadQuery.toApi(state),
  size: state.size,
  days: state.days,
});
