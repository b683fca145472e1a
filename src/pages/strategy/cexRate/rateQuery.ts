import { RATE_ENTRIES, RATE_EXITS, RATE_SIGNS, TOP_TIER } from '#contract/kinds/cexRate/scan';
import {
  flagCodec,
  listCodec,
  numberCodec,
  type StateOf,
  textCodec,
  wordCodec,
  yesNoCodec,
} from '@/components/useQueryState';
import { SCAN_PLACE } from '@/scan/scanPlace';
import { type Change, listQuery } from '@/table/listQuery';

/** How the matrix says a rate: of the venue's own interval, of 8 hours, of a year. */
export const UNITS = ['rate', 'rate8h', 'apr'] as const;
export type Unit = (typeof UNITS)[number];

/** Fee tiers, the lowest first. */
export const TIERS: readonly string[] = Array.from({ length: TOP_TIER + 1 }, (_, tier) => String(tier));

/** Filters of both tabs. */
const shared = {
  search: textCodec(),
  minOpenInterest: numberCodec(null),
};
const own = {
  ...SCAN_PLACE,
  size: numberCodec(10_000),
  hours: numberCodec(168),
  entry: wordCodec(RATE_ENTRIES, 'taker'),
  exit: wordCodec(RATE_EXITS, 'counted'),
  tier: wordCodec(TIERS, '0'),
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

/** What every row is worked out with beside its size and its hours, as the engine trades. */
export const AS_TRADED = { entry: 'taker', exit: 'counted', tier: '0' } as const satisfies Partial<RateState>;

/** Whether rows are worked out as the engine trades. */
export const isAsTraded = ({ entry, exit, tier }: RateState): boolean =>
  entry === AS_TRADED.entry && exit === AS_TRADED.exit && tier === AS_TRADED.tier;

export const toPairs = (state: RateState) => {
  const { size, hours, entry, exit, tier } = state;
  return { ...rateQuery.toApi(state), size, hours, entry, exit, tier: Number(tier) };
};
