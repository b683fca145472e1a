import { DownOutlined } from '@ant-design/icons';
import { useModel } from '@umijs/max';
import { Button } from 'antd';
import type { OneTimeCode, UserRow } from '#contract/userAdmin';
import { ActionMenu } from '@/components/ActionMenu';
import { confirmBlock, confirmHedging, confirmReset, confirmSignOut, confirmView } from './centerActions';
import { type Dialog, useCenter } from './centerContext';

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
export function UserActions({ row }: { row: UserRow }) {
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
