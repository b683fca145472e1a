import type { QueryOf } from '#contract/endpoint';
import type { hedge } from '#contract/hedge';
import { CLOSE_REASONS } from '#contract/lifecycle';
import { numberCodec, textCodec, wordCodec } from '@/components/useQueryState';
import { listCodecs } from '@/table/listCodecs';

export const VIEWS = ['running', 'ended', 'all'] as const;
export type View = (typeof VIEWS)[number];

/** Days back from the local midnight of today. */
export const PERIODS = { today: 0, '7d': 7, '30d': 30, '90d': 90 } as const;
const PERIOD_NAMES = ['today', '7d', '30d', '90d', 'custom'] as const;

/** Everything of the screen that a reload and a link keep: the list's filter, order and page, and the opened hedge. */
export const hedgeCodecs = {
  ...listCodecs,
  state: wordCodec(VIEWS, 'running'),
  period: wordCodec(PERIOD_NAMES, null),
  start: numberCodec(null),
  end: numberCodec(null),
  pairId: textCodec(),
  symbol: textCodec(),
  side: wordCodec(['long', 'short'], null),
  reason: wordCodec(CLOSE_REASONS, null),
  pnl: wordCodec(['profit', 'loss'], null),
  hasNote: wordCodec(['1', '0'], null),
  id: textCodec(),
};

type StateOf<T> = { [K in keyof T]: T[K] extends { read(text: string | null): infer V } ? V : never };
export type RecordsState = StateOf<typeof hedgeCodecs>;
export type ChangeRecords = (change: Partial<RecordsState>, options?: { replace?: boolean }) => void;

/** What takes every filter off, all but the tab. */
export const NO_FILTER = {
  period: null,
  start: null,
  end: null,
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

function startOf({ period, start }: RecordsState): number | null {
  if (period === null) return null;
  if (period === 'custom') return start;
  const day = new Date();
  // Midnight stays the same all day, and so does the question that the list is read by.
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - PERIODS[period]);
  return day.getTime();
}

/** The endpoint's query; what is not set is left out. */
export function toApi(state: RecordsState): Partial<QueryOf<typeof hedge.list>> {
  const { current, pageSize, sort, pairId, symbol, side, reason, pnl, hasNote } = state;
  return {
    current,
    pageSize,
    sort: sort || undefined,
    state: state.state,
    start: startOf(state) ?? undefined,
    end: (state.period === 'custom' ? state.end : null) ?? undefined,
    pairId: pairId || undefined,
    symbol: symbol || undefined,
    side: (symbol && side) || undefined,
    reason: reason ?? undefined,
    pnl: pnl ?? undefined,
    hasNote: hasNote === null ? undefined : hasNote === '1',
  };
}
