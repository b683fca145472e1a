import { Tag } from 'antd';
import type { UserRow } from '#contract/userAdmin';
import { roleLabel } from '@/components/roleLabel';
import type { Column } from '@/table/column';
import { gainColumn, numberColumn, timeColumn, wordColumn } from '@/table/columns';
import { STATUS_COLOR, STATUS_LABEL } from './centerLabels';
import { UserActions } from './UserActions';

const unsorted = { sort: undefined } as const;
const NO_ACCOUNT = '没有账户，或还没有记录';

export const hedgingText = ({ hedging }: UserRow): string | null =>
  hedging === null ? null : hedging ? '已启用' : '已停用';

export const StatusTag = ({ row: { status } }: { row: UserRow }) => (
  <Tag color={STATUS_COLOR[status]}>{STATUS_LABEL[status]}</Tag>
);

export const USER_COLUMNS: Column<UserRow>[] = [
  wordColumn<UserRow>('name', '用户名', 150, (row) => row.name, {
    fixed: 'left',
    render: (row) => (
      <>
        {row.name}
        {row.demo && <span className="unit"> 演示</span>}
      </>
    ),
  }),
  wordColumn<UserRow>('role', '角色', 92, (row) => roleLabel(row.role)),
  wordColumn<UserRow>('status', '状态', 96, (row) => STATUS_LABEL[row.status], {
    render: (row) => <StatusTag row={row} />,
  }),
  wordColumn<UserRow>('secondFactor', '两步验证', 88, (row) => (row.secondFactor ? '已开启' : '未开启'), unsorted),
  wordColumn<UserRow>('binanceId', '币安账户', 130, (row) => row.binanceId, unsorted),
  wordColumn<UserRow>('hedging', '对冲开关', 92, hedgingText, {
    ...unsorted,
    explain: { text: '空：还没有对冲配置' },
  }),
  numberColumn<UserRow>('hedges', '进行中', { digits: 0, explain: { text: '进行中的对冲单' } }),
  numberColumn<UserRow>('apiKeys', 'API 密钥', { digits: 0 }),
  numberColumn<UserRow>('equity', '权益', {
    width: 116,
    money: true,
    csvTitle: '权益 (USDT)',
    reason: NO_ACCOUNT,
    explain: { text: 'USDT，最近一次记录，各账户之和' },
  }),
  gainColumn<UserRow>('pnl30d', '30 日盈亏', {
    csvTitle: '30 日盈亏 (USDT)',
    reason: NO_ACCOUNT,
    explain: { formula: '权益变化 − 划转', window: '近 30 日；不足时自开户起' },
  }),
  numberColumn<UserRow>('sessions', '会话', { digits: 0, width: 76 }),
  timeColumn<UserRow>('lastLoginAt', '最近登录', { reason: '还没有登录过' }),
  wordColumn<UserRow>('lastLoginAddress', '登录 IP', 140, (row) => row.lastLoginAddress, unsorted),
  wordColumn<UserRow>('lastLoginDevice', '登录设备', 190, (row) => row.lastLoginDevice, unsorted),
  timeColumn<UserRow>('createdAt', '创建时间'),
  { key: 'actions', title: '操作', width: 92, fixed: 'right', render: (row) => <UserActions row={row} /> },
];
