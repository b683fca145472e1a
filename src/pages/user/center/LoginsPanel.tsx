import { Input, Tag } from 'antd';
import { type LoginAttempt, userAdmin } from '#contract/userAdmin';
import { EmptyState } from '@/components/EmptyState';
import { ORIGIN_LABEL, ORIGIN_REASON } from '@/components/OriginWord';
import { call } from '@/services/call';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { timeColumn, wordColumn } from '@/table/columns';
import { FilterBar } from '@/table/FilterBar';
import { FilterSelect, optionsOf } from '@/table/FilterSelect';
import { ListTable } from '@/table/ListTable';
import { NoRows } from '@/table/NoRows';
import { PeriodFilter } from '@/table/PeriodFilter';
import { useListed } from '@/table/useListed';
import { LOGIN_REASON_LABEL, LOGIN_RESULT_COLOR, LOGIN_RESULT_LABEL } from './centerLabels';
import { type CenterState, centerQuery, type PanelProps, toLogins } from './centerQuery';
import styles from './index.module.css';
import { Locks } from './Locks';

const REFRESH_MS = 30_000;
const RESULTS = optionsOf(LOGIN_RESULT_LABEL);

/** The password was right, and nothing is wrong: the second step is still to come. */
const isHalfway = ({ reason }: LoginAttempt) => reason === 'codeAsked';
const resultWord = (row: LoginAttempt) => (isHalfway(row) ? '未完成' : LOGIN_RESULT_LABEL[row.result]);

const COLUMNS: Column<LoginAttempt>[] = [
  timeColumn<LoginAttempt>('at', '时间', { precision: 'second', fixed: 'left' }),
  wordColumn<LoginAttempt>('user', '用户', 150, (row) => row.user, { sort: undefined }),
  wordColumn<LoginAttempt>('result', '结果', 92, resultWord, {
    sort: undefined,
    render: (row) => (
      <Tag color={isHalfway(row) ? 'processing' : LOGIN_RESULT_COLOR[row.result]}>{resultWord(row)}</Tag>
    ),
  }),
  wordColumn<LoginAttempt>('reason', '原因', 190, (row) => LOGIN_REASON_LABEL[row.reason], { sort: undefined }),
  wordColumn<LoginAttempt>('times', '次数', 84, ({ times }) => String(times), {
    sort: undefined,
    explain: { text: '一小时内来自同一地址、同一用户、同一原因的拒绝合为一行，时间是最后一次' },
  }),
  wordColumn<LoginAttempt>('address', 'IP', 150, (row) => row.address || '多个地址', { sort: undefined }),
  wordColumn<LoginAttempt>('origin', '来源', 84, (row) => ORIGIN_LABEL[row.origin], {
    sort: undefined,
    explain: { text: ORIGIN_REASON },
  }),
  wordColumn<LoginAttempt>('device', '设备', 200, (row) => row.device, { sort: undefined }),
];

/** Attempts to sign in, and what is locked because of them. */
export function LoginsPanel({ state, change, users }: PanelProps) {
  const { listed } = useListed(
    useCall(userAdmin.attempts, { query: toLogins(state) }, { refreshInterval: REFRESH_MS }),
    'id',
  );
  const filtered = centerQuery.isFiltered(state);
  const clear = () => change(centerQuery.clear);
  const filter = (next: Partial<CenterState>) => change({ ...next, current: 1 });
  return (
    <>
      <Locks />
      <ListTable<LoginAttempt>
        name="logins"
        title="登录记录"
        columns={COLUMNS}
        rowKey="id"
        list={listed}
        readPage={(page) => call(userAdmin.attempts, { query: { ...toLogins(state), ...page } })}
        place={state}
        onPlace={change}
        filters={
          <FilterBar filtered={filtered} onClear={clear}>
            <FilterSelect
              searchable
              label="用户"
              options={users}
              value={state.userId || null}
              onChange={(userId) => filter({ userId: userId ?? '' })}
            />
            <FilterSelect label="结果" options={RESULTS} value={state.login} onChange={(login) => filter({ login })} />
            <PeriodFilter label="期间" state={state} onChange={filter} />
            <Input.Search
              allowClear
              className={styles.search}
              placeholder="IP 地址"
              aria-label="IP 地址"
              key={state.address}
              defaultValue={state.address}
              onSearch={(address) => filter({ address: address.trim() })}
            />
          </FilterBar>
        }
        empty={
          <NoRows of="登录记录" filtered={filtered} onClear={clear}>
            <EmptyState title="还没有登录记录" />
          </NoRows>
        }
      />
    </>
  );
}
