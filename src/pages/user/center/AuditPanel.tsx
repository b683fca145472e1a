import { Alert, Tag } from 'antd';
import { AUDIT_RESULT_LABEL, AuditRow, audit } from '#contract/audit';
import { userAdmin } from '#contract/userAdmin';
import { formatDateTime } from '@/components/DateTime';
import { roleLabel } from '@/components/roleLabel';
import { useCall } from '@/services/useCall';
import { optionsOf } from '@/table/FilterSelect';
import { ListPanel } from '@/table/ListPanel';
import { CardFoot, columnsCard } from '@/table/RowCard';
import { schemaColumns } from '@/table/schemaColumns';
import { useList } from '@/table/useListed';
import { centerQuery, type PanelProps, toAudit, whoseFilter } from './centerQuery';
import styles from './index.module.css';

const REFRESH_MS = 30_000;
const RESULTS = optionsOf(AUDIT_RESULT_LABEL);
const RESULT_COLOR = { done: 'success', refused: 'warning', failed: 'error', unknown: 'error' } as const;

const changeText = ({ field, before, after }: AuditRow['changes'][number]) =>
  before === null ? `${field} ${after ?? '空'}` : `${field} ${before} → ${after ?? '空'}`;
const changesText = ({ changes }: AuditRow) => changes.map(changeText).join('；') || null;

const COLUMNS = schemaColumns(AuditRow, {
  widths: {
    ...{ actor: 92, role: 72, title: 152, object: 172, amount: 120, changes: 176 },
    ...{ message: 160, address: 140, requestId: 300, action: 260 },
  },
  own: [
    { key: 'at', fixed: 'left' },
    { key: 'role', render: ({ role }) => roleLabel(role), csv: ({ role }) => roleLabel(role) },
    {
      key: 'changes',
      render: (row) => <span className={styles.clamped}>{changesText(row) ?? '-'}</span>,
      csv: changesText,
    },
    { key: 'result', render: ({ result }) => <Tag color={RESULT_COLOR[result]}>{AUDIT_RESULT_LABEL[result]}</Tag> },
  ],
});

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

const auditCard = columnsCard(COLUMNS, {
  label: ({ title, at }) => `${title} ${formatDateTime(at, 'second')}`,
  head: ['title'],
  end: ['result'],
  figures: ['at', 'actor', 'object', 'amount', 'message', 'address'],
  wide: ['object', 'message'],
  maybe: ['object', 'amount', 'message'],
  foot: (row) => <CardFoot acts={null} open={() => expanded(row)} />,
});

/** Every write that anybody asked for. */
export function AuditPanel({ state, change, users }: PanelProps) {
  const list = useList(audit.list, { query: toAudit(state) }, REFRESH_MS);
  const access = useCall(userAdmin.access, {});
  const writes = (access.data?.endpoints ?? []).filter(({ method }) => method !== 'GET');
  const actions = writes.map(({ method, path, summary }) => ({
    value: `${method} ${path}`,
    label: summary.split(/[；。：]/)[0] ?? summary,
  }));
  return (
    <>
      {list.data?.more && (
        <Alert
          className={styles.lock}
          type="info"
          showIcon
          title={`只列出最近 ${list.data.total.toLocaleString('en-US')} 行，请用期间或其他筛选查看更早的记录`}
        />
      )}
      <ListPanel
        name="audit"
        title="审计日志"
        columns={COLUMNS}
        list={list}
        query={centerQuery}
        {...{ state, change, expanded }}
        card={auditCard}
        filters={[
          whoseFilter('操作人', users),
          { key: 'action', label: '操作', options: actions, searchable: true },
          { key: 'outcome', label: '结果', options: RESULTS },
          { period: '期间' },
          { key: 'object', label: '对象', placeholder: '对象：名称、合约或编号' },
        ]}
        of="记录"
        none="还没有操作记录"
      />
    </>
  );
}
