import { Spin } from 'antd';
import { Suspense, useMemo } from 'react';
import { symbol as api, type SymbolDetail } from '#contract/symbol';
import type { Curve } from '@/chart/curve';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import { useCall } from '@/services/useCall';
import styles from './index.module.css';

const CurveChart = late(() => import('@/chart/CurveChart'));

const REFRESH_MS = 60_000;

/** Open interest and premium of the last three days, every five minutes; there only where it is collected. */
export default function InterestTab({ detail }: { detail: SymbolDetail }) {
  const { source, symbol, base } = detail;
  const { data, error, retry } = useCall(api.sample, { query: { source, symbol } }, { refreshInterval: REFRESH_MS });
  const curves = useMemo<Curve[]>(
    () =>
      data
        ? [
            { name: `持仓量（${base}）`, values: data.interest, format: 'number', color: 'blue', pane: 0 },
            { name: '溢价', values: data.premium, format: 'rate', color: 'orange', pane: 1 },
          ]
        : [],
    [data, base],
  );
  if (error) return <ErrorState error={error} onRetry={() => void retry()} />;
  if (data === undefined) return <Spin />;
  return (
    <div className={styles.tab}>
      <Suspense fallback={<Spin />}>
        <CurveChart label={`${symbol} 持仓量与溢价`} time={data.time} curves={curves} height={320} />
      </Suspense>
    </div>
  );
}
