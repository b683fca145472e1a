import { Descriptions } from 'antd';
import type { Static } from 'typebox';
import type { SymbolDetail, SymbolStatistics } from '#contract/symbol';
import { Amount } from '@/components/Amount';
import { DateTime } from '@/components/DateTime';
import { Explained } from '@/components/Explained';
import { Percent } from '@/components/Percent';
import { Pnl } from '@/components/Pnl';
import { PlainTable } from '@/table/PlainTable';
import styles from './index.module.css';

type Row = Static<typeof SymbolStatistics>;

const TOO_SHORT = '历史不足，或数据源中没有用来对比的币种';
const number = (value: number | null) => <Amount value={value} reason={TOO_SHORT} />;
const right = { align: 'right' as const };

const columns = [
  {
    title: '窗口',
    dataIndex: 'days',
    render: (days: number, _row: Row, i: number) => (i < 2 ? `最近 ${days} 天` : `全部 ${days} 天`),
  },
  {
    title: '收益',
    dataIndex: 'return',
    ...right,
    render: (value: number | null) => <Pnl value={value} percent reason={TOO_SHORT} />,
  },
  {
    title: <Explained formula="日对数收益的标准差（ddof 1）× √365">年化波动率</Explained>,
    dataIndex: 'volatility',
    ...right,
    render: (value: number | null) => <Percent value={value} reason={TOO_SHORT} />,
  },
  {
    title: <Explained formula="cov(r, rBTC) / var(rBTC)，日对数收益（F17）">Beta（BTC）</Explained>,
    dataIndex: 'betaBtc',
    ...right,
    render: number,
  },
  {
    title: <Explained formula="日对数收益的皮尔逊相关（F17）">相关（BTC）</Explained>,
    dataIndex: 'correlationBtc',
    ...right,
    render: number,
  },
  { title: '相关（ETH）', dataIndex: 'correlationEth', ...right, render: number },
  {
    title: <Explained formula="min(收盘 / 之前最高收盘 − 1)（F20）">最大回撤</Explained>,
    dataIndex: 'maxDrawdown',
    ...right,
    render: (value: number | null) => <Percent value={value} reason={TOO_SHORT} />,
  },
];

/** Volatility, beta, correlations and the deepest drawdown, from daily closes. */
export default function StatisticsTab({ detail }: { detail: SymbolDetail }) {
  const { max, peakAt, troughAt, recoveredAt, current } = detail.drawdown;
  const day = (value: number | null, reason: string) => <DateTime value={value} precision="day" utc reason={reason} />;
  const items = [
    { key: 'max', label: '历史最大回撤', children: <Percent value={max} /> },
    { key: 'peak', label: '高点', children: day(peakAt, '没有回撤') },
    { key: 'trough', label: '低点', children: day(troughAt, '没有回撤') },
    { key: 'recovered', label: '收复', children: day(recoveredAt, '尚未收复') },
    { key: 'current', label: '当前回撤', children: <Percent value={current} /> },
  ];
  return (
    <div className={styles.tab}>
      <PlainTable<Row>
        rowKey={(row) => `${row.days}`}
        columns={columns}
        rows={detail.statistics}
        pagination={false}
        scroll={{ x: 'max-content' }}
      />
      <Descriptions size="small" bordered column={{ xs: 1, sm: 2, lg: 3 }} items={items} />
    </div>
  );
}
