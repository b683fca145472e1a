import type { IChartApi } from 'lightweight-charts';
import { useEffect, useRef } from 'react';
import { type AnySeries, addCurve, curveColor, fillCurve, reachingLevels } from './addCurve';
import { addMarks } from './addMarks';
import type { ChartTime } from './chartTime';
import type { Curve, Level, Mark } from './curve';
import type { ChartTheme } from './useChartTheme';

interface Input {
  chart: IChartApi | null;
  time: readonly number[];
  curves: readonly Curve[];
  levels?: readonly Level[];
  marks?: readonly Mark[];
  /** How panes share the height, from the top. */
  stretch: readonly number[];
  theme: ChartTheme;
  chartTime: ChartTime;
}

/** What a series cannot change once it was made. */
function shapeOf({ curves, levels, marks, stretch }: Pick<Input, 'curves' | 'levels' | 'marks' | 'stretch'>): string {
  const looks = curves.map(({ values: _values, figures: _figures, extent: _extent, ...look }) => look);
  return JSON.stringify([looks, levels, marks, stretch]);
}

function addLevels(
  series: readonly AnySeries[],
  curves: readonly Curve[],
  levels: readonly Level[],
  color: string,
): void {
  for (const [i, { shape, pane = 0 }] of curves.entries()) {
    const own = levels.filter((level) => (level.pane ?? 0) === pane).map(({ value }) => value);
    if (shape === 'candle') series[i]?.applyOptions({ autoscaleInfoProvider: reachingLevels(own) });
  }
  for (const level of levels) {
    const on = curves.findIndex((curve) => (curve.pane ?? 0) === (level.pane ?? 0));
    // Many without a name would cover the axis with their labels.
    const axisLabelVisible = level.name !== '';
    const line = { price: level.value, title: level.name, color, axisLabelVisible };
    series[on]?.createPriceLine({ ...line, lineWidth: 1, lineStyle: 2 });
  }
}

/** Keeps one series a curve on the chart: made anew when looks change, only filled anew when figures do. */
export function useCurves(input: Input): void {
  const { chart, time, curves, theme, chartTime } = input;
  const drawn = useRef<AnySeries[]>([]);
  const latest = useRef(input);
  latest.current = input;
  const shape = shapeOf(input);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` stands for the looks; figures come below.
  useEffect(() => {
    if (chart === null) return;
    const visible = chart.timeScale().getVisibleLogicalRange();
    const now = latest.current;
    drawn.current = now.curves.map((curve, i) => addCurve(chart, curve, curveColor(curve, i, theme), theme));
    addLevels(drawn.current, now.curves, now.levels ?? [], theme.color.muted);
    addMarks(drawn.current, now.curves, now.marks ?? [], now.time, now.chartTime, theme);
    // A pane that lost its last series was removed with its height.
    for (const [i, pane] of chart.panes().entries()) pane.setStretchFactor(now.stretch[i] ?? 1);
    if (visible !== null) chart.timeScale().setVisibleLogicalRange(visible);
    return () => {
      const old = drawn.current;
      drawn.current = [];
      // The whole chart may already be gone with its page.
      if (chart.chartElement().isConnected) for (const series of old) chart.removeSeries(series);
    };
  }, [chart, shape, theme]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shape` made the series anew, which are empty then.
  useEffect(() => {
    for (const [i, series] of drawn.current.entries()) fillCurve(series, curves[i]!, time, chartTime, theme);
  }, [chart, shape, theme, curves, time, chartTime]);
}
