import type { QueryOf } from '#contract/endpoint';
import { ORDER_TYPES } from '#contract/hedgeConfig';
import { ORDER_PURPOSES, ORDER_STATES } from '#contract/lifecycle';
import type { order } from '#contract/order';
import { flagCodec, listCodec, type StateOf, textCodec, wordCodec } from '@/components/useQueryState';
import { listCodecs } from '@/table/listCodecs';
import { NO_PERIOD, periodCodecs, spanOf } from '@/table/period';

export const TABS = ['live', 'ended', 'fills'] as const;
export type Tab = (typeof TABS)[number];

const YES_NO = ['1', '0'] as const;

/** Everything of the screen that a reload and a link keep. */
export const orderCodecs = {
  ...listCodecs,
  tab: wordCodec(TABS, 'live'),
  grouped: flagCodec,
  ...periodCodecs,
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

export type OrderState = StateOf<typeof orderCodecs>;
export type ChangeOrders = (change: Partial<OrderState>, options?: { replace?: boolean }) => void;

/** What takes every filter off, all but the tab. */
export const NO_FILTER = {
  ...NO_PERIOD,
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

const yes = (word: '1' | '0' | null) => (word === null ? undefined : word === '1');

function tradeFilter(state: OrderState) {
  return {
    ...spanOf(state),
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
