import { Tag } from 'antd';
import { useMemo } from 'react';
import type { BacktestLeg } from '#contract/backtest';
import { Pnl } from '@/components/Pnl';
import type { Column } from '@/table/column';
import { changeColumn, gainColumn, numberColumn, priceColumn, timeColumn, wordColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import type { ChargedFunding } from './chargedFunding';

interface LegsTableProps {
  legs: BacktestLeg[];
  /** Days of daily bars are UTC days. */
  utc: boolean;
  funding: ChargedFunding;
}

const amount = (key: 'notional' | 'fees' | 'slippage', title: string) =>
  numberColumn<BacktestLeg>(key, title, { width: 104 });

const columnsOf = ({ utc, funding }: Omit<LegsTableProps, 'legs'>): Column<BacktestLeg>[] => [
  wordColumn<BacktestLeg>('symbol', '币种', 124, ({ symbol }) => symbol, { fixed: 'left' }),
  wordColumn<BacktestLeg>('side', '方向', 80, ({ side }) => side, {
    render: ({ side }) => <Tag>{side === 'long' ? '多 ↑' : '空 ↓'}</Tag>,
  }),
  timeColumn<BacktestLeg>('openAt', '开仓', { utc }),
  timeColumn<BacktestLeg>('closeAt', '平仓', { utc }),
  numberColumn<BacktestLeg>('bars', '根数', { width: 76, digits: 0 }),
  priceColumn<BacktestLeg>('openPrice', '开仓价'),
  priceColumn<BacktestLeg>('closePrice', '平仓价'),
  amount('notional', '名义 USDT'),
  gainColumn<BacktestLeg>('pricePnl', '价格损益'),
  {
    ...gainColumn<BacktestLeg>('funding', '资金费'),
    render: (leg) => <Pnl value={funding.value === null ? null : leg.funding} reason={funding.reason} />,
  },
  amount('fees', '手续费'),
  amount('slippage', '滑点'),
  gainColumn<BacktestLeg>('net', '净损益 USDT', { width: 124 }),
  changeColumn<BacktestLeg>('return', '收益率（按名义）', { width: 152 }),
];

const PAGING = { showTotal: (total: number) => `共 ${total} 段` };

/** What a hedge was made of: one row per holding period of a coin between rebalances, paged and sortable by every column. */
export function LegsTable({ legs, utc, funding }: LegsTableProps) {
  const columns = useMemo(() => columnsOf({ utc, funding }), [utc, funding]);
  return (
    <PlainTable
      sortable
      label="再平衡之间的各段"
      rowKey={({ symbol, side, openAt }) => `${symbol} ${side} ${openAt}`}
      columns={columns}
      rows={legs}
      pagination={PAGING}
    />
  );
}
