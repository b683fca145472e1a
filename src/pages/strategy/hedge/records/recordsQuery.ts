import type { QueryOf } from '#contract/endpoint';
import type { hedge } from '#contract/hedge';
import { CLOSE_REASONS } from '#contract/lifecycle';
import { flagCodec, type StateOf, textCodec, wordCodec } from '@/components/useQueryState';
import { listCodecs } from '@/table/listCodecs';
import { NO_PERIOD, periodCodecs, spanOf } from '@/table/period';

export const VIEWS = ['running', 'ended', 'all'] as const;
export type View = (typeof VIEWS)[number];

/** Everything of the screen that a reload and a link keep: the list's filter, order and page, and the opened hedge. */
export const hedgeCodecs = {
  ...listCodecs,
  state: wordCodec(VIEWS, 'running'),
  ...periodCodecs,
  pairId: textCodec(),
  symbol: textCodec(),
  side: wordCodec(['long', 'short'], null),
  reason: wordCodec(CLOSE_REASONS, null),
  pnl: wordCodec(['profit', 'loss'], null),
  hasNote: wordCodec(['1', '0'], null),
  id: textCodec(),
  /** The opened hedge shows its backtest. */
  compare: flagCodec,
};

export type RecordsState = StateOf<typeof hedgeCodecs>;
export type ChangeRecords = (change: Partial<RecordsState>, options?: { replace?: boolean }) => void;

/** What takes every filter off, all but the tab. */
export const NO_FILTER = {
  ...NO_PERIOD,
  pairId: '',
  symbol: '',
  side: null,
  reason: null,
  pnl: null,
  hasNote: null,
  current: 1,
} satisfies Partial<RecordsState>;

export const isFiltered = (state: RecordsState) =>
  (Object.keys(NO_FILTER) as (keyof typeof NO_FILTER)[]).some(
    (name) => name !== 'current' && state[name] !== NO_FILTER[name],
  );

/** The endpoint's query; what is not set is left out. */
export function toApi(state: RecordsState): Partial<QueryOf<typeof hedge.list>> {
  const { current, pageSize, sort, pairId, symbol, side, reason, pnl, hasNote } = state;
  return {
    current,
    pageSize,
    sort: sort || undefined,
    state: state.state,
    ...spanOf(state),
    pairId: pairId || undefined,
    symbol: symbol || undefined,
    side: (symbol && side) || undefined,
    reason: reason ?? undefined,
    pnl: pnl ?? undefined,
    hasNote: hasNote === null ? undefined : hasNote === '1',
  };
}
