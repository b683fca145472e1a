import { Alert, Spin } from 'antd';
import { Suspense, useMemo } from 'react';
import type { Static } from 'typebox';
import { symbol as api, type FundingSummary, type SymbolDetail } from '#contract/symbol';
import { type Curve, LATEST_BARS } from '@/chart/curve';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { useCall } from '@/services/useCall';
import type { Column } from '@/table/column';
import { numberColumn, percentColumn, timeColumn } from '@/table/columns';
import { PlainTable } from '@/table/PlainTable';
import styles from './index.module.css';

const CurveChart = late(() => import('@/chart/CurveChart'));

type Summary = Static<typeof FundingSummary>;
interface Settlement {
  time: number;
  rate: number;
  apr: number | null;
}

const NO_SETTLEMENT = '窗口内没有结算';
const SUMMARY_COLUMNS: Column<Summary>[] = [
  { key: 'days', title: '窗口', width: 104, render: ({ days }) => `最近 ${days} 天` },
  percentColumn<Summary>('meanApr', '平均年化', {
    signed: true,
    reason: NO_SETTLEMENT,
    explain: { formula: '窗口内费率均值 × 8760 / 结算间隔（F1）' },
  }),
  percentColumn<Summary>('positiveShare', '正费率占比', { width: 104, digits: 1, reason: NO_SETTLEMENT }),
  numberColumn<Summary>('settlements', '结算次数', { digits: 0 }),
  numberColumn<Summary>('missing', '缺失次数', {
    digits: 0,
    explain: { text: '按结算间隔应有而没有存储的次数，不当作 0 计入' },
  }),
];

const SETTLEMENT_COLUMNS: Column<Settlement>[] = [
  timeColumn<Settlement>('time', '结算时间'),
  percentColumn<Settlement>('rate', '费率', { digits: 4, signed: true }),
  percentColumn<Settlement>('apr', '年化（F1）', { signed: true, reason: '结算间隔未知' }),
];

const PAGING = { showTotal: (n: number) => `共 ${n} 次` };

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
    const why = kind === 'imported' ? '没有导入这个币种的资金费结算。' : '还没有结算过。';
    return <EmptyState title="没有资金费" description={why} />;
  }
  const missing = Math.max(0, ...fundingSummary.map((summary) => summary.missing));
  return (
    <div className={styles.tab}>
      {missing > 0 && (
        <Alert type="warning" showIcon title={`最近 90 天缺失 ${missing} 次结算，均值只按已有的计算。`} />
      )}
      <PlainTable label="各窗口的资金费" rowKey="days" columns={SUMMARY_COLUMNS} rows={fundingSummary} />
      <Suspense fallback={<Spin />}>
        <CurveChart label={`${symbol} 资金费率`} time={data.time} curves={curves} latest={LATEST_BARS} height={240} />
      </Suspense>
      <PlainTable label="资金费结算" rowKey="time" columns={SETTLEMENT_COLUMNS} rows={rows} pagination={PAGING} />
    </div>
  );
}
