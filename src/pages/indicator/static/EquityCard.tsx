import { Card, Segmented, Skeleton } from 'antd';
import { Suspense, useMemo } from 'react';
import { DAY_MS } from '#contract/duration';
import type { StatisticDaily } from '#contract/statistic';
import type { Curve } from '@/chart/curve';
import { late } from '@/components/late';
import { useQueryState, wordCodec } from '@/components/useQueryState';
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

/** Ends of the days, UTC ms: what a day brought is drawn at its end. */
const endsOf = ({ day }: StatisticDaily): number[] => day.map((name) => Date.parse(`${name}T00:00:00Z`) + DAY_MS);

/** The index and what each part has carried it to, with the drawdown below. */
function equityCurves(daily: StatisticDaily): Curve[] {
  const line = (name: string, values: number[], color: Curve['color']): Curve => ({
    ...{ name, values, color, format: 'ratio' },
  });
  return [
    line('净值', daily.index, 'blue'),
    line('多头腿', daily.longIndex, 'cyan'),
    line('空头腿', daily.shortIndex, 'orange'),
    line('资金费', daily.fundingIndex, 'gold'),
    line('手续费', daily.feesIndex, 'magenta'),
    { name: '回撤', values: daily.drawdown, shape: 'area', color: 'down', format: 'percent', pane: 1 },
  ];
}

/** Rolling figures, each on a pane of its own. */
function rollingCurves({ sharpe30, beta30, neutrality }: StatisticDaily): Curve[] {
  return [
    { name: '30 日夏普', values: sharpe30, shape: 'baseline', color: 'blue' },
    { name: '30 日 beta BTC', values: beta30, color: 'orange', format: 'ratio', pane: 1 },
    { name: '中性度（日末净敞口 / 总敞口）', values: neutrality, color: 'purple', format: 'percent', pane: 2 },
  ];
}
