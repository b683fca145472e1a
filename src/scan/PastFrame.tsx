import { Skeleton } from 'antd';
import { Suspense } from 'react';
import type { CurveChartProps } from '@/chart/CurveChart';
import { EmptyState } from '@/components/EmptyState';
import { ErrorState } from '@/components/ErrorState';
import { late } from '@/components/late';
import type { CallState } from '@/services/useCall';

const CurveChart = late(() => import('@/chart/CurveChart'));

const HEIGHT = 260;
const waiting = <Skeleton.Node active style={{ width: '100%', height: HEIGHT }} />;

interface PastFrameProps
  extends Pick<CurveChartProps, 'label' | 'curves' | 'levels' | 'marks' | 'moments' | 'height' | 'stretch' | 'latest'> {
  reading: Pick<CallState<{ time: readonly number[] }>, 'data' | 'error' | 'retry'>;
}

/** A chart of what lies behind a row, where the row opens. */
export function PastFrame({ reading: { data, error, retry }, ...chart }: PastFrameProps) {
  if (data === undefined) return error ? <ErrorState error={error} onRetry={retry} /> : waiting;
  if (data.time.length < 2) return <EmptyState title="还没有历史" description="新上市，或还没有结算过" />;
  return (
    <Suspense fallback={waiting}>
      <CurveChart time={data.time} height={HEIGHT} {...chart} />
    </Suspense>
  );
}
