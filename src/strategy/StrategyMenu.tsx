import { Button, Space } from 'antd';
import { TARGET_HOLDS } from '#contract/lifecycle';
import { leavesCoin } from '#contract/strategy';
import type { StrategyRow } from '#contract/strategyRow';
import { REARM_VERB } from '@/components/labels';
import { confirmArm, heldTargets } from './confirmArm';
import { MoreActions } from './MoreActions';
import { confirmCloseOnly, confirmPause, confirmRemove, confirmStart, confirmStop } from './strategyActions';

interface StrategyMenuProps {
  row: StrategyRow;
  onEdit: () => void;
  onClone: () => void;
  done: () => void;
}

/** Always there, with what stands in its way. */
function removeItem(row: StrategyRow, done: () => void) {
  const { state, running } = row;
  const why = running > 0 ? `还有 ${running} 张交易单，平仓后才能删除` : state === 'stopped' ? null : '先停止';
  const label = why === null ? '删除' : `删除（${why}）`;
  return { key: 'remove', label, disabled: why !== null, run: () => confirmRemove(row, done) };
}

/** What its owner may do with a strategy in its state. */
export function StrategyMenu({ row, onEdit, onClone, done }: StrategyMenuProps) {
  const { state, running, name } = row;
  const isStill = state === 'stopped' || state === 'paused' || state === 'tripped' || state === 'error';
  const items = [
    { key: 'edit', label: '修改', run: onEdit },
    { key: 'clone', label: '复制', run: onClone },
    ...TARGET_HOLDS.map((hold) => {
      const held = heldTargets(row, hold);
      const label = `${REARM_VERB[hold]} ${held.length} 个标的`;
      return held.length > 0 && { key: hold, label, run: () => confirmArm(name, hold, held, done) };
    }),
    state !== 'closing' && running > 0 && { key: 'closeOnly', label: '仅平仓', run: () => confirmCloseOnly(row, done) },
    state !== 'stopped' && {
      key: 'stop',
      label: '停止',
      run: () => confirmStop({ ...row, leavesCoin: leavesCoin(row.kind, row.params) }, done),
    },
    removeItem(row, done),
  ].filter((item) => item !== false);
  return (
    <Space size={4}>
      {isStill && (
        <Button size="small" onClick={() => confirmStart(row, done)}>
          启动
        </Button>
      )}
      {state === 'running' && (
        <Button size="small" onClick={() => confirmPause(row, done)}>
          暂停
        </Button>
      )}
      <MoreActions name={name} items={items} />
    </Space>
  );
}
