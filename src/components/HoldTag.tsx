import { Tag, Tooltip } from 'antd';
import type { TargetHold } from '#contract/lifecycle';
import type { HeldTarget } from '#contract/targetHold';
import { formatDateTime } from './DateTime';
import { HOLD_TAG_LABEL, REARM_VERB } from './labels';

const WHY: Record<TargetHold, string> = {
  closed: '手动平仓或撤销了建仓，引擎不再自动开仓',
  confirm: '该开仓时没有空位，或确认开仓时没有勾选，引擎不会自动开仓',
};

/** Who held it, since when, and what ends that. */
export const holdText = ({ hold, at, by }: NonNullable<HeldTarget>): string =>
  `${formatDateTime(at)}${by === null ? '' : ` ${by}`}：${WHY[hold]}；要开仓请点「${REARM_VERB[hold]}」`;

interface HoldTagProps {
  held: NonNullable<HeldTarget>;
  /** How many wait so, where there are several. */
  count?: number | undefined;
}

/** That a target waits for a person. */
export function HoldTag({ held, count }: HoldTagProps) {
  return (
    <Tooltip title={holdText(held)}>
      <Tag color={held.hold === 'closed' ? 'default' : 'warning'}>
        {HOLD_TAG_LABEL[held.hold]}
        {count !== undefined && ` ${count}`}
      </Tag>
    </Tooltip>
  );
}
