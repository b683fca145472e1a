import { type TableColumnsType, Tag } from 'antd';
import { useMemo } from 'react';
import type { BacktestLeg, BacktestTrade } from '#contract/backtest';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { Pnl } from '@/components/Pnl';
import { PlainTable } from '@/table/PlainTable';
import type { ChargedFunding } from './chargedFunding';
import { LegsTable } from './LegsTable';

interface TradesTableProps {
  trades: BacktestTrade[];
  legs: BacktestLeg[];
  /** Days of daily bars are UTC days. */
  utc: boolean;
  funding: ChargedFunding;
}

type Money = 'longPnl' | 'shortPnl' | 'net' | 'mae' | 'mfe';
const gain = (key: Money, title: string) => ({
  title,
  dataIndex: key,
  align: 'right' as const,
  render: (value: number) => <Pnl value={value} />,
});
const amount = (key: 'notional' | 'fees' | 'slippage' | 'shortfall', title: string) => ({
  title,
  dataIndex: key,
  align: 'right' as const,
  render: (value: number) => <Amount value={value} />,
});

type ColumnsOf = Pick<TradesTableProps, 'utc' | 'funding'>;
const columnsOf = ({ utc, funding }: ColumnsOf): TableColumnsType<BacktestTrade> => [
  { title: '开仓', dataIndex: 'openAt', render: (at: number) => <DateTime value={at} utc={utc} /> },
  {
    title: '平仓',
    dataIndex: 'closeAt',
    render: (at: number, { liquidated }) => (
      <>
        <DateTime value={at} utc={utc} /> {liquidated && <Tag color="error">爆仓</Tag>}
      </>
    ),
  },
  { title: '根数', dataIndex: 'bars', align: 'right' },
  amount('notional', '名义 USDT'),
  gain('longPnl', '多头价格损益'),
  gain('shortPnl', '空头价格损益'),
  {
    title: '资金费',
    dataIndex: 'funding',
    align: 'right',
    render: (value: number) => <Pnl value={funding.value === null ? null : value} reason={funding.reason} />,
  },
  amount('fees', '手续费'),
  amount('slippage', '滑点'),
  amount('shortfall', '穿仓'),
  gain('net', '净损益 USDT'),
  {
    title: '收益率（按名义）',
    dataIndex: 'return',
    align: 'right',
    render: (value: number | null) => <Pnl value={value} percent />,
  },
  gain('mae', '最大浮亏'),
  gain('mfe', '最大浮盈'),
];

/** One row per hedge; below it the stretches between rebalances, which are no trades of their own. */
export default function TradesTable({ trades, legs, utc, funding }: TradesTableProps) {
  const columns = useMemo(() => columnsOf({ utc, funding }), [utc, funding]);
  return (
    <>
      <PlainTable
        aria-label="交易明细"
        rowKey="openAt"
        columns={columns}
        rows={trades}
        scroll={{ x: 'max-content' }}
        pagination={false}
      />
      <h3>再平衡之间的各段（不计为交易）</h3>
      <LegsTable legs={legs} utc={utc} funding={funding} />
    </>
  );
}
