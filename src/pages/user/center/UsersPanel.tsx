import { UserAddOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { Suspense, useMemo, useRef, useState } from 'react';
import { ROLES } from '#contract/access';
import { type UserCounters as Counters, USER_STATUS_LABEL, userAdmin } from '#contract/userAdmin';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { FigureTiles } from '@/components/FigureTiles';
import { late } from '@/components/late';
import { roleLabel } from '@/components/roleLabel';
import { optionsOf } from '@/table/FilterSelect';
import { ListPanel } from '@/table/ListPanel';
import { useList } from '@/table/useListed';
import { CenterContext, type Dialog } from './centerContext';
import { type CenterState, centerQuery, type PanelProps, toUsers } from './centerQuery';
import styles from './index.module.css';
import { USER_COLUMNS, userCard } from './userColumns';

const UserDialogs = late(() => import('./UserDialogs'));

const REFRESH_MS = 30_000;
const STATUSES = optionsOf(USER_STATUS_LABEL);
const ROLE_OPTIONS = ROLES.map((value) => ({ value, label: roleLabel(value) }));

/** The users, what can be done with them, and what is to be noticed of all. */
export function UsersPanel({ state, change }: PanelProps) {
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const list = useList(userAdmin.list, { query: toUsers(state) }, REFRESH_MS);
  const latest = useRef(change);
  latest.current = change;
  const { reload } = list;
  const center = useMemo(
    () => ({
      reload,
      ask: setDialog,
      show: (tab: CenterState['tab'], userId: string) =>
        latest.current({ ...centerQuery.clear, tab, userId, sort: '' }),
    }),
    [reload],
  );
  return (
    <CenterContext value={center}>
      <UserCounters counters={list.data?.counters} inputAt={<DateTime value={list.updatedAt} precision="second" />} />
      <ListPanel
        name="users"
        title="用户"
        columns={USER_COLUMNS}
        list={list}
        query={centerQuery}
        {...{ state, change }}
        filters={[
          { key: 'search', label: '搜索用户', placeholder: '用户名 / 币安 UID' },
          { key: 'role', label: '角色', options: ROLE_OPTIONS },
          { key: 'status', label: '状态', options: STATUSES },
        ]}
        actions={
          <Button type="primary" icon={<UserAddOutlined />} onClick={() => setDialog({ what: 'create' })}>
            创建用户
          </Button>
        }
        card={userCard}
        of="用户"
        none="没有用户"
      />
      <Suspense fallback={null}>
        {dialog && (
          <UserDialogs dialog={dialog} onDialog={setDialog} onChanged={reload} onClose={() => setDialog(null)} />
        )}
      </Suspense>
    </CenterContext>
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
