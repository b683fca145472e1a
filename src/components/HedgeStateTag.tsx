import { Tag, Tooltip } from 'antd';
import type { HedgeRow } from '#contract/kinds/hedge/desk';
import type { HedgeState } from '#contract/lifecycle';
import { HEDGE_BADGE_LABEL, HEDGE_STATE_LABEL } from './labels';

const COLOR: Record<HedgeState, string | undefined> = {
  waiting: 'default',
  opening: 'processing',
  open: 'success',
  closing: 'processing',
  closed: 'default',
  failed: 'error',
};

const BADGE_TEXT = {
  oneLeg: '只有一边有持仓，引擎会补齐另一边或退回这一边',
  unbalanced: '两边偏离目标配比，超过再平衡阈值',
} as const;

/** State of a hedge, and what is wrong with it. */
export function HedgeStateTag({ state, badge, frozen }: Pick<HedgeRow, 'state' | 'badge' | 'frozen'>) {
  return (
    <>
      <Tag color={COLOR[state]}>{HEDGE_STATE_LABEL[state]}</Tag>
      {badge && (
        <Tooltip title={BADGE_TEXT[badge]}>
          <Tag color={badge === 'oneLeg' ? 'error' : 'warning'}>{HEDGE_BADGE_LABEL[badge]}</Tag>
        </Tooltip>
      )}
      {frozen !== null && (
        <Tooltip title={`暂不发送委托：${frozen}`}>
          <Tag color="error">冻结</Tag>
        </Tooltip>
      )}
    </>
  );
}
