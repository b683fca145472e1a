import { Tag, Tooltip } from 'antd';
import { account } from '#contract/account';
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
  <Tooltip title={`${PAIR_BLOCK_LABEL[by]}：不开新仓，平仓与止损不因此停止；${GUARD_WAY_BACK[by]}`}>
    <Tag color="warning">{by === 'unvalued' ? PAIR_BLOCK_LABEL.unvalued : '不开新仓'}</Tag>
  </Tooltip>
);

/** The state of one of the user's own strategies, with what keeps it from opening. */
export function OwnStateTags({ row }: { row: StrategyRow }) {
  const { id, state, heldBack } = row;
  // Asked for again and again by the banners above.
  const { data: stops } = useCall(account.stops, {});
  return (
    <>
      <StateTag state={state} tripped={stops?.tripped.find((one) => one.id === id)?.reason ?? null} />
      {state === 'running' && heldBack !== null && <HeldBackTag by={heldBack} />}
    </>
  );
}
