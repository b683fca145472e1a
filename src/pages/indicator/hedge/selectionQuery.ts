import { DIRECTIONS } from '#contract/evaluate';
import { starredCodec } from '@/components/Star';
import { listCodec, numberCodec, type StateOf, textCodec, wordCodec, yesNoCodec } from '@/components/useQueryState';
import { HOME_SOURCE } from '@/services/home';
import { listQuery } from '@/table/listQuery';

export const DIRECTION_FILTERS = [...DIRECTIONS, 'none'] as const;

/** Everything of the screen that a reload, a link and a login keep: filter, order, page and chosen coins. */
export const selectionQuery = listQuery(
  {
    search: textCodec(),
    coins: starredCodec,
    direction: wordCodec(DIRECTION_FILTERS, null),
    suggestion: wordCodec(DIRECTIONS, null),
    hasNote: yesNoCodec,
    minTurnover: numberCodec(null),
    minListedDays: numberCodec(null),
  },
  { source: textCodec(HOME_SOURCE), long: listCodec, short: listCodec },
);

export type SelectionState = StateOf<typeof selectionQuery.codecs>;

export const toApi = (state: SelectionState) => ({ ...selectionQuery.toApi(state), source: state.source });
