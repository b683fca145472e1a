import { SIMULATED_SOURCES } from '#contract/candle';
import { CARRY_DIRECTIONS } from '#contract/fundingScan';
import { flagCodec, numberCodec, type StateOf, textCodec, wordCodec, yesNoCodec } from '@/components/useQueryState';
import { listQuery } from '@/table/listQuery';

/** Everything of the scanner that a reload and a link keep. */
export const fundingQuery = listQuery(
  {
    search: textCodec(),
    source: wordCodec(SIMULATED_SOURCES, null),
    direction: wordCodec(CARRY_DIRECTIONS, null),
    minApr: numberCodec(null),
    maxBreakEvenHours: numberCodec(null),
    minTurnover: numberCodec(null),
    minDepth: numberCodec(null),
    top: numberCodec(null),
    lowAdl: flagCodec,
    actionable: yesNoCodec,
  },
  { size: numberCodec(10_000), hours: numberCodec(168) },
);

export type FundingState = StateOf<typeof fundingQuery.codecs>;

export const toApi = (state: FundingState) => ({
  ...fundingQuery.toApi(state),
  size: state.size,
  hours: state.hours,
});
