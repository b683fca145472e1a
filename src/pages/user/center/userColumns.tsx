import { Tag } from 'antd';
import { USER_STATUS_LABEL, UserRow } from '#contract/userAdmin';
import { Amount } from '@/components/Amount';
import { roleLabel } from '@/components/roleLabel';
import { columnsCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import { UserActions } from './UserActions';

const STATUS_COLOR = { active: 'success', pending: 'warning', blocked: 'error' } as const;

export const USER_COLUMNS = schemaColumns(UserRow, {
  widths: {
    ...{ name: 150, role: 92, status: 96, binanceId: 130, equity: 116 },
    ...{ lastLoginAddress: 140, lastLoginDevice: 190 },
  },
  own: [
    {
      key: 'name',
      fixed: 'left',
      render: ({ name, demo }) => (
        <>
          {name}
          {demo && <span className="unit"> 演示</span>}
        </>
      ),
    },
    { key: 'role', render: ({ role }) => roleLabel(role), csv: ({ role }) => roleLabel(role) },
    { key: 'status', render: ({ status }) => <Tag color={STATUS_COLOR[status]}>{USER_STATUS_LABEL[status]}</Tag> },
    {
      key: 'equity',
      csvTitle: '权益 (USDT)',
      render: ({ equity }) => <Amount money value={equity} reason="没有账户，或还没有记录" />,
    },
    { key: 'pnl30d', csvTitle: '30 日盈亏 (USDT)' },
    { key: 'actions', title: '操作', width: 92, fixed: 'right', render: (row) => <UserActions row={row} /> },
  ],
});

/** A user on a phone. */
export const userCard = columnsCard(USER_COLUMNS, {
  label: ({ name }) => name,
  head: ['name', 'role'],
  end: ['status', 'actions'],
  figures: ['equity', 'pnl30d', 'hedging', 'secondFactor', 'lastLoginAt', 'lastLoginAddress'],
});
