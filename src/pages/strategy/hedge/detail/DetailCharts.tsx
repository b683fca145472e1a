import { Skeleton } from 'antd';
import { Suspense, useMemo } from 'react';
import type { HedgeDetail } from '#contract/kinds/hedge/desk';
import type { Curve, Level, Mark } from '@/chart/curve';
import { late } from '@/components/late';
import { zBasis } from '@/components/zBasis';

const CurveChart = late(() => import('@/chart/CurveChart'));

const RATIO_HEIGHT = 380;
const PNL_HEIGHT = 240;
const EQUAL = [1, 1];

const waiting = (height: number) => <Skeleton.Node active style={{ width: '100%', height }} />;

/** What either leg and both brought, from the entry on. */
function curvesOf({ long, short }: HedgeDetail['result']): Curve[] {
  const both = long.map((value, i) => {
    const other = short[i] ?? null;
    return value === null || other === null ? null : value + other;
  });
  return [
    { name: '多头腿', values: long, color: 'cyan', format: 'amount', unit: 'USDT' },
    { name: '空头腿', values: short, color: 'orange', format: 'amount', unit: 'USDT' },
    { name: '合计', values: both, shape: 'baseline', format: 'amount', unit: 'USDT' },
  ];
}

/** Ratio and z with where the hedge came in and went out, and what either leg brought. */
export function DetailCharts({ detail: { hedge, settings, series, result } }: { detail: HedgeDetail }) {
  const { time, ratio, z } = series;
  const { openedAt, closedAt, priceAt, zBar, zBars, hedgeRatio } = hedge;
  const basis = zBasis({ bars: zBars, bar: zBar, hedgeRatio });
  const relation = useMemo<Curve[]>(
    () => [
      { name: '比价', values: ratio, format: 'price' },
      { name: `价差 z（${basis}）`, values: z, color: 'orange', pane: 1 },
    ],
    [ratio, z, basis],
  );
  const brought = useMemo(() => curvesOf(result), [result]);
  const marks = useMemo<Mark[]>(
    () =>
      [0, 1].flatMap((pane): Mark[] => [
        ...(openedAt === null ? [] : [{ at: openedAt, text: '开仓', color: 'blue' as const, pane }]),
        ...(closedAt === null
          ? []
          : [{ at: closedAt, text: '平仓', color: 'magenta' as const, side: 'above' as const, pane }]),
      ]),
    [openedAt, closedAt],
  );
  const { entry, entryZ, exitZ } = settings;
  const levels = useMemo<Level[]>(
    () =>
      entry === 'z'
        ? [
            { name: '入场', value: -entryZ, pane: 1 },
            { name: '出场', value: -exitZ, pane: 1 },
          ]
        : [{ name: 'z 0', value: 0, pane: 1 }],
    [entry, entryZ, exitZ],
  );
  if (time.length === 0) return <p className="soft">这一对还没有可画的 K 线。</p>;
  return (
    <>
      <Suspense fallback={waiting(RATIO_HEIGHT)}>
        <CurveChart
          label="比价与价差 z"
          time={time}
          curves={relation}
          levels={levels}
          marks={marks}
          height={RATIO_HEIGHT}
          stretch={EQUAL}
          forming={priceAt !== null}
        />
      </Suspense>
      {result.time.length > 0 && (
        <Suspense fallback={waiting(PNL_HEIGHT)}>
          <CurveChart label="两腿价格盈亏" time={result.time} curves={brought} height={PNL_HEIGHT} />
        </Suspense>
      )}
    </>
  );
}
