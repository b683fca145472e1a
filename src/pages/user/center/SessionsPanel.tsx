import { Button, Tag, Tooltip } from 'antd';
import { useMemo } from 'react';
import { type UserSession, userAdmin } from '#contract/userAdmin';
import { EmptyState } from '@/components/EmptyState';
import { ORIGIN_LABEL, ORIGIN_REASON } from '@/components/OriginWord';
import { roleLabel } from '@/components/roleLabel';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { timeColumn, wordColumn } from '@/table/columns';
import { FilterBar } from '@/table/FilterBar';
import { FilterSelect } from '@/table/FilterSelect';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import { useListed } from '@/table/useListed';
import { confirmRevoke } from './centerActions';
import { centerQuery, type PanelProps, toSessions } from './centerQuery';

const REFRESH_MS = 30_000;

function columnsWith(reload: () => void): Column<UserSession>[] {
  return [
    wordColumn<UserSession>('user', '用户', 150, (row) => row.user, { fixed: 'left' }),
    wordColumn<UserSession>('role', '角色', 88, (row) => roleLabel(row.role), { sort: undefined }),
    wordColumn<UserSession>('device', '设备', 200, (row) => row.device, {
      sort: undefined,
      render: (row) => (
        <Tooltip title={row.userAgent}>
          <span>{row.device ?? '未知设备'}</span>
        </Tooltip>
      ),
    }),
    wordColumn<UserSession>('address', 'IP', 150, (row) => row.address, { sort: undefined }),
    wordColumn<UserSession>('origin', '来源', 84, (row) => ORIGIN_LABEL[row.origin], {
      sort: undefined,
      explain: { text: ORIGIN_REASON },
    }),
    timeColumn<UserSession>('createdAt', '登录时间'),
    timeColumn<UserSession>('seenAt', '最近访问'),
    timeColumn<UserSession>('expiresAt', '到期时间', { sort: undefined, explain: { text: '不再访问时' } }),
    {
      key: 'actions',
      title: '操作',
      width: 116,
      fixed: 'right',
      render: (row) =>
        row.current ? (
          <Tag color="processing">当前</Tag>
        ) : (
          <Button size="small" danger onClick={() => confirmRevoke(row, reload)}>
            退出该设备
          </Button>
        ),
    },
  ];
}

/** Everybody's sessions, each of which can be ended. */
export function SessionsPanel({ state, change, users }: PanelProps) {
  const { listed } = useListed(
    useCall(userAdmin.sessions, { query: toSessions(state) }, { refreshInterval: REFRESH_MS }),
    'id',
  );
  const columns = useMemo(() => columnsWith(listed.reload), [listed.reload]);
  const filtered = state.userId !== '';
  const clear = () => change(centerQuery.clear);
  return (
    <ListTable<UserSession>
      name="user-sessions"
      title="会话"
      columns={columns}
      rowKey="id"
      list={listed}
      readPage={(page) => call(userAdmin.sessions, { query: { ...toSessions(state), ...page } })}
      place={state}
      onPlace={change}
      filters={
        <FilterBar filtered={filtered} onClear={clear}>
          <FilterSelect
            searchable
            label="用户"
            options={users}
            value={state.userId || null}
            onChange={(userId) => change({ userId: userId ?? '', current: 1 })}
          />
        </FilterBar>
      }
      empty={
        <NoRows of="会话" filtered={filtered} onClear={clear}>
          <EmptyState title="没有登录会话" />
        </NoRows>
      }
    />
  );
}
