import { Button, Tag } from 'antd';
import { AccountRow } from '#contract/account';
import { schemaColumns } from '@/table/schemaColumns';

const stateOf = ({ enabled, paused }: AccountRow): string => (paused ? '已暂停' : enabled ? '启用' : '停用');

export const StateTag = ({ row }: { row: AccountRow }) => (
  <Tag color={row.paused ? 'warning' : row.enabled ? 'success' : 'default'}>{stateOf(row)}</Tag>
);

/** @param onChoose narrows the screen to one user. */
export const accountColumns = (onChoose: (userId: string) => void) =>
  schemaColumns(AccountRow, {
    widths: { user: 108, paused: 84, net: 118 },
    own: [
      {
        key: 'user',
        fixed: 'left',
        render: ({ user, userId }) => (
          <Button type="link" size="small" onClick={() => onChoose(userId)}>
            {user}
          </Button>
        ),
      },
      { key: 'paused', render: (row) => <StateTag row={row} />, csv: stateOf },
    ],
  });
