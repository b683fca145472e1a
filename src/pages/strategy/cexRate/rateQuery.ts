import { type CEX_RATE_FILTERS, RATE_ENTRIES, RATE_EXITS, RATE_FILTERS, TOP_TIER } from '#contract/kinds/cexRate/scan';
import { starredCodec } from '@/components/Star';
import { boundedCodec, numberCodec, type QueryCodec, textCodec, wordCodec } from '@/components/useQueryState';
import type { ScanState } from '@/scan/ScanPage';
import { SCAN_PLACE } from '@/scan/scanPlace';
import { type Change, listQuery } from '@/table/listQuery';
import { filterCodecs } from '@/table/schemaFilters';

/** How the matrix says a rate: of the venue's own interval, of 8 hours, of a year. */
export const UNITS = ['rate', 'rate8h', 'apr'] as const;
export type Unit = (typeof UNITS)[number];

/** Fee tiers, the lowest first. */
export const TIERS: readonly string[] = Array.from({ length: TOP_TIER + 1 }, (_, tier) => String(tier));

/** What every row is worked out with beside its size, and how the matrix says its rates. */
export const RATE_ASSUMED = {
  hours: boundedCodec(numberCodec(168), { minimum: 1, maximum: 8760 }),
  entry: wordCodec(RATE_ENTRIES, 'taker'),
  exit: wordCodec(RATE_EXITS, 'counted'),
  tier: { ...wordCodec(TIERS, '0'), ask: Number } as QueryCodec<string, number>,
  unit: { ...wordCodec(UNITS, 'rate'), ask: () => undefined } as QueryCodec<Unit, never>,
};

export type RateState = ScanState<typeof CEX_RATE_FILTERS, typeof RATE_ASSUMED>;
export type ChangeRates = Change<RateState>;

export const matrixQuery = listQuery(
  { search: textCodec(), coins: starredCodec, ...filterCodecs(RATE_FILTERS) },
  SCAN_PLACE,
);

/** What every row is worked out with beside its size and its hours, as the engine trades. */
export const AS_TRADED = { entry: 'taker', exit: 'counted', tier: '0' } as const satisfies Partial<RateState>;

/** Whether rows are worked out as the engine trades. */
export const isAsTraded = ({ entry, exit, tier }: RateState): boolean =>
  entry === AS_TRADED.entry && exit === AS_TRADED.exit && tier === AS_TRADED.tier;
