import { UserAddOutlined } from '@ant-design/icons';
import { Button, Input } from 'antd';
import { Suspense, useMemo, useRef, useState } from 'react';
import { ROLES } from '#contract/access';
import { type UserCounters as Counters, type UserRow, userAdmin } from '#contract/userAdmin';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { FigureTiles } from '@/components/FigureTiles';
import { late } from '@/components/late';
import { roleLabel } from '@/components/roleLabel';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import { FilterBar } from '@/table/FilterBar';
import { FilterSelect, optionsOf } from '@/table/FilterSelect';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import { useListed } from '@/table/useListed';
import { CenterContext, type Dialog } from './centerContext';
import { STATUS_LABEL } from './centerLabels';
import { type CenterState, centerQuery, type PanelProps, toUsers } from './centerQuery';
import styles from './index.module.css';
import { UserCard } from './UserCard';
import { USER_COLUMNS } from './userColumns';

const UserDialogs = late(() => import('./UserDialogs'));

const REFRESH_MS = 30_000;
const STATUSES = optionsOf(STATUS_LABEL);
const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: roleLabel(value) }));

/** The users, what can be done with them, and what is to be noticed of all. */
export function UsersPanel({ state, change }: PanelProps) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const { listed, updatedAt } = useListed(
    useCall(userAdmin.list, { query: toUsers(state) }, { refreshInterval: REFRESH_MS }),
    'id',
  );
  const latest = useRef(change);
  latest.current = change;
  const { reload } = listed;
  const center = useMemo(
    () => ({
      reload,
      ask: setDialog,
      show: (tab: CenterState['tab'], userId: string) =>
        latest.current({ ...centerQuery.clear, tab, userId, sort: '' }),
    }),
    [reload],
  );
  const filtered = centerQuery.isFiltered(state);
  const clear = () => change(centerQuery.clear);
  return (
    <CenterContext value={center}>
      <UserCounters counters={listed.data?.counters} inputAt={<DateTime value={updatedAt} precision="second" />} />
      <ListTable<UserRow>
        name="users"
        title="用户"
        columns={USER_COLUMNS}
        rowKey="id"
        list={listed}
        readPage={(page) => call(userAdmin.list, { query: { ...toUsers(state), ...page } })}
        place={state}
        onPlace={change}
        filters={<UserFilters state={state} change={change} />}
        actions={
          <Button type="primary" icon={<UserAddOutlined />} onClick={() => setDialog({ what: 'create' })}>
            创建用户
          </Button>
        }
        card={(row) => <UserCard row={row} />}
        empty={
          <NoRows of="用户" filtered={filtered} onClear={clear}>
            <EmptyState title="没有用户" />
          </NoRows>
        }
      />
      <Suspense fallback={null}>
        {dialog && (
          <UserDialogs dialog={dialog} onDialog={setDialog} onChanged={reload} onClose={() => setDialog(null)} />
        )}
      </Suspense>
    </CenterContext>
  );
}

function UserFilters({ state, change }: Pick<PanelProps, 'state' | 'change'>) {
  const filter = (next: Partial<CenterState>) => change({ ...next, current: 1 });
  return (
    <FilterBar filtered={centerQuery.isFiltered(state)} onClear={() => change(centerQuery.clear)}>
      <Input.Search
        allowClear
        className={styles.search}
        placeholder="用户名 / 币安 UID"
        aria-label="搜索用户"
        key={state.search}
        defaultValue={state.search}
        maxLength={64}
        onSearch={(search) => filter({ search: search.trim() })}
      />
      <FilterSelect label="角色" options={ROLE_OPTIONS} value={state.role} onChange={(role) => filter({ role })} />
      <FilterSelect label="状态" options={STATUSES} value={state.status} onChange={(status) => filter({ status })} />
    </FilterBar>
  );
}

const TILES: { key: keyof Counters; label: string; formula: string; window: string }[] = [
  { key: 'active24h', label: '活跃用户', formula: '登录过或有访问的用户', window: '近 24 小时' },
  { key: 'failedLogins24h', label: '失败登录', formula: '被拒绝与锁定的登录次数', window: '近 24 小时' },
  { key: 'keysExpiring', label: '密钥到期', formula: '将到期或已到期的 API 密钥', window: '14 天内' },
  { key: 'ownerless', label: '无主对冲', formula: '进行中而所属用户已停用的对冲单', window: '现在' },
];

interface UserCountersProps {
  counters: Counters | undefined;
  inputAt: React.ReactNode;
}

/** What a master should notice of all users. */
const UserCounters = ({ counters, inputAt }: UserCountersProps) => (
  <div className={styles.lock}>
    <FigureTiles
      label="用户计数"
      inputAt={inputAt}
      tiles={TILES.map(({ key, label, formula, window }) => ({
        label,
        formula,
        window,
        figure: <Amount value={counters?.[key]} digits={0} reason="还没有读到" />,
      }))}
    />
  </div>
);
