import { RATE_SIGNS } from '#contract/cexRateScan';
import {
  flagCodec,
  listCodec,
  numberCodec,
  type StateOf,
  textCodec,
  wordCodec,
  yesNoCodec,
} from '@/components/useQueryState';
import { type Change, listQuery } from '@/table/listQuery';

export const TABS = ['pairs', 'matrix'] as const;
export type Tab = (typeof TABS)[number];

/** How the matrix says a rate: of the venue's own interval, of 8 hours, of a year. */
export const UNITS = ['rate', 'rate8h', 'apr'] as const;
export type Unit = (typeof UNITS)[number];

/** Filters of both tabs. */
const shared = {
  search: textCodec(),
  minOpenInterest: numberCodec(null),
};
const own = {
  tab: wordCodec(TABS, 'pairs'),
  size: numberCodec(10_000),
  hours: numberCodec(168),
  unit: wordCodec(UNITS, 'rate'),
};

/** Everything of the screen that a reload and a link keep. */
export const rateQuery = listQuery(
  {
    ...shared,
    sources: listCodec,
    funded: flagCodec,
    sign: wordCodec(RATE_SIGNS, null),
    minNetApr: numberCodec(null),
    actionable: yesNoCodec,
  },
  own,
);
export const matrixQuery = listQuery(shared, own);

export type RateState = StateOf<typeof rateQuery.codecs>;
export type ChangeRates = Change<RateState>;

export const toPairs = (state: RateState) => ({ ...rateQuery.toApi(state), size: state.size, hours: state.hours });
