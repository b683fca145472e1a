import { Tag, Tooltip } from 'antd';
import { type AccountStops, account, LOSS_GUARD } from '#contract/account';
import type { HoldBack } from '#contract/lifecycle';
import type { StrategyRow } from '#contract/strategyRow';
import { GUARD_WAY_BACK, PAIR_BLOCK_LABEL } from '@/components/labels';
import { useCall } from '@/services/useCall';
import { STRATEGY_STATE_COLOR, STRATEGY_STATE_LABEL } from './strategyLabels';

interface StateTagProps {
  state: StrategyRow['state'];
  /** Why its breaker tripped. */
  tripped: string | null;
}

/** The state of a strategy; of one that tripped why, and how it goes on. */
export const StateTag = ({ state, tripped }: StateTagProps) => (
  <Tooltip title={tripped === null ? undefined : `${tripped}；${GUARD_WAY_BACK.tripped}`}>
    <Tag color={STRATEGY_STATE_COLOR[state]}>{STRATEGY_STATE_LABEL[state]}</Tag>
  </Tooltip>
);

/** What keeps a strategy that runs from opening, and how that ends. */
export const HeldBackTag = ({ by }: { by: HoldBack }) => (
  <Tooltip title={`${PAIR_BLOCK_LABEL[by]}：不开新仓，已持有的照常看护；${GUARD_WAY_BACK[by]}`}>
    <Tag color="warning">{by === 'unvalued' ? PAIR_BLOCK_LABEL.unvalued : '不开新仓'}</Tag>
  </Tooltip>
);

/** What keeps one of the user's own strategies from opening, the strongest first. */
function heldBackIn(stops: AccountStops, { id, mode }: Pick<StrategyRow, 'id' | 'mode'>): HoldBack | null {
  const { pausedForAll, paused, unjudged } = stops;
  if (pausedForAll) return 'pausedForAll';
  if (paused && paused.by !== LOSS_GUARD) return 'paused';
  // What play money has lost, or lacks a price of, holds nothing real, and the reverse.
  const isPaper = mode === 'paper';
  if (paused && isPaper) return 'lossLimit';
  const unvalued = isPaper ? stops.unvalued : stops.unvaluedLive;
  return unvalued !== null || unjudged.some((one) => one.id === id) ? 'unvalued' : null;
}

/** The state of one of the user's own strategies, with what keeps it from opening. */
export function OwnStateTags({ row }: { row: StrategyRow }) {
  const { id, state } = row;
  // Asked for again and again by the banners above.
  const { data: stops } = useCall(account.stops, {});
  const heldBack = stops === undefined ? null : heldBackIn(stops, row);
  return (
    <>
      <StateTag state={state} tripped={stops?.tripped.find((one) => one.id === id)?.reason ?? null} />
      {state === 'running' && heldBack !== null && <HeldBackTag by={heldBack} />}
    </>
  );
}
