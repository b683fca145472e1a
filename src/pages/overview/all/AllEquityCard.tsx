import { Card, Skeleton } from 'antd';
import { Suspense, useMemo } from 'react';
import type { AllAccounts } from '#contract/account';
import { late } from '@/components/late';
import { WhenSeen } from '@/components/WhenSeen';
import { curvesOf } from '../equityCurves';

const CurveChart = late(() => import('@/chart/CurveChart'));

const HEIGHT = 400;
const STRETCH = [3, 1.5, 1];

const waiting = <Skeleton.Node active style={{ width: '100%', height: HEIGHT }} />;

/** The chosen accounts as one by day, beside BTC from the same start. */
export function AllEquityCard({ curve }: { curve: AllAccounts['curve'] }) {
  // Money steps up with every account that is opened, so what was made of it comes first.
  const curves = useMemo(
    () =>
      ['btc', 'equity', 'drawdown'].flatMap((part, pane) => curvesOf(curve, [part]).map((one) => ({ ...one, pane }))),
    [curve],
  );
  return (
    <Card size="small" title="权益曲线与 BTC（日收盘 UTC，最后一点为现在）">
      <WhenSeen height={HEIGHT}>
        <Suspense fallback={waiting}>
          <CurveChart label="权益曲线" time={curve.time} curves={curves} height={HEIGHT} stretch={STRETCH} />
        </Suspense>
      </WhenSeen>
    </Card>
  );
}
