import { Tag, Tooltip } from 'antd';
import type { OverviewRow } from '#contract/strategyOverview';
import { GUARD_WAY_BACK, PAIR_BLOCK_LABEL } from '@/components/labels';
import { STRATEGY_STATE_COLOR, STRATEGY_STATE_LABEL } from '@/strategy/strategyLabels';
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
      <Tooltip title={tripped === null ? undefined : `${tripped}；启动并写明原因即恢复`}>
        <Tag color={STRATEGY_STATE_COLOR[state]}>{STRATEGY_STATE_LABEL[state]}</Tag>
        <span className="soft">{lastingText(at, row)}</span>
      </Tooltip>
      <UnguardedTag unguarded={unguarded} />
      {state === 'running' && heldBack !== null && (
        <div>
          <Tooltip
            title={`${PAIR_BLOCK_LABEL[heldBack]}：这个用户的策略都不开新仓，已持有的照常看护；${GUARD_WAY_BACK[heldBack]}`}
          >
            <Tag color="warning">不开新仓</Tag>
          </Tooltip>
        </div>
      )}
    </>
  );
}
