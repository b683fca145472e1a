import { Alert } from 'antd';
import type { PairBlock } from '#contract/lifecycle';
import type { Openings } from '#contract/opening';
import { GUARD_WAY_BACK, isGuard } from '@/components/labels';
import { TARGET_BLOCK_LABEL } from '@/strategy/strategyLabels';

/** What keeps whole accounts and strategies from opening once it is done, each with its way back, and what a person closed. */
export function StillBlocked({ waiting, closed }: Pick<Openings, 'waiting' | 'closed'>) {
  const counts = new Map<PairBlock, number>();
  for (const { blocks } of waiting) {
    for (const block of blocks) if (isGuard(block)) counts.set(block, (counts.get(block) ?? 0) + 1);
  }
  return (
    <>
      {counts.size > 0 && (
        <Alert
          type="warning"
          showIcon
          title="做完之后，这些仍然挡着开仓："
          description={[...counts].map(([block, count]) => (
            <div key={block}>
              {TARGET_BLOCK_LABEL[block]}（{count} 个标的）{isGuard(block) && `：${GUARD_WAY_BACK[block]}`}
            </div>
          ))}
        />
      )}
      {closed > 0 && <p className="soft">另有 {closed} 个已手动平仓的标的不会开，要开请点「重新启用」。</p>}
    </>
  );
}
