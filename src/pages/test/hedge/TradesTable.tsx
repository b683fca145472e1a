import { Tag } from 'antd';
import { useMemo } from 'react';
import type { BacktestLeg, BacktestTrade } from '#contract/backtest';
import { DateTime } from '@/components/DateTime';
import { Pnl } from '@/components/Pnl';
import type { Column } from '@/table/column';
import { changeColumn, gainColumn, numberColumn, timeColumn } from '@/table/columns';
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

const gain = (key: 'longPnl' | 'shortPnl' | 'net' | 'mae' | 'mfe', title: string) =>
  gainColumn<BacktestTrade>(key, title);
const amount = (key: 'notional' | 'fees' | 'slippage' | 'shortfall', title: string) =>
  numberColumn<BacktestTrade>(key, title, { width: 104 });

type ColumnsOf = Pick<TradesTableProps, 'utc' | 'funding'>;
const columnsOf = ({ utc, funding }: ColumnsOf): Column<BacktestTrade>[] => [
  timeColumn<BacktestTrade>('openAt', '开仓', { utc }),
  {
    ...timeColumn<BacktestTrade>('closeAt', '平仓', { width: 196 }),
    render: ({ closeAt, liquidated }) => (
      <>
        {liquidated && <Tag color="error">爆仓</Tag>} <DateTime value={closeAt} utc={utc} />
      </>
    ),
  },
  numberColumn<BacktestTrade>('bars', '根数', { width: 72, digits: 0 }),
  amount('notional', '名义 USDT'),
  gain('longPnl', '多头价格损益'),
  gain('shortPnl', '空头价格损益'),
  {
    ...gainColumn<BacktestTrade>('funding', '资金费'),
    render: (row) => <Pnl value={funding.value === null ? null : row.funding} reason={funding.reason} />,
  },
  amount('fees', '手续费'),
  amount('slippage', '滑点'),
  amount('shortfall', '穿仓'),
  gain('net', '净损益 USDT'),
  changeColumn<BacktestTrade>('return', '收益率（按名义）', { width: 132 }),
  gain('mae', '最大浮亏'),
  gain('mfe', '最大浮盈'),
];

/** One row per hedge; below it the stretches between rebalances, which are no trades of their own. */
export default function TradesTable({ trades, legs, utc, funding }: TradesTableProps) {
  const columns = useMemo(() => columnsOf({ utc, funding }), [utc, funding]);
  return (
    <>
      <PlainTable label="交易明细" rowKey="openAt" columns={columns} rows={trades} />
      <h3>再平衡之间的各段（不计为交易）</h3>
      <LegsTable legs={legs} utc={utc} funding={funding} />
    </>
  );
}
