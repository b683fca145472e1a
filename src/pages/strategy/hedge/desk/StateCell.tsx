import { Button, Tag } from 'antd';
import type { HedgePair } from '#contract/kinds/hedge/config';
import type { HedgeRow } from '#contract/kinds/hedge/desk';
import { HedgeStateTag } from '@/components/HedgeStateTag';
import { HoldTag } from '@/components/HoldTag';
import { LiveTag } from '@/components/LiveTag';
import { PAIR_BLOCK_LABEL } from '@/components/labels';
import { PairWarnings } from '@/components/PairWarnings';
import { PartLeft } from '@/strategy/PartClosed';
import { Resting } from '@/strategy/Resting';
import { useHedgeScreen } from '../hedgeContext';
import type { DeskRow } from './deskRows';

/** How a hedge stands, and what of it is on its way. */
function HedgeState({ row }: { row: HedgeRow }) {
  const { state, badge, frozen, closedPart, closeAsked, reducing, resting, unguarded } = row;
  return (
    <>
      <HedgeStateTag state={state} badge={badge} frozen={frozen} />
      <LiveTag mode={row.mode} />
      {closeAsked && state !== 'closing' && <Tag color="processing">已请求平仓</Tag>}
      {reducing !== null && reducing < 100 && <Tag color="processing">正在平 {reducing}%</Tag>}
      {unguarded && <Tag color="error">无人看护</Tag>}
      <PartLeft closed={closedPart} />
      {resting && (
        <div className="soft">
          <Resting resting={resting} />
        </div>
      )}
    </>
  );
}

/** Why a pair of which nothing is held is not opened now. */
function PairState({ pair: { block, held, hedgeId } }: { pair: HedgePair }) {
  const { open } = useHedgeScreen();
  // Opened a moment ago: its hedge is not read yet.
  if (hedgeId !== null)
    return (
      <Button type="link" size="small" onClick={() => open(hedgeId)}>
        {PAIR_BLOCK_LABEL.open}
      </Button>
    );
  if (held !== null) return <HoldTag held={held} />;
  return (
    <span className={block === null ? undefined : 'soft'}>{block === null ? '可以开仓' : PAIR_BLOCK_LABEL[block]}</span>
  );
}

export const StateCell = ({ row: { pair, hedge } }: { row: DeskRow }) => (
  <>
    {hedge ? <HedgeState row={hedge} /> : pair && <PairState pair={pair} />}
    {pair && pair.warnings.length > 0 && (
      <div>
        <PairWarnings brief waits={hedge === null} warnings={pair.warnings} />
      </div>
    )}
  </>
);
