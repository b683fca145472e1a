import { Descriptions } from 'antd';
import { useMemo } from 'react';
import type { Static } from 'typebox';
import type { SymbolDetail, SymbolStatistics } from '#contract/symbol';
import { DateTime } from '@/components/DateTime';
import { Percent } from '@/components/Percent';
import type { Column, Explanation } from '@/table/column';
import { changeColumn, numberColumn, percentColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import styles from './index.module.css';

type Row = Static<typeof SymbolStatistics>;

const TOO_SHORT = '历史不足，或数据源中没有用来对比的币种';
const number = (key: 'betaBtc' | 'correlationBtc' | 'correlationEth', title: string, explain?: Explanation) =>
  numberColumn<Row>(key, title, { width: 116, reason: TOO_SHORT, explain });
const percent = (key: 'volatility' | 'maxDrawdown', title: string, formula: string) =>
  percentColumn<Row>(key, title, { width: 104, reason: TOO_SHORT, explain: { formula } });

const columnsOf = (statistics: readonly Row[]): Column<Row>[] => [
  {
    key: 'days',
    title: '窗口',
    width: 112,
    render: (row) => `${statistics.indexOf(row) < 2 ? '最近' : '全部'} ${row.days} 天`,
  },
  changeColumn<Row>('return', '收益', { width: 104, reason: TOO_SHORT }),
  percent('volatility', '年化波动率', '日对数收益的标准差（ddof 1）× √365'),
  number('betaBtc', 'Beta（BTC）', { formula: 'cov(r, rBTC) / var(rBTC)，日对数收益（F17）' }),
  number('correlationBtc', '相关（BTC）', { formula: '日对数收益的皮尔逊相关（F17）' }),
  number('correlationEth', '相关（ETH）'),
  percent('maxDrawdown', '最大回撤', 'min(收盘 / 之前最高收盘 − 1)（F20）'),
];

/** Volatility, beta, correlations and the deepest drawdown, from daily closes. */
export default function StatisticsTab({ detail }: { detail: SymbolDetail }) {
  const columns = useMemo(() => columnsOf(detail.statistics), [detail.statistics]);
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
      <PlainTable label="各窗口的统计" rowKey="days" columns={columns} rows={detail.statistics} />
      <Descriptions size="small" bordered column={{ xs: 1, sm: 2, lg: 3 }} items={items} />
    </div>
  );
}
