import { Card, Segmented, Skeleton } from 'antd';
import { Suspense, useMemo } from 'react';
import type { StatisticDaily } from '#contract/statistic';
import { late } from '@/components/late';
import { useQueryState, wordCodec } from '@/components/useQueryState';
import { endsOf, equityCurves, rollingCurves } from './curves';
import styles from './index.module.css';

const CurveChart = late(() => import('@/chart/CurveChart'));

const EQUITY_HEIGHT = 420;
const ROLLING_HEIGHT = 340;
const STRETCH = [3, 1];
const EVEN = [1, 1, 1];
const SCALES = [
  { value: 'linear' as const, label: '线性' },
  { value: 'log' as const, label: '对数' },
];
const codecs = { scale: wordCodec(['linear', 'log'], 'linear') };

const waiting = (height: number) => <Skeleton.Node active style={{ width: '100%', height }} />;

/** The index with what each part has brought, its drawdown, and the rolling figures. */
export default function EquityCard({ daily }: { daily: StatisticDaily }) {
  const [{ scale }, change] = useQueryState(codecs);
  const time = useMemo(() => endsOf(daily), [daily]);
  const curves = useMemo(() => equityCurves(daily), [daily]);
  const rolling = useMemo(() => rollingCurves(daily), [daily]);
  return (
    <>
      <Card size="small" title="净值与回撤">
        <div className={styles.tools}>
          <Segmented
            size="small"
            aria-label="坐标"
            options={SCALES}
            value={scale}
            onChange={(value) => change({ scale: value }, { replace: true })}
          />
          <span className="soft">
            各线均自 1 起：1 + 该部分对净值的累计贡献；各部分贡献之和 = 净值 − 1。已剔除划转。
          </span>
        </div>
        <Suspense fallback={waiting(EQUITY_HEIGHT)}>
          <CurveChart
            label="净值与回撤"
            time={time}
            curves={curves}
            height={EQUITY_HEIGHT}
            stretch={STRETCH}
            logarithmic={scale === 'log'}
          />
        </Suspense>
      </Card>
      <Card size="small" title="滚动 30 日：夏普、beta 与中性度">
        <Suspense fallback={waiting(ROLLING_HEIGHT)}>
          <CurveChart label="滚动 30 日" time={time} curves={rolling} height={ROLLING_HEIGHT} stretch={EVEN} />
        </Suspense>
      </Card>
    </>
  );
}
