import { history } from '@umijs/max';
import { Button, Space, Tooltip } from 'antd';
import type { OverviewRow } from '#contract/strategyOverview';
import { KINDS } from '@/kinds';
import { MoreActions } from '@/strategy/MoreActions';
import { confirmCloseOnly, confirmPause, confirmStart, confirmStop } from '@/strategy/strategyActions';
import type { Hands } from './hands';
import { isEditable } from './useEditing';

interface RowActionsProps extends Pick<Hands, 'limit' | 'edit' | 'clone' | 'done'> {
  row: OverviewRow;
}

const FOREIGN = '其他用户的策略只能查看';

/** What its owner may do with a strategy here. */
export function RowActions({ row, limit, edit, clone, done }: RowActionsProps) {
  const { state, own, name, running } = row;
  if (!own) {
    return (
      <Tooltip title={FOREIGN}>
        <span className="soft">只能查看</span>
      </Tooltip>
    );
  }
  const items = [
    isEditable(row)
      ? { key: 'edit', label: '修改', run: () => edit(row) }
      : {
          key: 'edit',
          label: `到${KINDS[row.kind].label}修改`,
          run: () => history.push(`/strategy/${row.kind}`),
        },
    isEditable(row) && { key: 'clone', label: '复制', run: () => clone(row) },
    state !== 'closing' && running > 0 && { key: 'closeOnly', label: '仅平仓', run: () => confirmCloseOnly(row, done) },
    state !== 'stopped' && { key: 'stop', label: '停止', run: () => confirmStop(row, done) },
  ].filter((item) => item !== false);
  return (
    <Space size={4}>
      {state === 'running' ? (
        <Button size="small" onClick={() => confirmPause(row, done)}>
          暂停
        </Button>
      ) : (
        <Button size="small" disabled={state === 'closing'} onClick={() => confirmStart(row, done)}>
          {row.tripped === null ? '启动' : '恢复'}
        </Button>
      )}
      <Button size="small" onClick={() => limit(row)} aria-label={`${name} 的限额`}>
        限额
      </Button>
      <MoreActions name={name} items={items} />
    </Space>
  );
}
