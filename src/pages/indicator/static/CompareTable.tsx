import { Link } from '@umijs/max';
import { HOUR_MS } from '#contract/duration';
import type { ComparedHedge } from '#contract/statistic';
import { Amount } from '@/components/Amount';
import { CLOSE_REASON_LABEL } from '@/components/labels';
import type { Column } from '@/table/column';
import { gainColumn, moneyColumn, timeColumn, wordColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';

const reasonOf = ({ closeReason }: ComparedHedge) =>
  closeReason === null ? '未注明' : CLOSE_REASON_LABEL[closeReason];

const heldHours = ({ openedAt, closedAt }: ComparedHedge) => (closedAt - openedAt) / HOUR_MS;
const COLUMNS: Column<ComparedHedge>[] = [
  wordColumn<ComparedHedge>('long', '多 / 空', 190, ({ long, short }) => `${long} / ${short}`, {
    fixed: 'left',
    render: ({ id, long, short }) => (
      <Link to={`/strategy/hedge?id=${encodeURIComponent(id)}`}>
        {long} / {short}
      </Link>
    ),
  }),
  wordColumn<ComparedHedge>('user', '用户', 88, ({ user }) => user),
  timeColumn<ComparedHedge>('closedAt', '平仓'),
  {
    key: 'held',
    title: '持有 h',
    width: 92,
    figure: true,
    sort: 'descend',
    render: (row) => <Amount value={heldHours(row)} digits={1} />,
    csv: heldHours,
  },
  wordColumn<ComparedHedge>('closeReason', '原因', 96, reasonOf),
  gainColumn<ComparedHedge>('live', '实盘 USDT'),
  gainColumn<ComparedHedge>('backtest', '回测 USDT'),
  gainColumn<ComparedHedge>('gap', '差额 USDT'),
  gainColumn<ComparedHedge>('bps', '差额 bps', { width: 104, digits: 1, reason: '没有成交额' }),
  gainColumn<ComparedHedge>('slippage', '滑点', { width: 92 }),
  gainColumn<ComparedHedge>('fees', '手续费', { width: 92 }),
  gainColumn<ComparedHedge>('funding', '资金费', { width: 92 }),
  gainColumn<ComparedHedge>('missed', '未成交', { width: 92 }),
  gainColumn<ComparedHedge>('rest', '其余', { width: 92 }),
  moneyColumn<ComparedHedge>('traded', '成交额'),
  wordColumn<ComparedHedge>('bar', 'K 线', 72, ({ bar }) => bar),
];

/** One row a compared hedge, newest first. */
export function CompareTable({ list }: { list: readonly ComparedHedge[] }) {
  return (
    <PlainTable
      sortable
      label="逐单对比"
      rowKey="id"
      columns={COLUMNS}
      rows={list}
      empty="期间内没有可以与回测比较的对冲单"
    />
  );
}
