import { DownOutlined } from '@ant-design/icons';
import { useModel } from '@umijs/max';
import { Button, Tag, Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { type OneTimeCode, USER_STATUS_LABEL, UserRow } from '#contract/userAdmin';
import { ActionMenu } from '@/components/ActionMenu';
import { Amount } from '@/components/Amount';
import { LiveTag } from '@/components/LiveTag';
import { Missing } from '@/components/Missing';
import { Pnl } from '@/components/Pnl';
import { roleLabel } from '@/components/roleLabel';
import { columnsCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import { confirmBlock, confirmHedging, confirmReset, confirmSignOut, confirmView } from './centerActions';
import { type Dialog, useCenter } from './centerContext';

const STATUS_COLOR = { active: 'success', pending: 'warning', blocked: 'error' } as const;

/** The same figure of the real accounts, on a line of its own; nothing where there are none. */
const Real = ({ value, children }: { value: number | null; children: (value: number) => ReactNode }) =>
  value === null ? null : (
    <div>
      <LiveTag mode="live" /> {children(value)}
    </div>
  );

const PAUSED = '已暂停开仓';

/** Empty where there is nothing to switch yet. */
const switchWord = ({ hedging }: UserRow): string => (hedging === null ? '' : hedging ? '已启用' : '已停用');

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
      key: 'hedging',
      // One line: who is switched off opens nothing anyway.
      render: (row) =>
        row.paused && row.hedging ? (
          <Tooltip title={`对冲${switchWord(row)}，账户已暂停开仓`}>
            <Tag color="warning">{PAUSED}</Tag>
          </Tooltip>
        ) : (
          switchWord(row) || <Missing reason="还没有对冲配置" />
        ),
      csv: (row) => [switchWord(row), row.paused ? PAUSED : ''].filter(Boolean).join('，'),
    },
    {
      key: 'equity',
      csvTitle: '权益 (USDT)',
      render: ({ equity, liveEquity }) => (
        <>
          <Amount money value={equity} reason="没有账户，或还没有记录" />
          <Real value={liveEquity}>{(value) => <Amount money value={value} />}</Real>
        </>
      ),
    },
    {
      key: 'pnl30d',
      csvTitle: '30 日盈亏 (USDT)',
      render: ({ pnl30d, livePnl30d }) => (
        <>
          <Pnl value={pnl30d} reason="没有账户，或还没有记录" />
          <Real value={livePnl30d}>{(value) => <Pnl value={value} />}</Real>
        </>
      ),
    },
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

/** A thing that can be done, or why not. */
interface Item {
  key: string;
  label: string;
  why?: string | false;
  danger?: boolean;
  run: () => void;
}

function itemsOf(row: UserRow, isSelf: boolean, reload: () => void, ask: (dialog: Dialog) => void): Item[] {
  const own = isSelf && '不能对自己执行';
  const told = (code: OneTimeCode) => {
    ask({ what: 'code', code });
    reload();
  };
  return [
    { key: 'view', label: '以其身份查看', why: own, run: () => confirmView(row) },
    { key: 'role', label: '改变角色', run: () => ask({ what: 'role', row }) },
    {
      key: 'hedging',
      label: row.hedging ? '停用对冲' : '启用对冲',
      why: row.hedging === null && '还没有对冲配置',
      run: () => confirmHedging(row, reload),
    },
    { key: 'reset', label: '重置密码', why: own, danger: true, run: () => confirmReset(row, told) },
    {
      key: 'signOut',
      label: '强制退出',
      why: row.sessions === 0 && '没有登录会话',
      danger: true,
      run: () => confirmSignOut(row, reload),
    },
    {
      key: 'block',
      label: row.status === 'blocked' ? '恢复' : '停用',
      why: own,
      danger: row.status !== 'blocked',
      run: () => confirmBlock(row, reload),
    },
  ];
}

/** What a master can do with a user. */
function UserActions({ row }: { row: UserRow }) {
  const { reload, ask, show } = useCenter();
  const me = useModel('@@initialState').initialState?.user?.id;
  const items = itemsOf(row, row.id === me, reload, ask);
  const looks = [
    { key: 'sessions', label: '查看会话', run: () => show('sessions', row.id) },
    { key: 'logins', label: '查看登录记录', run: () => show('logins', row.id) },
    { key: 'audit', label: '查看审计日志', run: () => show('audit', row.id) },
  ];
  return (
    <ActionMenu
      menu={{
        items: [
          ...items.map(({ key, label, why, danger }) => ({
            key,
            label: why ? `${label}（${why}）` : label,
            danger: danger ?? false,
            disabled: Boolean(why),
          })),
          { type: 'divider' },
          ...looks.map(({ key, label }) => ({ key, label })),
        ],
        onClick: ({ key }) => [...items, ...looks].find((item) => item.key === key)?.run(),
      }}
    >
      <Button size="small" aria-label={`${row.name} 的操作`}>
        操作 <DownOutlined />
      </Button>
    </ActionMenu>
  );
}
