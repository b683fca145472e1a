import { ORDER_TYPES } from '#contract/kinds/hedge/config';
import { ORDER_PURPOSES, ORDER_STATES } from '#contract/lifecycle';
import { flagCodec, listCodec, type StateOf, textCodec, wordCodec, yesNoCodec } from '@/components/useQueryState';
import { type Change, listQuery } from '@/table/listQuery';
import { periodCodecs, spanOf } from '@/table/period';

export const TABS = ['live', 'ended', 'fills'] as const;
export type Tab = (typeof TABS)[number];

/** Everything of the screen that a reload and a link keep. */
export const orderQuery = listQuery(
  {
    ...periodCodecs,
    userId: textCodec(),
    accountId: textCodec(),
    strategyId: textCodec(),
    source: textCodec(),
    symbol: listCodec,
    side: wordCodec(['buy', 'sell'], null),
    type: wordCodec(ORDER_TYPES, null),
    state: wordCodec(ORDER_STATES, null),
    purpose: wordCodec(ORDER_PURPOSES, null),
    maker: yesNoCodec,
    reduceOnly: yesNoCodec,
    refused: flagCodec,
    search: { ...textCodec(), ask: (text) => text.trim() || undefined },
  },
  { tab: wordCodec(TABS, 'live'), grouped: flagCodec },
);

export type OrderState = StateOf<typeof orderQuery.codecs>;
export type ChangeOrders = Change<OrderState>;

const viewOf = ({ tab }: OrderState) => (tab === 'live' ? ('live' as const) : ('ended' as const));

/** The filter alone, as a cancel of all that rest sends it. */
export const orderFilter = (state: OrderState) => ({
  ...orderQuery.filter(state),
  ...spanOf(state),
  view: viewOf(state),
});

export const toOrders = (state: OrderState) => ({
  ...orderQuery.toApi(state),
  ...orderFilter(state),
  grouped: state.grouped || undefined,
});

export function toFills(state: OrderState) {
  const { view: _view, state: _state, refused: _refused, ...rest } = toOrders(state);
  return rest;
}
