import { use } from 'react';
import type { OverviewRow } from '#contract/strategyOverview';
import { LiveTag } from '@/components/LiveTag';
import { HeldBackTag, StateTag } from '@/strategy/StateTag';
import { UnguardedTag } from '@/strategy/UnguardedTag';
import { ReadAt } from './hands';

const HOUR = 3_600;
const DAY = 86_400;

/** How long a strategy has been in its state. */
function Lasting({ since }: { since: number | null }) {
  const at = use(ReadAt);
  if (since === null) return null;
  const seconds = Math.max(0, (at - since) / 1000);
  if (seconds < HOUR) return `${Math.floor(seconds / 60)} 分`;
  return seconds < 2 * DAY ? `${Math.floor(seconds / HOUR)} 小时` : `${Math.floor(seconds / DAY)} 天`;
}

type Shown = Pick<OverviewRow, 'mode' | 'state' | 'tripped' | 'heldBack' | 'unguarded' | 'switchedAt'>;

/** The state of a strategy, for how long, and what keeps one that runs from opening. */
export function StateTags({ row }: { row: Shown }) {
  const { state, tripped, heldBack, unguarded } = row;
  return (
    <>
      <LiveTag mode={row.mode} />
      <StateTag state={state} tripped={tripped} />
      {state === 'running' && heldBack !== null ? (
        <HeldBackTag by={heldBack} />
      ) : (
        <span className="soft figure">
          <Lasting since={row.switchedAt} />
        </span>
      )}
      <UnguardedTag unguarded={unguarded} />
    </>
  );
}
