import type { OverviewRow } from '#contract/strategyOverview';
import { LiveTag } from '@/components/LiveTag';
import { HeldBackTag, StateTag } from '@/strategy/StateTag';
import { UnguardedTag } from '@/strategy/UnguardedTag';

const HOUR = 3_600;
const DAY = 86_400;

/** How long a strategy has been in its state. */
function lastingText(at: number, { switchedAt }: OverviewRow): string {
  if (switchedAt === null) return '';
  const seconds = Math.max(0, (at - switchedAt) / 1000);
  if (seconds < HOUR) return `${Math.floor(seconds / 60)} 分`;
  return seconds < 2 * DAY ? `${Math.floor(seconds / HOUR)} 小时` : `${Math.floor(seconds / DAY)} 天`;
}

/** The state of a strategy, for how long, and what keeps one that runs from opening. @param at when it was read, UTC ms */
export function StateTags({ row, at }: { row: OverviewRow; at: number }) {
  const { state, tripped, heldBack, unguarded } = row;
  return (
    <>
      <LiveTag mode={row.mode} />
      <StateTag state={state} tripped={tripped} />
      {state === 'running' && heldBack !== null ? (
        <HeldBackTag by={heldBack} />
      ) : (
        <span className="soft">{lastingText(at, row)}</span>
      )}
      <UnguardedTag unguarded={unguarded} />
    </>
  );
}
