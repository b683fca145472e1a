import { Alert, Input, Tag } from 'antd';
import { type AuditRow, audit } from '#contract/audit';
import { userAdmin } from '#contract/userAdmin';
import { EmptyState } from '@/components/EmptyState';
import { roleLabel } from '@/components/roleLabel';
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
import { AUDIT_RESULT_COLOR, AUDIT_RESULT_LABEL } from './centerLabels';
import { type CenterState, centerQuery, type PanelProps, toAudit } from './centerQuery';
import styles from './index.module.css';

const REFRESH_MS = 30_000;
const RESULTS = optionsOf(AUDIT_RESULT_LABEL);

const changeText = ({ field, before, after }: AuditRow['changes'][number]) =>
  before === null ? `${field} ${after ?? '空'}` : `${field} ${before} → ${after ?? '空'}`;
const changesText = ({ changes }: AuditRow) => changes.map(changeText).join('；') || null;

const unsorted = { sort: undefined } as const;
const COLUMNS: Column<AuditRow>[] = [
  timeColumn<AuditRow>('at', '时间', { precision: 'second', fixed: 'left' }),
  wordColumn<AuditRow>('actor', '操作人', 120, (row) => row.actor, unsorted),
  wordColumn<AuditRow>('role', '角色', 84, (row) => roleLabel(row.role), unsorted),
  wordColumn<AuditRow>('title', '操作', 210, (row) => row.title, unsorted),
  wordColumn<AuditRow>('object', '对象', 160, (row) => row.object, unsorted),
  wordColumn<AuditRow>('changes', '内容', 300, changesText, {
    ...unsorted,
    explain: { text: '由 → 到；没有旧值时为请求的内容，展开看全部。密码、密钥与验证码一律为 ***' },
    render: (row) => <span className={styles.clamped}>{changesText(row) ?? '-'}</span>,
  }),
  wordColumn<AuditRow>('result', '结果', 96, (row) => AUDIT_RESULT_LABEL[row.result], {
    ...unsorted,
    render: ({ result }) => <Tag color={AUDIT_RESULT_COLOR[result]}>{AUDIT_RESULT_LABEL[result]}</Tag>,
  }),
  wordColumn<AuditRow>('message', '原因', 220, (row) => row.message, unsorted),
  wordColumn<AuditRow>('address', 'IP', 140, (row) => row.address, unsorted),
  wordColumn<AuditRow>('requestId', '请求编号', 300, (row) => row.requestId, unsorted),
  wordColumn<AuditRow>('action', '接口', 260, (row) => row.action, { ...unsorted, spare: true }),
];

/** What a row changed, in full. */
const Changes = ({ changes }: Pick<AuditRow, 'changes'>) => (
  <dl className={styles.changes}>
    {changes.map(({ field, before, after }) => (
      <div key={field}>
        <dt>{field}</dt>
        <dd>{before === null ? (after ?? '空') : `${before} → ${after ?? '空'}`}</dd>
      </div>
    ))}
    {changes.length === 0 && <span className="soft">没有内容</span>}
  </dl>
);
const expanded = (row: AuditRow) => <Changes changes={row.changes} />;

/** Every write that anybody asked for. */
export function AuditPanel({ state, change, users }: PanelProps) {
  const { listed } = useListed(useCall(audit.list, { query: toAudit(state) }, { refreshInterval: REFRESH_MS }), 'id');
  const access = useCall(userAdmin.access, {});
  const writes = (access.data?.endpoints ?? []).filter(({ method }) => method !== 'GET');
  const actions = writes.map(({ method, path, summary }) => ({
    value: `${method} ${path}`,
    label: summary.split(/[；。：]/)[0] ?? summary,
  }));
  const filtered = centerQuery.isFiltered(state);
  const clear = () => change(centerQuery.clear);
  const filter = (next: Partial<CenterState>) => change({ ...next, current: 1 });
  return (
    <>
      {listed.data?.more && (
        <Alert
          className={styles.lock}
          type="info"
          showIcon
          title={`只列出最近 ${listed.data.total.toLocaleString('en-US')} 行，请用期间或其他筛选查看更早的记录`}
        />
      )}
      <ListTable<AuditRow>
        name="audit"
        title="审计日志"
        columns={COLUMNS}
        rowKey="id"
        list={listed}
        readPage={(page) => call(audit.list, { query: { ...toAudit(state), ...page } })}
        place={state}
        onPlace={change}
        expanded={expanded}
        filters={
          <FilterBar filtered={filtered} onClear={clear}>
            <FilterSelect
              searchable
              label="操作人"
              options={users}
              value={state.userId || null}
              onChange={(userId) => filter({ userId: userId ?? '' })}
            />
            <FilterSelect
              searchable
              label="操作"
              options={actions}
              value={state.action || null}
              onChange={(action) => filter({ action: action ?? '' })}
            />
            <FilterSelect
              label="结果"
              options={RESULTS}
              value={state.outcome}
              onChange={(outcome) => filter({ outcome })}
            />
            <PeriodFilter label="期间" state={state} onChange={filter} />
            <Input.Search
              allowClear
              className={styles.search}
              placeholder="对象：名称、编号或币种"
              aria-label="对象"
              key={state.object}
              defaultValue={state.object}
              onSearch={(object) => filter({ object: object.trim() })}
            />
          </FilterBar>
        }
        empty={
          <NoRows of="记录" filtered={filtered} onClear={clear}>
            <EmptyState title="还没有操作记录" />
          </NoRows>
        }
      />
    </>
  );
}
