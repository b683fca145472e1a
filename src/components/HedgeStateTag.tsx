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

/** What a state is called; of a grid that runs and holds nothing, for it waits for its levels or was stopped, by that. */
export const stateWord = (state: HedgeState, isEmpty: boolean): string =>
  state === 'open' && isEmpty ? '空仓' : HEDGE_STATE_LABEL[state];

type HedgeStateProps = Pick<HedgeRow, 'state' | 'badge' | 'frozen'> & { isEmpty?: boolean };

/** State of a hedge, and what is wrong with it. @param isEmpty whether it is a grid that holds nothing */
export function HedgeStateTag({ state, badge, frozen, isEmpty = false }: HedgeStateProps) {
  return (
    <>
      <Tag color={isEmpty && state === 'open' ? 'default' : COLOR[state]}>{stateWord(state, isEmpty)}</Tag>
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
