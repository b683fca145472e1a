import { Button, Space } from 'antd';
import type { StrategyRow } from '#contract/strategies';
import { leavesCoin } from '#contract/strategy';
import { MoreActions } from './MoreActions';
import { confirmCloseOnly, confirmPause, confirmRemove, confirmStart, confirmStop } from './strategyActions';

interface StrategyMenuProps {
  row: StrategyRow;
  onEdit: () => void;
  onClone: () => void;
  done: () => void;
}

/** What its owner may do with a strategy in its state. */
export function StrategyMenu({ row, onEdit, onClone, done }: StrategyMenuProps) {
  const { state, running, name } = row;
  const isStill = state === 'stopped' || state === 'paused' || state === 'tripped' || state === 'error';
  const items = [
    { key: 'edit', label: '修改', run: onEdit },
    { key: 'clone', label: '复制', run: onClone },
    state !== 'closing' && running > 0 && { key: 'closeOnly', label: '仅平仓', run: () => confirmCloseOnly(row, done) },
    state !== 'stopped' && {
      key: 'stop',
      label: '停止',
      run: () => confirmStop({ ...row, leavesCoin: leavesCoin(row.kind, row.params) }, done),
    },
    state === 'stopped' && running === 0 && { key: 'remove', label: '删除', run: () => confirmRemove(row, done) },
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
