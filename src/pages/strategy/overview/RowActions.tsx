import { history } from '@umijs/max';
import { Button, Space } from 'antd';
import type { OverviewRow } from '#contract/strategyOverview';
import { KINDS } from '@/kinds';
import { MoreActions } from '@/strategy/MoreActions';
import { confirmCloseOnly, confirmPause, confirmStart, confirmStop } from '@/strategy/strategyActions';
import type { Hands } from './hands';
import { interventionsOn } from './interventions';
import { isEditable } from './useEditing';

interface RowActionsProps extends Pick<Hands, 'limit' | 'edit' | 'clone' | 'done'> {
  row: OverviewRow;
}

/** What its owner may do with a strategy here, and a master with another's. */
export function RowActions({ row, limit, edit, clone, done }: RowActionsProps) {
  const { state, own, name, user, running } = row;
  if (!own) {
    return <MoreActions name={`${user} 的 ${name}`} items={interventionsOn(row, done)} />;
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
