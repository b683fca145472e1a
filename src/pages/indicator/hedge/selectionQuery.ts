import { SIMULATED } from '#contract/candle';
import type { QueryOf } from '#contract/endpoint';
import { DIRECTIONS, type evaluate } from '#contract/evaluate';
import { listCodec, numberCodec, type StateOf, textCodec, wordCodec } from '@/components/useQueryState';
import { listCodecs } from '@/table/listCodecs';

export const DIRECTION_FILTERS = [...DIRECTIONS, 'none'] as const;

/** Everything of the screen that a reload, a link and a login keep: filter, order, page and chosen coins. */
export const selectionCodecs = {
  ...listCodecs,
  source: textCodec(SIMULATED),
  search: textCodec(),
  direction: wordCodec(DIRECTION_FILTERS, null),
  suggestion: wordCodec(DIRECTIONS, null),
  hasNote: wordCodec(['1', '0'], null),
  minTurnover: numberCodec(null),
  minListedDays: numberCodec(null),
  long: listCodec,
  short: listCodec,
};

export type SelectionState = StateOf<typeof selectionCodecs>;

/** What takes every filter off. */
export const NO_FILTER = {
  search: '',
  direction: null,
  suggestion: null,
  hasNote: null,
  minTurnover: null,
  minListedDays: null,
  current: 1,
} satisfies Partial<SelectionState>;

export const isFiltered = (state: SelectionState) =>
  (Object.keys(NO_FILTER) as (keyof typeof NO_FILTER)[]).some(
    (name) => name !== 'current' && state[name] !== NO_FILTER[name],
  );

/** The endpoint's query; what is not set is left out. */
export function toApi(state: SelectionState): Partial<QueryOf<typeof evaluate.list>> {
  const { current, pageSize, sort, source, search, direction, suggestion, hasNote, minTurnover, minListedDays } = state;
  return {
    current,
    pageSize,
    source,
    sort: sort || undefined,
    search: search || undefined,
    direction: direction ?? undefined,
    suggestion: suggestion ?? undefined,
    hasNote: hasNote === null ? undefined : hasNote === '1',
    minTurnover: minTurnover ?? undefined,
    minListedDays: minListedDays ?? undefined,
  };
}
