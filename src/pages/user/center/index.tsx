import { Tabs } from 'antd';
import { useMemo } from 'react';
import { userAdmin } from '#contract/userAdmin';
import { useQueryState } from '@/components/useQueryState';
import { useCall } from '@/services/useCall';
import { AccessPanel } from './AccessPanel';
import { AuditPanel } from './AuditPanel';
import { centerQuery, type PanelProps, TABS, type Tab } from './centerQuery';
import styles from './index.module.css';
import { JobsPanel } from './JobsPanel';
import { LoginsPanel } from './LoginsPanel';
import { SecurityPanel } from './SecurityPanel';
import { SessionsPanel } from './SessionsPanel';
import { SourcesPanel } from './SourcesPanel';
import { UsersPanel } from './UsersPanel';

const TAB_LABEL: Record<Tab, string> = {
  users: '用户',
  sessions: '会话',
  logins: '登录记录',
  audit: '审计日志',
  jobs: '后台任务',
  sources: '数据源',
  access: '权限矩阵',
  security: '安全设置',
};

const PANELS: Record<Tab, (props: PanelProps) => React.ReactNode> = {
  users: UsersPanel,
  sessions: SessionsPanel,
  logins: LoginsPanel,
  audit: AuditPanel,
  jobs: JobsPanel,
  sources: SourcesPanel,
  access: AccessPanel,
  security: SecurityPanel,
};

/** 用户中心: users, their sessions and logins, what everybody did, and who may do what. */
export default function UserCenter() {
  const [state, change] = useQueryState(centerQuery.codecs);
  const everybody = useCall(userAdmin.list, state.tab === 'users' ? null : { query: { pageSize: 200, sort: 'name' } });
  const users = useMemo(
    () => (everybody.data?.list ?? []).map(({ id, name }) => ({ value: id, label: name })),
    [everybody.data],
  );
  const Panel = PANELS[state.tab];
  // Whose doings are looked at stays: from a login to what was done then.
  const turn = (key: string) => change({ ...centerQuery.clear, userId: state.userId, tab: key as Tab, sort: '' });
  return (
    <div className="stack">
      <h1>用户中心</h1>
      <section className="card" aria-label={TAB_LABEL[state.tab]}>
        <Tabs
          className={styles.tabs}
          activeKey={state.tab}
          items={TABS.map((key) => ({ key, label: TAB_LABEL[key] }))}
          onChange={turn}
        />
        <Panel key={state.tab} state={state} change={change} users={users} />
      </section>
    </div>
  );
}
