import { Link } from '@umijs/max';
import type { TableColumnsType } from 'antd';
import { HOUR_MS } from '#contract/duration';
import type { ComparedHedge } from '#contract/statistic';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { CLOSE_REASON_LABEL } from '@/components/labels';
import { Pnl } from '@/components/Pnl';
import { PlainTable } from '@/table/PlainTable';

type Money = 'live' | 'backtest' | 'gap' | 'slippage' | 'fees' | 'funding' | 'missed' | 'rest';
const money = (key: Money, title: string) => ({
  title,
  dataIndex: key,
  align: 'right' as const,
  sorter: (a: ComparedHedge, b: ComparedHedge) => a[key] - b[key],
  render: (value: number) => <Pnl value={value} />,
});

const COLUMNS: TableColumnsType<ComparedHedge> = [
  {
    title: '多 / 空',
    dataIndex: 'long',
    fixed: 'start',
    render: (_, { id, long, short }) => (
      <Link to={`/strategy/hedge?id=${encodeURIComponent(id)}`}>
        {long} / {short}
      </Link>
    ),
  },
  { title: '用户', dataIndex: 'user' },
  {
    title: '平仓',
    dataIndex: 'closedAt',
    sorter: (a, b) => a.closedAt - b.closedAt,
    render: (at: number) => <DateTime value={at} />,
  },
  {
    title: '持有 h',
    align: 'right',
    render: (_, { openedAt, closedAt }) => <Amount value={(closedAt - openedAt) / HOUR_MS} digits={1} />,
  },
  {
    title: '原因',
    dataIndex: 'closeReason',
    render: (reason: ComparedHedge['closeReason']) => (reason === null ? '未注明' : CLOSE_REASON_LABEL[reason]),
  },
  money('live', '实盘 USDT'),
  money('backtest', '回测 USDT'),
  money('gap', '差额 USDT'),
  {
    title: '差额 bps',
    dataIndex: 'bps',
    align: 'right',
    sorter: (a, b) => (a.bps ?? 0) - (b.bps ?? 0),
    render: (value: number | null) => <Pnl value={value} digits={1} reason="没有成交额" />,
  },
  money('slippage', '滑点'),
  money('fees', '手续费'),
  money('funding', '资金费'),
  money('missed', '未成交'),
  money('rest', '其余'),
  {
    title: '成交额',
    dataIndex: 'traded',
    align: 'right',
    sorter: (a, b) => a.traded - b.traded,
    render: (value: number) => <Amount value={value} compact />,
  },
  { title: 'K 线', dataIndex: 'bar' },
];

/** One row a compared hedge, newest first. */
export function CompareTable({ list }: { list: readonly ComparedHedge[] }) {
  return (
    <PlainTable
      aria-label="逐单对比"
      rowKey="id"
      columns={COLUMNS}
      rows={[...list]}
      scroll={{ x: 'max-content' }}
      pagination={list.length > 20 ? { pageSize: 20, showSizeChanger: false } : false}
      locale={{ emptyText: '期间内没有可以与回测比较的对冲单' }}
    />
  );
}
