import { Alert, Spin } from 'antd';
import { lazy, Suspense, useMemo } from 'react';
import type { Static } from 'typebox';
import { symbol as api, type FundingSummary, type SymbolDetail } from '#contract/symbol';
import { type Curve, LATEST_BARS } from '@/chart/curve';
import { DateTime } from '@/components/DateTime';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { Explained } from '@/components/Explained';
import { Percent } from '@/components/Percent';
import { useCall } from '@/services/useCall';
import { PlainTable } from '@/table/PlainTable';
import styles from './index.module.css';

const CurveChart = lazy(() => import('@/chart/CurveChart'));

type Summary = Static<typeof FundingSummary>;
interface Settlement {
  time: number;
  rate: number;
  apr: number | null;
}

const summaryColumns = [
  { title: '窗口', dataIndex: 'days', render: (days: number) => `最近 ${days} 天` },
  {
    title: <Explained formula="窗口内费率均值 × 8760 / 结算间隔（F1）">平均年化</Explained>,
    dataIndex: 'meanApr',
    align: 'right' as const,
    render: (value: number | null) => <Percent value={value} signed reason="窗口内没有结算" />,
  },
  {
    title: '正费率占比',
    dataIndex: 'positiveShare',
    align: 'right' as const,
    render: (value: number | null) => <Percent value={value} digits={1} reason="窗口内没有结算" />,
  },
  { title: '结算次数', dataIndex: 'settlements', align: 'right' as const },
  {
    title: <Explained text="按结算间隔应有而没有存储的次数，不当作 0 计入">缺失次数</Explained>,
    dataIndex: 'missing',
    align: 'right' as const,
  },
];

const settlementColumns = [
  { title: '结算时间', dataIndex: 'time', render: (value: number) => <DateTime value={value} /> },
  {
    title: '费率',
    dataIndex: 'rate',
    align: 'right' as const,
    render: (value: number) => <Percent value={value} digits={4} signed />,
  },
  {
    title: '年化（F1）',
    dataIndex: 'apr',
    align: 'right' as const,
    render: (value: number | null) => <Percent value={value} signed reason="结算间隔未知" />,
  },
];

/** Settled funding: means, share of positive rates, what is missing, bars and a table. */
export default function FundingTab({ detail }: { detail: SymbolDetail }) {
  const { source, symbol, kind, fundingSummary } = detail;
  const { data, error, retry } = useCall(api.funding, { query: { source, symbol } });
  const curves = useMemo<Curve[]>(
    () => (data ? [{ name: '资金费率', values: data.rate, shape: 'histogram', format: 'rate' }] : []),
    [data],
  );
  const rows = useMemo<Settlement[]>(
    () => (data?.time ?? []).map((time, i) => ({ time, rate: data!.rate[i]!, apr: data!.apr[i] ?? null })).reverse(),
    [data],
  );
  if (error) return <ErrorState error={error} onRetry={() => void retry()} />;
  if (data === undefined) return <Spin />;
  if (rows.length === 0) {
    const why = kind === 'imported' ? '导入的数据只有 K 线，不含资金费结算。' : '还没有结算过。';
    return <EmptyState title="没有资金费" description={why} />;
  }
  const missing = Math.max(0, ...fundingSummary.map((summary) => summary.missing));
  return (
    <div className={styles.tab}>
      {missing > 0 && (
        <Alert type="warning" showIcon title={`最近 90 天缺失 ${missing} 次结算，均值只按已有的计算。`} />
      )}
      <PlainTable<Summary>
        rowKey="days"
        columns={summaryColumns}
        rows={fundingSummary}
        pagination={false}
        scroll={{ x: 'max-content' }}
      />
      <Suspense fallback={<Spin />}>
        <CurveChart label={`${symbol} 资金费率`} time={data.time} curves={curves} latest={LATEST_BARS} height={240} />
      </Suspense>
      <PlainTable<Settlement>
        rowKey="time"
        columns={settlementColumns}
        rows={rows}
        pagination={{ pageSize: 20, showSizeChanger: false, size: 'small', showTotal: (total) => `共 ${total} 次` }}
        scroll={{ x: 'max-content' }}
      />
    </div>
  );
}
