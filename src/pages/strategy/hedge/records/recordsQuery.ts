import { CLOSE_REASONS } from '#contract/lifecycle';
import { flagCodec, type StateOf, textCodec, wordCodec, yesNoCodec } from '@/components/useQueryState';
import { type Change, listQuery } from '@/table/listQuery';
import { periodCodecs, spanOf } from '@/table/period';

export const VIEWS = ['running', 'ended', 'all'] as const;
export type View = (typeof VIEWS)[number];

/** Everything of the screen that a reload and a link keep: the list's filter, order and page, and the opened hedge. */
export const recordsQuery = listQuery(
  {
    ...periodCodecs,
    pairId: textCodec(),
    symbol: textCodec(),
    side: wordCodec(['long', 'short'], null),
    reason: wordCodec(CLOSE_REASONS, null),
    pnl: wordCodec(['profit', 'loss'], null),
    hasNote: yesNoCodec,
  },
  {
    state: wordCodec(VIEWS, 'running'),
    id: textCodec(),
    /** The opened hedge shows its backtest. */
    compare: flagCodec,
  },
);

export type RecordsState = StateOf<typeof recordsQuery.codecs>;
export type ChangeRecords = Change<RecordsState>;

export const toApi = (state: RecordsState) => ({
  ...recordsQuery.toApi(state),
  ...spanOf(state),
  state: state.state,
  // A side is that of the coin.
  side: (state.symbol && state.side) || undefined,
});
