import { type TableColumnsType, Tag } from 'antd';
import { useMemo } from 'react';
import type { BacktestLeg } from '#contract/backtest';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { Pnl } from '@/components/Pnl';
import { Price } from '@/components/Price';
import { PlainTable } from '@/table/PlainTable';
import type { ChargedFunding } from './chargedFunding';

type NumberKey = {
  [K in keyof BacktestLeg]: BacktestLeg[K] extends number | null ? K : never;
}[keyof BacktestLeg];

const byNumber = (key: NumberKey) => (a: BacktestLeg, b: BacktestLeg) => (a[key] ?? 0) - (b[key] ?? 0);
const numeric = (key: NumberKey, title: string) => ({
  title,
  dataIndex: key,
  align: 'right' as const,
  sorter: byNumber(key),
});

interface LegsTableProps {
  legs: BacktestLeg[];
  /** Days of daily bars are UTC days. */
  utc: boolean;
  funding: ChargedFunding;
}

const columnsOf = ({ utc, funding }: Omit<LegsTableProps, 'legs'>): TableColumnsType<BacktestLeg> => [
  { title: '币种', dataIndex: 'symbol', fixed: 'start', sorter: (a, b) => a.symbol.localeCompare(b.symbol) },
  {
    title: '方向',
    dataIndex: 'side',
    sorter: (a, b) => a.side.localeCompare(b.side),
    render: (side: BacktestLeg['side']) => <Tag>{side === 'long' ? '多 ↑' : '空 ↓'}</Tag>,
  },
  { ...numeric('openAt', '开仓'), align: 'left', render: (at: number) => <DateTime value={at} utc={utc} /> },
  { ...numeric('closeAt', '平仓'), align: 'left', render: (at: number) => <DateTime value={at} utc={utc} /> },
  { ...numeric('bars', '根数') },
  { ...numeric('openPrice', '开仓价'), render: (price: number) => <Price value={price} /> },
  { ...numeric('closePrice', '平仓价'), render: (price: number) => <Price value={price} /> },
  { ...numeric('notional', '名义 USDT'), render: (value: number) => <Amount value={value} /> },
  { ...numeric('pricePnl', '价格损益'), render: (value: number) => <Pnl value={value} /> },
  {
    ...numeric('funding', '资金费'),
    render: (value: number) => <Pnl value={funding.value === null ? null : value} reason={funding.reason} />,
  },
  { ...numeric('fees', '手续费'), render: (value: number) => <Amount value={value} /> },
  { ...numeric('slippage', '滑点'), render: (value: number) => <Amount value={value} /> },
  { ...numeric('net', '净损益 USDT'), render: (value: number) => <Pnl value={value} /> },
  { ...numeric('return', '收益率（按名义）'), render: (value: number | null) => <Pnl value={value} percent /> },
];

/** What a hedge was made of: one row per holding period of a coin between rebalances, paged and sortable by every column. */
export function LegsTable({ legs, utc, funding }: LegsTableProps) {
  const columns = useMemo(() => columnsOf({ utc, funding }), [utc, funding]);
  return (
    <PlainTable
      aria-label="再平衡之间的各段"
      rowKey={({ symbol, side, openAt }) => `${symbol} ${side} ${openAt}`}
      columns={columns}
      rows={legs}
      scroll={{ x: 'max-content' }}
      pagination={{ defaultPageSize: 20, showSizeChanger: true, showTotal: (total) => `共 ${total} 段` }}
    />
  );
}
