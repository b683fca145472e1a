import { CLOSE_REASONS } from '#contract/lifecycle';
import { flagCodec, type StateOf, textCodec, wordCodec, yesNoCodec } from '@/components/useQueryState';
import { type Change, listQuery } from '@/table/listQuery';
import { periodCodecs, spanOf } from '@/table/period';

/** What runs or waits, or what has ended. */
export const VIEWS = ['running', 'ended'] as const;
export type View = (typeof VIEWS)[number];

/** Everything of the screen that a reload and a link keep: the table's filter, order and page, and the opened hedge. */
export const deskQuery = listQuery(
  {
    state: wordCodec(VIEWS, 'running'),
    ...periodCodecs,
    pairId: textCodec(),
    symbol: textCodec(),
    side: wordCodec(['long', 'short'], null),
    reason: wordCodec(CLOSE_REASONS, null),
    pnl: wordCodec(['profit', 'loss'], null),
    hasNote: yesNoCodec,
  },
  {
    id: textCodec(),
    /** The opened hedge shows its backtest. */
    compare: flagCodec,
  },
);

export type DeskState = StateOf<typeof deskQuery.codecs>;
export type ChangeDesk = Change<DeskState>;

/** More than may run at once. */
const ALL_RUNNING = { current: 1, pageSize: 200, sort: undefined };

/** Of what has ended a page is asked for; what runs is ordered here, with the pairs that wait. */
export const toApi = (state: DeskState) => ({
  ...deskQuery.toApi(state),
  ...spanOf(state),
  ...(state.state === 'running' && { ...ALL_RUNNING, reason: undefined }),
  state: state.state,
  // A side is that of the coin.
  side: (state.symbol && state.side) || undefined,
});
