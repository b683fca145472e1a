import { Button, Tag, Tooltip } from 'antd';
import { useMemo } from 'react';
import { UserSession, userAdmin } from '#contract/userAdmin';
import { roleLabel } from '@/components/roleLabel';
import { ListPanel } from '@/table/ListPanel';
import { columnsCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import { useList } from '@/table/useListed';
import { confirmRevoke } from './centerActions';
import { centerQuery, type PanelProps, toSessions, whoseFilter } from './centerQuery';

const REFRESH_MS = 30_000;

const columnsWith = (reload: () => void) =>
  schemaColumns(UserSession, {
    widths: { user: 150, role: 88, device: 200, address: 150 },
    own: [
      { key: 'user', fixed: 'left' },
      { key: 'role', render: ({ role }) => roleLabel(role), csv: ({ role }) => roleLabel(role) },
      {
        key: 'device',
        render: (row) => (
          <Tooltip title={row.userAgent}>
            <span>{row.device ?? '未知设备'}</span>
          </Tooltip>
        ),
      },
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
    ],
  });

const sessionCard = (columns: ReturnType<typeof columnsWith>) =>
  columnsCard(columns, {
    label: ({ user, device }) => `${user} ${device ?? '未知设备'}`,
    head: ['user', 'role'],
    end: ['actions'],
  });

/** Everybody's sessions, each of which can be ended. */
export function SessionsPanel({ state, change, users }: PanelProps) {
  const list = useList(userAdmin.sessions, { query: toSessions(state) }, REFRESH_MS);
  const columns = useMemo(() => columnsWith(list.reload), [list.reload]);
  const card = useMemo(() => sessionCard(columns), [columns]);
  return (
    <ListPanel
      name="user-sessions"
      title="会话"
      columns={columns}
      list={list}
      query={centerQuery}
      {...{ state, change }}
      card={card}
      filters={[whoseFilter('用户', users)]}
      of="会话"
      none="没有登录会话"
    />
  );
}
