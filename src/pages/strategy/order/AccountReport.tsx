import { type TableColumnsType, Tag } from 'antd';
import type { ReconciledAccount } from '#contract/order';
import { sourceLabel } from '@/components/labels';
import { PlainTable } from '@/table/PlainTable';
import { CopyId } from './CopyId';
import styles from './reconcile.module.css';

type Difference = ReconciledAccount['orders'][number];
type Position = ReconciledAccount['positions'][number];

const VERDICT = {
  agrees: { color: 'success', label: '一致' },
  differs: { color: 'error', label: '有差异' },
  unknown: { color: 'warning', label: '未能确认' },
} as const;

const WHAT: Record<Difference['what'], string> = {
  missingThere: '本地有、交易所无',
  missingHere: '交易所有、本地无',
  differs: '状态不同',
  unknown: '未能查询',
};

const ORDER_COLUMNS: TableColumnsType<Difference> = [
  { title: '差异', dataIndex: 'what', width: 140, render: (what: Difference['what']) => WHAT[what] },
  { title: '合约', dataIndex: 'symbol', width: 110 },
  { title: '委托编号', dataIndex: 'id', width: 160, render: (id: string) => <CopyId id={id} /> },
  { title: '说明', dataIndex: 'text' },
];

const exact = (value: string) => <span className="figure">{value}</span>;
const POSITION_COLUMNS: TableColumnsType<Position> = [
  { title: '交易所', dataIndex: 'source', render: sourceLabel },
  { title: '合约', dataIndex: 'symbol' },
  { title: '账本', dataIndex: 'ledger', align: 'right', render: exact },
  { title: '交易所持仓', dataIndex: 'venue', align: 'right', render: exact },
  {
    title: '结论',
    key: 'verdict',
    render: (_, { ledger, venue }) => (ledger === venue ? '一致' : <Tag color="error">不一致</Tag>),
  },
];

const SCROLL = { x: 'max-content' } as const;

/** What was found about one account. */
export function AccountReport({ account }: { account: ReconciledAccount }) {
  const { user, verdict, unknown, pending, liveOrders, orders, positions, findings } = account;
  return (
    <section className={styles.report} aria-label={`${user} 的核对`}>
      <h3>
        {user} <Tag color={VERDICT[verdict].color}>{VERDICT[verdict].label}</Tag>
      </h3>
      <p className="soft">
        未结束委托 {liveOrders} 笔，持仓合约 {positions.length} 个，未入账事件 {pending ?? '-'} 个
      </p>
      {unknown.length > 0 && (
        <ul className={styles.unknown}>
          {unknown.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
      {orders.length > 0 && (
        <PlainTable<Difference>
          rowKey="id"
          columns={ORDER_COLUMNS}
          rows={orders}
          scroll={SCROLL}
          pagination={{ hideOnSinglePage: true, pageSize: 10 }}
        />
      )}
      {positions.length > 0 && (
        <PlainTable<Position>
          rowKey={({ source, symbol }) => `${source} ${symbol}`}
          columns={POSITION_COLUMNS}
          rows={positions}
          scroll={SCROLL}
          pagination={{ hideOnSinglePage: true, pageSize: 10 }}
        />
      )}
      {findings.length > 0 && (
        <ul className={styles.findings}>
          {findings.map((line) => (
            <li key={line}>账目：{line}</li>
          ))}
        </ul>
      )}
    </section>
  );
}
