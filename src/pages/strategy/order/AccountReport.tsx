import { Tag } from 'antd';
import { venueName } from '#contract/candle';
import type { ReconciledAccount } from '#contract/order';
import { CopyId } from '@/components/CopyId';
import type { Column } from '@/table/column';
import { exactColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
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

const ORDER_COLUMNS: Column<Difference>[] = [
  { key: 'what', title: '差异', width: 140, render: ({ what }) => WHAT[what] },
  { key: 'symbol', title: '合约', width: 110, render: ({ symbol }) => symbol },
  { key: 'id', title: '委托编号', width: 160, render: ({ id }) => <CopyId id={id} /> },
  { key: 'text', title: '说明', width: 240, render: ({ text }) => text },
];

const POSITION_COLUMNS: Column<Position>[] = [
  { key: 'source', title: '交易所', width: 110, render: ({ source }) => venueName(source) },
  { key: 'symbol', title: '合约', width: 110, render: ({ symbol }) => symbol },
  exactColumn<Position>('ledger', '账本', 110),
  exactColumn<Position>('venue', '交易所持仓', 110),
  {
    key: 'verdict',
    title: '结论',
    width: 96,
    render: ({ ledger, venue }) => (ledger === venue ? '一致' : <Tag color="error">不一致</Tag>),
  },
];

const PAGING = { hideOnSinglePage: true, pageSize: 10 } as const;

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
        <PlainTable label="有差异的委托" rowKey="id" columns={ORDER_COLUMNS} rows={orders} pagination={PAGING} />
      )}
      {positions.length > 0 && (
        <PlainTable
          label="持仓核对"
          rowKey={({ source, symbol }) => `${source} ${symbol}`}
          columns={POSITION_COLUMNS}
          rows={positions}
          pagination={PAGING}
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
