import { Button, Tag } from 'antd';
import type { HedgePair } from '#contract/kinds/hedge/config';
import type { HedgeRow } from '#contract/kinds/hedge/desk';
import { HedgeStateTag } from '@/components/HedgeStateTag';
import { HoldTag } from '@/components/HoldTag';
import { LiveTag } from '@/components/LiveTag';
import { PAIR_BLOCK_LABEL } from '@/components/labels';
import { PairWarnings } from '@/components/PairWarnings';
import { PartLeft, TakenTag } from '@/strategy/PartClosed';
import { Resting } from '@/strategy/Resting';
import { useHedgeScreen } from '../hedgeContext';
import type { DeskRow } from './deskRows';

type ShownHedge = Pick<
  HedgeRow,
  'state' | 'mode' | 'badge' | 'frozen' | 'closedPart' | 'closeAsked' | 'reducing' | 'resting' | 'taken' | 'unguarded'
>;
type ShownPair = Pick<HedgePair, 'block' | 'held' | 'hedgeId' | 'warnings'>;

interface StateCellProps {
  pair: ShownPair | null;
  hedge: ShownHedge | null;
}

const ofHedge = ({
  state,
  mode,
  badge,
  frozen,
  closedPart,
  closeAsked,
  reducing,
  resting,
  taken,
  unguarded,
}: ShownHedge) => ({
  ...{ state, mode, badge, frozen, closedPart, closeAsked, reducing, resting, taken, unguarded },
});
const ofPair = ({ block, held, hedgeId, warnings }: ShownPair) => ({ block, held, hedgeId, warnings });

/** What of a row its state is told from. */
export const stateOf = ({ pair, hedge }: DeskRow): StateCellProps => ({
  pair: pair && ofPair(pair),
  hedge: hedge && ofHedge(hedge),
});

/** How a hedge stands, and what of it is on its way. */
function HedgeState({ row }: { row: ShownHedge }) {
  const { state, badge, frozen, closedPart, closeAsked, reducing, resting, taken, unguarded } = row;
  return (
    <>
      <HedgeStateTag state={state} badge={badge} frozen={frozen} />
      <LiveTag mode={row.mode} />
      {closeAsked && state !== 'closing' && <Tag color="processing">已请求平仓</Tag>}
      {reducing !== null && reducing < 100 && <Tag color="processing">正在平 {reducing}%</Tag>}
      {taken && <TakenTag taken={taken} />}
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
function PairState({ pair: { block, held, hedgeId } }: { pair: ShownPair }) {
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

export const StateCell = ({ pair, hedge }: StateCellProps) => (
  <>
    {hedge ? <HedgeState row={hedge} /> : pair && <PairState pair={pair} />}
    {pair && pair.warnings.length > 0 && (
      <div>
        <PairWarnings brief waits={hedge === null} warnings={pair.warnings} />
      </div>
    )}
  </>
);
