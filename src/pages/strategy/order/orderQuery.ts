import type { QueryOf } from '#contract/endpoint';
import { ORDER_TYPES } from '#contract/hedgeConfig';
import { ORDER_PURPOSES, ORDER_STATES } from '#contract/lifecycle';
import type { order } from '#contract/order';
import { flagCodec, listCodec, numberCodec, textCodec, wordCodec } from '@/components/useQueryState';
import { listCodecs } from '@/table/listCodecs';

export const TABS = ['live', 'ended', 'fills'] as const;
export type Tab = (typeof TABS)[number];

/** Days back from the local midnight of today. */
const PERIODS = { today: 0, '7d': 7, '30d': 30, '90d': 90 } as const;
const PERIOD_NAMES = ['today', '7d', '30d', '90d', 'custom'] as const;
const YES_NO = ['1', '0'] as const;

/** Everything of the screen that a reload and a link keep. */
export const orderCodecs = {
  ...listCodecs,
  tab: wordCodec(TABS, 'live'),
  grouped: flagCodec,
  period: wordCodec(PERIOD_NAMES, null),
  start: numberCodec(null),
  end: numberCodec(null),
  userId: textCodec(),
  source: textCodec(),
  symbol: listCodec,
  side: wordCodec(['buy', 'sell'], null),
  type: wordCodec(ORDER_TYPES, null),
  state: wordCodec(ORDER_STATES, null),
  purpose: wordCodec(ORDER_PURPOSES, null),
  maker: wordCodec(YES_NO, null),
  reduceOnly: wordCodec(YES_NO, null),
  refused: flagCodec,
  search: textCodec(),
};

type StateOf<T> = { [K in keyof T]: T[K] extends { read(text: string | null): infer V } ? V : never };
export type OrderState = StateOf<typeof orderCodecs>;
export type ChangeOrders = (change: Partial<OrderState>, options?: { replace?: boolean }) => void;

/** What takes every filter off, all but the tab. */
export const NO_FILTER = {
  period: null,
  start: null,
  end: null,
  userId: '',
  source: '',
  symbol: [] as string[],
  side: null,
  type: null,
  state: null,
  purpose: null,
  maker: null,
  reduceOnly: null,
  refused: false,
  search: '',
  current: 1,
} satisfies Partial<OrderState>;

export const isFiltered = (state: OrderState): boolean =>
  (Object.keys(NO_FILTER) as (keyof typeof NO_FILTER)[]).some(
    (name) => name !== 'current' && String(state[name]) !== String(NO_FILTER[name]),
  );

function startOf({ period, start }: OrderState): number | undefined {
  if (period === null) return undefined;
  if (period === 'custom') return start ?? undefined;
  const day = new Date();
  // Midnight stays the same all day, and so does the question that the list is read by.
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - PERIODS[period]);
  return day.getTime();
}

const yes = (word: '1' | '0' | null) => (word === null ? undefined : word === '1');

function tradeFilter(state: OrderState) {
  return {
    start: startOf(state),
    end: (state.period === 'custom' ? state.end : null) ?? undefined,
    userId: state.userId || undefined,
    source: state.source || undefined,
    symbol: state.symbol.join(',') || undefined,
    side: state.side ?? undefined,
    type: state.type ?? undefined,
    purpose: state.purpose ?? undefined,
    maker: yes(state.maker),
    reduceOnly: yes(state.reduceOnly),
    search: state.search.trim() || undefined,
  };
}

/** The filter alone, as the list reads it and a cancel of all that rest sends it. */
export const orderFilter = (state: OrderState) => ({
  ...tradeFilter(state),
  view: state.tab === 'live' ? ('live' as const) : ('ended' as const),
  state: state.state ?? undefined,
  refused: state.refused || undefined,
});

const paging = ({ current, pageSize, sort, grouped }: OrderState) => ({
  current,
  pageSize,
  sort: sort || undefined,
  grouped: grouped || undefined,
});

export const toOrders = (state: OrderState): Partial<QueryOf<typeof order.list>> => ({
  ...paging(state),
  ...orderFilter(state),
});

export const toFills = (state: OrderState): Partial<QueryOf<typeof order.fills>> => ({
  ...paging(state),
  ...tradeFilter(state),
});
