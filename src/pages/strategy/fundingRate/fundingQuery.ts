import { SIMULATED_SOURCES } from '#contract/candle';
import { CARRY_DIRECTIONS, type FundingFilter } from '#contract/kinds/fundingRate/scan';
import {
  boundCodec,
  flagCodec,
  numberCodec,
  type StateOf,
  textCodec,
  wordCodec,
  yesNoCodec,
} from '@/components/useQueryState';
import { SCAN_PLACE } from '@/scan/scanPlace';
import { listQuery } from '@/table/listQuery';

/** Bounds that stand until somebody takes them off: a fraction a year, and hours. */
export const USUAL = { minApr: 0.05, maxBreakEvenHours: 48 } as const;

/** Everything of the scanner that a reload and a link keep. */
export const fundingQuery = listQuery(
  {
    search: textCodec(),
    source: wordCodec(SIMULATED_SOURCES, null),
    direction: wordCodec(CARRY_DIRECTIONS, null),
    minApr: boundCodec(USUAL.minApr),
    maxBreakEvenHours: boundCodec(USUAL.maxBreakEvenHours),
    minTurnover: numberCodec(null),
    minDepth: numberCodec(null),
    top: numberCodec(null),
    lowAdl: flagCodec,
    actionable: yesNoCodec,
  },
  { ...SCAN_PLACE, size: numberCodec(10_000), hours: numberCodec(168) },
);

export type FundingState = StateOf<typeof fundingQuery.codecs>;

/** What takes one filter off. */
export const WITHOUT: Record<FundingFilter, Partial<FundingState>> = {
  search: { search: '' },
  source: { source: null },
  direction: { direction: null },
  actionable: { actionable: null },
  minApr: { minApr: null },
  maxBreakEvenHours: { maxBreakEvenHours: null },
  minTurnover: { minTurnover: null },
  minDepth: { minDepth: null },
  top: { top: null },
  lowAdl: { lowAdl: false },
};

/** Everything that can be taken off. */
export const UNFILTERED: Partial<FundingState> = Object.assign({}, ...Object.values(WITHOUT));

export const toApi = (state: FundingState) => ({
  ...fundingQuery.toApi(state),
  size: state.size,
  hours: state.hours,
});
